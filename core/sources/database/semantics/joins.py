"""Joins that a database does not declare: a column named after another table's key whose values are all found there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from core.domain.errors import InvalidInput, LimitExceeded
from core.domain.sources.schema import ForeignKey, Schema, Table
from core.sources.database.grammar import quoted, quoted_table
from core.sources.database.readers import Reader
from core.sources.database.semantics.opening import are_glued, opened_columns, opened_tables

LARGEST_TABLE = 200_000
"""Rows up to which a join is looked for."""
MOST_TRIED = 60
"""Joins that are tried on the data; a warehouse of hundreds of tables has its keys declared, or none."""
KEY_WORDS = frozenset({"id", "key", "code", "no", "number", "uid"})
COUNTING = frozenset({"no", "number"})
"""What counts rows (the second repetition), unless the other table's key is called so too."""


def with_joins(reader: Reader, schema: Schema, timeout_s: float) -> tuple[Table, ...]:
    """The tables with foreign keys added that names suggest and every value confirms."""
    candidates: dict[str, list[ForeignKey]] = {}
    for table, key in islice(_candidates(schema), MOST_TRIED):
        if _holds(reader, table, schema.table(key.referred_table), key, timeout_s):
            candidates.setdefault(table.name, []).append(key)
    return tuple(
        replace(table, foreign_keys=(*table.foreign_keys, *candidates.get(table.name, ()))) for table in schema.tables
    )


def _candidates(schema: Schema) -> Iterator[tuple[Table, ForeignKey]]:
    tables = [table for table in schema.tables if not table.view]
    names = [column.name for table in tables for column in table.columns]
    glued = are_glued([*(table.own_name for table in tables), *names])
    opened = opened_tables([table.own_name for table in tables], glued=glued)
    parents: dict[str, Table | None] = {}
    for table in tables:
        if len(table.primary_key) == 1 and table.rows:
            for name in _forms(opened[table.own_name][-1] if len(opened[table.own_name]) == 1 else ""):
                parents[name] = None if name in parents else table
    for table in tables:
        if not 0 < table.rows <= LARGEST_TABLE:
            continue
        pointing = {column for key in table.foreign_keys for column in key.columns}
        for name, words in opened_columns([column.name for column in table.columns], glued=glued).items():
            if name in pointing or len(words) != 2 or words[1] not in KEY_WORDS:
                continue
            parent = parents.get(words[0])
            if parent is None or parent.name == table.name or table.primary_key == (name,):
                continue
            if words[1] in COUNTING and _counts(table, name) and not _numbered(parent):
                continue
            yield table, ForeignKey(columns=(name,), referred_table=parent.name, referred_columns=parent.primary_key)


def _counts(table: Table, column: str) -> bool:
    return "INT" in table.column(column).type.upper()


def _numbered(parent: Table) -> bool:
    """Whether a table's own key is called a number, rather than an id."""
    (own,) = parent.primary_key
    return opened_columns([own])[own][-1] in COUNTING


def _forms(word: str) -> set[str]:
    if not word:
        return set()
    forms = {word, word.removesuffix("s"), word.removesuffix("es")}
    return forms | ({f"{word[:-3]}y"} if word.endswith("ies") else set())


def _holds(reader: Reader, table: Table, parent: Table, key: ForeignKey, timeout_s: float) -> bool:
    """Whether some value is there, and every one is found in the other table."""
    own, other = (quoted(name, reader.dialect) for name in (key.columns[0], key.referred_columns[0]))
    of, within = quoted_table(table, reader.dialect), quoted_table(parent, reader.dialect)
    sql = f"SELECT COUNT(c.{own}), COUNT(p.{other}) FROM {of} c LEFT JOIN {within} p ON c.{own} = p.{other}"  # noqa: S608
    try:
        with reader.run(sql, {}, timeout_s=timeout_s, guarded=False) as result:
            filled, found = next(result.rows)
    except (InvalidInput, LimitExceeded):
        return False
    return int(str(filled)) > 0 and filled == found
