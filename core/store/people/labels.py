"""Criteria, label rounds with their cases and tasks, labels, and adjudications."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, select, update

from core.domain.errors import NotFound
from core.domain.results.labels import (
    Adjudication,
    Criterion,
    Label,
    LabelItem,
    LabelRound,
    LabelTask,
    Part,
)
from core.store.codec import from_row, to_row
from core.store.tables import adjudications, criteria, label_items, label_rounds, label_tasks, labels
from core.store.writing.upsert import put as upsert

LABEL_KEY = ("round_id", "case_id", "criterion_id", "rater", "occurrence")
TASK_KEY = ("round_id", "rater", "case_id", "occurrence")


def put_criterion(connection: Connection, criterion: Criterion) -> None:
    """Stores a criterion, or replaces the one with its id."""
    upsert(connection, criteria, [to_row(criterion)], key=["id"])


def criterion(connection: Connection, criterion_id: str) -> Criterion:
    """The criterion of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(criteria).where(criteria.c.id == criterion_id)).mappings().first()
    if row is None:
        raise NotFound(f"There is no criterion {criterion_id}.", "Choose one of the project's criteria.")
    return from_row(Criterion, row)


def criteria_of(connection: Connection, project_id: str) -> list[Criterion]:
    """The criteria of a project in their order, retired ones too."""
    query = select(criteria).where(criteria.c.project_id == project_id).order_by(criteria.c.position, criteria.c.seq)
    return [from_row(Criterion, row) for row in connection.execute(query).mappings()]


def is_labelled(connection: Connection, criterion_id: str) -> bool:
    """Whether a criterion has a label or an adjudication."""
    for table in (labels, adjudications):
        if connection.execute(select(1).where(table.c.criterion_id == criterion_id).limit(1)).first() is not None:
            return True
    return False


def put_round(connection: Connection, label_round: LabelRound) -> None:
    """Stores a round, or replaces the one with its id."""
    upsert(connection, label_rounds, [to_row(label_round)], key=["id"])


def round_of(connection: Connection, round_id: str) -> LabelRound:
    """The round of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(label_rounds).where(label_rounds.c.id == round_id)).mappings().first()
    if row is None:
        raise NotFound(
            f"There is no label round {round_id}.", "It may have been deleted with its run; choose another round."
        )
    return from_row(LabelRound, row)


def rounds(connection: Connection, project_id: str, run_id: str | None = None) -> list[LabelRound]:
    """The rounds of a project, or of one of its runs, newest first."""
    query = select(label_rounds).where(label_rounds.c.project_id == project_id)
    if run_id is not None:
        query = query.where(label_rounds.c.run_id == run_id)
    rows = connection.execute(query.order_by(label_rounds.c.seq.desc())).mappings()
    return [from_row(LabelRound, row) for row in rows]


def add_items(connection: Connection, items: Sequence[LabelItem]) -> None:
    """Stores the cases of a round."""
    upsert(connection, label_items, [to_row(item) for item in items], key=["round_id", "case_id"])


def items(connection: Connection, round_id: str, part: Part | None = None) -> list[LabelItem]:
    """The cases of a round, or those of one part, by id."""
    query = select(label_items).where(label_items.c.round_id == round_id).order_by(label_items.c.case_id)
    if part is not None:
        query = query.where(label_items.c.part == part.value)
    return [from_row(LabelItem, row) for row in connection.execute(query).mappings()]


def item(connection: Connection, round_id: str, case_id: str) -> LabelItem:
    """One case of a round.

    Raises:
        NotFound: The round does not have it.
    """
    query = select(label_items).where(label_items.c.round_id == round_id, label_items.c.case_id == case_id)
    row = connection.execute(query).mappings().first()
    if row is None:
        raise NotFound(f"Round {round_id} has no case {case_id}.", "Go on with the next case.")
    return from_row(LabelItem, row)


def put_tasks(connection: Connection, tasks: Sequence[LabelTask]) -> None:
    """Stores tasks, each instead of the one with its key."""
    upsert(connection, label_tasks, [to_row(task) for task in tasks], key=list(TASK_KEY))


def tasks(connection: Connection, round_id: str, rater: str) -> list[LabelTask]:
    """The tasks of a rater, in the rater's order."""
    query = select(label_tasks).where(label_tasks.c.round_id == round_id, label_tasks.c.rater == rater)
    rows = connection.execute(query.order_by(label_tasks.c.position)).mappings()
    return [from_row(LabelTask, row) for row in rows]


def task(connection: Connection, round_id: str, rater: str, case_id: str, occurrence: int) -> LabelTask | None:
    """One task, None where the rater has no such task."""
    row = connection.execute(select(label_tasks).where(_task(round_id, rater, case_id, occurrence))).mappings().first()
    return None if row is None else from_row(LabelTask, row)


def next_task(
    connection: Connection, round_id: str, rater: str, *, but: tuple[str, int] | None = None
) -> LabelTask | None:
    """The first open task of a rater, skipped tasks last; None where there is none besides `but`."""
    query = select(label_tasks).where(
        label_tasks.c.round_id == round_id, label_tasks.c.rater == rater, label_tasks.c.done_at == ""
    )
    if but is not None:
        case_id, occurrence = but
        query = query.where((label_tasks.c.case_id != case_id) | (label_tasks.c.occurrence != occurrence))
    row = connection.execute(query.order_by(label_tasks.c.skipped, label_tasks.c.position).limit(1)).mappings().first()
    return None if row is None else from_row(LabelTask, row)


def last_done(
    connection: Connection, round_id: str, rater: str, *, before: str = "", position: int | None = None
) -> LabelTask | None:
    """The task a rater saved last, or last before a time and place; None where there is none."""
    query = select(label_tasks).where(
        label_tasks.c.round_id == round_id, label_tasks.c.rater == rater, label_tasks.c.done_at != ""
    )
    if before:
        earlier = label_tasks.c.done_at < before
        same = and_(label_tasks.c.done_at == before, label_tasks.c.position < (position or 0))
        query = query.where(earlier | same)
    query = query.order_by(label_tasks.c.done_at.desc(), label_tasks.c.position.desc()).limit(1)
    row = connection.execute(query).mappings().first()
    return None if row is None else from_row(LabelTask, row)


def mark_task(connection: Connection, task: LabelTask, **changes: Any) -> None:
    """Changes `done_at` or `skipped` of a task."""
    where = _task(task.round_id, task.rater, task.case_id, task.occurrence)
    connection.execute(update(label_tasks).where(where).values(**changes))


def task_counts(connection: Connection, round_id: str) -> dict[str, dict[tuple[str, bool, bool], int]]:
    """The number of tasks by rater, and by part, whether done and whether skipped."""
    done, skipped = label_tasks.c.done_at != "", label_tasks.c.skipped > 0
    query = (
        select(label_tasks.c.rater, label_tasks.c.part, done, skipped, func.count())
        .where(label_tasks.c.round_id == round_id)
        .group_by(label_tasks.c.rater, label_tasks.c.part, done, skipped)
    )
    counts: dict[str, dict[tuple[str, bool, bool], int]] = {}
    for rater, part, is_done, is_skipped, count in connection.execute(query):
        counts.setdefault(rater, {})[(part, bool(is_done), bool(is_skipped))] = count
    return counts


def repeat_counts(connection: Connection, round_id: str) -> dict[str, tuple[int, int]]:
    """By rater the tasks that show a case a second time: those that are done, and all of them."""
    done = func.sum(case((label_tasks.c.done_at != "", 1), else_=0))
    query = (
        select(label_tasks.c.rater, done, func.count())
        .where(label_tasks.c.round_id == round_id, label_tasks.c.occurrence > 0)
        .group_by(label_tasks.c.rater)
    )
    return {rater: (int(finished), int(count)) for rater, finished, count in connection.execute(query)}


def unfinished(connection: Connection, round_ids: Collection[str]) -> dict[str, set[str]]:
    """The raters of each round who have a task left, practice included; a round that all have finished is left out."""
    query = (
        select(label_tasks.c.round_id, label_tasks.c.rater)
        .where(label_tasks.c.round_id.in_(round_ids), label_tasks.c.done_at == "")
        .distinct()
    )
    raters: dict[str, set[str]] = {}
    for round_id, rater in connection.execute(query):
        raters.setdefault(round_id, set()).add(rater)
    return raters


def put(connection: Connection, rows: Sequence[Label]) -> None:
    """Stores labels, each instead of the one with its key."""
    upsert(connection, labels, [to_row(label) for label in rows], key=list(LABEL_KEY))


def of_task(connection: Connection, round_id: str, rater: str, case_id: str, occurrence: int) -> list[Label]:
    """A rater's labels of a case in one task."""
    query = select(labels).where(_label(round_id, rater, case_id, occurrence))
    return [from_row(Label, row) for row in connection.execute(query).mappings()]


def remove(connection: Connection, task: LabelTask, criterion_ids: Collection[str]) -> None:
    """Deletes labels of a task."""
    if criterion_ids:
        where = _label(task.round_id, task.rater, task.case_id, task.occurrence)
        connection.execute(delete(labels).where(where, labels.c.criterion_id.in_(criterion_ids)))


def seconds_of(connection: Connection, round_id: str) -> dict[str, list[float]]:
    """Seconds spent on each labelled task where they were measured, practice left out, by rater."""
    query = (
        select(labels.c.rater, func.max(labels.c.seconds))
        .join(label_items, and_(label_items.c.round_id == labels.c.round_id, label_items.c.case_id == labels.c.case_id))
        .where(labels.c.round_id == round_id, labels.c.seconds > 0, label_items.c.part != Part.PRACTICE.value)
        .group_by(labels.c.rater, labels.c.case_id, labels.c.occurrence)
    )
    by_rater: dict[str, list[float]] = {}
    for rater, seconds in connection.execute(query):
        by_rater.setdefault(rater, []).append(seconds)
    return by_rater


def practice(connection: Connection, round_id: str) -> list[Label]:
    """The labels of practice cases of a round."""
    return _labels(connection, labels.c.round_id == round_id, label_items.c.part == Part.PRACTICE.value)


def of_run(
    connection: Connection, run_id: str, criterion_id: str | None = None, case_ids: Collection[str] | None = None
) -> list[Label]:
    """The labels of a run's cases in all of its rounds, practice left out, by time."""
    where = [label_rounds.c.run_id == run_id, label_items.c.part != Part.PRACTICE.value]
    if criterion_id is not None:
        where.append(labels.c.criterion_id == criterion_id)
    if case_ids is not None:
        where.append(labels.c.case_id.in_(case_ids))
    return _labels(connection, *where)


def items_of_run(connection: Connection, run_id: str) -> list[LabelItem]:
    """The cases of all rounds of a run, practice left out."""
    query = (
        select(label_items)
        .join(label_rounds, label_rounds.c.id == label_items.c.round_id)
        .where(label_rounds.c.run_id == run_id, label_items.c.part != Part.PRACTICE.value)
        .order_by(label_rounds.c.seq, label_items.c.case_id)
    )
    return [from_row(LabelItem, row) for row in connection.execute(query).mappings()]


def count_of_project(connection: Connection, project_id: str) -> int:
    """Labels in a project, practice and comments among them."""
    query = (
        select(func.count())
        .select_from(labels)
        .join(label_rounds, label_rounds.c.id == labels.c.round_id)
        .where(label_rounds.c.project_id == project_id)
    )
    return int(connection.execute(query).scalar_one())


def labelled_runs(connection: Connection, project_id: str) -> set[tuple[str, str]]:
    """The runs of a project that have a label, practice left out, each with every criterion it was given under."""
    query = (
        select(label_rounds.c.run_id, labels.c.criterion_id)
        .join(label_rounds, label_rounds.c.id == labels.c.round_id)
        .join(
            label_items,
            and_(label_items.c.round_id == labels.c.round_id, label_items.c.case_id == labels.c.case_id),
        )
        .where(
            label_rounds.c.project_id == project_id,
            label_items.c.part != Part.PRACTICE.value,
            labels.c.value.is_not(None),
        )
        .distinct()
    )
    return {(run_id, criterion_id) for run_id, criterion_id in connection.execute(query)}


def put_adjudication(connection: Connection, adjudication: Adjudication) -> None:
    """Stores an adjudication in place of an earlier one."""
    upsert(connection, adjudications, [to_row(adjudication)], key=["run_id", "case_id", "criterion_id"])


def remove_adjudication(connection: Connection, adjudication: Adjudication) -> None:
    """Deletes an adjudication."""
    connection.execute(
        delete(adjudications).where(
            adjudications.c.run_id == adjudication.run_id,
            adjudications.c.case_id == adjudication.case_id,
            adjudications.c.criterion_id == adjudication.criterion_id,
        )
    )


def adjudications_of(connection: Connection, run_id: str, criterion_id: str) -> dict[str, Adjudication]:
    """The adjudications of a run under a criterion, by case."""
    query = select(adjudications).where(adjudications.c.run_id == run_id, adjudications.c.criterion_id == criterion_id)
    return {row["case_id"]: from_row(Adjudication, row) for row in connection.execute(query).mappings()}


def _labels(connection: Connection, *where: ColumnElement[bool]) -> list[Label]:
    query = (
        select(labels)
        .join(label_rounds, label_rounds.c.id == labels.c.round_id)
        .join(label_items, and_(label_items.c.round_id == labels.c.round_id, label_items.c.case_id == labels.c.case_id))
        .where(*where)
        .order_by(labels.c.at, label_rounds.c.seq, labels.c.case_id, labels.c.rater, labels.c.occurrence)
    )
    return [from_row(Label, row) for row in connection.execute(query).mappings()]


def _task(round_id: str, rater: str, case_id: str, occurrence: int) -> ColumnElement[bool]:
    return and_(
        label_tasks.c.round_id == round_id,
        label_tasks.c.rater == rater,
        label_tasks.c.case_id == case_id,
        label_tasks.c.occurrence == occurrence,
    )


def _label(round_id: str, rater: str, case_id: str, occurrence: int) -> ColumnElement[bool]:
    return and_(
        labels.c.round_id == round_id,
        labels.c.rater == rater,
        labels.c.case_id == case_id,
        labels.c.occurrence == occurrence,
    )
