"""The agreement of those who labelled a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from core.domain.runs import Run
from core.labelling.agreement import agreement, level_of
from core.labelling.agreement_report import AgreementReport
from core.labelling.one_label import ratings_table
from core.store import labels, runs
from core.store.database import Store

Floats = npt.NDArray[np.float64]


def agreement_of_run(
    store: Store, run_id: str, criterion_id: str, *, seed: int = 0, resamples: int = 2_000
) -> AgreementReport:
    """The agreement of everybody who labelled a run under a criterion, all its rounds together.

    Practice cases are left out of every figure but one: they are the gold subset that each rater is held against. Where
    a machine played raters, the first note says so.

    Args:
        store: Where the run is.
        run_id: The run.
        criterion_id: The criterion.
        seed: For the bootstraps.
        resamples: Of each bootstrap.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The criterion is a comment.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        criterion = labels.criterion(connection, criterion_id)
    level = level_of(criterion)
    table = ratings_table(store, run_id, criterion_id)
    with store.read() as connection:
        said, right = _practice(connection, run, criterion_id, table.raters)
    report = agreement(
        table.values,
        table.raters,
        level=level,
        criterion=criterion.name,
        repeats=table.repeats,
        seconds=table.seconds,
        cannot_judge=dict(zip(table.raters, table.cannot_judge.sum(axis=1).tolist(), strict=True)),
        gold=right,
        gold_ratings=said,
        seed=seed,
        resamples=resamples,
    )
    if not table.simulated:
        return report
    return replace(report, notes=(note_on_machines(table.simulated), *report.notes))


def note_on_machines(raters: Iterable[str]) -> str:
    """The note of a report on raters that a machine played.

    >>> note_on_machines({"B", "A"})
    'A machine played A, B: these labels are no opinion of people.'
    """
    return f"A machine played {', '.join(sorted(raters))}: these labels are no opinion of people."


def _practice(connection: Connection, run: Run, criterion_id: str, raters: tuple[str, ...]) -> tuple[Floats, Floats]:
    """What raters said of practice cases, shape (raters, cases), and the right levels, shape (cases,)."""
    rows = {rater: place for place, rater in enumerate(raters)}
    columns: list[Floats] = []
    right: list[float] = []
    for made in labels.rounds(connection, run.project_id, run.id):
        said = [
            one
            for one in labels.practice(connection, made.id)
            if one.criterion_id == criterion_id and one.value is not None and one.rater in rows
        ]
        for item in labels.items(connection, made.id) if said else ():
            if criterion_id not in item.gold:
                continue
            column = np.full(len(raters), np.nan)
            for one in said:
                if one.case_id == item.case_id:
                    column[rows[one.rater]] = one.value
            columns.append(column)
            right.append(item.gold[criterion_id])
    table = np.stack(columns, axis=1) if columns else np.empty((len(raters), 0))
    return table, np.array(right, dtype=np.float64)
