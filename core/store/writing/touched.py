"""The tables that a transaction has changed, by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection

_NOTED: Final = "plumbline_tables"


def begin(connection: Connection) -> None:
    """Starts noting; a connection that was used before forgets what it noted."""
    connection.info[_NOTED] = set()


def note(connection: Connection, names: Iterable[str]) -> None:
    """Notes tables; nothing where the connection is of no write."""
    noted = connection.info.get(_NOTED)
    if noted is not None:
        noted.update(names)


def end(connection: Connection) -> set[str]:
    """What was noted; nothing is noted any more."""
    noted: set[str] = connection.info.pop(_NOTED, set())
    return noted
