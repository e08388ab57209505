"""Cached reads of how a target behaves: the table answerable x answered, and the cases of one of its cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.results.runs import Run
from core.metrics.answerability import Behaviour, Cell, behaviour, cell_of
from core.runs.scores.samples import RunSamples
from core.store.database import Store
from core.store.results import run_inputs, runs
from core.store.results.runs import ResultRow
from pages.kit import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBehaviour:
    """A run's behaviour.

    Attributes:
        table: The four cells with their shares.
        cases: Ids of the cases of each cell, in the order of the test set.
    """

    table: Behaviour
    cases: Mapping[Cell, tuple[str, ...]]


def of_run(store: Store, run: Run) -> RunBehaviour:
    """How the target of a run behaved."""
    return _of_run(store, run.id, run)


@cache.read("runs", "answers", "test_sets", "sources", max_entries=16)
def _of_run(store: Store, run_id: str, _run: Run) -> RunBehaviour:
    with store.read() as connection:
        ids, groups = run_inputs.groups(connection, _run.test_set_id)
        reached = run_inputs.answered_cases(connection, _run)
    clusters = dict(zip(ids, groups, strict=True))
    samples = list(RunSamples(store, _run).read(reached, contexts=False))
    case_ids: dict[Cell, list[str]] = {cell: [] for cell in Cell}
    for sample in samples:
        if (cell := cell_of(sample)) is not None:
            case_ids[cell].append(sample.case_id)
    table = behaviour(samples, [clusters.get(sample.case_id, sample.case_id) for sample in samples])
    return RunBehaviour(table=table, cases={cell: tuple(some) for cell, some in case_ids.items()})


def rows(store: Store, run: Run, case_ids: tuple[str, ...], metrics: tuple[str, ...]) -> list[ResultRow]:
    """The results of these cases, in that order; for one page of them."""
    with store.read() as connection:
        return runs.of_cases(connection, run.id, case_ids, metrics)
