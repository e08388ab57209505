"""What people call the tables and columns of a database: proposed by rules, reviewed by a person."""

from __future__ import annotations

from dataclasses import dataclass

CENTS = "cents"
"""The unit of amounts that are kept in hundredths of a currency, and written as whole ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMeaning:
    """A column in people's words; what is empty is left to the rules.

    Attributes:
        name: As the database spells it.
        noun: What people call it ("postal code").
        description: What it holds, in a sentence.
        unit: Of its amounts ("minutes").
        codes: What its codes mean, as (code, meaning).
        ask: Whether questions may ask for it; None leaves it to the rules.
    """

    name: str
    noun: str = ""
    description: str = ""
    unit: str = ""
    codes: tuple[tuple[str, str], ...] = ()
    ask: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMeaning:
    """A table in people's words; what is empty is left to the rules.

    Attributes:
        name: As the schema has it.
        noun: What people call one of its rows ("customer").
        plural: What they call several.
        description: What a row is, in a sentence.
        label: The columns by which people name a row, in the order they are said.
        ask: Whether questions are made about it; None leaves it to the rules, which leave out views.
        columns: Those of its columns that something is said of.
    """

    name: str
    noun: str = ""
    plural: str = ""
    description: str = ""
    label: tuple[str, ...] = ()
    ask: bool | None = None
    columns: tuple[ColumnMeaning, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticLayer:
    """The words of a database, by table."""

    tables: tuple[TableMeaning, ...] = ()
