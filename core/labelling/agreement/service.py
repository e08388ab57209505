"""The agreement of the raters of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from sqlalchemy import Connection

from core.domain.results.runs import Run
from core.labelling.agreement.alpha import agreement, level_of
from core.labelling.agreement.report import AgreementReport
from core.labelling.one_label import ratings_table
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs

Floats = npt.NDArray[np.float64]


def agreement_of_run(
    store: Store, run_id: str, criterion_id: str, *, seed: int = 0, resamples: int = 2_000
) -> AgreementReport:
    """The agreement of everybody who labelled a run under a criterion, all its rounds together.

    Practice cases are left out of every figure but one: they are the gold subset with which each rater is compared.
    Where raters are simulated, the first note states it.

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
        practice_ratings, right = _practice(connection, run, criterion_id, table.raters)
    report = agreement(
        table.values,
        table.raters,
        level=level,
        criterion=criterion.name,
        repeats=table.repeats,
        seconds=table.seconds,
        cannot_judge=dict(zip(table.raters, table.cannot_judge.sum(axis=1).tolist(), strict=True)),
        gold=right,
        gold_ratings=practice_ratings,
        anchors=criterion.anchors,
        seed=seed,
        resamples=resamples,
    )
    if not table.simulated:
        return report
    return replace(report, notes=(note_on_machines(table.simulated), *report.notes))


def note_on_machines(raters: Iterable[str]) -> str:
    """The note of a report on simulated raters.

    >>> note_on_machines({"B", "A"})
    'Simulated raters: A, B. Their labels are not the judgement of people.'
    """
    return f"Simulated raters: {', '.join(sorted(raters))}. Their labels are not the judgement of people."


def _practice(connection: Connection, run: Run, criterion_id: str, raters: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Raters' labels of practice cases, shape (raters, cases), and the gold levels, shape (cases,)."""
    rows = {rater: place for place, rater in enumerate(raters)}
    columns: list[Floats] = []
    right: list[float] = []
    for label_round in labels.rounds(connection, run.project_id, run.id):
        practice_labels = [
            label
            for label in labels.practice(connection, label_round.id)
            if label.criterion_id == criterion_id and label.value is not None and label.rater in rows
        ]
        for item in labels.items(connection, label_round.id) if practice_labels else ():
            if criterion_id not in item.gold:
                continue
            column = np.full(len(raters), np.nan)
            for label in practice_labels:
                if label.case_id == item.case_id:
                    column[rows[label.rater]] = label.value
            columns.append(column)
            right.append(item.gold[criterion_id])
    table = np.stack(columns, axis=1) if columns else np.empty((len(raters), 0))
    return table, np.array(right, dtype=np.float64)
