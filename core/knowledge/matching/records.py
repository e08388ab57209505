"""The records that documents are looked for, and the documents by what they say about themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.sources.document_ids import NAMESPACE, normalise_id
from core.domain.sources.documents import Document
from core.domain.sources.schema import Table
from core.knowledge.matching import words
from core.knowledge.records import document_id
from core.sources.database import DatabaseSource
from core.sources.database.grammar import quoted, quoted_table
from core.testset.grounded.entities import best_label
from core.testset.grounded.words.values import value_text

MOST_ROWS = 200_000
"""A table with more rows is left out unless a test set names it: nobody writes a document for each of them."""
HEAD = 1000
"""Characters of a document that are looked at for the name of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """The rows of one table.

    Attributes:
        table: Its name.
        ids: Their gold ids, ``table:key``.
        keys: Their keys as they are compared.
        columns: Values of other columns as people read them, by column; empty where a row has none.
        labels: What people call each row; empty where the table has no such column.
    """

    table: str
    ids: tuple[str, ...]
    keys: tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A document by all that it can be recognised by; its text is not kept.

    Attributes:
        id: Its id.
        names: Its id and its path, without what numbers several documents of one file.
        fields: What it states about itself.
        headings: Its title and its first heading.
        head: The beginning of it, in the spelling of `words.plain`.
    """

    id: str
    names: tuple[str, ...]
    fields: Mapping[str, str]
    headings: tuple[str, ...]
    head: str


def read(database: DatabaseSource, needed: Iterable[str] = ()) -> list[Records]:
    """The rows of every table with a primary key that does more than tie others together; one query a table.

    Args:
        database: The connected database; it is only read.
        needed: Tables that gold ids name, in any letter case; these are read however they are.

    Raises:
        LimitExceeded: The database took too long.
    """
    named = {table.casefold() for table in needed}
    return [
        _read(database, table)
        for table in database.schema.tables
        if table.primary_key and (table.name.casefold() in named or (not table.association and table.rows <= MOST_ROWS))
    ]


def of_ids(gold_ids: Iterable[str]) -> list[Records]:
    """The same from gold ids alone, where there is no database: tables and keys, nothing else."""
    by_table: dict[str, dict[str, None]] = {}
    for gold in gold_ids:
        spelled = normalise_id(gold)
        if match := NAMESPACE.match(spelled):
            by_table.setdefault(match.group(1), {})[spelled] = None
    return [
        Records(table=table, ids=tuple(ids), keys=tuple(words.key(one[len(table) + 1 :]) for one in ids))
        for table, ids in by_table.items()
    ]


def described(documents: Iterable[Document]) -> list[Named]:
    """Documents by what they can be recognised by."""
    return [
        Named(
            id=document.id,
            names=_names(document),
            fields=document.metadata,
            headings=tuple(dict.fromkeys(filter(None, (document.title, _first_heading(document))))),
            head=words.prose(f"{document.title} {document.text[:HEAD]}"),
        )
        for document in documents
    ]


def _names(document: Document) -> tuple[str, ...]:
    names = (name.partition("#")[0][: words.LONGEST] for name in (document.id, document.path))
    return tuple(dict.fromkeys(filter(None, names)))


def _read(database: DatabaseSource, table: Table) -> Records:
    dialect = database.schema.dialect
    label = best_label(table)
    unique = {names[0] for names in table.unique if len(names) == 1}
    naming = label.columns if label else ()
    further = [
        column.name
        for column in table.columns
        if column.name not in table.primary_key
        and (column.name in naming or column.name in unique or (column.descriptive and _text(column.type)))
    ]
    selected = [*table.primary_key, *further]
    listed = ", ".join(f"{quoted(name, dialect)} AS {quoted(f'c{at}', dialect)}" for at, name in enumerate(selected))
    order = ", ".join(quoted(name, dialect) for name in table.primary_key)
    sql = f"SELECT {listed} FROM {quoted_table(table, dialect)} ORDER BY {order}"  # noqa: S608 - quoted names of the schema
    width = len(table.primary_key)
    with database.stream(sql) as result:
        rows = [row for row in result.rows if all(part is not None for part in row[:width])]
    ids = [document_id(table.name, row[:width]) for row in rows]
    columns = {name: tuple(_shown(row[width + at]) for row in rows) for at, name in enumerate(further)}
    of_label = [columns[name] for name in naming if name in columns]
    return Records(
        table=table.name,
        ids=tuple(ids),
        keys=tuple(words.key("-".join(normalise_id(part) for part in row[:width])) for row in rows),
        columns=columns,
        labels=tuple(" ".join(filter(None, parts)) for parts in zip(*of_label, strict=True)) if of_label else (),
    )


def _shown(value: object) -> str:
    if value is None or isinstance(value, bytes):
        return ""
    text = " ".join(value_text(value).split())
    return text if len(text) <= words.LONGEST else ""


def _text(kind: str) -> bool:
    return not kind or any(part in kind.upper() for part in ("CHAR", "TEXT", "CLOB", "ENUM", "CITEXT", "STRING"))


def _first_heading(document: Document) -> str:
    if document.outline:
        first = document.outline[0]
        return document.text[first.start : first.end].strip()[: words.LONGEST]
    for line in document.text[: 2 * HEAD].splitlines():
        if line.startswith("#"):
            return line.strip("# \t")[: words.LONGEST]
    return ""


def rows_of(records: Sequence[Records]) -> int:
    """How many records there are."""
    return sum(len(table.ids) for table in records)
