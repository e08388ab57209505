"""The ledger's rows: every call of a model with its reply, and every use of a reply."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, case, func, insert, select
from sqlalchemy.sql import Select

from core.domain.errors import NotFound
from core.domain.llm import Call, CallState, Use
from core.store.codec import from_row, to_row
from core.store.models.costs import COST, select_calls, with_prices
from core.store.tables import llm_calls, llm_uses


def add(connection: Connection, calls: Sequence[Call], uses: Sequence[Use]) -> None:
    """Appends calls and uses; neither is ever changed."""
    if calls:
        connection.execute(insert(llm_calls), [_row(call) for call in calls])
    if uses:
        connection.execute(insert(llm_uses), [{**_row(use), "run_id": use.run_id or None} for use in uses])


def standing(connection: Connection, project_id: str, key: str) -> Call | None:
    """The first answered call with this key in the project, the last one where none was; None where there is none."""
    parameters = {"key": key} | ({"project": project_id} if project_id else {})
    row = connection.execute(_by_key(bool(project_id)), parameters).mappings().one_or_none()
    return None if row is None else _call(row)


def get(connection: Connection, call_id: str) -> Call:
    """The call of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select_calls().where(llm_calls.c.id == call_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no call {call_id}.", "See the Models page for those there are.")
    return _call(row)


def spent(connection: Connection, run_id: str = "", *, job_id: str = "") -> tuple[int, float, int]:
    """What a run or a job has sent: the number of calls, their known cost, and the number of calls of unknown cost."""
    if not run_id and not job_id:
        return 0, 0.0, 0
    query = (
        select(
            func.count(),
            func.coalesce(func.sum(COST), 0.0),
            func.coalesce(func.sum(case((COST.is_(None), 1), else_=0)), 0),
        )
        .select_from(with_prices(llm_uses.join(llm_calls, llm_calls.c.id == llm_uses.c.call_id)))
        .where(llm_uses.c.run_id == run_id if run_id else llm_uses.c.job_id == job_id, llm_uses.c.cached.is_(False))
    )
    count, cost, unpriced = connection.execute(query).one()
    return int(count), float(cost), int(unpriced)


def used(connection: Connection, run_id: str = "", *, job_id: str = "") -> tuple[int, int]:
    """How many replies a run or a job has used, and how many of them came from the ledger."""
    query = select(func.count(), func.coalesce(func.sum(case((llm_uses.c.cached.is_(True), 1), else_=0)), 0)).where(
        llm_uses.c.job_id == job_id if job_id else llm_uses.c.run_id == run_id
    )
    count, cached = connection.execute(query).one()
    return int(count), int(cached)


def endings(connection: Connection, run_id: str) -> dict[str, int]:
    """How the calls a run has sent ended, by state; ``retries`` counts what was sent more than once."""
    query = (
        select(llm_calls.c.state, func.count(), func.sum(llm_calls.c.attempts - 1))
        .select_from(llm_uses.join(llm_calls, llm_calls.c.id == llm_uses.c.call_id))
        .where(llm_uses.c.run_id == run_id, llm_uses.c.cached.is_(False))
        .group_by(llm_calls.c.state)
        .order_by(llm_calls.c.state)
    )
    rows = connection.execute(query).all()
    return {state: int(count) for state, count, _ in rows} | {"retries": sum(int(more) for _, _, more in rows)}


def of_project(table: Any, project_id: str) -> ColumnElement[bool]:
    """The condition that a row is of a project; "" is no project."""
    column: ColumnElement[Any] = table.c.project_id
    return column == project_id if project_id else column.is_(None)


def calls_of(query: Select[Any], connection: Connection) -> list[Call]:
    """The calls a query over whole rows finds, such as `select_calls`."""
    return [_call(row) for row in connection.execute(query).mappings()]


@cache
def _by_key(in_project: bool) -> Select[Any]:
    """The query for a call by its key; built once, because building it takes longer than running it."""
    owner = llm_calls.c.project_id == bindparam("project") if in_project else llm_calls.c.project_id.is_(None)
    answered = llm_calls.c.state == CallState.ANSWERED.value
    seq = llm_calls.c.seq
    query = select(llm_calls).where(llm_calls.c.key == bindparam("key"), owner)
    return query.order_by(case((answered, 0), else_=1), case((answered, seq), else_=-seq)).limit(1)


def _row(record: Call | Use) -> dict[str, Any]:
    return {**to_row(record), "project_id": record.project_id or None}


def _call(row: Any) -> Call:
    return from_row(Call, {**row, "project_id": row["project_id"] or ""})
