"""The words of tables and columns as rows of an editor, and the edited rows as words again."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from core.domain.errors import InvalidInput
from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database.neighbours import referred_to
from core.sources.database.semantics.files import codes_of

NOUN = "One row is called"
PLURAL = "Several are called"
LABEL = "Rows are named by"
CALLED = "People call it"
UNIT = "Unit"
CODES = "Codes mean"
DESCRIPTION = "Description"
ASK = "Ask about"
BY = "Said by"
TABLE_WORDS = (NOUN, PLURAL, LABEL, ASK, DESCRIPTION)
"""The columns of the table list that a person edits."""
COLUMN_WORDS = (CALLED, ASK, UNIT, CODES, DESCRIPTION)
"""The columns of the column list that a person edits."""


def tables_frame(schema: Schema, shown: SemanticLayer, said: SemanticLayer, names: Sequence[str]) -> pd.DataFrame:
    """A row for each of the tables, in the order of the names."""
    pointing = referred_to(schema)
    words_of = {table.name: table for table in shown.tables}
    spoken_of = {table.name.casefold() for table in said.tables}
    return pd.DataFrame(
        [
            {
                "Table": table.name,
                NOUN: words.noun,
                PLURAL: words.plural,
                LABEL: "; ".join(words.label),
                ASK: bool(words.ask),
                DESCRIPTION: words.description,
                "Rows": table.rows,
                "Referred to by": pointing[table.name],
                BY: "person" if table.name.casefold() in spoken_of else "rules",
            }
            for table, words in ((schema.table(name), words_of[name]) for name in names)
        ]
    )


def columns_frame(table: Table, words: TableMeaning, said: SemanticLayer) -> pd.DataFrame:
    """A row for each column of a table."""
    refers = {name: key.referred_table for key in table.foreign_keys for name in key.columns}
    spoken_of = {
        column.name.casefold()
        for one in said.tables
        if one.name.casefold() == table.name.casefold()
        for column in one.columns
    }
    return pd.DataFrame(
        [
            {
                "Column": column.name,
                CALLED: meaning.noun,
                ASK: column.descriptive,
                "Why": column.reason,
                UNIT: meaning.unit,
                CODES: written_codes(meaning.codes),
                DESCRIPTION: meaning.description,
                "Type": column.type,
                "Key": _key(table, column, refers),
                BY: "person" if column.name.casefold() in spoken_of or column.overruled else "rules",
            }
            for column, meaning in zip(table.columns, words.columns, strict=True)
        ]
    )


def edited_table(row: Mapping[str, object], words: TableMeaning, table: Table) -> TableMeaning:
    """A table with the words of its edited row.

    Raises:
        InvalidInput: It is to be named by a column that it has not.
    """
    return TableMeaning(
        name=words.name,
        noun=_text(row[NOUN]),
        plural=_text(row[PLURAL]),
        description=_text(row[DESCRIPTION]),
        label=_label(_text(row[LABEL]), table),
        ask=bool(row[ASK]),
        columns=words.columns,
    )


def edited_columns(rows: Sequence[Mapping[str, object]], words: TableMeaning) -> tuple[ColumnMeaning, ...]:
    """The columns of a table with the words of their edited rows, in order.

    Raises:
        InvalidInput: Codes are not written as pairs.
    """
    return tuple(
        ColumnMeaning(
            name=column.name,
            noun=_text(row[CALLED]),
            description=_text(row[DESCRIPTION]),
            unit=_text(row[UNIT]),
            codes=_codes(_text(row[CODES]), f"{words.name}.{column.name}"),
            ask=bool(row[ASK]),
        )
        for row, column in zip(rows, words.columns, strict=True)
    )


def written_codes(codes: Sequence[tuple[str, str]]) -> str:
    """Codes as a person edits them.

    >>> written_codes((("0", "open"), ("1", "closed")))
    '0 = open; 1 = closed'
    """
    return "; ".join(f"{code} = {meaning}" for code, meaning in codes)


def _codes(text: str, place: str) -> tuple[tuple[str, str], ...]:
    codes = codes_of(text)
    if not all(code and meaning for code, meaning in codes.items()):
        raise InvalidInput(
            f"The codes of {place} cannot be read: {text!r}.", "Write them as pairs, such as 0 = open; 1 = closed."
        )
    return tuple(codes.items())


def _label(text: str, table: Table) -> tuple[str, ...]:
    spelled = {column.name.casefold(): column.name for column in table.columns}
    names = [name.strip() for name in text.split(";") if name.strip()]
    for name in names:
        if name.casefold() not in spelled:
            raise InvalidInput(
                f"Rows of {table.name} are to be named by {name}, which is none of its columns.",
                f"Choose among: {', '.join(spelled.values())}; several are separated by a semicolon.",
            )
    return tuple(spelled[name.casefold()] for name in names)


def _key(table: Table, column: Column, refers: Mapping[str, str]) -> str:
    own = "primary" if column.name in table.primary_key else ""
    return " ".join(filter(None, (own, f"to {refers[column.name]}" if column.name in refers else "")))


def _text(value: object) -> str:
    """A cell; an emptied one comes back as None or as no number."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return " ".join(str(value).split())
