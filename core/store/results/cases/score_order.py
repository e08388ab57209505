"""The cases of a run in the order of a metric's values, those without one last.

The two kinds are read one after the other: the index holds the values in order, so that a page of scored cases is
found without reading the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, and_, except_, exists, func, select

from core.domain.errors import InvalidInput
from core.domain.status import Status
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows
from core.store.tables import scores as score_rows

TARGET_FAILED = "target_failed"
"""The reason of a case without a value whose target failed, whatever the score itself says."""

NOT_REACHED = "not_reached"
"""The reason of a case that has neither a value nor a reason."""

SCORED, UNSCORED, EDITED = Status.SCORED.value, "unscored", "edited"
STANDS = (
    SCORED,
    UNSCORED,
    EDITED,
    TARGET_FAILED,
    NOT_REACHED,
    *(status.value for status in Status if status is not Status.SCORED),
)
"""The statuses of a case for a metric."""

by = score_rows.alias("sorted")


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricOrder:
    """The metric that cases are sorted by, and which of them.

    Attributes:
        descending: Greatest value first.
        low: Only values of at least this.
        high: Only values of at most this.
        status: Only cases with this status, one of `STANDS`.
    """

    metric: str
    descending: bool = False
    low: float | None = None
    high: float | None = None
    status: str | None = None


@dataclass(frozen=True, slots=True)
class _Part:
    """Cases that follow each other in one order; `scored` ones are found through the index of values."""

    scored: bool
    where: tuple[ColumnElement[bool], ...]


def sorted_places(
    connection: Connection,
    run_id: str,
    test_set_id: str,
    order: MetricOrder,
    *,
    joined: Callable[[FromClause], FromClause],
    where: Sequence[ColumnElement[bool]],
    limit: int | None,
    offset: int,
) -> tuple[list[int], int]:
    """The `seq` of the cases on a page, in order, and how many there are on all pages.

    Args:
        connection: From the store.
        run_id: The run.
        test_set_id: Its test set.
        order: By which metric.
        joined: Joins the tables that `where` refers to.
        where: The conditions on the cases.
        limit: The most to return, None for all.
        offset: How many to leave out at the start.

    Raises:
        InvalidInput: There is no such status.
    """
    parts = _parts(run_id, test_set_id, order)

    def source(part: _Part) -> FromClause:
        return joined(by.join(case_rows, by.c.case_id == case_rows.c.case_id) if part.scored else case_rows)

    def count(part: _Part) -> int:
        query = select(func.count()).select_from(source(part)).where(*where, *part.where)
        return int(connection.execute(query).scalar_one())

    whole = (order.low, order.high, order.status) == (None, None, None)
    total = count(_Part(False, ())) if whole else sum(map(count, parts))
    value: Any = by.c.value.desc() if order.descending else by.c.value
    places: list[int] = []
    for number, part in enumerate(parts):
        if limit is not None and len(places) >= limit:
            break
        if number:
            # Of a whole run the cases without a value are fewer and sooner counted.
            offset = max(0, offset - (total - count(part) if whole else count(parts[0])))
        query = select(case_rows.c.seq).select_from(source(part)).where(*where, *part.where)
        query = query.order_by(*([value] if part.scored else []), case_rows.c.seq)
        remaining = None if limit is None else limit - len(places)
        places += connection.execute(query.limit(remaining).offset(offset)).scalars()
    return places, total


def _parts(run_id: str, test_set_id: str, order: MetricOrder) -> list[_Part]:
    if order.status is not None and order.status not in STANDS:
        raise InvalidInput(f"There is no score with the status {order.status!r}.", f"Use one of: {', '.join(STANDS)}.")
    of_metric = and_(by.c.run_id == run_id, by.c.metric == order.metric)
    failed = exists().where(
        response_rows.c.run_id == run_id, response_rows.c.case_id == case_rows.c.case_id, response_rows.c.failed
    )
    within = [by.c.value >= order.low] if order.low is not None else []
    within += [by.c.value <= order.high] if order.high is not None else []
    valued = _Part(True, (of_metric, by.c.value.is_not(None), *within))
    reasons = _Part(True, (of_metric, by.c.value.is_(None)))
    if order.status == SCORED or (order.status is None and within):
        return [valued]
    if order.status == EDITED:
        return [
            _Part(True, (*valued.where, by.c.edited)),
            *([] if within else [_Part(True, (*reasons.where, by.c.edited))]),
        ]
    if within:
        return []  # what has no value lies in no range
    if order.status is None:
        return [valued, _Part(False, (_lacking(of_metric, test_set_id, by.c.value.is_not(None)),))]
    if order.status == UNSCORED:
        return [_Part(False, (_lacking(of_metric, test_set_id, by.c.value.is_not(None)),))]
    if order.status == TARGET_FAILED:
        return [_Part(False, (_lacking(of_metric, test_set_id, by.c.value.is_not(None)), failed))]
    if order.status == NOT_REACHED:
        return [_Part(False, (_lacking(of_metric, test_set_id), ~failed))]
    return [_Part(True, (*reasons.where, by.c.status == order.status, ~failed))]


def _lacking(of_metric: ColumnElement[bool], test_set_id: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """The cases without a row of the metric that meets the conditions; both databases use one set operation."""
    all_cases = select(case_rows.c.case_id).where(case_rows.c.test_set_id == test_set_id)
    return case_rows.c.case_id.in_(except_(all_cases, select(by.c.case_id).where(of_metric, *conditions)))
