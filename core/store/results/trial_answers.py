"""The answers that a trial of the diagnosis got before it was done."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, select

from core.domain.results.responses import Response
from core.store.codec import from_row, to_row
from core.store.tables import trial_answers as rows
from core.store.upsert import add_missing


def put(connection: Connection, project_id: str, set_up: str, copy: str, responses: Sequence[Response]) -> None:
    """Keeps answers; a question on a copy never gets a second one."""
    kept = [
        {
            "project_id": project_id,
            "set_up": set_up,
            "copy": copy,
            "case_id": response.case_id,
            "response": to_row(response),
        }
        for response in responses
    ]
    add_missing(connection, rows, kept, key=["project_id", "set_up", "copy", "case_id"])


def of_copy(connection: Connection, project_id: str, set_up: str, copy: str) -> dict[str, Response]:
    """The answers on one copy, by case."""
    query = select(rows.c.case_id, rows.c.response).where(
        rows.c.project_id == project_id, rows.c.set_up == set_up, rows.c.copy == copy
    )
    return {row.case_id: from_row(Response, row.response) for row in connection.execute(query)}


def count(connection: Connection, project_id: str, set_up: str) -> int:
    """How many answers of a set-up are kept."""
    query = select(func.count()).select_from(rows).where(rows.c.project_id == project_id, rows.c.set_up == set_up)
    return int(connection.execute(query).scalar_one())


def drop(connection: Connection, project_id: str, set_up: str) -> None:
    """Forgets the answers of a set-up."""
    connection.execute(delete(rows).where(rows.c.project_id == project_id, rows.c.set_up == set_up))
