"""How the cases of a run ended, read by column: no record is built, and texts stay as they are stored."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Text, cast, select

from core.domain.results.runs import VERDICT_METRIC
from core.store.tables import cases as case_rows
from core.store.tables import responses as response_rows
from core.store.tables import scores as score_rows
from core.store.writing.upsert import BATCH

PART = 2_000
"""Responses held at once."""


class Wording(NamedTuple):
    """One case that is not excluded; nested parts as JSON."""

    case_id: str
    group_id: str
    form: str
    question: str
    reference_answers: str
    sql_template_id: str
    sql_params: str
    gold_document_ids: str
    attributes: str


class Answer(NamedTuple):
    """One response; its passages as JSON."""

    case_id: str
    answer: str | None
    contexts: str


def wordings(connection: Connection, test_set_id: str, case_ids: Collection[str] | None = None) -> list[Wording]:
    """The cases of a test set that are not excluded, in its order; all of them or those named."""
    columns = case_rows.c
    query = select(
        columns.case_id,
        columns.group_id,
        columns.form,
        columns.question,
        cast(columns.reference_answers, Text),
        columns.sql_template_id,
        cast(columns.sql_params, Text),
        cast(columns.gold_document_ids, Text),
        cast(columns.attributes, Text),
    ).where(columns.test_set_id == test_set_id, columns.excluded == "")
    if case_ids is None:
        # The driver's own rows: all columns are text, and wrapping each row costs as much as reading it.
        return [Wording(*row) for row in connection.execute(query.order_by(columns.seq)).cursor.fetchall()]
    by_id = {row[0]: Wording(*row) for row in _named(connection, query, columns.case_id, case_ids)}
    return [by_id[case_id] for case_id in case_ids if case_id in by_id]


def verdicts(
    connection: Connection, run_id: str, case_ids: Collection[str] | None = None
) -> dict[str, tuple[float | None, str]]:
    """Value and deciding rule of the verdicts of a run, by case; of all cases or of those named."""
    query = select(score_rows.c.case_id, score_rows.c.value, score_rows.c.detail["rule"].as_string()).where(
        score_rows.c.run_id == run_id, score_rows.c.metric == VERDICT_METRIC
    )
    rows = (
        connection.execute(query).cursor.fetchall()
        if case_ids is None
        else _named(connection, query, score_rows.c.case_id, case_ids)
    )
    return {case_id: (value, rule or "") for case_id, value, rule in rows}


def answers(connection: Connection, run_id: str, case_ids: Collection[str] | None = None) -> Iterator[Answer]:
    """The responses of a run in any order; of all cases or of those named; a part is in memory at a time."""
    query = select(response_rows.c.case_id, response_rows.c.answer, cast(response_rows.c.contexts, Text)).where(
        response_rows.c.run_id == run_id
    )
    rows: Iterable[Any]
    if case_ids is None:
        rows = connection.execute(query, execution_options={"yield_per": PART})
    else:
        rows = _named(connection, query, response_rows.c.case_id, case_ids)
    for case_id, answer, contexts in rows:
        yield Answer(case_id, answer, contexts)


def _named(connection: Connection, query: Select[Any], column: Any, case_ids: Collection[str]) -> Iterator[Any]:
    waiting = iter(case_ids)
    while some := list(islice(waiting, BATCH)):
        yield from connection.execute(query.where(column.in_(some)))
