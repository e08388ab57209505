"""Values of a database as people read and say them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.sources.schema import Column, Table
from core.testset.grounded.words.containment import contains_words

WHOLE = 1e15
"""Floats from here on do not hold every whole number, so they are printed as they are."""


MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[ T]00:00(?::00(?:\.0+)?)?(?:Z|\+00(?::?00)?)?")
"""A date that is stored as a moment."""
FRACTION = re.compile(r"(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2})\.\d+")
"""A moment with parts of a second, which nobody says."""
UNIVERSAL = re.compile(r"(\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:\+00(?::?00)?|Z)")
"""A moment in the zone that all others are counted from."""
COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2}) (\d{2}:\d{2}:\d{2})")
"""A moment with its date in one piece."""
JOINED = re.compile(r"[a-z]+(_[a-z]+)+|[A-Z]+(_[A-Z]+)+")
"""Words that a program has put together."""
MOST_KINDS, SHARE_OF_KINDS = 60, 0.6
"""Different values of a column, and their share of the rows, up to which they are kinds rather than names."""
DIGITS = 12
"""Digits of a float that mean something; what comes after them is left over from computing in twos."""


def value_text(value: object) -> str:
    """A value as people read it: 12 for 12.0, no remainder of a float, no midnight behind a date, else as it prints.

    >>> value_text(12.0), value_text(0.5), value_text("O'Brien")
    ('12', '0.5', "O'Brien")
    >>> value_text(17604.600000000002), value_text("1997-12-05 00:00:00.000"), value_text("1997-12-05 08:00:00")
    ('17604.6', '1997-12-05', '1997-12-05 08:00:00')
    >>> value_text("2024-03-01 14:27:00+00:00")
    '2024-03-01 14:27:00 UTC'
    """
    if isinstance(value, float):
        if value.is_integer() and abs(value) < WHOLE:
            return str(int(value))
        short = f"{value:.{DIGITS}g}"
        return short if len(short) < len(str(value)) - 3 and "e" not in short else str(value)
    text = str(value)
    if not text[:4].isdigit():
        return text
    if compact := COMPACT.fullmatch(text):
        return "{}-{}-{} {}".format(*compact.groups())
    if MIDNIGHT.fullmatch(text) is None and (universal := UNIVERSAL.fullmatch(text)):
        return f"{universal[1]} UTC"
    dated = MIDNIGHT.fullmatch(text) or FRACTION.fullmatch(text)
    return dated[1] if dated else text


def gives_away(values: Sequence[object], answers: Sequence[Sequence[object]]) -> bool:
    """Whether a value that a question names holds the whole answer, word for word.

    >>> gives_away(["Porto Clinic"], [["Porto"]]), gives_away(["room 12"], [[2]])
    (True, False)
    """
    parts = [value_text(part) for answer in answers for part in answer if part is not None]
    return bool(parts) and all(any(contains_words(value_text(value), part) for value in values) for part in parts)


def said_value(value: object, table: Table, column: Column) -> object:
    """A value as people say it: what a code means, and the words of one of few kinds without their underscores.

    >>> kind = Column(name="kind", type="TEXT", distinct=3)
    >>> said_value("fixed_amount", Table(name="coupon", rows=40, columns=(kind,)), kind)
    'fixed amount'
    """
    text = value_text(value)
    if meaning := dict(column.codes).get(text):
        return meaning
    kinds = column.distinct is not None and column.distinct <= min(MOST_KINDS, SHARE_OF_KINDS * table.rows)
    return text.lower().replace("_", " ") if kinds and JOINED.fullmatch(text) else value
