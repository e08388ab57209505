"""The answers that a trial of the diagnosis, or a check of safety, got before it was done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, func, select

from core.domain.results.responses import Response
from core.store.codec import from_row, to_row
from core.store.tables import trial_answers as rows
from core.store.writing.upsert import add_missing

BESIDE: Final = "beside"
"""What is kept with a response and is no part of it."""


def put(
    connection: Connection,
    project_id: str,
    set_up: str,
    copy: str,
    responses: Sequence[Response],
    beside: Mapping[str, Mapping[str, Any]] | None = None,
) -> None:
    """Keeps answers, with what was read of them by case; a question on a copy never gets a second one."""
    kept = [
        {
            "project_id": project_id,
            "set_up": set_up,
            "copy": copy,
            "case_id": response.case_id,
            "response": {**to_row(response), BESIDE: (beside or {}).get(response.case_id)},
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


def beside(connection: Connection, project_id: str, set_up: str, copy: str) -> dict[str, Mapping[str, Any]]:
    """What is kept with the answers on one copy, by case."""
    query = select(rows.c.case_id, rows.c.response).where(
        rows.c.project_id == project_id, rows.c.set_up == set_up, rows.c.copy == copy
    )
    return {row.case_id: known for row in connection.execute(query) if (known := row.response.get(BESIDE))}


def count(connection: Connection, project_id: str, set_up: str) -> int:
    """How many answers of a set-up are kept."""
    query = select(func.count()).select_from(rows).where(rows.c.project_id == project_id, rows.c.set_up == set_up)
    return int(connection.execute(query).scalar_one())


def drop(connection: Connection, project_id: str, set_up: str) -> None:
    """Forgets the answers of a set-up."""
    connection.execute(delete(rows).where(rows.c.project_id == project_id, rows.c.set_up == set_up))
