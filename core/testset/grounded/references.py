"""Values and answers as people read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from core.domain.sources.schema import Schema
from core.testset.grounded.entities import labels
from core.testset.grounded.sql.binding import OutputColumn

WHOLE = 1e15
"""Floats from here on do not hold every whole number, so they are printed as they are."""


MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(?::00(?:\.0+)?)?(?:Z|\+00(?::?00)?)?")
"""A date that is stored as a moment."""
FRACTION = re.compile(r"(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2})\.\d+")
"""A moment with parts of a second, which nobody says."""
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2}) (\d{2}:\d{2}:\d{2})")
"""A moment with its date in one piece."""
DIGITS = 12
"""Digits of a float that mean something; what comes after them is left over from computing in twos."""


_SIGNS = {
    "€": ("eur", "euro", "euros", "€"),
    "$": ("usd", "dollar", "dollars", "us dollars", "$"),
    "£": ("gbp", "pounds sterling", "sterling", "£"),
    "CHF ": ("chf", "swiss francs"),
}
CURRENCIES = {name: sign for sign, names in _SIGNS.items() for name in names}
"""The sign of an amount's currency, by the unit that the semantic layer names."""


def value_text(value: object) -> str:
    """A value as people read it: 12 for 12.0, no remainder of a float, no midnight behind a date, else as it prints.

    >>> value_text(12.0), value_text(0.5), value_text("O'Brien")
    ('12', '0.5', "O'Brien")
    >>> value_text(17604.600000000002), value_text("1997-12-05 00:00:00.000"), value_text("1997-12-05 08:00:00")
    ('17604.6', '1997-12-05', '1997-12-05 08:00:00')
    """
    if isinstance(value, float):
        if value.is_integer() and abs(value) < WHOLE:
            return str(int(value))
        short = f"{value:.{DIGITS}g}"
        return short if len(short) < len(str(value)) - 3 and "e" not in short else str(value)
    text = str(value)
    if compact := COMPACT.fullmatch(text):
        return "{}-{}-{} {}".format(*compact.groups())
    dated = MIDNIGHT.fullmatch(text) or FRACTION.fullmatch(text)
    return dated[1] if dated else text


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
        return value
    column = schema.table(output.table).column(output.column)
    if column.unit.casefold() in CURRENCIES and isinstance(value, int | float | Decimal):
        return money(value, CURRENCIES[column.unit.casefold()])
    return dict(column.codes).get(value_text(value), value)


def money(amount: int | float | Decimal, sign: str) -> str:
    """An amount as people write it, with the sign of its currency.

    >>> money(1234567.5, "€"), money(-80, "CHF ")
    ('€1,234,567.50', 'CHF -80')
    """
    text = f"{abs(amount):,.0f}" if amount == int(amount) else f"{abs(amount):,.2f}"
    return f"{sign}{'-' if amount < 0 else ''}{text}"


def _name_parts(outputs: Sequence[OutputColumn], schema: Schema) -> tuple[int, ...]:
    """The places of the two halves of a name in the order they are said; empty where the columns are no such pair."""
    if len(outputs) != 2 or outputs[0].source != outputs[1].source or not outputs[0].table:
        return ()
    columns = [output.column for output in outputs]
    for label in labels(schema.table(outputs[0].table)):
        if len(label.columns) == 2 and sorted(label.columns) == sorted(columns):
            return tuple(columns.index(column) for column in label.columns)
    return ()
