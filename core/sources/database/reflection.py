"""From a reader to a schema: keys, counts, descriptive flags, fingerprint."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from core.domain.errors import InvalidInput, LimitExceeded, UnreadableFile
from core.domain.identity import content_hash
from core.domain.sources.schema import LeftOut, Schema, Table
from core.domain.sources.semantics import SemanticLayer
from core.sources.database.descriptive import decide
from core.sources.database.grammar import quoted, quoted_table
from core.sources.database.readers import Reader
from core.sources.database.semantics.applying import decided, merged, named, with_words
from core.sources.database.semantics.joins import with_joins
from core.sources.database.semantics.proposing import propose

COUNTS_AT_MOST = 2
"""How many times the time of one count is spent on those that fail."""
LEAST_COUNT_S = 1.0
"""Seconds that a count gets when that is spent: the tables after a runaway view are read all the same."""
SHAPE_SAMPLE = 100
"""Values of a column that are read to judge their shape."""
COUNT_DISTINCT_UP_TO = 200_000
"""Rows of a table up to which the different values of its columns are counted."""


def read_schema(
    reader: Reader, overrides: Mapping[str, bool], *, timeout_s: float, layer: SemanticLayer | None = None
) -> Schema:
    """Tables, columns and keys, with row counts and a reasoned flag on each column.

    A table or view that cannot be counted in time, or at all, is left out and named in the schema with the reason. All
    such counts together get `COUNTS_AT_MOST` times what one gets: a hundred slow views do not make a hundred waits.

    Args:
        reader: Of the database.
        overrides: A person's decisions on descriptive columns.
        timeout_s: Seconds for one count.
        layer: What people call tables and columns, laid over what the rules propose; None for the rules alone.

    Raises:
        InvalidInput: None of the database's tables may be read.
        LimitExceeded: None of them could be counted in time.
        UnreadableFile: A part of the file is damaged.
    """
    tables: list[Table] = []
    left_out: list[LeftOut] = []
    refused: list[InvalidInput | LimitExceeded] = []
    remaining = COUNTS_AT_MOST * timeout_s
    for table in reader.tables():
        started = time.monotonic()
        try:
            tables.append(_counted(reader, table, min(timeout_s, max(remaining, LEAST_COUNT_S))))
        except UnreadableFile:
            raise
        except (InvalidInput, LimitExceeded) as error:
            # A view that does not end, or whose tables or functions are gone, or a table we have no right to.
            refused.append(error)
            left_out.append(LeftOut(name=table.name, reason=error.message))
            remaining -= time.monotonic() - started
    if refused and not tables:
        raise refused[0]
    undecided = Schema(dialect=reader.dialect, tables=tuple(tables))
    values: dict[tuple[str, str], tuple[object, ...]] = {}
    for table in tables:
        values |= _table_values(reader, table, timeout_s)
    said, proposed = layer or SemanticLayer(), propose(undecided, layer)
    spoken = with_words(replace(undecided, tables=with_joins(reader, undecided, timeout_s)), merged(proposed, said))
    decisions = {**dict(overrides), **decided(said)}
    shut = decided(proposed).keys() - named(said)
    flagged = Schema(dialect=reader.dialect, tables=decide(spoken, values, decisions, unclear=shut))
    return replace(
        flagged,
        tables=tuple(_with_distinct(reader, table, timeout_s) for table in flagged.tables),
        left_out=tuple(left_out),
        fingerprint=_fingerprint(undecided),
    )


def _fingerprint(schema: Schema) -> str:
    """SHA-256 over tables, columns, keys and counts, without the flags of the columns."""
    return content_hash(
        [
            (
                table.name,
                *((table.namespace,) if table.namespace else ()),
                table.rows,
                table.primary_key,
                [(column.name, column.type, column.nullable) for column in table.columns],
                [(key.columns, key.referred_table, key.referred_columns) for key in table.foreign_keys],
            )
            for table in schema.tables
        ]
    )


def _counted(reader: Reader, table: Table, timeout_s: float) -> Table:
    sql = f"SELECT COUNT(*) FROM {quoted_table(table, reader.dialect)}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            return replace(table, rows=int(str(next(result.rows)[0])))
    except LimitExceeded as error:
        raise LimitExceeded(
            f"The rows of {table.name} could not be counted in {timeout_s:.3g} seconds.",
            "Connect a smaller copy of the database, or one without that view.",
        ) from error


def _table_values(reader: Reader, table: Table, timeout_s: float) -> dict[tuple[str, str], tuple[object, ...]]:
    """A sample of each column; of none more once one took all its time."""
    values: dict[tuple[str, str], tuple[object, ...]] = {}
    slow = False
    for column in table.columns:
        try:
            sample = () if slow else _values(reader, table, column.name, timeout_s)
        except LimitExceeded:
            sample, slow = (), True
        values[table.name, column.name] = sample
    return values


def _values(reader: Reader, table: Table, column: str, timeout_s: float) -> tuple[object, ...]:
    name = quoted(column, reader.dialect)
    sql = f"SELECT {name} FROM {quoted_table(table, reader.dialect)} WHERE {name} IS NOT NULL LIMIT {SHAPE_SAMPLE}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            return tuple(row[0] for row in islice(result.rows, SHAPE_SAMPLE))
    except InvalidInput:
        return ()


def _with_distinct(reader: Reader, table: Table, timeout_s: float) -> Table:
    readable = [column.name for column in table.columns if column.descriptive]
    if not readable or not table.rows or table.rows > COUNT_DISTINCT_UP_TO:
        return table
    counts = ", ".join(f"COUNT(DISTINCT {quoted(name, reader.dialect)})" for name in readable)
    sql = f"SELECT {counts} FROM {quoted_table(table, reader.dialect)}"  # noqa: S608
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
