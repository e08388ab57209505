"""The semantic layer as rules propose it, from names, keys and comments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.domain.errors import NotFound
from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import CENTS, ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database.semantics.abbreviations import KEPT_SHORT, SEVERAL, SHORT_NOUNS, WORDS
from core.sources.database.semantics.language import is_english, is_foreign, is_terse
from core.sources.database.semantics.opening import (
    are_glued,
    ends_in_a_unit,
    known_words,
    opaque,
    opened_columns,
    opened_tables,
)
from core.sources.database.words import split_words

CODE = re.compile(r"(?<![\w.])(-?\d{1,3}|[A-Z]{1,2})\s*(?:=|:|for|means|is)\s*([^\W\d][\w /-]*?)\s*(?=[,;.)]|$)")
"""``0 = open``, ``1 for merchant`` in a description."""
KEY_WORDS = frozenset({"id", "no", "nr", "cd", "code", "key", "name"})
MOST_GLUED = 4
"""Letters of a table's name before "name" in a column's."""
MINOR_UNITS = frozenset({"cents", "cent", "pence"})
"""Hundredths of a currency, at the end of a name."""
PAID = frozenset(
    {"paid", "billed", "charged", "due", "owed", "refunded", "repaid", "outstanding", "claimed", "invoiced"}
)
"""What is said of an amount that has no other name."""
LEAST_PREFIXED, SHARE_PREFIXED = 10, 0.8
"""Columns that share a start, and their share of all, from which the start says nothing."""
MOST_TERSE = 3
"""Letters of a word that is one by chance only, in a database of short forms."""
SMALL_WORDS = frozenset({"of", "and", "to", "in", "on", "by", "at", "for", "per", "or"})
LEAST_OF_TABLE = 3
"""Letters of a table's name by which its columns may be called."""
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
    terse = is_terse([*(table.own_name for table in schema.tables), *columns])
    own_names = [table.own_name for table in schema.tables if not table.view]
    tables = opened_tables(own_names, vocabulary, glued=glued, terse=terse)
    nouns = {table.name: tables.get(table.own_name) or split_words(table.own_name) for table in schema.tables}
    start = _common_start(columns)
    opened = {
        table.name: _opened(table, nouns[table.name], vocabulary, start, glued=glued, terse=terse)
        for table in schema.tables
    }
    foreign = is_foreign([*nouns.values(), *(words for table in opened.values() for words in table.values())])
    described = {
        (table.name.casefold(), column.name.casefold()): column.description
        for table in (said.tables if said else ())
        for column in table.columns
        if column.description
    }
    named = {table.name.casefold() for table in (said.tables if said else ()) if table.noun}
    return SemanticLayer(
        tables=tuple(
            _table(
                schema,
                table,
                tables.get(table.own_name),
                opened[table.name],
                described,
                nouns,
                foreign=foreign,
                terse=terse,
                named=table.name.casefold() in named,
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
    *,
    foreign: bool,
    terse: bool,
    named: bool,
) -> TableMeaning:
    targets = {column.name: _target(schema, table, column) for column in table.columns}
    unsaid = not named and _unsaid(nouns[table.name], foreign=foreign, terse=terse)
    return TableMeaning(
        name=table.name,
        noun=" ".join(words) if words and words != split_words(table.own_name) else "",
        ask=False if table.view or _repeats(schema, table) or unsaid else None,
        columns=tuple(
            _column(
                column,
                _pointing(table, column, nouns, opened[column.name], targets)
                or _without_table(opened[column.name], words or [table.own_name]),
                described.get((table.name.casefold(), column.name.casefold())) or column.description,
                foreign=foreign,
                terse=terse,
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


def _column(column: Column, words: list[str], description: str, *, foreign: bool, terse: bool) -> ColumnMeaning:
    phrase = _phrase(description, words)
    words, minor = _in_minor_units(column, words)
    noun = phrase or (" ".join(words) if words != split_words(column.name) else "")
    unit = UNIT_OF.search(description)
    return ColumnMeaning(
        name=column.name,
        noun=noun,
        unit=minor or (unit[1] if unit else ""),
        codes=tuple(dict(CODE.findall(description)).items()),
        ask=False if _unsaid(words, foreign=foreign, terse=terse) and not phrase else None,
    )


def unnamed_tables(schema: Schema) -> list[str]:
    """Tables that are not asked about because rules cannot tell what their names stand for, or in which language."""
    names = [split_words(table.spoken) for table in schema.tables]
    names += [split_words(column.spoken) for table in schema.tables for column in table.columns]
    foreign = is_foreign(names)
    terse = is_terse(column.name for table in schema.tables for column in table.columns)
    return [
        table.name
        for table in schema.tables
        if not table.asked and not table.view and _unsaid(split_words(table.spoken), foreign=foreign, terse=terse)
    ]


def _unsaid(words: list[str], *, foreign: bool, terse: bool) -> bool:
    """Whether nobody can say what a name means: cut short, or in a language that rules have no words for."""
    if ends_in_a_unit(words):
        words = words[:-1]
    unclear = terse and any(
        word in SEVERAL
        or (len(word) <= MOST_TERSE and word not in WORDS | KEPT_SHORT | SHORT_NOUNS | KEY_WORDS | SMALL_WORDS)
        for word in words
    )
    return unclear or opaque(words) or (foreign and not all(is_english(word) for word in words))


def _in_minor_units(column: Column, words: list[str]) -> tuple[list[str], str]:
    """The words of an amount that is kept in hundredths, without them, and its unit; people write whole ones."""
    number = any(kind in column.type.upper() for kind in ("INT", "NUM", "DEC"))
    if not number or len(words) < 2 or words[-1] not in MINOR_UNITS:
        return words, ""
    words = words[:-2] if words[-2] == "in" and len(words) > 2 else words[:-1]
    return (["amount", *words] if len(words) == 1 and words[0] in PAID else words), CENTS


def _target(schema: Schema, table: Table, column: Column) -> str:
    """The table that a column points to by itself; empty where it points nowhere.

    A part of a key of several columns points to what the column it refers to points to: the glacier of a reading, by
    way of the key of its stake.
    """
    seen: set[tuple[str, str]] = set()
    while (table.name, column.name) not in seen:
        seen.add((table.name, column.name))
        alone = next((key for key in table.foreign_keys if key.columns == (column.name,)), None)
        if alone is not None:
            return alone.referred_table
        key = next((key for key in table.foreign_keys if column.name in key.columns), None)
        try:
            table = schema.table(key.referred_table) if key is not None else table
            column = table.column(key.referred_columns[key.columns.index(column.name)]) if key is not None else column
        except NotFound:
            return ""
    return ""


def _pointing(
    table: Table, column: Column, nouns: dict[str, list[str]], opened: list[str], targets: dict[str, str]
) -> list[str]:
    """The words of a key called by the other table's name cut short, or its first letters: ``med_id`` of medicines.

    Words before it are a role, which stays: the "main glaciers id" for ``main_glac_id``. A key that nobody can read is
    called by the other table where no second key points there, and where that is another table than its own: nobody
    understands "the glacier of the glacier".
    """
    target = targets[column.name]
    if not target or len(opened) < 2 or opened[-1] not in KEY_WORDS:
        return []
    noun, pieces = nouns.get(target, []), split_words(column.name)
    if len(pieces) == 2 and _shortened(pieces[0], noun):
        return [*noun, opened[-1]]
    if len(opened) == 2 and len(noun) > 1 and noun[-1] in {opened[0], f"{opened[0]}s"} and target != table.name:
        return [*noun, opened[-1]]  # "the port call of the invoice" rather than "the call"
    *role, short = opened[:-1]
    if role and opaque([short]) and _shortened(short, noun) and not opaque([*role, *noun]):
        return [*role, *noun, opened[-1]]
    several = sum(other.referred_table == target for other in table.foreign_keys) > 1
    if several or list(targets.values()).count(target) != 1 or target == table.name:
        return []
    return [*noun, opened[-1]] if noun and not opaque(noun) and opaque(opened[:-1]) else []


def _shortened(piece: str, noun: list[str]) -> bool:
    """Whether a piece of a name is a table's name cut short, or its first letters."""
    return _initials(noun) == piece or (len(noun) == 1 and _begins(piece, noun[0]) and piece != noun[0])


def _opened(
    table: Table, noun: list[str], vocabulary: frozenset[str], start: str, *, glued: bool, terse: bool
) -> dict[str, list[str]]:
    """The words of each column, without its own table's name cut short: ``rt_code`` of room types, ``soc_name``."""
    own = {}
    for column in table.columns:
        pieces = split_words(column.name.removeprefix(start))
        begins = len(pieces) > 1 and (pieces[0] == _initials(noun) or _of_table(pieces[0], noun))
        own[column.name] = "_".join(pieces[1:]) if begins else column.name.removeprefix(start)
    opened = opened_columns(list(own.values()), vocabulary, glued=glued, terse=terse)
    return {name: opened[without] for name, without in own.items()}


def _of_table(piece: str, noun: list[str]) -> bool:
    """Whether a piece is a table's name cut off or without vowels, as ``prog`` of programmes and ``brth`` of berths.

    A word of its own is none: ``part`` of partners.
    """
    if len(piece) < LEAST_OF_TABLE or piece in WORDS or len(noun) != 1:
        return False
    return noun[0].startswith(piece) or piece in {_without_vowels(noun[0]), _without_vowels(noun[0].removesuffix("s"))}


def _without_vowels(word: str) -> str:
    return word[:1] + re.sub("[aeiou]", "", word[1:])


def _common_start(names: Sequence[str]) -> str:
    """What nearly all columns of a database begin with up to a sign (``fld_``); empty without one."""
    starts = Counter(name.partition("_")[0] for name in names if "_" in name)
    common, times = starts.most_common(1)[0] if starts else ("", 0)
    return f"{common}_" if times >= max(LEAST_PREFIXED, SHARE_PREFIXED * len(names)) else ""


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
