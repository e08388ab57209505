"""Cached reads of how a target behaves: the table answerable x answered, its declines, and the cases of a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.criteria.declining import DeclinedByDocuments, by_documents
from core.diagnosis.service.blame import blame_of
from core.domain.results.runs import Run
from core.metrics.samples.answerability import Behaviour, Cell, behaviour, cell_of
from core.runs.scores import answering
from core.runs.scores.samples import RunSamples
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import run_inputs
from core.store.results.runs import ResultRow
from pages.kit import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBehaviour:
    """A run's behaviour.

    Attributes:
        table: The four cells with their shares.
        cases: Ids of the cases of each cell, in the order of the test set.
        clusters: The filled SQL query of each case.
    """

    table: Behaviour
    cases: Mapping[Cell, tuple[str, ...]]
    clusters: Mapping[str, str]


def unread(store: Store, run: Run) -> int:
    """How many answers of a run nobody has measured, which the table would have to read."""
    return _unread(store, run.id, run)


@cache.read("runs", "answers", "scores", "test_sets")
def _unread(store: Store, run_id: str, _run: Run) -> int:
    with store.read() as connection:
        return answering.unread(connection, _run)


def of_run(store: Store, run: Run) -> RunBehaviour:
    """How the target of a run behaved."""
    return _of_run(store, run.id, run)


@cache.read("runs", "answers", "scores", "test_sets", "sources", max_entries=16)
def _of_run(store: Store, run_id: str, _run: Run) -> RunBehaviour:
    with store.read() as connection:
        ids, groups = run_inputs.groups(connection, _run.test_set_id)
        reached = run_inputs.answered_cases(connection, _run)
        known = answering.known(connection, run_id)
    clusters = dict(zip(ids, groups, strict=True))
    samples = list(RunSamples(store, _run).read(reached, contexts=False))
    case_ids: dict[Cell, list[str]] = {cell: [] for cell in Cell}
    for sample in samples:
        if (cell := cell_of(sample, known)) is not None:
            case_ids[cell].append(sample.case_id)
    table = behaviour(samples, [clusters.get(sample.case_id, sample.case_id) for sample in samples], known)
    cases = {cell: tuple(some) for cell, some in case_ids.items()}
    return RunBehaviour(table=table, cases=cases, clusters=clusters)


def declined(store: Store, run: Run) -> DeclinedByDocuments:
    """The declined questions that count as answerable, by what the documents are known to state; none is searched."""
    return _declined(store, run.id, run)


@cache.read("runs", "answers", "scores", "test_sets", "sources", "evidence", max_entries=16)
def _declined(store: Store, run_id: str, _run: Run) -> DeclinedByDocuments:
    behaves = of_run(store, _run)
    case_ids = behaves.cases[Cell.DECLINED_ANSWERABLE]
    blames = blame_of(store, run_id, case_ids, seconds=0.0) if case_ids else {}
    return by_documents(case_ids, behaves.clusters, blames)


def rows(store: Store, run: Run, case_ids: tuple[str, ...], metrics: tuple[str, ...]) -> list[ResultRow]:
    """The results of these cases, in that order; for one page of them."""
    with store.read() as connection:
        return runs.of_cases(connection, run.id, case_ids, metrics)
