"""Runs, responses and results."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    func,
    select,
    update,
)

from core.domain.errors import InvalidInput, NotFound
from core.domain.results.responses import Response, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase
from core.store.codec import from_row, to_row
from core.store.results.cases.listing import CaseFilter, Order, WorstFirst, included
from core.store.results.cases.listing import places as chosen_places
from core.store.results.cases.score_order import MetricOrder
from core.store.results.scores import light
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows
from core.store.tables import runs
from core.store.tables import scores as score_rows
from core.store.writing.upsert import BATCH, add_missing
from core.store.writing.upsert import put as upsert

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTally:
    """The number of cases of a run by outcome.

    Attributes:
        cases: Cases of the test set that are not excluded.
        answered: Responses, failed ones included.
        failed: Responses without an answer.
        correct: Cases judged correct.
        incorrect: Cases judged incorrect.
        not_judged: All other cases: not reached yet, failed, or the judge gave no verdict.
    """

    cases: int
    answered: int
    failed: int
    correct: int
    incorrect: int
    not_judged: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """One case of a run; response and verdict are None as long as there is none.

    Attributes:
        scores: Of the metrics asked for, by name, without their evidence; a metric that was not reached is left out.
    """

    case: TestCase
    response: Response | None
    verdict: Score | None
    scores: Mapping[str, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCount:
    """How many cases of one filled SQL query ended in one way.

    Attributes:
        group: The filled SQL query; the case itself where it has none.
        status: Of the verdict, None where it was not reached.
        value: Of the verdict, None where there is none.
        failed: Whether the target failed, None where it was not asked.
    """

    group: str
    status: str | None
    value: float | None
    failed: bool | None
    cases: int


def put(connection: Connection, run: Run) -> None:
    """Stores a run, or replaces the one with its id.

    Raises:
        Conflict: Its project, test set or corpus does not exist.
    """
    upsert(connection, runs, [{**to_row(run), "corpus_id": run.corpus_id or None}], key=["id"])


def get(connection: Connection, run_id: str) -> Run:
    """The run of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(runs).where(runs.c.id == run_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no run {run_id}.", "Choose one on the Results page.")
    return _run(row)


def all(connection: Connection, project_id: str | None) -> list[Run]:
    """The runs of a project, or of every project for None; newest first."""
    query = select(runs).order_by(runs.c.seq.desc())
    if project_id is not None:
        query = query.where(runs.c.project_id == project_id)
    return [_run(row) for row in connection.execute(query).mappings()]


def set_state(connection: Connection, run_id: str, state: RunState, finished_at: str = "") -> None:
    """Sets the state of a run.

    Raises:
        NotFound: There is no such run.
    """
    changed = connection.execute(
        update(runs).where(runs.c.id == run_id).values(state=state.value, finished_at=finished_at)
    ).rowcount
    if not changed:
        raise NotFound(f"There is no run {run_id}.", "Choose one on the Results page.")


def save_responses(connection: Connection, run_id: str, responses: Sequence[Response]) -> int:
    """Stores responses of cases that have none yet; a case never gets a second one.

    Returns:
        How many were stored.

    Raises:
        Conflict: There is no such run.
    """
    rows = [{"run_id": run_id, "failed": response.answer is None, **to_row(response)} for response in responses]
    return add_missing(connection, response_rows, rows, key=["run_id", "case_id"])


def answered_ids(connection: Connection, run_id: str) -> set[str]:
    """Ids of the cases that have a response, a failed one included."""
    return set(connection.execute(select(response_rows.c.case_id).where(response_rows.c.run_id == run_id)).scalars())


def responses(connection: Connection, run_id: str, case_ids: Collection[str] | None = None) -> dict[str, Response]:
    """Responses by case id; of all cases, or of those named that have one."""
    query = select(response_rows).where(response_rows.c.run_id == run_id)
    if case_ids is None:
        return {row["case_id"]: from_row(Response, row) for row in connection.execute(query).mappings()}
    return {
        row["case_id"]: from_row(Response, row)
        for batch in _chunks(sorted(case_ids))
        for row in connection.execute(query.where(response_rows.c.case_id.in_(batch))).mappings()
    }


def tally(connection: Connection, run_id: str) -> RunTally:
    """Counts a run's responses and verdicts over the cases that are not excluded.

    Raises:
        NotFound: There is no such run.
    """
    test_set_id = get(connection, run_id).test_set_id
    cases = int(
        connection.execute(select(func.count()).select_from(case_rows).where(*included(test_set_id))).scalar_one()
    )
    answered = _group_counts(connection, response_rows, response_rows.c.failed, test_set_id, run_id)
    judged = _group_counts(
        connection, score_rows, score_rows.c.value, test_set_id, run_id, score_rows.c.metric == VERDICT_METRIC
    )
    correct, incorrect = judged.get(1.0, 0), judged.get(0.0, 0)
    return RunTally(
        cases=cases,
        answered=sum(answered.values()),
        failed=answered.get(True, 0),
        correct=correct,
        incorrect=incorrect,
        not_judged=cases - correct - incorrect,
    )


def outcomes(connection: Connection, run_id: str) -> list[OutcomeCount]:
    """How the cases of a run ended, counted by filled SQL query; excluded cases are left out.

    Raises:
        NotFound: There is no such run.
    """
    where = included(get(connection, run_id).test_set_id)
    group = func.coalesce(func.nullif(case_rows.c.group_id, ""), case_rows.c.case_id)
    columns = (group, score_rows.c.status, score_rows.c.value, response_rows.c.failed)
    answer = and_(response_rows.c.run_id == run_id, response_rows.c.case_id == case_rows.c.case_id)
    score = and_(
        score_rows.c.run_id == run_id,
        score_rows.c.metric == VERDICT_METRIC,
        score_rows.c.case_id == case_rows.c.case_id,
    )
    query = (
        select(*columns, func.count())
        .select_from(case_rows.outerjoin(score_rows, score).outerjoin(response_rows, answer))
        .where(*where)
        .group_by(*columns)
    )
    return [
        OutcomeCount(group=row[0], status=row[1], value=row[2], failed=row[3], cases=row[4])
        for row in connection.execute(query)
    ]


def page(
    connection: Connection,
    run_id: str,
    *,
    verdict: Verdict | str | None = None,
    form: str | None = None,
    group_id: str | None = None,
    search: str = "",
    limit: int | None = 100,
    offset: int = 0,
    metrics: Sequence[str] = (),
    sort: str | None = None,
    descending: bool = False,
    low: float | None = None,
    high: float | None = None,
    metric_status: str | None = None,
    worst: WorstFirst | None = None,
) -> tuple[list[ResultRow], int]:
    """A part of a run's results: in the order of the test set, of a metric's values, or the wrong answers first.

    Args:
        connection: From the store.
        run_id: The run.
        verdict: Only cases with this verdict; ``not_judged`` are all that are neither correct nor incorrect.
        form: Only cases of this form.
        group_id: Only cases of this filled SQL query.
        search: Only cases whose question, answer or reference answers contain this text, whatever its letter case.
        limit: The most to return, None for all.
        offset: How many to leave out at the start.
        metrics: The metrics whose scores come with the rows.
        sort: A metric whose values order the rows; those without one come last, equal ones in the test set's order.
        descending: Greatest value first.
        low: Only cases whose value of `sort` is at least this.
        high: Only cases whose value of `sort` is at most this.
        metric_status: Only cases with this status for `sort`: ``scored``, ``unscored`` (every case without a value),
            ``not_reached``, ``target_failed``, ``edited``, or the status of a reason such as ``missing_input``.
        worst: Wrong answers first, where nothing else sorts them.

    Returns:
        The rows, and how many there are without limit and offset.

    Raises:
        NotFound: There is no such run.
        InvalidInput: A range or a status without the metric it is about, or an unknown status.
    """
    test_set_id = get(connection, run_id).test_set_id
    filters = CaseFilter(
        verdict=None if verdict is None else Verdict(verdict), form=form, group_id=group_id, search=search
    )
    order: Order = worst
    if sort is not None:
        order = MetricOrder(metric=sort, descending=descending, low=low, high=high, status=metric_status)
    elif (low, high, metric_status) != (None, None, None):
        raise InvalidInput("A range of values needs the metric it is about.", "Name the metric to sort by.")
    places, total = chosen_places(connection, run_id, test_set_id, filters, order, limit=limit, offset=offset)
    return _read(connection, run_id, case_rows.c.seq, places, metrics), total


def of_cases(
    connection: Connection, run_id: str, case_ids: Sequence[str], metrics: Sequence[str] = ()
) -> list[ResultRow]:
    """The results of these cases in the order given; what is no case of the run's test set is left out.

    Raises:
        NotFound: There is no such run.
    """
    of_set = case_rows.c.test_set_id == get(connection, run_id).test_set_id
    return _read(connection, run_id, case_rows.c.case_id, list(case_ids), metrics, of_set)


def _read(
    connection: Connection,
    run_id: str,
    column: ColumnElement[Any],
    values: Sequence[Any],
    metrics: Sequence[str],
    *where: ColumnElement[bool],
) -> list[ResultRow]:
    answer = and_(response_rows.c.run_id == run_id, response_rows.c.case_id == case_rows.c.case_id)
    score = and_(
        score_rows.c.run_id == run_id,
        score_rows.c.metric == VERDICT_METRIC,
        score_rows.c.case_id == case_rows.c.case_id,
    )
    query = (
        select(case_rows, response_rows, score_rows)
        .select_from(case_rows.outerjoin(response_rows, answer).outerjoin(score_rows, score))
        .where(*where)
    )
    rows = {
        row[column]: row
        for batch in _chunks(list(values))
        for row in connection.execute(query.where(column.in_(batch))).mappings()
    }
    ordered = [rows[value] for value in values if value in rows]
    scores_by_case = light(connection, run_id, [row[case_rows.c.case_id] for row in ordered], metrics)
    return [_result(row, scores_by_case.get(row[case_rows.c.case_id], {})) for row in ordered]


def _run(row: RowMapping) -> Run:
    return from_row(Run, {**row, "corpus_id": row["corpus_id"] or ""})


def _result(row: RowMapping, scores: Mapping[str, Score]) -> ResultRow:
    answered, judged = row[response_rows.c.run_id] is not None, row[score_rows.c.run_id] is not None
    return ResultRow(
        case=from_row(TestCase, _part(row, case_rows)),
        response=from_row(Response, _part(row, response_rows)) if answered else None,
        verdict=from_row(Score, _part(row, score_rows)) if judged else None,
        scores=scores,
    )


def _part(row: RowMapping, table: Any) -> dict[str, Any]:
    return {column.name: row[column] for column in table.c}


def _group_counts(
    connection: Connection,
    table: Any,
    column: ColumnElement[Any],
    test_set_id: str,
    run_id: str,
    *conditions: ColumnElement[bool],
) -> dict[Any, int]:
    query = (
        select(column, func.count())
        .select_from(table.join(case_rows, case_rows.c.case_id == table.c.case_id))
        .where(table.c.run_id == run_id, *conditions, *included(test_set_id))
        .group_by(column)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def _chunks(items: list[Item]) -> Iterator[list[Item]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
