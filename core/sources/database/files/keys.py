"""Which columns name a row and which point to another table, judged by their names and proven on every value."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from core.sources.database.files.kinds import Kind
from core.sources.database.files.plan import PlannedColumn, PlannedTable
from core.sources.database.semantics.opening import opened_columns
from core.sources.database.words import split_words

KEY_WORDS = frozenset({"id", "no", "nr", "number", "code", "key", "ref", "reference", "sku", "isbn", "iban"})
MOST_IN_A_KEY = 3
CONSIDERED = 6
"""Columns from the left among which a key of several is looked for."""
NEARLY = 0.9


def guess_keys(connection: sqlite3.Connection, tables: Sequence[PlannedTable]) -> list[PlannedTable]:
    """The tables with primary keys and what their columns point to.

    Args:
        connection: Has each table with the columns ``c0``, ``c1`` and so on as text.
        tables: Without keys.
    """
    keyed = [_with_key(connection, table) for table in tables]
    single = [
        (table, next(column for column in table.columns if column.key))
        for table in keyed
        if sum(column.key for column in table.columns) == 1
    ]
    return [
        replace(table, columns=tuple(_pointing(connection, table, column, single) for column in table.columns))
        for table in keyed
    ]


def _words(header: str) -> list[str]:
    return opened_columns([header])[header]


def _with_key(connection: sqlite3.Connection, table: PlannedTable) -> PlannedTable:
    for places in _candidates(table):
        if _tells_apart(connection, table, places):
            table = replace(
                table,
                columns=tuple(replace(column, key=place in places) for place, column in enumerate(table.columns)),
            )
            break
    return _with_twins(connection, table)


def _with_twins(connection: sqlite3.Connection, table: PlannedTable) -> PlannedTable:
    """Says of a column that nearly names every row which value stands twice: a key that was typed again."""
    first = next(_candidates(table), ())
    if not first or sum(column.key for column in table.columns) == 1:
        return table
    own, name = f"c{first[0]}", quote(table.name)
    different = connection.execute(f"SELECT COUNT(DISTINCT {own}) FROM {name}").fetchone()[0]  # noqa: S608
    if not NEARLY * table.rows <= different < table.rows:
        return table
    value, rows = connection.execute(
        f"SELECT {own}, COUNT(*) FROM {name} GROUP BY {own} ORDER BY COUNT(*) DESC, {own} LIMIT 1"  # noqa: S608
    ).fetchone()
    column = table.columns[first[0]]
    twice = f"{rows} rows have {value!r}, so it is no key by itself" if value else f"{rows} rows have no value"
    noted = replace(column, note="; ".join(part for part in (column.note, twice) if part))
    return replace(table, columns=tuple(noted if item is column else item for item in table.columns))


def _candidates(table: PlannedTable) -> Iterator[tuple[int, ...]]:
    usable = [
        place
        for place, column in enumerate(table.columns)
        if column.kind in (Kind.TEXT, Kind.WHOLE, Kind.DATE, Kind.DATE_DAY_FIRST, Kind.DATE_MONTH_FIRST)
    ]
    named = [place for place in usable if set(_words(table.columns[place].header)) & KEY_WORDS]
    own = set(split_words(table.name)) | {word.removesuffix("s") for word in split_words(table.name)}
    named.sort(key=lambda place: (not own & set(_words(table.columns[place].header)), place))
    for place in dict.fromkeys([*named, *usable[:1]]):
        yield (place,)
    first = list(dict.fromkeys([*named, *usable]))[:CONSIDERED]
    for size in range(2, MOST_IN_A_KEY + 1):
        for places in combinations(first, size):
            if set(places) & set(named):
                yield tuple(sorted(places))


def _tells_apart(connection: sqlite3.Connection, table: PlannedTable, places: Sequence[int]) -> bool:
    columns = ", ".join(f"c{place}" for place in places)
    blank = " OR ".join(f"c{place} = ''" for place in places)
    name = quote(table.name)
    if connection.execute(f"SELECT 1 FROM {name} WHERE {blank} LIMIT 1").fetchone():  # noqa: S608 - names are quoted
        return False
    found = connection.execute(f"SELECT COUNT(*) FROM (SELECT DISTINCT {columns} FROM {name})").fetchone()  # noqa: S608
    return bool(found[0] == table.rows)


def _pointing(
    connection: sqlite3.Connection,
    table: PlannedTable,
    column: PlannedColumn,
    single: Sequence[tuple[PlannedTable, PlannedColumn]],
) -> PlannedColumn:
    words = _words(column.header)
    for other, key in single:
        if other.name == table.name or column.kind is not key.kind:
            continue
        noun = {word.removesuffix("s") for word in split_words(other.name)}
        same = words == _words(key.header) and (len(words) > 1 or words[0] not in KEY_WORDS)
        if not same and not (
            len(words) > 1 and words[-1] in KEY_WORDS and noun <= {w.removesuffix("s") for w in words}
        ):
            continue
        own = f"c{table.columns.index(column)}"
        found, filled = connection.execute(
            f"SELECT SUM({own} IN (SELECT c{other.columns.index(key)} FROM {quote(other.name)})), COUNT(*) "  # noqa: S608
            f"FROM {quote(table.name)} WHERE {own} <> ''"
        ).fetchone()
        if filled and found == filled:
            return replace(column, points_to=f"{other.name}.{key.name}")
        if filled and found > NEARLY * filled:
            missing = f"{filled - found} of {filled} values are not in {other.name}"
            return replace(column, note="; ".join(part for part in (column.note, missing) if part))
    return column


def quote(name: str) -> str:
    """A name in quotes."""
    return '"' + name.replace('"', '""') + '"'
