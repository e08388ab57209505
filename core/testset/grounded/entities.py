"""How people name the rows of a table and what they ask about them, judged from the schema alone."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database.descriptive import SHUT
from core.sources.database.words import split_words
from core.testset.grounded.words.people import PERSONS

UNWRITABLE = frozenset("[].'\"`")
"""Characters that ``'[Table.Column]'`` cannot hold."""
NAMES = frozenset({"name", "title", "label"})
NUMBERS = frozenset({"number", "no", "nr", "iban", "reference", "ref", "isbn", "sku", "code"})
CONTACTS = frozenset({"phone", "fax", "mobile", "telephone", "zip", "postal", "postcode", "address", "street", "house"})
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
UNASKED = frozenset(
    {
        "bytes",
        "milliseconds",
        "ms",
        "path",
        "url",
        "uri",
        "website",
        "homepage",
        "photo",
        "picture",
        "logo",
        "ip",
        "ips",
    }
    | {"email", "mail", "username", "login", "device", "devices", "source"}
)
"""Nobody asks for these, or their values repeat the name that asks for them, as an e-mail address does."""
LEAST_NAMED = 8
"""Rows from which it is no chance that all have another name."""
LEAST_CALLED = 3
"""The same where a column says that it is a name."""
LEAST_UNIQUE = 0.7
"""Share of different values below which a column does not tell rows apart."""


NEARLY_ALL = 0.95
"""Share of rows with a name of their own from which the name says which row is meant."""
NUMBER_KEY = 0.85
"""Weight of a number that is the key: people use it where a row has no unique name of its own."""
BELOW_TWO_NAMES = 0.7
"""Weight of a person's number where first and last name are there."""
BESIDE_A_NUMBER = 0.84
"""Weight of what is unique and no name: an address, or something that some rows do not have."""
CODE_WEIGHT = 0.45
"""Weight of a key that abbreviates the name beside it."""
CALLED_BY_NUMBER = frozenset(
    {"room", "gate", "platform", "berth", "bus", "line", "route", "bay", "table", "house", "flat", "locker", "court"}
    | {"pitch", "hall", "lane", "seat", "floor", "cell", "tram", "channel", "question", "chapter", "vehicle", "boat"}
)
"""What people know by a small number."""
DESCRIBING = frozenset({"description", "desc", "descr", "text", "meaning"})


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
        # Nobody who has a name is called by an address.
        addresses = {"email", "mail", "address"}
        candidates = [label for label in candidates if not set(split_words(label.columns[0])) & addresses]
        candidates.append(Label(columns=(first, last), weight=0.75))
    elif any(_names_rows(table, table.column(label.columns[0])) for label in candidates):
        candidates = [label for label in candidates if not set(split_words(label.columns[0])) & {"email", "mail"}]
    if not candidates:
        candidates = [
            Label(columns=(column.name,), weight=0.5)
            for column in table.columns
            if column.descriptive and writable(table, column.name) and _describes(table, column)
        ]
    candidates.sort(key=lambda label: -label.weight)
    if candidates and len(candidates[0].columns) == 1 and (name := _name_beside(table, candidates[0].columns[0])):
        named = Label(columns=(name,), weight=candidates[0].weight)
        candidates = [named, *(label for label in candidates if label.columns != named.columns)]
    return candidates


def _names_rows(table: Table, column: Column) -> bool:
    """Whether a column is a name that nearly every row has for itself, so that nobody needs its e-mail address."""
    alone = column.distinct is None or column.distinct >= NEARLY_ALL * table.rows
    words = split_words(column.spoken)
    return alone and words[-1] in NAMES and not set(words) & {"user", "login", "file", "contact"}


def _name_beside(table: Table, number: str) -> str:
    """The name by which people call a row that also has a number or a code; empty without one."""
    words = set(split_words(table.column(number).spoken))
    if not words & NUMBERS and (table.primary_key != (number,) or words & NAMES):
        return ""
    names = [
        column.name
        for column in table.columns
        if column.descriptive
        and writable(table, column.name)
        and column.distinct == table.rows >= (LEAST_CALLED if split_words(column.spoken)[-1] in NAMES else LEAST_NAMED)
        and (split_words(column.spoken)[-1] in NAMES | DESCRIBING or _called_as(table, column))
        and not set(split_words(column.spoken)) & (PERSON_PARTS | {"contact", "user", "login", "file", "job"})
        and not any(column.name in key.columns for key in table.foreign_keys)
    ]
    return names[0] if len(names) == 1 else ""


def _called_as(table: Table, column: Column) -> bool:
    """Whether a column is called as its table is: ``Store`` of stores."""
    words, own = split_words(column.spoken), split_words(table.spoken)
    return _is_text(column) and [word.removesuffix("s") for word in words] == [word.removesuffix("s") for word in own]


def is_date(column: Column) -> bool:
    """Whether the column tells when something happened."""
    return column.temporal or "date" in split_words(column.spoken)


def sorts_as_date(column: Column) -> bool:
    """Whether the column tells when something happened, and a database that sorts it sorts by time.

    A text is sorted letter by letter: 31.12.2019 comes behind 01.06.2024.
    """
    return column.temporal and not column.unordered


LINES = frozenset({"line", "detail", "item", "entry", "row", "record", "text", "setting", "log", "session"})
"""What rows are called that belong to another one and mean nothing without it."""
PLACES_OF = frozenset({"address", "location", "contact"})
"""What rows are called that are details of another row."""


def is_line(table: Table) -> bool:
    """Whether rows are lines or details of another row, which nobody counts or misses by themselves."""
    last = split_words(table.spoken)[-1]
    return bool({last, last.removesuffix("s"), last.removesuffix("es")} & (LINES | PLACES_OF))


def clear_keys(schema: Schema, table: Table) -> list[ForeignKey]:
    """A table's keys whose other end people can name, and whose own columns say what it is for the table."""
    return [
        key
        for key in table.foreign_keys
        if schema.table(key.referred_table).asked and all(table.column(name).reason != SHUT for name in key.columns)
    ]


def writable(table: Table, column: str) -> bool:
    """Whether ``'[Table.Column]'`` can name the column."""
    return not (UNWRITABLE & set(table.namespace + table.own_name + column))


def _single_weight(table: Table, column: Column) -> float:
    runs = column.running and not set(split_words(table.spoken)) & CALLED_BY_NUMBER
    if runs or not column.descriptive or not writable(table, column.name):
        return 0.0
    if table.primary_key == (column.name,):
        if not _is_text(column) and _has_two_names(table):
            return BELOW_TWO_NAMES
        return CODE_WEIGHT if _is_code(table, column) else 1.0 if _is_text(column) else NUMBER_KEY
    if (column.name,) in table.unique:
        if is_date(column):
            return 0.0
        contact = set(split_words(column.spoken)) & (UNASKED | CONTACTS)
        missing = column.nullable and column.distinct is not None and column.distinct < table.rows
        if set(split_words(column.spoken)) & NUMBERS and _has_two_names(table):
            return BELOW_TWO_NAMES
        return BESIDE_A_NUMBER if contact or missing else 0.9
    foreign = any(column.name in key.columns for key in table.foreign_keys)
    if foreign or (column.distinct is not None and table.rows and column.distinct / table.rows < LEAST_UNIQUE):
        return 0.0
    words = split_words(column.spoken)
    if words[-1] in DESCRIBING and _describes(table, column) and any(_is_code(table, key) for key in _keys(table)):
        return 0.6
    own_words = set(split_words(table.spoken)) | {word.removesuffix("s") for word in split_words(table.spoken)}
    own = set(words[:-1]) <= own_words | {"full", "official", "display", "legal", "short"}
    if words[-1] in NAMES:
        # An inspection is not called by its inspector, nor anybody by half of a name.
        of_other = len(words) > 1 and (
            (words[-2] in PERSONS and words[-2] not in own_words) or words[0] in PERSON_PARTS
        )
        return 0.8 if own else 0.0 if of_other else 0.5
    if words[-1] in NUMBERS and not set(words) & (CONTACTS | {"country", "currency", "area", "dialling"}):
        return 0.7 if own or words[-1] != "code" else 0.3
    if words[-1] in {"email", "mail"} or words[-2:] == ["email", "address"]:
        return 0.6
    return 0.0


def _is_text(column: Column) -> bool:
    return any(part in column.type.upper() for part in ("CHAR", "TEXT", "CLOB", "STRING", "ENUM"))


def _keys(table: Table) -> list[Column]:
    return [table.column(name) for name in table.primary_key]


def _is_code(table: Table, key: Column) -> bool:
    """Whether a key only abbreviates a name or a description that tells every row apart: FI for Finland."""
    words = split_words(key.spoken)
    return words[-1] in ("code", "abbreviation", "abbr") and any(
        split_words(column.spoken)[-1] in NAMES | DESCRIBING
        and column.descriptive
        and writable(table, column.name)
        and column.distinct == table.rows
        for column in table.columns
        if column.name != key.name
    )


def _describes(table: Table, column: Column) -> bool:
    """Whether a column is called as its table is ("city" of cities), or describes each row differently."""
    words, own = split_words(column.spoken), split_words(table.spoken)
    different = column.distinct is not None and table.rows > 1 and column.distinct >= LEAST_UNIQUE * table.rows
    same = [word.removesuffix("s") for word in words] == [word.removesuffix("s") for word in own]
    described = words[-1] in DESCRIBING and len(table.columns) <= SMALL_LOOKUP
    called = same and (_is_text(column) or "INT" in column.type.upper())  # a price is not called by its price
    return different and (called or described) and "ADDRESS" not in column.name.upper()


SMALL_LOOKUP = 4
"""Columns of a table that only gives codes their meaning."""
PERSON_PARTS = frozenset({"first", "last", "middle", "given", "family", "fore", "sur", "maiden", "nick"})


def _has_two_names(table: Table) -> bool:
    return bool(_part_of_name(table, {"first", "given", "fore"}) and _part_of_name(table, {"last", "family", "sur"}))


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
