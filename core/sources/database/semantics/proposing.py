"""The semantic layer as rules propose it, from names, keys and comments."""

from __future__ import annotations

import re

from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database.semantics.opening import are_glued, known_words, opaque, opened_columns, opened_tables
from core.sources.database.words import split_words

CODE = re.compile(r"(?<![\w.])(-?\d{1,3}|[A-Z]{1,2})\s*(?:=|:|for|means|is)\s*([^\W\d][\w /-]*?)\s*(?=[,;.)]|$)")
"""``0 = open``, ``1 for merchant`` in a description."""
KEY_WORDS = frozenset({"id", "no", "nr", "cd", "code", "key"})
MOST_GLUED = 4
"""Letters of a table's name before "name" in a column's."""
PHRASE_WORDS = 5
"""A description of so many words may be a name."""
UNIT_OF = re.compile(
    r"\b(?:in|measured in) (minutes|hours|days|seconds|months|years|euros|dollars|kilograms|kilometres)\b"
)


def propose(schema: Schema, said: SemanticLayer | None = None) -> SemanticLayer:
    """What people call the tables and columns, as far as rules can tell.

    A name is opened only where that says more than the name; an empty noun means the name as it is.

    Args:
        schema: With the database's comments as descriptions.
        said: What a glossary or a person said: its descriptions are read as comments are.
    """
    names = [table.name for table in schema.tables]
    columns = [column.name for table in schema.tables for column in table.columns]
    vocabulary, glued = known_words([*names, *columns]), are_glued([*names, *columns])
    own_names = [table.own_name for table in schema.tables if not table.view]
    tables = opened_tables(own_names, vocabulary, glued=glued)
    nouns = {table.name: tables.get(table.own_name) or split_words(table.own_name) for table in schema.tables}
    described = {
        (table.name.casefold(), column.name.casefold()): column.description
        for table in (said.tables if said else ())
        for column in table.columns
        if column.description
    }
    return SemanticLayer(
        tables=tuple(
            _table(
                schema,
                table,
                tables.get(table.own_name),
                _opened(table, nouns[table.name], vocabulary, glued=glued),
                described,
                nouns,
            )
            for table in schema.tables
        )
    )


def _table(
    schema: Schema,
    table: Table,
    words: list[str] | None,
    opened: dict[str, list[str]],
    described: dict[tuple[str, str], str],
    nouns: dict[str, list[str]],
) -> TableMeaning:
    return TableMeaning(
        name=table.name,
        noun=" ".join(words) if words and words != split_words(table.own_name) else "",
        ask=False if table.view or _repeats(schema, table) or opaque(words or ()) else None,
        columns=tuple(
            _column(
                column,
                _pointing(table, column, nouns) or _without_table(opened[column.name], words or [table.own_name]),
                described.get((table.name.casefold(), column.name.casefold())) or column.description,
            )
            for column in table.columns
        ),
    )


def _repeats(schema: Schema, table: Table) -> bool:
    """Whether a table only repeats columns of another one with the same key; ``id`` alone names any table's key."""
    if any(len(split_words(name)) < 2 for name in table.primary_key):
        return False
    names = {column.name.casefold() for column in table.columns}
    return bool(table.primary_key) and any(
        other.name != table.name
        and not other.view
        and {name.casefold() for name in other.primary_key} == {name.casefold() for name in table.primary_key}
        and len(other.columns) > len(table.columns)
        and names <= {column.name.casefold() for column in other.columns}
        for other in schema.tables
    )


def _column(column: Column, words: list[str], description: str) -> ColumnMeaning:
    phrase = _phrase(description, words)
    noun = phrase or (" ".join(words) if words != split_words(column.name) else "")
    unit = UNIT_OF.search(description)
    return ColumnMeaning(
        name=column.name,
        noun=noun,
        unit=unit[1] if unit else "",
        codes=tuple(dict(CODE.findall(description)).items()),
        ask=False if opaque(words) and not phrase else None,
    )


def cut_short(table: Table) -> bool:
    """Whether rules cannot tell what a table's name stands for, by the words that it has."""
    return opaque(split_words(table.spoken))


def _pointing(table: Table, column: Column, nouns: dict[str, list[str]]) -> list[str]:
    """The words of a key called by the other table's name cut short, or its first letters: ``med_id`` of medicines."""
    pieces = split_words(column.name)
    key = next((key for key in table.foreign_keys if key.columns == (column.name,)), None)
    if key is None or len(pieces) != 2 or pieces[1] not in KEY_WORDS:
        return []
    noun = nouns.get(key.referred_table, [])
    if _initials(noun) == pieces[0]:
        return [*noun, pieces[1]]
    if len(noun) != 1 or not _begins(pieces[0], noun[0]) or pieces[0] == noun[0]:
        return []
    return [noun[0], pieces[1]]


def _opened(table: Table, noun: list[str], vocabulary: frozenset[str], *, glued: bool) -> dict[str, list[str]]:
    """The words of each column, without the first letters of its own table's name: ``rt_code`` of room types."""
    own = {}
    for column in table.columns:
        pieces = split_words(column.name)
        begins = len(pieces) > 1 and pieces[0] == _initials(noun)
        own[column.name] = "_".join(pieces[1:]) if begins else column.name
    opened = opened_columns(list(own.values()), vocabulary, glued=glued)
    return {name: opened[without] for name, without in own.items()}


def _initials(noun: list[str]) -> str:
    """The first letters of a name of several words; empty for a single word."""
    return "".join(word[0] for word in noun) if len(noun) > 1 else ""


def _without_table(words: list[str], table: list[str]) -> list[str]:
    """``cname`` of carriers is a name: letters of the table's own name glued to it say nothing."""
    stem = words[0].removesuffix("name")
    if len(words) != 1 or not 0 < len(stem) <= MOST_GLUED or not _begins(stem, "".join(table)):
        return words
    return ["name"] if words[0].endswith("name") else words


def _begins(stem: str, table: str) -> bool:
    rest = iter(table[1:])
    return stem[0] == table[0] and all(letter in rest for letter in stem[1:])


def _phrase(description: str, words: list[str]) -> str:
    """A short description in the place of a name that says nothing: "Merchant Category Code" for ``mcc``."""
    said = re.findall(r"\w+", description)
    if not opaque(words) or not 0 < len(said) <= PHRASE_WORDS or not re.fullmatch(r"[\w\- ]+", description.strip()):
        return ""
    return description.strip().lower()
