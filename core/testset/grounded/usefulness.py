"""How suitable a column is as an answer: names, dates and amounts first, what nobody can say or asks for never."""

from __future__ import annotations

from core.domain.sources.schema import Column, Table
from core.sources.database.words import split_words
from core.testset.grounded.entities import CONTACTS, NAMES, TOPICS, UNASKED
from core.testset.grounded.words.phrases import column_phrase

DATES = frozenset({"date", "day", "year", "birthday", "time"})
AMOUNTS = frozenset(
    {
        "amount",
        "balance",
        "price",
        "total",
        "salary",
        "limit",
        "rate",
        "fee",
        "cost",
        "budget",
        "income",
        "quantity",
        "percent",
        "percentage",
        "revenue",
        "capacity",
        "population",
    }
)
TECHNICAL = frozenset({"version", "index", "checksum"})
NEEDS_UNIT = frozenset({"length", "duration", "weight", "height", "width", "depth", "distance", "size", "volume"})
"""A number of these says nothing without its unit."""


def usefulness(table: Table, column: Column) -> float:
    """How suitable a column is as an answer, in [0, 1]: names, dates and amounts first; 0 for one value in all rows."""
    if not column.descriptive or (column.distinct is not None and column.distinct <= 1 < table.rows):
        return 0.0
    if unsayable(table, column):
        return 0.0
    if (
        without_unit(column)
        or split_words(column.spoken)[-1].isdigit()
        or split_words(column.spoken)[-2:] == ["user", "name"]
        or "user agent" in " ".join(split_words(column.spoken))
    ):
        return 0.0
    score = _subject_score(table, column)
    # Two or three values for hundreds of rows say little about a row, and a guess is right too often.
    few_values = column.distinct is not None and column.distinct <= 3 and table.rows >= 20
    return 0.7 * score if few_values else score


def unsayable(table: Table, column: Column) -> bool:
    """Whether a column's name makes no noun phrase: "refers to", "stated as"; who did something can be asked."""
    words = split_words(column.spoken)
    if any(column.name in key.columns for key in table.foreign_keys) or (words[-1] == "by" and words[0].endswith("ed")):
        return False
    return column_phrase(table, column).endswith(" entry") and words[-1] != "entry"


def _subject_score(table: Table, column: Column) -> float:
    words = set(split_words(column.spoken))
    kind = column.type.upper()
    for group, score in (
        (UNASKED, 0.0),
        (TECHNICAL, 0.2),
        ({"fax"}, 0.3),
        (CONTACTS, 0.55),
    ):
        if words & group:
            return score
    if any(column.name in key.columns for key in table.foreign_keys):
        return 1.0
    for group, score in ((DATES, 0.95), (AMOUNTS, 0.95), (TOPICS, 0.95), (NAMES, 0.9)):
        if words & group:
            return score
    if column.temporal:
        return 0.95
    return 0.7 if any(part in kind for part in ("NUM", "DEC", "REAL", "FLOA", "DOUB", "MONEY")) else 0.75


def without_unit(column: Column) -> bool:
    """Whether a figure says nothing, because nobody knows in which unit it is: a film's length."""
    kind = column.type.upper()
    number = any(part in kind for part in ("INT", "NUM", "DEC", "REAL", "FLOA", "DOUB"))
    return number and not column.unit and split_words(column.spoken)[-1] in NEEDS_UNIT
