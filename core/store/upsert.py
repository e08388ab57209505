"""Inserts over existing rows; the only module that knows both dialects' statements for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Table, text
from sqlalchemy.dialects import postgresql, sqlite

Row = Mapping[str, Any]

BATCH = 2_000
"""Rows sent to the driver at once, which bounds the memory a large insert takes."""


def put(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> None:
    """Inserts rows; where `key` is taken, the other columns given are replaced."""
    if not rows:
        return
    statement = _insert(connection, table)
    replaced = {name: statement.excluded[name] for name in rows[0] if name not in key}
    statement = (
        statement.on_conflict_do_update(index_elements=key, set_=replaced)
        if replaced
        else statement.on_conflict_do_nothing(index_elements=key)
    )
    for batch in _batches(rows):
        connection.execute(statement, batch)
    _take_stock(connection, table, len(rows))


def add_missing(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> int:
    """Inserts the rows whose `key` is free and leaves the others as they are; returns how many it inserted."""
    statement = _insert(connection, table).on_conflict_do_nothing(index_elements=key)
    counting = {"preserve_rowcount": True}  # otherwise not known for many rows at once on PostgreSQL
    added = sum(connection.execute(statement, batch, execution_options=counting).rowcount for batch in _batches(rows))
    _take_stock(connection, table, added)
    return added


def grow(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str], counter: str) -> None:
    """Inserts rows; where `key` is taken, what `counter` gives is added to what is there."""
    if not rows:
        return
    statement = _insert(connection, table)
    added = table.c[counter] + statement.excluded[counter]
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_={counter: added}), list(rows))


def _take_stock(connection: Connection, table: Table, rows: int) -> None:
    """Lets PostgreSQL analyse a table that grew a lot; until then it plans joins as if the table were empty."""
    if rows >= BATCH and connection.dialect.name == "postgresql":
        connection.execute(text(f"ANALYZE {connection.dialect.identifier_preparer.format_table(table)}"))


def _insert(connection: Connection, table: Table) -> Any:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)


def _batches(rows: Sequence[Row]) -> list[list[Row]]:
    waiting = iter(rows)
    return list(iter(lambda: list(islice(waiting, BATCH)), []))
