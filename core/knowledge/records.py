"""Rows of a database as records: the subject of a document and the facts it has to state.

One set-based query per table: the row's own readable columns, and for each foreign key the name of the row it points
to. Rows of a table that only ties others together have no name of their own: their facts go into the documents of the
rows they tie, which is where test cases look for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database import DatabaseSource
from core.sources.database.grammar import quoted, quoted_table
from core.testset.grounded.entities import best_label, is_date
from core.testset.grounded.references import stated_value
from core.testset.grounded.words.phrases import column_noun, role_noun, table_noun
from core.testset.grounded.words.values import value_text

NO_KEY = "it has no primary key, so its rows have no stable id"
NOTHING_READABLE = "no column of it is descriptive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact that a document states.

    Attributes:
        name: Its property, in words ("manager", "date of first offer").
        value: The database's value as people read it.
        column: ``Table.column`` it comes from.
        about: The other row it concerns, where it belongs to two ("Premium Saver"); else empty.
        one_of: Whether the row may have several such facts, as a branch has products.
        points: Whether the value is another row that this one points to.
    """

    name: str
    value: str
    column: str
    about: str = ""
    one_of: bool = False
    points: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One row, ready to be written.

    Attributes:
        document_id: ``table:key`` as gold ids of test sets have it.
        table: The table's name.
        noun: What one of its rows is called ("branch").
        label: The row's name for people; the noun and the key where it has no name.
        named: Whether the label is a name, not a key.
        facts: Its facts, in the order of the columns; values that are NULL are left out.
    """

    document_id: str
    table: str
    noun: str
    label: str
    named: bool = True
    facts: tuple[Fact, ...] = ()

    @property
    def described(self) -> str:
        """The label; where it is only a key, with the rows it points to, by which questions ask for it."""
        pointers = [f"{fact.name} {fact.value}" for fact in self.facts if fact.points and not fact.one_of]
        if self.named or not pointers:
            return self.label
        *most, last = pointers
        return f"{self.label} of {', '.join(most)} and {last}" if most else f"{self.label} of {last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unwritten:
    """A table no document is made from, and why."""

    table: str
    reason: str


@dataclass(slots=True)
class _Select:
    """A statement under construction; every output is found again by its place."""

    table: Table
    schema: Schema
    outputs: list[str] = field(default_factory=list)
    joins: list[str] = field(default_factory=list)

    def name(self, *parts: str) -> str:
        return ".".join(quoted(part, self.schema.dialect) for part in parts)

    def add(self, alias: str, column: str) -> int:
        self.outputs.append(self.name(alias, column))
        return len(self.outputs) - 1

    def join(self, key: ForeignKey) -> str:
        alias = f"_r{len(self.joins)}"
        pairs = zip(key.columns, key.referred_columns, strict=True)
        on = " AND ".join(f"{self.name('_t', own)} = {self.name(alias, other)}" for own, other in pairs)
        referred = quoted_table(self.schema.table(key.referred_table), self.schema.dialect)
        self.joins.append(f"LEFT JOIN {referred} AS {self.name(alias)} ON {on}")
        return alias

    def sql(self) -> str:
        order = ", ".join(self.name("_t", column) for column in self.table.primary_key)
        listed = ", ".join(
            f"{output} AS {quoted(f'c{place}', self.schema.dialect)}" for place, output in enumerate(self.outputs)
        )
        start = f"FROM {quoted_table(self.table, self.schema.dialect)} AS {self.name('_t')}"
        return " ".join([f"SELECT {listed}", start, *self.joins, f"ORDER BY {order}"])


@dataclass(frozen=True, slots=True)
class _Column:
    """The places of a fact in the result: several places are parts of one name."""

    name: str
    column: str
    places: tuple[int, ...]
    key: tuple[int, ...] = ()
    """The key of the row pointed to, where it has no name."""
    refers: str = ""
    """What that row is called."""
    source: tuple[Table, Column] | None = None
    """The column of the database where it is one of the row's own."""


def writable_tables(schema: Schema) -> tuple[tuple[str, ...], tuple[Unwritten, ...]]:
    """The tables documents can be made from, and the others with the reason.

    A table that only ties others together is among the first: its facts are written in their documents.
    """
    fit: list[str] = []
    unfit: list[Unwritten] = []
    for table in schema.tables:
        reason = ""
        if not table.primary_key:
            reason = NO_KEY
        elif not table.foreign_keys and not any(column.descriptive for column in table.columns):
            reason = NOTHING_READABLE
        if reason:
            unfit.append(Unwritten(table=table.name, reason=reason))
        else:
            fit.append(table.name)
    return tuple(fit), tuple(unfit)


def read_records(
    database: DatabaseSource, tables: Sequence[str] = (), *, per_table: int | None = None
) -> Iterator[Record]:
    """The rows of the chosen tables as records, table by table in the schema's order, rows in the order of their keys.

    Args:
        database: The connected database; it is only read.
        tables: Their names in any letter case; none for every table documents can be made from.
        per_table: The most rows of each table, the first ones; None for all.

    Yields:
        One record at a time. The bare rows of one table stand in memory while its records are taken, because a
        statement that stays open until a model has written every page would run into its timeout.

    Raises:
        InvalidInput: Documents cannot be made from one of the tables, or `per_table` is below 1.
        NotFound: There is no such table.
        LimitExceeded: The database took too long.
    """
    if per_table is not None and per_table < 1:
        raise InvalidInput(f"The most rows of a table cannot be {per_table}.", "Give 1 or more.")
    selected = _selected(database.schema, tables)
    tied = [table for table in selected if table.association]
    for table in selected:
        if table.association and any(_ties(key, other) for key in table.foreign_keys for other in selected):
            continue
        further = _facts_of_ties(database, table, tied)
        for record in _records(database, table, per_table):
            yield replace(record, facts=(*record.facts, *further.get(record.document_id, ())))


def key_of(values: Sequence[object]) -> str:
    """A row's key as document ids have it; the parts of a composite one with a dash between them.

    >>> key_of([3.0]), key_of(["Blue Lagoon"]), key_of([1, 7])
    ('3', 'Blue Lagoon', '1-7')
    """
    return "-".join(normalise_id(value) for value in values)


def document_id(table: str, values: Sequence[object]) -> str:
    """The id of a row's document, as gold ids of test cases are made.

    >>> document_id("Branch", [3])
    'branch:3'
    """
    return f"{table.lower()}:{key_of(values)}"


def _selected(schema: Schema, tables: Sequence[str]) -> list[Table]:
    fit, unfit = writable_tables(schema)
    names = {schema.table(name).name for name in tables} or set(fit)
    for refused in unfit:
        if refused.table in names:
            raise InvalidInput(
                f"No document can be made from table {refused.table}: {refused.reason}.", "Leave it out."
            )
    if not names:
        raise InvalidInput("No table of the database can be made into documents.", "Give the tables primary keys.")
    return [table for table in schema.tables if table.name in names]


def _ties(key: ForeignKey, table: Table) -> bool:
    """Whether a foreign key of an association ties it to rows of the table, which then state its facts."""
    return key.referred_table == table.name and key.referred_columns == table.primary_key and not table.association


def _records(database: DatabaseSource, table: Table, most: int | None) -> Iterator[Record]:
    schema = database.schema
    select = _Select(table, schema)
    keys = [select.add("_t", column) for column in table.primary_key]
    label = best_label(table)
    naming = [select.add("_t", column) for column in label.columns] if label else []
    columns = [*_own_columns(select, label.columns if label else ()), *_pointing_columns(select, schema)]
    noun = table_noun(table.spoken)
    with database.stream(select.sql()) as result:
        rows = list(islice(result.rows, most))
    for row in rows:
        key = [row[place] for place in keys]
        stated = [(column, fact) for column in columns if (fact := _fact(row, column))]
        name = _joined_values(row, naming)
        if not name and table.association:
            name = " and ".join(fact.value for column, fact in stated if column.refers)
        yield Record(
            document_id=document_id(table.name, key),
            table=table.name,
            noun=noun,
            label=name or f"{noun} {key_of(key)}",
            named=bool(name),
            facts=tuple(fact for _, fact in stated),
        )


def _own_columns(select: _Select, label: Sequence[str]) -> Iterator[_Column]:
    """The readable columns that are neither the name nor only a pointer."""
    table = select.table
    for column in table.columns:
        if column.descriptive and column.name not in label and not _points(table, column.name):
            noun = column_noun(column.spoken, table.spoken, temporal=is_date(column))
            place = select.add("_t", column.name)
            yield _Column(noun, f"{table.name}.{column.name}", (place,), source=(table, column))


def _pointing_columns(select: _Select, schema: Schema, *, without: ForeignKey | None = None) -> Iterator[_Column]:
    """What foreign keys point to, by name; by key where the row pointed to has none."""
    for key in select.table.foreign_keys:
        if key == without:
            continue
        try:
            referred = schema.table(key.referred_table)
        except NotFound:
            continue
        label = best_label(referred)
        own = tuple(select.add("_t", column) for column in key.columns)
        places: tuple[int, ...] = ()
        if label and label.columns == key.referred_columns:
            places = own
        elif label:
            alias = select.join(key)
            places = tuple(select.add(alias, column) for column in label.columns)
        noun = role_noun(list(key.columns), referred.spoken)
        referred_noun = table_noun(referred.spoken)
        yield _Column(noun, f"{select.table.name}.{key.columns[0]}", places, own, referred_noun)


def _points(table: Table, column: str) -> bool:
    return any(column in key.columns for key in table.foreign_keys)


def _facts_of_ties(database: DatabaseSource, table: Table, tied: Sequence[Table]) -> Mapping[str, list[Fact]]:
    """The facts of rows that tie a table to others, by the document of the row they tie."""
    facts_by_document: dict[str, list[Fact]] = {}
    for tie in tied:
        for key in tie.foreign_keys:
            if _ties(key, table):
                for owner, facts in _tie_facts(database, tie, key):
                    facts_by_document.setdefault(owner, []).extend(facts)
    return facts_by_document


def _tie_facts(database: DatabaseSource, tie: Table, key: ForeignKey) -> Iterator[tuple[str, list[Fact]]]:
    select = _Select(tie, database.schema)
    owner = [select.add("_t", column) for column in key.columns]
    others = list(_pointing_columns(select, database.schema, without=key))
    own = list(_own_columns(select, ()))
    with database.stream(select.sql()) as result:
        for row in result.rows:
            points = [replace(fact, one_of=True) for column in others if (fact := _fact(row, column))]
            about = " and ".join(fact.value for fact in points)
            stated = [replace(fact, about=about) for column in own if (fact := _fact(row, column))]
            yield document_id(key.referred_table, [row[place] for place in owner]), [*points, *stated]


def _fact(row: Sequence[object], column: _Column) -> Fact | None:
    value = _joined_values(row, column.places, column.source)
    if not value and column.refers and all(row[place] is not None for place in column.key):
        value = f"{column.refers} {key_of([row[place] for place in column.key])}"
    return Fact(name=column.name, value=value, column=column.column, points=bool(column.refers)) if value else None


def _joined_values(row: Sequence[object], places: Sequence[int], source: tuple[Table, Column] | None = None) -> str:
    """The values as people read them; nothing for NULL, blanks and binary data."""
    values = [row[place] for place in places if row[place] is not None and not isinstance(row[place], bytes)]
    stated = [stated_value(value, *source) for value in values] if source else values
    parts = [value_text(value).strip() for value in stated]
    return " ".join(" ".join(part.split()) for part in parts if part)
