"""Rows that people call by a number within another row: stake 3 of a glacier, cabin 12 of a ship."""

from __future__ import annotations

from core.domain.sources.schema import ForeignKey, Schema, Table
from core.sources.database.words import split_words
from core.testset.grounded.entities import best_label, clear_keys, is_line, writable
from core.testset.grounded.words.phrases import table_noun

OWN_NUMBER = frozenset({"number", "no", "nr", "reference", "ref"})
"""Words of a column that only say that its table's rows are numbered."""


def number_within(schema: Schema, table: Table) -> tuple[ForeignKey, str] | None:
    """The key to the other row and the column of the number, where the two are the table's primary key.

    None where the other row has no name, where the rest of the key is no number of the rows ("deck"), and for lines of
    an order and the like, which nobody knows by their number.
    """
    if is_line(table):
        return None
    for key in clear_keys(schema, table):
        rest = [name for name in table.primary_key if name not in key.columns]
        if set(key.columns) < set(table.primary_key) and len(rest) == 1 and _numbers(table, rest[0]):
            return (key, rest[0]) if best_label(schema.table(key.referred_table)) else None
    return None


def _numbers(table: Table, name: str) -> bool:
    column = table.column(name)
    words = set(split_words(column.spoken))
    points = any(name in key.columns for key in table.foreign_keys)
    only_number = bool(words & OWN_NUMBER) and words <= OWN_NUMBER | set(split_words(table_noun(table.spoken)))
    return column.descriptive and writable(table, name) and not points and only_number
