"""The cases of a run that failed, by their target or by their judge; taken back, they are done again."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select
from sqlalchemy import delete as delete_rows

from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import MODEL_FAILURES
from core.store.results.scores import reopen
from core.store.tables import responses as response_rows
from core.store.tables import scores as score_rows


def failed_ids(connection: Connection, run_id: str) -> set[str]:
    """Ids of the cases whose target failed."""
    query = select(response_rows.c.case_id).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    return set(connection.execute(query).scalars())


def unjudged_ids(connection: Connection, run_id: str) -> set[str]:
    """Ids of the cases whose judge failed: it could not be reached, or its reply could not be read."""
    return set(connection.scalars(select(score_rows.c.case_id).where(*_judge_failed(run_id))))


def forget_failed(connection: Connection, run_id: str) -> int:
    """Deletes the responses without an answer, with their scores, so that the cases are asked and scored again.

    Returns:
        How many responses there were.
    """
    failed = select(response_rows.c.case_id).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    connection.execute(delete_rows(score_rows).where(score_rows.c.run_id == run_id, score_rows.c.case_id.in_(failed)))
    reopen(connection, run_id)
    return connection.execute(
        delete_rows(response_rows).where(response_rows.c.run_id == run_id, response_rows.c.failed)
    ).rowcount


def forget_unjudged(connection: Connection, run_id: str) -> int:
    """Deletes the verdicts that a failed judge left open, so that the cases are judged again; returns their number."""
    case_ids = unjudged_ids(connection, run_id)
    if case_ids:
        connection.execute(delete_rows(score_rows).where(*_judge_failed(run_id)))
        reopen(connection, run_id)
    return len(case_ids)


def _judge_failed(run_id: str) -> list[ColumnElement[bool]]:
    of_judge = [score_rows.c.run_id == run_id, score_rows.c.metric == VERDICT_METRIC]
    return [*of_judge, score_rows.c.status.in_([status.value for status in MODEL_FAILURES])]
