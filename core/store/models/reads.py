"""Reading the ledger a page at a time: calls by purpose and outcome, and their totals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, select

from core.domain.llm import Call, CallState, Use
from core.store.codec import from_row
from core.store.models.calls import calls_of, of_project
from core.store.models.costs import COST, select_calls, with_prices
from core.store.tables import llm_calls, llm_uses, responses, runs

_HEAVY = ("messages", "reply", "reasoning", "parameters", "key")
_LIGHT = [column for column in llm_calls.c if column.name not in _HEAVY]

PIECE = 500
"""Whole calls read at a time, which bounds the memory of a download."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFilter:
    """A selection of a project's calls; empty fields select all.

    Attributes:
        purpose: What the reply was used for.
        run_id: Calls whose reply the run used, also those it had from the ledger.
        job_id: Likewise for a job, where no run asked.
        case_id: Likewise for a test case.
        model: The model's name.
        endpoint: Its base URL.
        state: How the call ended.
        prompt_id: Made from this prompt.
    """

    purpose: str = ""
    run_id: str = ""
    job_id: str = ""
    case_id: str = ""
    model: str = ""
    endpoint: str = ""
    state: str = ""
    prompt_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """A call as a table shows it, without messages and reply.

    Attributes:
        uses: How often its reply was used, the first time included.
        cases: The test cases it was used for, the first few.
    """

    id: str
    at: str
    purpose: str
    model: str
    endpoint: str
    state: CallState
    prompt_id: str
    prompt_version: str
    finish_reason: str
    error: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None
    latency_s: float
    attempts: int
    uses: int = 0
    cases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Uses of one purpose and model, counted by whether something was sent and how it ended.

    Attributes:
        cached: Whether the reply came from the ledger.
        uses: How many.
        counted: How many of them have both numbers of tokens.
        priced: How many have a cost.
    """

    purpose: str
    model: str
    state: CallState
    cached: bool
    uses: int
    counted: int
    prompt_tokens: int
    completion_tokens: int
    priced: int
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How large one call was, how long it took and how it ended."""

    prompt_tokens: int
    completion_tokens: int
    latency_s: float
    state: CallState


MOST_CASES = 3


def page(
    connection: Connection, project_id: str, selection: CallFilter, *, limit: int | None = 100, offset: int = 0
) -> tuple[list[CallRow], int]:
    """A part of a project's calls, newest first, and how many there are."""
    where = _where(project_id, selection)
    total = connection.execute(select(func.count()).select_from(llm_calls).where(*where)).scalar_one()
    query = select_calls(*_LIGHT).where(*where).order_by(llm_calls.c.seq.desc()).limit(limit).offset(offset)
    rows = connection.execute(query).mappings().all()
    ids = [row["id"] for row in rows]
    counts = select(llm_uses.c.call_id, func.count()).where(llm_uses.c.call_id.in_(ids)).group_by(llm_uses.c.call_id)
    used = {row[0]: row[1] for row in connection.execute(counts)}
    cases = _cases(connection, ids)
    return [
        from_row(CallRow, {**row, "uses": used.get(row["id"], 0), "cases": cases.get(row["id"], ())}) for row in rows
    ], int(total)


def whole(connection: Connection, project_id: str, selection: CallFilter, *, piece: int = PIECE) -> Iterator[Call]:
    """Every call with its messages and reply, oldest first; read a piece at a time."""
    where, after = _where(project_id, selection), 0
    while True:
        query = select_calls().where(*where, llm_calls.c.seq > after).order_by(llm_calls.c.seq).limit(piece)
        batch = calls_of(query, connection)
        yield from batch
        if len(batch) < piece:
            return
        after = connection.execute(select(llm_calls.c.seq).where(llm_calls.c.id == batch[-1].id)).scalar_one()


def newest(connection: Connection) -> int:
    """Number of the ledger's newest use, 0 for none; it grows with every reply, fresh or from the ledger."""
    return int(connection.execute(select(func.coalesce(func.max(llm_uses.c.seq), 0))).scalar_one())


def uses(connection: Connection, call_id: str, *, limit: int = 100) -> list[Use]:
    """What a call's reply was used for, oldest first."""
    query = select(llm_uses).where(llm_uses.c.call_id == call_id).order_by(llm_uses.c.seq).limit(limit)
    return [
        from_row(Use, {**row, "project_id": row["project_id"] or "", "run_id": row["run_id"] or ""})
        for row in connection.execute(query).mappings()
    ]


def tallies(connection: Connection, project_id: str, selection: CallFilter) -> list[Tally]:
    """The uses of a project's calls, counted in the store."""
    where = [*_use_conditions(selection), *_call_conditions(selection)]
    # A run's uses are found by the run; the project's condition beside it would make the store read all of them.
    if not selection.run_id and not selection.job_id:
        where.append(of_project(llm_uses, project_id))
    groups = (llm_uses.c.purpose, llm_calls.c.model, llm_calls.c.state, llm_uses.c.cached)
    both = llm_calls.c.prompt_tokens + llm_calls.c.completion_tokens
    query = (
        select(
            *groups,
            func.count().label("uses"),
            func.count(both).label("counted"),
            func.coalesce(func.sum(llm_calls.c.prompt_tokens), 0).label("prompt_tokens"),
            func.coalesce(func.sum(llm_calls.c.completion_tokens), 0).label("completion_tokens"),
            func.count(COST).label("priced"),
            func.coalesce(func.sum(COST), 0.0).label("cost"),
        )
        .select_from(with_prices(llm_uses.join(llm_calls, llm_calls.c.id == llm_uses.c.call_id)))
        .where(*where)
        .group_by(*groups)
        .order_by(*groups)
    )
    return [from_row(Tally, row) for row in connection.execute(query).mappings()]


def values(connection: Connection, project_id: str) -> dict[str, list[str]]:
    """What a project's calls can be filtered by: every purpose, model, state and prompt there is, in name order."""
    values_by_column = {}
    for name in ("purpose", "model", "state", "prompt_id"):
        column = llm_calls.c[name]
        query = select(column).where(of_project(llm_calls, project_id)).distinct().order_by(column)
        values_by_column[name] = [value for value in connection.execute(query).scalars() if value]
    return values_by_column


def models_used(connection: Connection, project_id: str, purposes: Sequence[str]) -> list[str]:
    """The models a project has called for these purposes, as ``MODEL@BASE_URL`` in name order."""
    columns = (llm_calls.c.model, llm_calls.c.endpoint)
    query = select(*columns).where(of_project(llm_calls, project_id), llm_calls.c.purpose.in_(purposes)).distinct()
    return sorted(f"{model}@{endpoint}" for model, endpoint in connection.execute(query))


def recent_sizes(
    connection: Connection, project_id: str, *, purpose: str, model: str, prompt_id: str, limit: int
) -> list[Size]:
    """How large the newest calls of a purpose, a model and a prompt were, of those whose tokens are known."""
    columns = (llm_calls.c.prompt_tokens, llm_calls.c.completion_tokens, llm_calls.c.latency_s, llm_calls.c.state)
    query = (
        select(*columns)
        .where(
            of_project(llm_calls, project_id),
            llm_calls.c.purpose == purpose,
            llm_calls.c.model == model,
            llm_calls.c.prompt_id == prompt_id,
            llm_calls.c.prompt_tokens.is_not(None),
            llm_calls.c.completion_tokens.is_not(None),
        )
        .order_by(llm_calls.c.seq.desc())
        .limit(limit)
    )
    return [from_row(Size, row) for row in connection.execute(query).mappings()]


def recent_latencies(connection: Connection, project_id: str, target: str, *, limit: int) -> list[float]:
    """Seconds that a target took for its answers in the project's newest run of it that has any."""
    newest = (
        select(runs.c.id)
        .join(responses, responses.c.run_id == runs.c.id)
        .where(runs.c.project_id == project_id, runs.c.target == target, responses.c.latency_s.is_not(None))
        .order_by(runs.c.seq.desc())
        .limit(1)
        .scalar_subquery()
    )
    query = select(responses.c.latency_s).where(responses.c.run_id == newest, responses.c.latency_s.is_not(None))
    return list(connection.execute(query.limit(limit)).scalars())


def _where(project_id: str, selection: CallFilter) -> list[ColumnElement[bool]]:
    where = [of_project(llm_calls, project_id), *_call_conditions(selection)]
    if used := _use_conditions(selection):
        where.append(llm_calls.c.id.in_(select(llm_uses.c.call_id).where(*used)))
    return where


def _call_conditions(selection: CallFilter) -> list[ColumnElement[bool]]:
    """Conditions on the call itself."""
    columns: dict[str, Any] = {name: llm_calls.c[name] for name in ("model", "endpoint", "state", "prompt_id")}
    return [column == getattr(selection, name) for name, column in columns.items() if getattr(selection, name)]


def _use_conditions(selection: CallFilter) -> list[ColumnElement[bool]]:
    """Conditions on the uses of its reply."""
    columns: dict[str, Any] = {name: llm_uses.c[name] for name in ("purpose", "run_id", "job_id", "case_id")}
    return [column == getattr(selection, name) for name, column in columns.items() if getattr(selection, name)]


def _cases(connection: Connection, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The first few cases of each call; in one read, since a call may be used for thousands."""
    place = func.row_number().over(partition_by=llm_uses.c.call_id, order_by=llm_uses.c.seq)
    ranked = (
        select(llm_uses.c.call_id, llm_uses.c.case_id, place.label("place"))
        .where(llm_uses.c.call_id.in_(ids), llm_uses.c.case_id != "")
        .subquery()
    )
    query = (
        select(ranked.c.call_id, ranked.c.case_id)
        .where(ranked.c.place <= MOST_CASES)
        .order_by(ranked.c.call_id, ranked.c.place)
    )
    cases_by_call: dict[str, tuple[str, ...]] = {}
    for call_id, case_id in connection.execute(query):
        case_ids = cases_by_call.get(call_id, ())
        cases_by_call[call_id] = case_ids if case_id in case_ids else (*case_ids, case_id)
    return cases_by_call
