"""Inserts over existing rows; the only module that knows both dialects' statements for it.

Large inserts go through here. Values are bound by the columns' types a batch at a time, since to have it done statement
by statement takes longer than the database does, and the digests of the rows are of the very values that were bound.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Dialect,
    Float,
    Integer,
    LargeBinary,
    Table,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite

from core.store.digests import changes
from core.store.digests.rows import picked
from core.store.tables.columns import Prose
from core.store.writing import touched

Row = Mapping[str, Any]
Values = tuple[Any, ...]

BATCH = 2_000
"""Rows sent to the driver at once, which bounds the memory a large insert takes."""

_REPLACE, _LEAVE = "replace", "leave"
_COUNTING = {"preserve_rowcount": True}  # otherwise not known for many rows at once on PostgreSQL


def put(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> None:
    """Inserts rows; where `key` is taken, the other columns given are replaced."""
    if not rows:
        return
    bulk = _bulk(connection, table, tuple(rows[0]), tuple(key), _REPLACE)
    for batch in _batches(rows):
        bulk.execute(connection, bulk.bound(batch), replaced=True)
    _take_stock(connection, table, len(rows))


def add_missing(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str]) -> int:
    """Inserts the rows whose `key` is free and leaves the others as they are; returns how many it inserted."""
    if not rows:
        return 0
    bulk = _bulk(connection, table, tuple(rows[0]), tuple(key), _LEAVE)
    added = sum(bulk.execute(connection, bulk.bound(batch), replaced=False) for batch in _batches(rows))
    _take_stock(connection, table, added)
    return added


def grow(connection: Connection, table: Table, rows: Sequence[Row], *, key: Sequence[str], counter: str) -> None:
    """Inserts rows; where `key` is taken, what `counter` gives is added to what is there."""
    if not rows:
        return
    statement = _insert(connection.dialect, table)
    added = table.c[counter] + statement.excluded[counter]
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_={counter: added}), list(rows))


@dataclass(frozen=True, slots=True)
class _Bulk:
    """One statement for many rows: its text, and how values become what the driver takes.

    Attributes:
        table: Into which.
        names: The columns given.
        sql: The text.
        order: Takes the values in the order of the text; None where they are named in it.
        steps: What is done to the value of each column.
    """

    table: Table
    names: tuple[str, ...]
    sql: str
    order: Callable[[Sequence[Any]], Values] | None
    steps: tuple[Callable[[Any], Any], ...]

    def bound(self, rows: Sequence[Row]) -> list[Values]:
        """The values of rows as the database will hold them, in the order of `names`."""
        columns = [
            [None if (value := row[name]) is None else step(value) for row in rows]
            for name, step in zip(self.names, self.steps, strict=True)
        ]
        return list(zip(*columns, strict=True))

    def execute(self, connection: Connection, values: list[Values], *, replaced: bool) -> int:
        """Sends one batch and notes its rows; returns how many were written."""
        changes.expect(connection, self.table)
        touched.note(connection, [self.table.name])
        sent: Any = (
            [dict(zip(self.names, row, strict=True)) for row in values]
            if self.order is None
            else [self.order(row) for row in values]
        )
        done = connection.exec_driver_sql(self.sql, sent, execution_options=_COUNTING).rowcount
        # Rows that were left as they were have other values than those given, so they are read back.
        changes.note_written(connection, self.table, self.names, values, as_given=replaced or done == len(values))
        return int(done)


def _bulk(connection: Connection, table: Table, names: tuple[str, ...], key: tuple[str, ...], kind: str) -> _Bulk:
    dialect = connection.dialect
    return _prepared(table, names, key, kind, "postgresql" if dialect.name == "postgresql" else "sqlite")


@cache
def _prepared(table: Table, names: tuple[str, ...], key: tuple[str, ...], kind: str, dialect_name: str) -> _Bulk:
    dialect: Dialect = _POSTGRESQL if dialect_name == "postgresql" else sqlite.dialect()
    statement = _insert(dialect, table)
    replaced = {name: statement.excluded[name] for name in names if name not in key}
    statement = (
        statement.on_conflict_do_update(index_elements=key, set_=replaced)
        if replaced and kind == _REPLACE
        else statement.on_conflict_do_nothing(index_elements=key)
    )
    compiled: Any = statement.inline().compile(dialect=dialect, column_keys=list(names))
    order = picked(names, compiled.positiontup) if compiled.positional else None
    return _Bulk(table, names, str(compiled), order, tuple(_step(table.c[name], dialect_name) for name in names))


_POSTGRESQL: Dialect = postgresql.psycopg.dialect()  # type: ignore[no-untyped-call]


def _step(column: Column[Any], dialect_name: str) -> Callable[[Any], Any]:
    """How a value of a column is bound."""
    kind = column.type
    if isinstance(kind, Prose):
        return _clean
    if isinstance(kind, JSON):
        return json.dumps
    if isinstance(kind, Float):
        return _sqlite_number if dialect_name == "sqlite" else float
    for known, step in _STEPS.items():
        if isinstance(kind, known):
            return step
    raise TypeError(f"{column} has a type that is not bound here")


_STEPS: dict[type, Callable[[Any], Any]] = {Boolean: bool, Integer: int, LargeBinary: bytes}
_CLEAN = Prose().process_bind_param


def _clean(value: str) -> str | None:
    return value if value.isascii() and "\x00" not in value else _CLEAN(value, _POSTGRESQL)


def _sqlite_number(value: float) -> float | None:
    """A number as SQLite keeps it: NaN becomes NULL, and zero loses its sign."""
    number = float(value)
    return None if math.isnan(number) else number + 0.0


def _take_stock(connection: Connection, table: Table, rows: int) -> None:
    """Lets PostgreSQL analyse a table that grew a lot; until then it plans joins as if the table were empty."""
    if rows >= BATCH and connection.dialect.name == "postgresql":
        connection.execute(text(f"ANALYZE {connection.dialect.identifier_preparer.format_table(table)}"))


def _insert(dialect: Dialect, table: Table) -> Any:
    return (postgresql if dialect.name == "postgresql" else sqlite).insert(table)


def _batches(rows: Sequence[Row]) -> list[list[Row]]:
    waiting = iter(rows)
    return list(iter(lambda: list(islice(waiting, BATCH)), []))
