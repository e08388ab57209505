"""How people name the rows of a table and what they ask about them, judged from the schema alone."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.sources.schema import Column, Table
from core.sources.database.words import split_words

UNWRITABLE = frozenset("[].'\"`")
"""Characters that ``'[Table.Column]'`` cannot hold."""
NAMES = frozenset({"name", "title", "label"})
NUMBERS = frozenset({"number", "no", "nr", "iban", "reference", "ref", "isbn", "sku", "code"})
CONTACTS = frozenset({"phone", "fax", "mobile", "telephone", "zip", "postal", "postcode", "address", "street", "house"})
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
TOPICS = frozenset(
    {
        "city",
        "country",
        "location",
        "region",
        "state",
        "status",
        "type",
        "category",
        "currency",
        "department",
        "job",
        "industry",
        "role",
        "segment",
        "brand",
        "language",
        "position",
        "profession",
        "occupation",
        "nationality",
        "genre",
    }
)
TECHNICAL = frozenset({"bytes", "milliseconds", "ms", "version", "index", "checksum"})
LEAST_UNIQUE = 0.7
"""Share of different values below which a column does not tell rows apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The columns by which people name one row of a table.

    Attributes:
        columns: One column, or two that only together name a row (first and last name).
        weight: How well they do it, in (0, 1].
    """

    columns: tuple[str, ...]
    weight: float


def best_label(table: Table) -> Label | None:
    """How people name a row of the table: a natural key, a name, a number, two names together; None if they cannot."""
    candidates = labels(table)
    return candidates[0] if candidates else None


def best_single_label(table: Table) -> Label | None:
    """As :func:`best_label`, of one column."""
    return next((label for label in labels(table) if len(label.columns) == 1), None)


def labels(table: Table) -> list[Label]:
    """Every way to name a row of the table, best first: the one that a person chose, then those of the rules."""
    if table.label:
        return [Label(columns=table.label, weight=1.0)]
    candidates = [
        Label(columns=(column.name,), weight=weight)
        for column in table.columns
        if (weight := _single_weight(table, column)) > 0
    ]
    first = _part_of_name(table, {"first", "given", "fore"})
    last = _part_of_name(table, {"last", "family", "sur"})
    if first and last:
        # Beside a person's two names a title is a salutation or a post, not a name.
        candidates = [
            label for label in candidates if split_words(table.column(label.columns[0]).spoken)[-1] != "title"
        ]
        candidates.append(Label(columns=(first, last), weight=0.75))
    return sorted(candidates, key=lambda label: -label.weight)


def usefulness(table: Table, column: Column) -> float:
    """How suitable a column is as an answer, in [0, 1]: names, dates and amounts first; 0 for one value in all rows."""
    if not column.descriptive or (column.distinct is not None and column.distinct <= 1 < table.rows):
        return 0.0
    score = _subject_score(table, column)
    # Two or three values for hundreds of rows say little about a row, and a guess is right too often.
    few_values = column.distinct is not None and column.distinct <= 3 and table.rows >= 20
    return 0.7 * score if few_values else score


def _subject_score(table: Table, column: Column) -> float:
    words = set(split_words(column.spoken))
    kind = column.type.upper()
    for group, score in (
        (TECHNICAL, 0.2),
        ({"fax"}, 0.3),
        (CONTACTS, 0.55),
        ({"email", "mail", "website", "url"}, 0.55),
    ):
        if words & group:
            return score
    if any(column.name in key.columns for key in table.foreign_keys):
        return 1.0
    for group, score in ((DATES, 0.95), (AMOUNTS, 0.95), (TOPICS, 0.95), (NAMES, 0.9)):
        if words & group:
            return score
    if any(part in kind for part in ("DATE", "TIME")):
        return 0.95
    return 0.7 if any(part in kind for part in ("NUM", "DEC", "REAL", "FLOA", "DOUB", "MONEY")) else 0.75


def is_date(column: Column) -> bool:
    """Whether the column tells when something happened."""
    return any(part in column.type.upper() for part in ("DATE", "TIME")) or "date" in split_words(column.spoken)


def writable(table: Table, column: str) -> bool:
    """Whether ``'[Table.Column]'`` can name the column."""
    return not (UNWRITABLE & set(table.namespace + table.own_name + column))


def _single_weight(table: Table, column: Column) -> float:
    if not column.descriptive or not writable(table, column.name):
        return 0.0
    if table.primary_key == (column.name,):
        return 1.0
    if (column.name,) in table.unique:
        return 0.9 if not is_date(column) else 0.0
    foreign = any(column.name in key.columns for key in table.foreign_keys)
    if foreign or (column.distinct is not None and table.rows and column.distinct / table.rows < LEAST_UNIQUE):
        return 0.0
    words = split_words(column.spoken)
    own_words = set(split_words(table.spoken)) | {word.removesuffix("s") for word in split_words(table.spoken)}
    own = set(words[:-1]) <= own_words | {"full", "official", "display", "legal", "short"}
    if words[-1] in NAMES:
        return 0.8 if own else (0.0 if len(words) > 1 and words[0] in PERSON_PARTS else 0.5)
    if words[-1] in NUMBERS and not set(words) & (CONTACTS | {"country", "currency", "area", "dialling"}):
        return 0.7 if own or words[-1] != "code" else 0.3
    if words[-1] in {"email", "mail"} or words[-2:] == ["email", "address"]:
        return 0.6
    return 0.0


PERSON_PARTS = frozenset({"first", "last", "middle", "given", "family", "fore", "sur", "maiden", "nick"})


def _part_of_name(table: Table, parts: set[str]) -> str:
    for column in table.columns:
        words = split_words(column.spoken)
        joined = {f"{part}name" for part in parts}
        is_part = (len(words) == 2 and words[0] in parts and words[1] == "name") or (
            len(words) == 1 and words[0] in joined
        )
        if is_part and column.descriptive and writable(table, column.name):
            return column.name
    return ""
