"""From a reader to a schema: keys, counts, descriptive flags, fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from core.domain.errors import InvalidInput, LimitExceeded, UnreadableFile
from core.domain.identity import content_hash
from core.domain.sources.schema import Schema, Table
from core.sources.database.descriptive import decide
from core.sources.database.grammar import quoted
from core.sources.database.readers import Reader

SHAPE_SAMPLE = 100
"""Values of a column that are read to judge their shape."""
COUNT_DISTINCT_UP_TO = 200_000
"""Rows of a table up to which the different values of its columns are counted."""


def read_schema(reader: Reader, overrides: Mapping[str, bool], *, timeout_s: float) -> Schema:
    """Tables, columns and keys, with row counts and a reasoned flag on each column.

    Raises:
        InvalidInput: None of the database's tables may be read.
        LimitExceeded: A table could not be counted in time.
        UnreadableFile: A part of the file is damaged.
    """
    tables: list[Table] = []
    refused: list[InvalidInput] = []
    for table in reader.tables():
        try:
            tables.append(_counted(reader, table, timeout_s))
        except UnreadableFile:
            raise
        except InvalidInput as error:  # a view whose tables or functions are gone, or a table we have no right to
            refused.append(error)
    if refused and not tables:
        raise refused[0]
    undecided = Schema(dialect=reader.dialect, tables=tuple(tables))
    values = {
        (table.name, column.name): _values(reader, table.name, column.name, timeout_s)
        for table in tables
        for column in table.columns
    }
    flagged = Schema(dialect=reader.dialect, tables=decide(undecided, values, overrides))
    return replace(
        flagged,
        tables=tuple(_with_distinct(reader, table, timeout_s) for table in flagged.tables),
        fingerprint=_fingerprint(undecided),
    )


def _fingerprint(schema: Schema) -> str:
    """SHA-256 over tables, columns, keys and counts, without the flags of the columns."""
    return content_hash(
        [
            (
                table.name,
                table.rows,
                table.primary_key,
                [(column.name, column.type, column.nullable) for column in table.columns],
                [(key.columns, key.referred_table, key.referred_columns) for key in table.foreign_keys],
            )
            for table in schema.tables
        ]
    )


def _counted(reader: Reader, table: Table, timeout_s: float) -> Table:
    sql = f"SELECT COUNT(*) FROM {quoted(table.name, reader.dialect)}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            return replace(table, rows=int(str(next(result.rows)[0])))
    except LimitExceeded as error:
        raise LimitExceeded(
            f"The rows of {table.name} could not be counted in {timeout_s:g} seconds.",
            "Allow more time, or connect a smaller copy of the database.",
        ) from error


def _values(reader: Reader, table: str, column: str, timeout_s: float) -> tuple[object, ...]:
    name = quoted(column, reader.dialect)
    sql = f"SELECT {name} FROM {quoted(table, reader.dialect)} WHERE {name} IS NOT NULL LIMIT {SHAPE_SAMPLE}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            return tuple(row[0] for row in islice(result.rows, SHAPE_SAMPLE))
    except (InvalidInput, LimitExceeded):
        return ()


def _with_distinct(reader: Reader, table: Table, timeout_s: float) -> Table:
    readable = [column.name for column in table.columns if column.descriptive]
    if not readable or not table.rows or table.rows > COUNT_DISTINCT_UP_TO:
        return table
    counts = ", ".join(f"COUNT(DISTINCT {quoted(name, reader.dialect)})" for name in readable)
    sql = f"SELECT {counts} FROM {quoted(table.name, reader.dialect)}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            distinct_counts = dict(zip(readable, next(result.rows), strict=True))
    except (InvalidInput, LimitExceeded):
        return table
    return replace(
        table,
        columns=tuple(
            replace(column, distinct=int(str(distinct_counts[column.name])) if column.name in distinct_counts else None)
            for column in table.columns
        ),
    )
