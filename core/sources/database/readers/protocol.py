"""The protocol of database readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from core.domain.sources.schema import Table


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement in pieces: the text between its parameters, and their names.

    A reader puts its driver's own sign between the pieces. No text is ever searched for a parameter, so that a literal
    which looks like one stays a literal.

    Attributes:
        texts: One piece more than there are parameters.
        names: The parameter behind each piece but the last; a name may stand in several places.

    >>> Statement(("SELECT a FROM t WHERE b = ", ""), ("p0",)).shown
    'SELECT a FROM t WHERE b = :p0'
    """

    texts: tuple[str, ...]
    names: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """As a person reads it, with parameters written ``:name``; never run."""
        return self.joined([f":{name}" for name in self.names])

    def joined(self, signs: Sequence[str]) -> str:
        """The whole text with one sign for each parameter."""
        return "".join(piece for pair in zip(self.texts, (*signs, ""), strict=True) for piece in pair)

    def values(self, params: Mapping[str, object]) -> tuple[object, ...]:
        """The value of each parameter, in order."""
        return tuple(params[name] for name in self.names)


def statement_of(sql: str | Statement) -> Statement:
    """A text without parameters as a statement; a statement as it is."""
    return sql if isinstance(sql, Statement) else Statement((sql,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Column names and the rows, which arrive while they are read."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[object, ...]]


class Reader(Protocol):
    """A read-only way into one database; safe to use from several threads.

    Attributes:
        dialect: SQLAlchemy's name of the dialect.
    """

    dialect: str

    def tables(self) -> tuple[Table, ...]:
        """Tables and views of every schema that is read, in name order; row counts are left at 0."""
        ...

    def run(
        self, sql: str | Statement, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True
    ) -> AbstractContextManager[Rows]:
        """Runs one SELECT.

        Args:
            sql: A statement from `check_select`, or a text of Plumbline's own, which has no parameters.
            params: Values of the parameters.
            timeout_s: Seconds until it is stopped.
            guarded: Whether the database itself refuses everything but plain reading, where it can.

        Raises:
            LimitExceeded: The time is over.
            InvalidInput: The database refuses the statement; its message is passed on.
        """
        ...

    def cancel(self) -> None:
        """Ends the statements that run, from another thread; each raises in the thread that runs it."""
        ...

    def end(self, session: int) -> None:
        """Ends a session on the server that somebody else left behind; nothing where there is none of that number."""
        ...

    def close(self) -> None:
        """Closes every connection."""
        ...
