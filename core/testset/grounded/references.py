"""Values and answers as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import CENTS
from core.sources.database.words import split_words
from core.testset.grounded.currencies import CURRENCIES, from_cents, money
from core.testset.grounded.entities import labels
from core.testset.grounded.sql.binding import OutputColumn
from core.testset.grounded.words.values import said_value, value_text

DATE_WORDS = frozenset({"date", "day"})
_EIGHT_DIGITS = re.compile(r"(?:19|20)\d{6}")


def reference_text(answer: Sequence[object], outputs: Sequence[OutputColumn], schema: Schema) -> str:
    """One answer row as a reference answer: its parts joined with ", ", NULL left out.

    Two columns that only together name somebody are one part, in the order people say them: "Ann Lee", whether the
    statement selects the first name first or last.

    Args:
        answer: One value per output column.
        outputs: The columns.
        schema: The database's tables.
    """
    parts: list[str] = []
    place = 0
    while place < len(answer):
        pair = _name_parts(outputs[place : place + 2], schema)
        values = (
            [answer[place + offset] for offset in pair] if pair else [_meaning(answer[place], outputs[place], schema)]
        )
        text = " ".join(value_text(value) for value in values if value is not None)
        parts += [text] if text else []
        place += len(pair) or 1
    return ", ".join(parts)


def _meaning(value: object, output: OutputColumn, schema: Schema) -> object:
    """What a code means, where the semantic layer says so."""
    if not output.column or value is None:
        # What is computed is an amount to two decimals, or a whole number.
        return f"{value:.2f}" if isinstance(value, float) and not value.is_integer() else value
    table = schema.table(output.table)
    return stated_value(value, table, table.column(output.column))


def stated_value(value: object, table: Table, column: Column) -> object:
    """A value of a column as an answer or a document states it: codes by what they mean, hundredths as whole amounts.

    Args:
        value: As the database gives it; not NULL.
        table: The column's table.
        column: With what the semantic layer says of it.

    >>> price = Column(name="price_cents", type="INTEGER", unit=CENTS)
    >>> stated_value(1294, Table(name="harvest", rows=70, columns=(price,)), price)
    '12.94'
    >>> posted = Column(name="posted_date", type="INTEGER")
    >>> stated_value(20240520, Table(name="entry", rows=70, columns=(posted,)), posted)
    '2024-05-20'
    """
    if (day := _day_of(value, column)) is not None:
        return day
    if column.unit == CENTS and isinstance(value, int | float | Decimal):
        return from_cents(value)
    if column.unit.casefold() in CURRENCIES and isinstance(value, int | float | Decimal):
        return money(value, CURRENCIES[column.unit.casefold()])
    return said_value(value, table, column)


def _day_of(value: object, column: Column) -> str | None:
    """The day of a date that is kept as a number of eight digits; None for what is no such date."""
    text = str(value)
    if not _EIGHT_DIGITS.fullmatch(text) or DATE_WORDS.isdisjoint(split_words(column.spoken)):
        return None
    try:
        return datetime.strptime(text, "%Y%m%d").date().isoformat()
    except ValueError:
        return None


def _name_parts(outputs: Sequence[OutputColumn], schema: Schema) -> tuple[int, ...]:
    """The places of the two halves of a name in the order they are said; empty where the columns are no such pair."""
    if len(outputs) != 2 or outputs[0].source != outputs[1].source or not outputs[0].table:
        return ()
    columns = [output.column for output in outputs]
    for label in labels(schema.table(outputs[0].table)):
        if len(label.columns) == 2 and sorted(label.columns) == sorted(columns):
            return tuple(columns.index(column) for column in label.columns)
    return ()
