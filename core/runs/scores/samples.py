"""A run's answered cases as the samples that metrics look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from core.domain.errors import NotFound
from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.document_ids import KnownDocuments
from core.domain.testset.cases import TestCase
from core.metrics import Sample, sample_of
from core.metrics.samples.answerability import Behaviour, behaviour
from core.runs.scores import answering
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import run_inputs
from core.store.testset import testsets
from core.targets import list_targets
from core.targets.protocol import CLOSED_BOOK


class RunSamples:
    """Reads the samples of a run, a part at a time.

    A gold document is named by the id it was retrieved under, else by the corpus's own id. One that the corpus does not
    have is left out: that is a defect of the data and no miss of the retrieval. Where no corpus is known it stays as it
    is. Where not one gold id of the whole test set names a document, the samples say so.

    Args:
        store: Where the run is.
        run: The run.

    Attributes:
        contexts_known: Whether the target tells what it retrieved, so that an empty list means "nothing".
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._store = store
        self._run = run
        with store.read() as connection:
            self.contexts_known = tells_contexts(run.target, run.options) or run_inputs.has_contexts(connection, run.id)
            self._known = document_mappings.of_run(connection, run)
            self._gold_tables = document_mappings.gold_tables(connection, run.test_set_id, self._known)

    def read(self, case_ids: Sequence[str], *, contexts: bool = True) -> Iterator[Sample]:
        """The samples of answered cases, in the order asked for.

        Args:
            case_ids: Which; those without a response are left out.
            contexts: Whether to read the retrieved passages; without them nobody knows what was retrieved.
        """
        for start in range(0, len(case_ids), run_inputs.PART):
            some = case_ids[start : start + run_inputs.PART]
            with self._store.read() as connection:
                pairs = list(run_inputs.pairs(connection, self._run, some, contexts=contexts))
            yield from (self.sample(case, response, contexts=contexts) for case, response in pairs)

    def sample(self, case: TestCase, response: Response | None, *, contexts: bool = True) -> Sample:
        """One case with its response as a sample."""
        # A target that failed has retrieved nothing that we know of, which is not the same as nothing.
        has_contexts = contexts and self.contexts_known and response is not None and response.answer is not None
        return sample_of(
            case,
            response,
            contexts_known=has_contexts,
            gold=self._gold(case, response),
            gold_fits=self._gold_tables.comparable(case.gold_document_ids),
        )

    def _gold(self, case: TestCase, response: Response | None) -> tuple[str, ...]:
        return gold_as_retrieved(case.gold_document_ids, response.document_ids if response else (), self._known)


def gold_as_retrieved(
    gold_ids: Sequence[str], retrieved: Sequence[str], corpus: KnownDocuments | None
) -> tuple[str, ...]:
    """Gold documents by the ids they were retrieved under, else by the corpus's own; those it lacks are left out.

    Args:
        gold_ids: As the case names them.
        retrieved: Ids of the retrieved documents.
        corpus: The corpus, None where it is not known; gold ids then stay as they are.
    """
    if corpus is None:
        documents = KnownDocuments(retrieved)
        return tuple(dict.fromkeys(documents.find(gold) or gold for gold in gold_ids))
    own, _ = corpus.resolve(gold_ids)
    spelled: dict[str, str] = {}
    for document_id in retrieved:
        spelled.setdefault(corpus.find(document_id) or document_id, document_id)
    return tuple(spelled.get(document_id, document_id) for document_id in own)


def tells_contexts(target: str, options: Mapping[str, object]) -> bool:
    """Whether a run's target is one of ours and retrieved, so that no passage means that it found none.

    Args:
        target: Its spec.
        options: Of the run; a model that answered closed book was given no passage and looked for none.
    """
    return options.get("mode") != CLOSED_BOOK and is_ours(target)


def is_ours(target: str) -> bool:
    """Whether a target's retrieval is one of ours, so that it is known before the first answer what it will tell."""
    name = target.partition(":")[0]
    return any(spec.name == name and spec.default_k is not None for spec in list_targets())


def behaviour_of(store: Store, run_id: str) -> Behaviour:
    """Answerable by answered over the answered cases of a run; no passage is read.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        answered = run_inputs.answered_cases(connection, run)
        groups = dict(zip(*run_inputs.groups(connection, run.test_set_id), strict=True))
        known = answering.known(connection, run_id)
    samples = RunSamples(store, run).read(answered, contexts=False)
    return behaviour(samples, [groups[case_id] for case_id in answered], known)


def sample_for(store: Store, run_id: str, case_id: str) -> Sample:
    """One case of a run as the sample its scores were measured on.

    Raises:
        NotFound: There is no such run, or the case has no response in it.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        case = testsets.case(connection, run.test_set_id, case_id)
        response = runs.responses(connection, run_id, [case_id]).get(case_id)
    if response is None:
        raise NotFound(f"Case {case_id} has no answer in run {run_id}.", "Let the run reach it first.")
    return RunSamples(store, run).sample(case, response)
