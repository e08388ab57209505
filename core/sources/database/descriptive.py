"""Which columns a person without technical knowledge understands in a question or an answer (GRAMMAR, appendix D.1).

The decision uses the column's name, type and keys, and the shape of a few values. The values do not leave this module:
the result is a yes or no with a short reason.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from core.domain.errors import NotFound
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database.words import split_words

UUID = re.compile(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?")
IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{8,30}")
HEX = re.compile(r"(?=.*[0-9])(?=.*[a-fA-F])[0-9a-fA-F]{16,}")
MIXED_TOKEN = re.compile(r"(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_=-]{20,}")
MARKUP = re.compile(r"\s*(?:[{\[]\s*[\"{\[\]}]|<\?xml|<[a-zA-Z][^>]*>).*", re.DOTALL)
FORMAT = re.compile(r".*%\w.{0,2}%\w.*", re.DOTALL)
PREFIXED_NUMBER = re.compile(r"[A-Za-z]{0,4}[-_]?\d{1,9}")
NUMBERED_NAME = re.compile(r"(?:c|col|column|field|fld|f|attr|var|val|x|tmp)_?\d*", re.IGNORECASE)
ID_WORDS = frozenset({"id", "ids", "uuid", "guid", "oid", "rowid", "pk", "fk", "sk", "key", "nr_intern"})
MACHINE_WORDS = frozenset(
    {"hash", "checksum", "digest", "salt", "token", "etag", "md5", "sha1", "sha256", "crc", "blob"}
)
SECRET_WORDS = frozenset({"password", "passwd", "pwd", "secret", "pin", "cvv", "cvc"})
BOOKKEEPING = re.compile(
    r"(creat(?:e|ed)|updated|modified|inserted|deleted|changed|synced|loaded|last update|row version|version|etl)"
    r"( (at|on|by|date|time|ts|timestamp|stamp|utc))*"
)
SPOKEN_NUMBER_WORDS = frozenset({"number", "no", "nr", "num", "reference", "ref", "iban", "bic", "isbn", "sku", "code"})
DATE = re.compile(r"\d{4}-(0\d|1[0-2])-([0-2]\d|3[01])([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")
DAY_FIRST = re.compile(r"\s*\d{1,2}[./-]\d{1,2}[./-](\d{4}|\d{2})\b.*")
"""A date as text that is sorted by its day or month: 31.12.2024, 12/31/24."""
_YEAR = r"(?:1[5-9]|20)\d\d"
YEAR = re.compile(_YEAR)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
A_DAY = re.compile(
    r"\s*(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:\d{4}|\d{2})\s*|\s*(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])/\d{4}\s*"
)
PART_OF_A_DATE = re.compile(
    rf"\s*(?:{_YEAR}|(?:0?[1-9]|1[0-2])[./-]{_YEAR}|{_YEAR}-(?:0[1-9]|1[0-2])|Q[1-4][ /-]?{_YEAR}|{_YEAR}[ -]Q[1-4]"
    rf"|(?:spring|summer|autumn|fall|winter|early|mid|late|c(?:a|irca)?\.?)[ -]{_YEAR}"
    rf"|(?:\d{{1,2}}\.? )?{_MONTH},?[ -]{_YEAR}|{_MONTH} \d{{1,2}},? {_YEAR})\s*",
    re.IGNORECASE,
)
"""A date as text that says less than the day: 1998, 05/2011, "spring 2004"; or one with its month in letters."""
TIME_OF_DAY = re.compile(r"\d{4}-\d{2}-\d{2}[ T](?!00:00(:00(\.0*)?)?($|[+Z]))\d{2}:\d{2}|\d{8} \d{2}:\d{2}")
LONG_TEXT = 200
"""Mean characters from which a text is a document rather than an answer."""
LEAST_RUNNING, MOST_LEFT_OUT = 8, 1.2
"""Rows from which a number that runs from 1 on is no chance, and how far it may run for each row."""
EPOCH_FROM = 600_000_000
TRUTH = "TINYINT(1)"
"""What MariaDB and MySQL make of BOOLEAN."""
LEAST_FLAGS = 5
"""Values from which on it is no chance that a number is nothing but 0 or 1."""
FLAGS = ({"y", "n"}, {"yes", "no"}, {"true", "false"}, {"t", "f"})
"""What a yes and a no are written as."""
_COUNTED = "count number total quantity amount level rank score grade stage floor position class rate share price fee"
COUNTED = frozenset(_COUNTED.split())
"""Words of a number that may be 0 or 1 like any other."""
MEASURED_BY = frozenset(
    {"delayed", "reduced", "increased", "divided", "multiplied", "exceeded", "offset", "shifted", "raised", "cut"}
)
"""What is done by an amount and not by somebody."""
SHUT = "an abbreviation without a meaning: say what people call it"


def decide(
    schema: Schema,
    values: Mapping[tuple[str, str], Sequence[object]],
    overrides: Mapping[str, bool],
    unclear: Collection[str] = (),
) -> tuple[Table, ...]:
    """The tables with each column's flag and reason filled in.

    Args:
        schema: Tables, columns and keys.
        values: A few values that are not NULL, by (table, column).
        overrides: A person's decisions, ``{"Table.Column": bool}`` in any letter case; they win.
        unclear: Columns ("Table.Column") whose names are abbreviations that nobody has opened; not descriptive.
    """
    decided = {name.casefold(): flag for name, flag in overrides.items()}
    shut = {name.casefold() for name in unclear}
    tables = []
    for table in schema.tables:
        columns = []
        for column in table.columns:
            place = f"{table.name}.{column.name}".casefold()
            overruled = decided.get(place)
            flag, reason = judge_column(schema, table, column, values.get((table.name, column.name), ()))
            pointing = any(column.name in key.columns for key in table.foreign_keys)
            if place in shut and (flag or pointing):
                flag, reason = False, SHUT
            if overruled is not None:
                flag, reason = overruled, f"decided by a person ({reason})"
            sample = values.get((table.name, column.name), ())
            columns.append(
                replace(
                    column,
                    descriptive=flag,
                    reason=reason,
                    overruled=overruled is not None,
                    moments=any(TIME_OF_DAY.match(str(value)) for value in sample),
                    dates=not column.temporal and _are_dates(sample),
                    flag=_is_flag(sample),
                    unordered=_sort_otherwise(sample),
                    years=bool(sample) and all(_is_year(value) for value in sample),
                    running=_runs(table, column, sample),
                )
            )
        tables.append(replace(table, columns=tuple(columns)))
    return tuple(tables)


def _are_dates(values: Sequence[object]) -> bool:
    """Whether values are dates in text, in one way or several, and not years alone."""
    texts = [str(value) for value in values]
    known = all(is_written_date(text) for text in texts)
    return known and any(not YEAR.fullmatch(text.strip()) for text in texts)


def is_written_date(text: str) -> bool:
    """Whether a text is a date, or a part of one, in a way that people write.

    >>> [is_written_date(text) for text in ("2019-03-01", "1.3.2019", "spring 2019", "03/2019", "May 3, 2019")]
    [True, True, True, True, True]
    >>> [is_written_date(text) for text in ("20-45-77", "10.12.34.56", "2004/05", "Marathon 2019")]
    [False, False, False, False]
    """
    return any(pattern.fullmatch(text) for pattern in (DATE, A_DAY, PART_OF_A_DATE))


def _sort_otherwise(values: Sequence[object]) -> bool:
    """Whether values are dates as text that a database does not sort by time: by their day, or written in two ways."""
    texts = [value for value in values if isinstance(value, str)]
    if any(DAY_FIRST.fullmatch(text) for text in texts):
        return True
    return _are_dates(texts) and any(not DATE.fullmatch(text) for text in texts)


def _is_year(value: object) -> bool:
    """Whether a value is a year, as a whole number or as text."""
    return (
        isinstance(value, int | str) and not isinstance(value, bool) and YEAR.fullmatch(str(value).strip()) is not None
    )


def _is_flag(values: Sequence[object]) -> bool:
    """Whether values are a yes and a no; one of them alone, or a few values, may be anything."""
    said = {value.strip().casefold() if isinstance(value, str) else "" for value in values}
    return len(values) >= LEAST_FLAGS and said in FLAGS


def _runs(table: Table, column: Column, values: Sequence[object]) -> bool:
    """Whether a key only numbers the rows from 1 on, with few left out."""
    return (
        table.primary_key == (column.name,)
        and table.rows >= LEAST_RUNNING
        and bool(values)
        and all(isinstance(value, int) and 0 <= value <= MOST_LEFT_OUT * table.rows for value in values)
    )


def judge_column(schema: Schema, table: Table, column: Column, values: Sequence[object]) -> tuple[bool, str]:
    """Whether a column is descriptive, and one short clause why.

    Args:
        schema: For the columns a foreign key points to.
        table: The column's table.
        column: The column.
        values: A few of its values, none NULL; may be empty.
    """
    words = split_words(column.spoken)
    for reason in (
        _by_type(column, values),
        _by_name(table, column, words),
        _by_key(schema, table, column, words, values),
        _by_shape(table, column, words, values),
    ):
        if reason:
            return False, reason
    return True, _praise(table, column, words, values)


def _by_type(column: Column, values: Sequence[object]) -> str:
    kind = column.type.upper()
    if any(part in kind for part in ("BLOB", "BINARY", "BYTEA", "IMAGE")) or any(isinstance(v, bytes) for v in values):
        return "binary data"
    if "JSON" in kind or "XML" in kind:
        return "structured data, not a value"
    if "UUID" in kind or "UNIQUEIDENTIFIER" in kind:
        return "a made-up key (UUID)"
    if "BOOL" in kind or kind == "BIT":
        return "a yes/no flag"
    return ""


def _by_name(table: Table, column: Column, words: list[str]) -> str:
    name = " ".join(words)
    if set(words) & SECRET_WORDS:
        return "a secret by its name"
    if set(words) & MACHINE_WORDS:
        return "made by a machine, by its name"
    if BOOKKEEPING.fullmatch(name):
        return "bookkeeping of the system"
    if NUMBERED_NAME.fullmatch(column.name) or len(column.name) == 1:
        return "its name says nothing"
    if words[-1] in ID_WORDS or (words[0] in {"id", "uuid", "guid", "pk", "fk"} and len(words) > 1):
        return "an id by its name"
    lower = column.name.lower()
    stem = re.sub(r"[^a-z0-9]", "", table.name.lower())
    if lower in {f"{stem}id", f"{stem.removesuffix('s')}id"}:
        return "an id by its name"
    return ""


def _by_key(schema: Schema, table: Table, column: Column, words: list[str], values: Sequence[object]) -> str:
    for key in table.foreign_keys:
        if column.name in key.columns:
            referred = key.referred_columns[key.columns.index(column.name)]
            try:
                target = schema.table(key.referred_table).column(referred)
            except NotFound:
                continue
            if _numeric(target) and not set(words) & SPOKEN_NUMBER_WORDS:
                return f"a number that points to {key.referred_table}"
    if table.primary_key == (column.name,) and _numeric(column) and not set(words) & SPOKEN_NUMBER_WORDS:
        return "a running number as primary key"
    texts = [value for value in values if isinstance(value, str)]
    running = bool(texts) and all(PREFIXED_NUMBER.fullmatch(text) for text in texts)
    if table.primary_key == (column.name,) and running and not set(words) & SPOKEN_NUMBER_WORDS:
        return "a running number as primary key"
    return ""


def _by_shape(table: Table, column: Column, words: list[str], values: Sequence[object]) -> str:
    if not values:
        return "holds no value" if table.rows else ""
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) == len(values):
        return _by_text_shape(texts)
    if all(isinstance(value, int) for value in values):
        if len(words) > 1 and words[-1] == "by" and words[-2] not in MEASURED_BY:
            return "a number for whoever did it"
        flags = set(values) <= {0, 1}
        if flags and column.type == TRUTH:
            return "a yes/no flag"
        if flags and len(values) >= LEAST_FLAGS and not words[-1].endswith("s") and not set(words) & COUNTED:
            return "a yes/no flag"
        if flags and (words[0] in {"is", "has", "can", "was"} or words[-1] in {"flag", "active", "enabled", "deleted"}):
            return "a yes/no flag"
        dated = {"date", "time", "timestamp", "at", "on", "ts"} & set(words)
        if dated and all(isinstance(value, int) and value > EPOCH_FROM for value in values):
            return "a moment counted in seconds"
    return ""


def _by_text_shape(texts: Sequence[str]) -> str:
    most = 0.9 * len(texts)
    if sum(bool(IBAN.fullmatch(text.replace(" ", ""))) for text in texts) >= most:
        return ""  # long and odd, but people read it from their bank card
    for pattern, reason in (
        (UUID, "a made-up key (UUID)"),
        (HEX, "looks like a hash"),
        (MIXED_TOKEN, "looks like a machine-made token"),
        (MARKUP, "structured data, not a value"),
        (FORMAT, "a pattern, not a value"),
    ):
        # A key that was made up stays one, where a few values were typed by hand.
        enough = len(texts) / 2 if pattern is UUID else most
        if sum(bool(pattern.fullmatch(text.strip())) for text in texts) >= enough:
            return reason
    if sum(map(len, texts)) / len(texts) > LONG_TEXT:
        return "long text, a document rather than an answer"
    if all(not text.strip() for text in texts):
        return "holds only blanks"
    if len(texts) > 1 and all(len(text.strip()) <= 1 for text in texts):
        return "one-letter codes"
    return ""


def _praise(table: Table, column: Column, words: list[str], values: Sequence[object]) -> str:
    kind = column.type.upper()
    if table.primary_key == (column.name,):
        return "the key, in words people use"
    if any(column.name in key.columns for key in table.foreign_keys):
        return "names a row of another table"
    if any(part in kind for part in ("DATE", "TIME")) or "date" in words:
        return "a date"
    if {"name", "title"} & set(words):
        return "a name"
    if values and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return "an amount or number with a name"
    return "readable values" if values else "readable by its name"


def _numeric(column: Column) -> bool:
    kind = column.type.upper()
    return any(part in kind for part in ("INT", "NUM", "SERIAL", "DECIMAL")) or kind == ""
