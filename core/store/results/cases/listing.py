"""Which cases of a run are listed, and in which order: filters, a metric's values, or the wrong answers first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, and_, case, func, select

from core.domain.results.responses import Verdict
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.store.results.cases.score_order import MetricOrder, sorted_places
from core.store.results.search import contains
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows
from core.store.tables import scores as score_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFilter:
    """Which cases; what is None or empty filters nothing.

    Attributes:
        verdict: Only cases with this verdict; ``not_judged`` are all that are neither correct nor incorrect.
        form: Only cases of this form.
        group_id: Only cases of this filled SQL query.
        search: Only cases whose question, answer or reference answers contain this text, whatever its letter case.
    """

    verdict: Verdict | None = None
    form: str | None = None
    group_id: str | None = None
    search: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstFirst:
    """Wrong answers first, then those not judged, then the correct ones.

    Attributes:
        doubt: A metric whose least values come first within each of the three, those without one last; empty for the
            order of the test set.
        descending: Greatest values first, where a great value is the bad one.
    """

    doubt: str = ""
    descending: bool = False


Order = MetricOrder | WorstFirst | None
"""None for the order of the test set."""


def places(
    connection: Connection,
    run_id: str,
    test_set_id: str,
    cases: CaseFilter,
    order: Order = None,
    *,
    limit: int | None = None,
    offset: int = 0,
) -> tuple[list[int], int]:
    """The `seq` of the cases of a page, in order, and how many there are on all pages.

    Args:
        connection: From the store.
        run_id: The run.
        test_set_id: Its test set.
        cases: Which of them.
        order: Which come first.
        limit: The most to return, None for all.
        offset: How many to leave out at the start.

    Raises:
        InvalidInput: The order has an unknown status.
    """
    where = included(test_set_id)
    if cases.form is not None:
        where.append(case_rows.c.form == cases.form)
    if cases.group_id is not None:
        where.append(case_rows.c.group_id == cases.group_id)
    if cases.verdict is not None:
        where.append(_has_verdict(cases.verdict))
    matches = contains(cases.search, case_rows.c.question, case_rows.c.reference_text, response_rows.c.answer)
    if matches is not None:
        where.append(matches)
    judged = cases.verdict is not None or isinstance(order, WorstFirst)

    def joined(source: FromClause) -> FromClause:
        if judged:
            source = source.outerjoin(score_rows, _of(score_rows, run_id, VERDICT_METRIC))
        if matches is None:
            return source
        answer = and_(response_rows.c.run_id == run_id, response_rows.c.case_id == case_rows.c.case_id)
        return source.outerjoin(response_rows, answer)

    # Rows are chosen here and read in full afterwards, so that sorting never carries passages.
    if isinstance(order, MetricOrder):
        return sorted_places(
            connection, run_id, test_set_id, order, joined=joined, where=where, limit=limit, offset=offset
        )
    source = joined(case_rows)
    total = int(connection.execute(select(func.count()).select_from(source).where(*where)).scalar_one())
    sorting: list[ColumnElement[Any]] = []
    if order is not None:
        sorting.append(case((score_rows.c.value == 0.0, 0), (score_rows.c.value.is_(None), 1), else_=2))
        if order.doubt:
            doubt = score_rows.alias("doubt")
            source = source.outerjoin(doubt, _of(doubt, run_id, order.doubt))
            # Databases differ in where they put what has no value.
            sorting += [doubt.c.value.is_(None), doubt.c.value.desc() if order.descending else doubt.c.value]
    query = select(case_rows.c.seq).select_from(source).where(*where).order_by(*sorting, case_rows.c.seq)
    return list(connection.execute(query.limit(limit).offset(offset)).scalars()), total


def case_ids(
    connection: Connection, run_id: str, test_set_id: str, cases: CaseFilter, order: Order = None
) -> tuple[str, ...]:
    """The ids of all these cases in that order, to step through them one by one.

    Raises:
        InvalidInput: The order has an unknown status.
    """
    ordered, _ = places(connection, run_id, test_set_id, cases, order)
    query = select(case_rows.c.seq, case_rows.c.case_id).where(case_rows.c.test_set_id == test_set_id)
    names = {row[0]: row[1] for row in connection.execute(query)}
    return tuple(names[place] for place in ordered)


def included(test_set_id: str) -> list[ColumnElement[bool]]:
    """The conditions that leave the cases of a test set that are not excluded."""
    return [case_rows.c.test_set_id == test_set_id, case_rows.c.excluded == ""]


def _of(rows: FromClause, run_id: str, metric: str) -> ColumnElement[bool]:
    return and_(rows.c.run_id == run_id, rows.c.metric == metric, rows.c.case_id == case_rows.c.case_id)


def _has_verdict(verdict: Verdict) -> ColumnElement[bool]:
    if verdict is Verdict.NOT_JUDGED:
        return score_rows.c.value.is_(None)
    return and_(score_rows.c.status == Status.SCORED.value, score_rows.c.value == float(verdict is Verdict.CORRECT))
