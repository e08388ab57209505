"""Which metrics a run can be scored with, and what the others lack."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.sources.projects import SourceKind
from core.metrics import MetricSpec, Need, list_metrics
from core.metrics.samples.sample import ANSWERABLE
from core.runs.scores.choice import ScoringOptions, judging_models, scoring_options
from core.runs.scores.samples import tells_contexts
from core.settings import settings
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import run_inputs
from core.store.results.cases.run_inputs import RunInputs
from core.store.testset import testsets

BY_DOCUMENT = ("recall", "precision", "ndcg")
BY_CHUNK = ("chunk_recall", "chunk_precision", "chunk_ndcg")
"""Instead of those by document, where only the chunks are known."""

DEFAULTS = (
    "context_relevancy",
    "groundedness",
    "lexical_precision",
    "faithfulness",
    "nli_groundedness",
    "completeness",
    "answer_relevancy",
    "token_f1",
    "answered",
)
"""One or two a family, none of them a variant of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicable:
    """A metric and whether a run has what it needs.

    Attributes:
        name: Under which it is scored.
        ready: Whether at least one case can get a value, as far as its inputs tell.
        why_not: What is missing, one sentence; empty where it is ready.
        default: Whether it belongs to a sensible first choice for this run.
    """

    name: str
    spec: MetricSpec
    ready: bool
    why_not: str
    default: bool


def applicable(store: Store, run_id: str, options: ScoringOptions | None = None) -> tuple[Applicable, ...]:
    """Every metric, by family, with what the run lacks for it.

    Args:
        store: Where the run is.
        run_id: The run.
        options: Which models it would be scored with; by default those of the settings.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        inputs = run_inputs.inputs(connection, run, ANSWERABLE)
        documents = document_mappings.of_run(connection, run)
        none_fits = document_mappings.gold_tables(connection, run.test_set_id, documents).none_fits
    inputs = replace(inputs, gold_documents=inputs.gold_documents and not none_fits)
    return _fitting(
        inputs,
        knows_contexts=inputs.contexts or tells_contexts(run.target, run.options),
        options=scoring_options(run, options or ScoringOptions()),
        none_fits=none_fits,
    )


def expected(store: Store, test_set_id: str, options: ScoringOptions | None = None) -> tuple[Applicable, ...]:
    """The same before there is a run, for a target that answers and tells the texts of the documents it retrieves.

    Args:
        store: Where the test set is.
        test_set_id: The test set.
        options: Which models the run will be scored with; by default those of the settings.
    """
    with store.read() as connection:
        inputs = run_inputs.expected(connection, test_set_id, ANSWERABLE)
        project_id = testsets.get(connection, test_set_id).project_id
        corpus = sources.latest(connection, project_id, SourceKind.CORPUS)
        documents = document_mappings.known(connection, project_id, corpus.id) if corpus else None
        none_fits = document_mappings.gold_tables(connection, test_set_id, documents).none_fits
    inputs = replace(inputs, gold_documents=inputs.gold_documents and not none_fits)
    return _fitting(inputs, knows_contexts=True, options=options, none_fits=none_fits)


def _fitting(
    inputs: RunInputs, *, knows_contexts: bool, options: ScoringOptions | None, none_fits: bool
) -> tuple[Applicable, ...]:
    nli = bool((options.nli if options else "") or settings().nli)
    judge = bool(options and judging_models(options.metric_judges))
    lacking = _lacking(inputs, knows_contexts=knows_contexts, nli=nli, judge=judge)
    if none_fits:
        lacking[Need.GOLD_DOCUMENTS] = (
            "No gold id of the test set names a document. Say on the Connect page how they belong together."
        )
    specs = {spec.name: spec for spec in list_metrics()}
    why = {name: next((lacking[need] for need in spec.needs if need in lacking), "") for name, spec in specs.items()}
    by_chunk = all(why.get(name, "unknown") for name in BY_DOCUMENT)
    chosen = {*DEFAULTS, *(BY_CHUNK if by_chunk else BY_DOCUMENT)}
    return tuple(
        Applicable(
            name=name, spec=spec, ready=not why[name], why_not=why[name], default=name in chosen and not why[name]
        )
        for name, spec in specs.items()
    )


def _lacking(inputs: RunInputs, *, knows_contexts: bool, nli: bool, judge: bool) -> dict[Need, str]:
    """What no case of the run has, in words."""
    nothing = knows_contexts and not inputs.contexts  # known to have retrieved nothing, which has a score too
    unknown = "The run does not record what was retrieved."
    textless = (
        "The retrieved passages are known by their ids only, not by their texts."
        if inputs.document_ids or inputs.chunk_ids
        else "The retrieved passages hold no text."
    )
    words = {
        Need.ANSWER: (inputs.answers, "No case of the run has an answer."),
        Need.CONTEXTS: (inputs.texts or nothing, textless if knows_contexts else unknown),
        Need.REFERENCE: (inputs.references, "No case of the test set has a reference answer."),
        Need.DOCUMENT_IDS: (
            inputs.document_ids or nothing,
            "The run does not record the ids of the retrieved documents.",
        ),
        Need.CHUNK_IDS: (inputs.chunk_ids or nothing, "The run does not record the ids of the retrieved chunks."),
        Need.GOLD_DOCUMENTS: (inputs.gold_documents, "No case of the test set names a document that should be found."),
        Need.GOLD_CHUNKS: (inputs.gold_chunks, "No case of the test set names a chunk that should be found."),
        Need.ANSWERABLE: (inputs.answerable, "The test set does not say which questions are answerable."),
        Need.NLI: (nli, "No NLI model is set; name one with PLUMBLINE_NLI or when you score."),
        Need.JUDGE: (judge, "No judging model is chosen; connect one on the Models page and choose it when you score."),
    }
    return {need: sentence for need, (there, sentence) in words.items() if not there}
