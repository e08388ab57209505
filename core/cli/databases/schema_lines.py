"""A schema as lines for a person: each table with its columns, which of them are descriptive, and its keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.sources.schema import Column, Schema, Table


def schema_lines(schema: Schema, unnamed: Sequence[str]) -> list[str]:
    """Tables, what is left out with the reason, and the tables that nothing is asked about.

    Args:
        schema: The schema.
        unnamed: Tables whose names rules cannot read.
    """
    lines = [line for table in schema.tables for line in _table(table)]
    lines += [f"{item.name} is left out: {item.reason}" for item in schema.left_out]
    if unnamed:
        lines.append(
            f"No question is asked about {', '.join(unnamed)}: rules cannot tell what the names stand for. Name "
            "them in a semantic layer (--semantic-out writes one: fill in noun, and set ask to yes)."
        )
    return lines


def _table(table: Table) -> list[str]:
    return [
        f"{table.name}: {table.rows:,} rows{' (a view)' if table.view else ''}",
        *(_column(column) for column in table.columns),
        *([f"  primary key: {', '.join(table.primary_key)}"] if table.primary_key else []),
        *(f"  unique: {', '.join(columns)}" for columns in table.unique),
        *(
            f"  foreign key: {', '.join(key.columns)} -> {key.referred_table} ({', '.join(key.referred_columns)})"
            for key in table.foreign_keys
        ),
    ]


def _column(column: Column) -> str:
    return f"  {column.name} {column.type}{'' if column.descriptive else f' (not descriptive: {column.reason})'}"
