"""The documents' evidence on the facts that a run failed at: searched for once, kept, and shown for nothing else.

Evidence counts for a fact with exactly the key that it was found with (see :mod:`core.diagnosis.service.outcomes`). So
a verdict that a person changes, an answer that was asked for again, another choice of how records and documents belong
together or other documents take away the evidence of the facts they touch, and only those are searched again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Connection

from core.diagnosis.computed.rows import DatabaseRows
from core.diagnosis.service.facts.preparing import SIBLINGS, rivals_of
from core.diagnosis.service.facts.search import FactSearch
from core.diagnosis.service.outcomes import Outcomes, Surroundings, outcomes, surroundings
from core.domain.errors import Conflict
from core.domain.jobs import Report, silent
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.projects import SourceKind
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.results import fact_evidence, runs, scores
from core.store.results.cases import case_columns, outcome_columns
from core.store.results.fact_evidence import StoredEvidence
from core.store.testset import chunks
from core.store.writing import versions

STAGE = "Searching the documents"
QUICK_S = 2.0
"""Seconds that a person may wait for a page; a search that takes longer is a job."""
DOCUMENTS_RATE = 2_500_000
"""Characters of documents a second that are read and indexed. Measured: 3 to 5 million."""
DOCUMENT_S = 0.00005
"""Seconds that each document takes beside its characters."""
ANSWER_S = 0.0004
"""Seconds that each wrong answer takes beside its passages. Measured: 0.2 to 0.5 ms."""
PASSAGES_RATE = 1_000_000
"""Characters of retrieved passages a second."""

PART = 250
"""Facts read at once."""
COMMIT_S = 3.0
"""Seconds between two commits; what a killed worker searched since the last one is searched again."""
WAIT_S = 0.5
"""Seconds between two looks whether another process has ended its search of the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvidence:
    """The evidence of a run's facts at one moment.

    Attributes:
        around: What all its evidence depends on.
        ended: How its cases ended, with the facts that have a wrong answer.
        stored: What was found for those facts as they are now, by filled SQL query.
    """

    run: Run
    around: Surroundings
    ended: Outcomes
    stored: Mapping[str, StoredEvidence]

    @property
    def missing(self) -> tuple[str, ...]:
        """The filled SQL queries of the facts that are still to be searched for."""
        return tuple(group_id for group_id in self.ended.facts if group_id not in self.stored)


def evidence_of(connection: Connection, run: Run, case_ids: Collection[str] | None = None) -> RunEvidence:
    """What is known of a run's facts without searching.

    Args:
        connection: From the store.
        run: The run.
        case_ids: Only these cases, with every wording of their facts; all where None.
    """
    templates = None
    if case_ids is not None:
        wordings = outcome_columns.wordings(connection, run.test_set_id, case_ids)
        templates = {wording.sql_template_id for wording in wordings}
    around = surroundings(connection, run, templates)
    ended = outcomes(connection, run, around, case_ids)
    keys = {group_id: fact.key for group_id, fact in ended.facts.items()}
    stored = fact_evidence.of_run(connection, run.id, keys, None if case_ids is None else keys) if keys else {}
    return RunEvidence(run=run, around=around, ended=ended, stored=stored)


def search_seconds(connection: Connection, evidence: RunEvidence) -> float:
    """About how long the search for what is missing takes."""
    missing = [evidence.ended.facts[group_id] for group_id in evidence.missing]
    if not missing:
        return 0.0
    number, characters = sources.size(connection, evidence.run.corpus_id)
    answers = sum(len(fact.wrong_ids) for fact in missing)
    passages = sum(fact.characters for fact in missing)
    return number * DOCUMENT_S + characters / DOCUMENTS_RATE + answers * ANSWER_S + passages / PASSAGES_RATE


def find_evidence_of_run(
    store: Store,
    run_id: str,
    case_ids: Collection[str] | None = None,
    *,
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Searches the documents for the facts of a run that have no evidence yet, and stores what is found.

    One process at a time searches for a run; another one waits and finds it done. What is committed is not searched
    again after a stop or a kill.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Only the facts of these cases, with every wording of them; all where None.
        progress: Receives the stage, and the facts with evidence of all facts with a wrong answer.
        should_stop: Asked before each fact.

    Returns:
        Whether every fact has its evidence; False when it was asked to stop.

    Raises:
        NotFound: There is no such run.
    """
    with ExitStack() as held:
        while True:
            try:
                name = f"evidence-{run_id}"
                held.enter_context(store.exclusive(name, what=f"The evidence of run {run_id}", seconds=WAIT_S))
                break
            except Conflict:
                if should_stop():
                    return False
        # Once more after the last fact: what changed meanwhile is searched for too.
        while True:
            with store.read() as connection:
                evidence = evidence_of(connection, runs.get(connection, run_id), case_ids)
                search = _Search.of(connection, evidence) if evidence.missing else None
            if search is None:
                return True
            with search.behind:
                if not search.run(store, progress, should_stop):
                    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """The documents of a run, prepared, and what is to be searched for in them.

    Attributes:
        behind: The rows that computed answers come from.
        read_at: The version of the project's documents, and of what people decided about them.
    """

    evidence: RunEvidence
    documents: FactSearch
    behind: DatabaseRows
    read_at: int

    @classmethod
    def of(cls, connection: Connection, evidence: RunEvidence) -> _Search:
        """Reads the documents."""
        run = evidence.run
        templates = list(evidence.around.bound_keys)
        parameters = case_columns.parameters(connection, run.test_set_id, templates)
        siblings = case_columns.first_facts(connection, run.test_set_id, templates, SIBLINGS)
        behind = DatabaseRows(sources.latest(connection, run.project_id, SourceKind.DATABASE))
        return cls(
            evidence=evidence,
            documents=FactSearch(
                sources.documents(connection, run.corpus_id),
                rivals_of(parameters),
                document_mappings.named(siblings, evidence.around.documents),
                behind,
            ),
            behind=behind,
            read_at=_version(connection, run),
        )

    def run(self, store: Store, progress: Report, should_stop: Callable[[], bool]) -> bool:
        """Searches for what is missing; False when it was asked to stop, True also where the documents changed."""
        total = len(self.evidence.ended.facts)
        done = len(self.evidence.stored)
        batch: list[StoredEvidence] = []
        committed = time.monotonic()
        progress(STAGE, done, total)
        for item in self._searched(store):
            if item is None:
                break
            batch.append(item)
            done += 1
            progress(STAGE, done, total)
            stopped = should_stop()
            if stopped or time.monotonic() - committed >= COMMIT_S:
                if not self._commit(store, batch):
                    return True
                batch, committed = [], time.monotonic()
            if stopped:
                return False
        self._commit(store, batch)
        return True

    def _commit(self, store: Store, batch: Sequence[StoredEvidence]) -> bool:
        """Stores what was found; nothing where the documents were replaced since they were read."""
        run = self.evidence.run
        with store.pulse(run.project_id, run.id) as connection:
            if _version(connection, run) != self.read_at:
                return False
            fact_evidence.put(connection, run.id, run.corpus_id, batch)
        return True

    def _searched(self, store: Store) -> Iterator[StoredEvidence | None]:
        """What is found for each missing fact as it is when it is read; None once the documents are others."""
        waiting = iter(self.evidence.missing)
        while group_ids := list(islice(waiting, PART)):
            ids = [case_id for group_id in group_ids for case_id in self.evidence.ended.facts[group_id].case_ids]
            with store.read() as connection:
                run = runs.get(connection, self.evidence.run.id)
                if _version(connection, run) != self.read_at or run.corpus_id != self.evidence.run.corpus_id:
                    yield None
                    return
                # Read together with the keys, so that no finding gets the key of another verdict or answer.
                facts = outcomes(connection, run, self.evidence.around, ids).facts
                cases = case_columns.chosen(connection, run.test_set_id, ids)
                written_from = {chunk_id for case in cases for chunk_id in case.gold_chunk_ids}
                self.documents.grounded.know(chunks.some(connection, run.corpus_id, written_from))
                by_id = {case.case_id: case for case in document_mappings.named(cases, self.evidence.around.documents)}
                wrong = [case_id for fact in facts.values() for case_id in fact.wrong_ids]
                responses = runs.responses(connection, run.id, wrong)
                verdicts = scores.of_metric(connection, run.id, VERDICT_METRIC, wrong)
            for group_id, fact in facts.items():
                finding, in_context = self.documents.search(
                    [by_id[case_id] for case_id in fact.case_ids],
                    [by_id[case_id] for case_id in fact.wrong_ids],
                    responses,
                    verdicts,
                )
                yield StoredEvidence(group_id=group_id, key=fact.key, finding=finding, in_context=in_context)


def _version(connection: Connection, run: Run) -> int:
    return versions.number(connection, frozenset({"sources"}), project_id=run.project_id)
