"""The schema as a model sees it: names, types, keys and flags; no row, no value, no count."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.domain.sources.schema import Column, Schema, Table

_LENGTHS = re.compile(r"\(\s*\d[\d\s,]*\)")
_IN_PARENTHESES = re.compile(r"\(.*", re.DOTALL)


def schema_text(schema: Schema, tables: Collection[str] = ()) -> str:
    """Tables as lines of text.

    A column's reason and its number of values come from the data, so they are left out, as are the numbers of rows.

    Args:
        schema: The database's tables.
        tables: Names of the tables to describe, in any letter case; all of them where it is empty.
    """
    described = [schema.table(name) for name in tables] if tables else list(schema.tables)
    names = {table.name for table in described}
    return "\n\n".join(_table(table, names) for table in described)


def _table(table: Table, names: Collection[str]) -> str:
    lines = [f"table {table.name}"]
    lines += [f"  {column.name}: {_column(table, column)}" for column in table.columns]
    lines += [
        f"  foreign key ({', '.join(key.columns)}) refers to {key.referred_table} ({', '.join(key.referred_columns)})"
        for key in table.foreign_keys
        if key.referred_table in names
    ]
    lines += [f"  unique ({', '.join(columns)})" for columns in table.unique]
    return "\n".join(lines)


def _column(table: Table, column: Column) -> str:
    words = [_kind(column.type)]
    if column.name in table.primary_key:
        words.append("primary key" if len(table.primary_key) == 1 else "part of the primary key")
    words.append("may be empty" if column.nullable else "never empty")
    words.append("descriptive" if column.descriptive else "not descriptive")
    return ", ".join(words)


def _kind(declared: str) -> str:
    """A declared type with its lengths, without anything else: an ENUM lists values of the column.

    >>> _kind("DECIMAL(10, 2)"), _kind("ENUM('open','closed')"), _kind("")
    ('DECIMAL(10, 2)', 'ENUM', 'untyped')
    """
    lengths = _LENGTHS.search(declared)
    plain = _IN_PARENTHESES.sub("", declared.replace("'", "(").replace('"', "(")).strip()
    return f"{plain}{lengths[0] if lengths else ''}" or "untyped"
