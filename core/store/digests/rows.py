"""Rows as they stand in the database: read by key or by owner, and their digests.

A digest is the SHA-256 of a row's columns in the order of the table. JSON columns count as the text that is stored,
truth values as 0 and 1: a row has the same digest on SQLite and on PostgreSQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import JSON, Boolean, ColumnElement, Connection, Dialect, Integer, Text, cast, select, true
from sqlalchemy.dialects import postgresql, sqlite

from core.store.digests.covered import BY_TABLE, Covered

Key = tuple[Any, ...]
"""The key columns of a row."""

GONE: Final = b"\x00" * 32
"""In place of the digest of a row that was deleted."""

PART: Final = 2_000
"""Rows held at once, and rows whose digests are stored together."""

LOOKED_UP: Final = 500
"""Keys of one lookup."""


def digest(row: Sequence[object]) -> bytes:
    r"""SHA-256 of the columns of a row, 32 bytes.

    What is hashed is a line of ASCII with the length of each text and, in brackets, each other value as a Python
    literal; then the texts. So no text can pass for a number, and no part of one column for a part of the next.

    >>> digest(("c1", 0.1, None)) == sha256(b"[2, (0.1,), (None,)]\nc1").digest()
    True
    """
    line = ascii([len(value) if value.__class__ is str else (value,) for value in row])
    texts = "".join([value for value in row if value.__class__ is str])
    return sha256(f"{line}\n{texts}".encode("utf-8", "surrogatepass")).digest()


def picked(columns: Sequence[str], names: Sequence[str]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """Takes some columns out of a row; those that it does not have are left out."""
    places = [columns.index(name) for name in names if name in columns]
    if len(places) > 1:
        return itemgetter(*places)
    return (lambda row: (row[places[0]],)) if places else (lambda row: ())


def by_key(connection: Connection, covered: Covered, keys: Sequence[Key]) -> Iterator[tuple[Any, ...]]:
    """The stored rows of some keys, each with the columns of `covered`; those that do not exist are left out.

    Args:
        connection: Any.
        covered: The table.
        keys: The values of `asked_columns` of each row.
    """
    for start in range(0, len(keys), LOOKED_UP):
        part = keys[start : start + LOOKED_UP]
        if connection.dialect.name == "sqlite":
            values = tuple(chain.from_iterable(part))
            # The driver's own rows, here and below: wrapping each costs as much as reading it.
            yield from connection.exec_driver_sql(_sqlite_lookup(covered.name, len(part)), values).cursor.fetchall()
        else:
            arrays = tuple(list(column) for column in zip(*part, strict=True))
            yield from connection.exec_driver_sql(_postgresql_lookup(covered.name), arrays).cursor.fetchall()


def of_owner(connection: Connection, covered: Covered, owner: str, columns: Sequence[str]) -> Iterator[Sequence[Any]]:
    """Every row of an owner with these columns; a part is in memory at a time."""
    query = select(*(_as_stored(covered, name) for name in columns)).where(owned_by(covered, owner))
    result = connection.execute(query, execution_options={"yield_per": PART})
    for part in result.partitions():
        yield from part


def owned_by(covered: Covered, owner: str) -> ColumnElement[bool]:
    """The condition that a row belongs to an owner; "" is none, or the store."""
    if not covered.owner:
        return true()
    column: ColumnElement[Any] = covered.table.c[covered.owner]
    return column == owner if owner else (column.is_(None) | (column == ""))


def names_itself(covered: Covered) -> bool:
    """Whether the key of a row is enough to find it, without its owner."""
    columns = [covered.table.c[name] for name in covered.key]
    return len(columns) == 1 and bool(columns[0].unique or (columns[0].primary_key and covered.counted))


def asked_columns(covered: Covered) -> tuple[str, ...]:
    """What a row is looked up by."""
    return covered.key if names_itself(covered) or not covered.owner else (covered.owner, *covered.key)


@cache
def _sqlite_lookup(name: str, rows: int) -> str:
    """The rows whose keys are given as so many lists of values."""
    covered = BY_TABLE[name]
    places = ", ".join("?" for _ in asked_columns(covered))
    given = ", ".join(f"k{place}" for place in range(len(asked_columns(covered))))
    lists = ", ".join(f"({places})" for _ in range(rows))
    # A cross join keeps SQLite from reading the table and looking the keys up.
    return f"WITH asked({given}) AS (VALUES {lists}) SELECT {_stored(covered, sqlite.dialect())} FROM asked CROSS JOIN {_matched(covered)}"  # noqa: S608, E501


@cache
def _postgresql_lookup(name: str) -> str:
    """The rows whose keys are given as an array a column."""
    covered = BY_TABLE[name]
    dialect: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]
    types = [covered.table.c[column].type.compile(dialect) for column in asked_columns(covered)]
    arrays = ", ".join(f"CAST(%s AS {type_}[])" for type_ in types)
    given = ", ".join(f"k{place}" for place in range(len(types)))
    return f"SELECT {_stored(covered, dialect)} FROM unnest({arrays}) AS asked({given}) JOIN {_matched(covered)}"  # noqa: S608


def _stored(covered: Covered, dialect: Dialect) -> str:
    return ", ".join(str(_as_stored(covered, name).compile(dialect=dialect)) for name in covered.columns)


def _matched(covered: Covered) -> str:
    matches = [f'{covered.name}."{column}" = asked.k{place}' for place, column in enumerate(asked_columns(covered))]
    return f"{covered.name} ON {' AND '.join(matches)}"


def _as_stored(covered: Covered, name: str) -> ColumnElement[Any]:
    """A column as it counts in a digest."""
    column = covered.table.c[name]
    if isinstance(column.type, JSON):
        return cast(column, Text)
    return cast(column, Integer) if isinstance(column.type, Boolean) else column
