"""The protocol of database readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from core.domain.sources.schema import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Column names and the rows, which arrive while they are read."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


class Reader(Protocol):
    """A read-only way into one database; safe to use from several threads.

    Attributes:
        dialect: SQLAlchemy's name of the dialect; sqlglot knows it under `grammar`.
        grammar: sqlglot's name of the dialect.
    """

    dialect: str
    grammar: str

    def tables(self) -> tuple[Table, ...]:
        """Tables and views in name order with columns and keys; row counts are left at 0."""
        ...

    def run(
        self, sql: str, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True
    ) -> AbstractContextManager[Rows]:
        """Runs one SELECT whose parameters are written ``:name``.

        Args:
            sql: A statement from `check_select`, or one of Plumbline's own.
            params: Values of the parameters.
            timeout_s: Seconds until it is stopped.
            guarded: Whether the database itself refuses everything but plain reading, where it can.

        Raises:
            LimitExceeded: The time is over.
            InvalidInput: The database refuses the statement; its message is passed on.
        """
        ...

    def close(self) -> None:
        """Closes every connection."""
        ...
