"""The system under test of a run, opened over its corpus as its options ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from core.domain.errors import InvalidInput
from core.domain.results.runs import Run
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.runs.models import Chat, chat_of, limited, prompts_of
from core.runs.planting import PREFIX, PlantingTarget, draws_of, planted_documents, with_planted
from core.runs.scores.choice import ScoringOptions
from core.store import document_mappings, sources
from core.store.database import Store
from core.targets import Target, list_targets, open_target
from core.targets.protocol import RETRIEVAL

TARGET_OPTIONS: Mapping[str, Callable[[str], object]] = {
    "k": int,
    "mode": str,
    "retriever": str,
    "concurrency": int,
    "rate": float,
    "timeout_s": float,
}
"""Options of a run that its target is opened with."""


def run_target(
    store: Store,
    run: Run,
    cases: Sequence[TestCase] = (),
    chat: Chat | None = None,
    corpus: Corpus | None = None,
) -> Target:
    """Opens the target of a run over its corpus.

    Args:
        store: Where the run is.
        run: The run.
        cases: Those that will be asked; a target that is given the right documents learns from them which these are,
            and a recording whether it is of these cases.
        chat: What opens its models; by default within a budget of its own.
        corpus: What it searches in place of the run's corpus, such as a changed copy of it.

    Raises:
        InvalidInput: The target cannot be opened as asked.
        UnreadableFile: Its file cannot be read.
    """
    documents: KnownDocuments | None = None
    if corpus is None and run.corpus_id:
        with store.read() as connection:
            corpus = sources.corpus(connection, run.corpus_id)
            own = [document.id for document in corpus.documents]
            documents = document_mappings.known(connection, run.project_id, run.corpus_id, own)
    options, cache = ScoringOptions.of(run.options), StoreCache(store, run.project_id)
    gold = {case.case_id: case.gold_document_ids for case in document_mappings.named(cases, documents)}
    run_options = {
        name: _option(run, name, kind) for name, kind in TARGET_OPTIONS.items() if run.options.get(name) is not None
    }

    def opened(searched: Corpus | None) -> Target:
        return open_target(
            run.target,
            searched,
            encoder=partial(open_encoder, options.encoder, precision=options.precision, cache=cache),
            chat=limited(chat or chat_of(store, run), run.options, "concurrency"),
            prompts=prompts_of(store, run.project_id),
            gold=gold,
            draws=draws_of(cases),
            asked={case.case_id: case.question for case in cases},
            **run_options,  # type: ignore[arg-type]
        )

    target, planted = opened(corpus), planted_documents(cases)
    if not planted:
        return target
    plants = corpus is not None and searches_here(run.target, run.options)
    over_planted = partial(opened, with_planted(corpus, planted)) if corpus is not None and plants else None
    return PlantingTarget(target, over_planted, frozenset(document.id.removeprefix(PREFIX) for document in planted))


def searches_here(target: str, options: Mapping[str, object]) -> bool:
    """Whether a target searches the documents of the project, so that a passage can be planted among them."""
    spec = next((spec for spec in list_targets() if spec.name == target.partition(":")[0]), None)
    return spec is not None and spec.needs_corpus and str(options.get("mode") or RETRIEVAL) == RETRIEVAL


def asks_a_system(run: Run) -> bool:
    """Whether a run asks a system that somebody connected, as it works.

    A retrieval of Plumbline is a baseline, and a run without retrieval or with the gold documents is a part of the
    three-way experiment.
    """
    spec = next((spec for spec in list_targets() if spec.name == run.target.partition(":")[0]), None)
    built_in = spec is not None and not spec.argument
    return not built_in and str(run.options.get("mode") or RETRIEVAL) == RETRIEVAL


def is_recorded(run: Run) -> bool:
    """Whether a run reads recorded answers, such as another tool's file, and asks nobody."""
    return run.target.partition(":")[0] == "recorded"


def _option(run: Run, name: str, kind: Callable[[str], object]) -> object:
    try:
        return kind(str(run.options[name]))
    except ValueError as error:
        raise InvalidInput(f"The option {name} of run {run.id} is {run.options[name]!r}.", "Give a number.") from error
