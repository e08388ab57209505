"""Safety: the settings of projects and the results of runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, select

from core.store.tables import safety_results, safety_settings
from core.store.writing.upsert import put as upsert

NAME: Final = "settings"
"""Of the one row of settings that a project has."""


def settings_of(connection: Connection, project_id: str) -> Mapping[str, Any]:
    """What a project says of safety; empty where nobody said anything."""
    query = select(safety_settings.c.settings).where(safety_settings.c.project_id == project_id)
    return connection.execute(query).scalar_one_or_none() or {}


def put_settings(connection: Connection, project_id: str, settings: Mapping[str, Any], *, at: str, by: str) -> None:
    """Replaces what a project says of safety."""
    row = {"project_id": project_id, "name": NAME, "settings": dict(settings), "changed_at": at, "changed_by": by}
    upsert(connection, safety_settings, [row], key=["project_id", "name"])


def put(connection: Connection, row: Mapping[str, Any]) -> None:
    """Stores one result; `row` has the columns of the table but `seq`."""
    connection.execute(safety_results.insert().values(dict(row)))


def latest(connection: Connection, run_id: str) -> Mapping[str, Any] | None:
    """The newest result of a run with what it was made from; None where there is none."""
    query = (
        select(safety_results).where(safety_results.c.run_id == run_id).order_by(safety_results.c.seq.desc()).limit(1)
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else dict(row)


def count(connection: Connection, project_id: str) -> int:
    """How many results a project has."""
    query = select(safety_results.c.id).where(safety_results.c.project_id == project_id)
    return len(connection.execute(query).all())
