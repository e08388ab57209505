"""How much one query may take, and what is said when it took it."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.errors import QueryStopped

ROWS_PER_SECOND = 10_000
"""Rows that earn one more second: an honest query of millions goes on as long as it gives them."""
MEMORY = 1_500_000_000
"""Bytes of data a worker process may have, where the system can hold it to that."""
HEAP = 500_000_000
"""Bytes SQLite may have at once in a worker."""
TEMPORARY_FILE = 4_000_000_000
"""Bytes of one file that SQLite sorts in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one query may take.

    Attributes:
        seconds: Processor time of a file's query; on a server the time spent waiting for it. Time in which the reader
            of the rows does something else does not count, and each `ROWS_PER_SECOND` rows earn a second more.
        rows: Rows it may return.
        bytes: Bytes it may return.
    """

    seconds: float = 20.0
    rows: int = 10_000_000
    bytes: int = 2_000_000_000

    def allowed(self, rows: int) -> float:
        """Seconds a query may have taken when it has given so many rows."""
        return self.seconds + rows / ROWS_PER_SECOND


def out_of_time(limits: Limits, rows: int) -> QueryStopped:
    """The error for a query that took too long."""
    given = f", with {rows:,} rows read" if rows else ""
    return QueryStopped(
        f"The query was stopped after {limits.allowed(rows):g} seconds of work{given}.",
        "Make it simpler, or add a condition that narrows it.",
        limit="time",
    )


def too_many_rows(limits: Limits) -> QueryStopped:
    """The error for a query that returns too many rows."""
    return QueryStopped(
        f"The query was stopped after {limits.rows:,} rows, the most that are read.",
        "Add a condition that narrows it.",
        limit="rows",
    )


def too_many_bytes(limits: Limits) -> QueryStopped:
    """The error for a query that returns too much."""
    return QueryStopped(
        f"The query was stopped after {limits.bytes / 1e6:,.0f} MB of rows, the most that are read.",
        "Select fewer or shorter columns, or add a condition that narrows it.",
        limit="bytes",
    )


def out_of_memory() -> QueryStopped:
    """The error for a query that needs too much memory."""
    return QueryStopped(
        "The query was stopped because it needs more memory than a query may have.",
        "Put fewer or shorter texts together, or leave out the column with large values.",
        limit="memory",
    )
