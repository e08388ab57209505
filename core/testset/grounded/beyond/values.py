"""Plans on the rows that share a value, and on rows compared with a named one."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.sources.schema import Column, Schema, Table
from core.sources.database.words import split_words
from core.testset.grounded.beyond.amounts import RANKED, degrees, in_currencies, of_words, varied
from core.testset.grounded.beyond.plan import Kind, Parent, Plan, named, nouns_of, phrased, said, says_itself
from core.testset.grounded.beyond.statements import Sql
from core.testset.grounded.entities import TOPICS, Label, is_date, sorts_as_date, writable
from core.testset.grounded.usefulness import unsayable
from core.testset.grounded.wording.asking import PLACES
from core.testset.grounded.words.inflection import is_plural

FEWEST, MOST = 2, 60
"""Different values of a column that rows are grouped by."""
LARGEST_COMPARED = 600
"""Rows of a table up to which each is compared with every other."""
MOST_LISTED = 8
CONTACTS = frozenset({"phone", "fax", "postal", "zip", "address", "email", "url", "street", "extension", "description"})
GROUPING = (
    PLACES
    | TOPICS
    | {"type", "rating", "grade", "class", "level", "group", "kind", "gender", "colour", "color"}
    | {"title", "specialism", "exchange", "currency", "method", "channel", "severity", "priority", "division", "team"}
)
"""Last words of columns that say of which kind a row is."""
TEXTS = ("CHAR", "TEXT", "ENUM", "CLOB")


def value_plans(schema: Schema) -> Iterator[Plan]:
    """Plans on every table with a column of few values, and on every table whose rows have names and amounts."""
    write = Sql(schema)
    for table in schema.tables:
        if not table.rows or not table.asked or table.association:
            continue
        for column in table.columns:
            if _groups(table, column):
                yield _count(write, table, column)
                child = named(table)
                if (
                    child
                    and column.name not in child.label.columns
                    and table.rows / (column.distinct or 1) <= MOST_LISTED
                ):
                    yield _list(write, table, column, child)
        if (parent := named(table)) and table.rows <= LARGEST_COMPARED and table.primary_key:
            yield from _compared(write, parent)


def _groups(table: Table, column: Column) -> bool:
    kind, words = column.type.upper(), split_words(column.spoken)
    # "Orders of the ship city": where, only the whole phrase says; what kind, any phrase does.
    if words[-1] not in GROUPING or (words[-1] in PLACES and len(words) > 1):
        return False
    return (
        column.descriptive
        and writable(table, column.name)
        and any(part in kind for part in TEXTS)
        and column.distinct is not None
        and FEWEST <= column.distinct <= MOST
        and column.distinct <= 0.6 * table.rows
        and not set(words) & CONTACTS
        and not is_date(column)
    )


def _value(table: Table, column: Column) -> Parent:
    return Parent(table=table, label=Label(columns=(column.name,), weight=0.9), noun=said(table, column))


KINDS = frozenset({"type", "kind", "class", "category"})
"""What rows are of."""


def _ways(table: Table, column: Column) -> tuple[str, str]:
    """The subject, and how rows stand to it: "in the city 'X'", "of the type 'X'", "with the rating 'X'"."""
    value = _value(table, column)
    if value.noun.split()[-1] in KINDS:
        return value.phrase, "of"
    return value.phrase, "in" if value.noun in PLACES else "with"


VERBS = {"in": "are in", "of": "are of", "with": "have"}
"""How rows that stand so to a value are said to."""


def _count(write: Sql, table: Table, column: Column) -> Plan:
    value = _value(table, column)
    own, many = write.column("c", column.name), nouns_of(table)
    rest = f"FROM {write.table(table, 'c')} WHERE {write.given('c', value)} GROUP BY {own}"
    sql, _ = write.with_ids("COUNT(*)", rest, value, "c")
    subject, joined = _ways(table, column)
    verb = VERBS[joined]
    words = f"How many {many} {verb} {{X}}?", f"how many {many} {verb} {{X}}"
    meaning = phrased(f"number of {many}", subject, *words, joined=joined)
    return Plan(
        kind=Kind.COUNT, sql=sql, sql_with_ids="", entity=table.name, tables=(table.name,), score=0.75, meaning=meaning
    )


def _list(write: Sql, table: Table, column: Column, child: Parent) -> Plan:
    listed, many = write.columns("c", child.label.columns), nouns_of(table)
    subject, joined = _ways(table, column)
    rest = f"FROM {write.table(table, 'c')} WHERE {write.given('c', _value(table, column))} ORDER BY {listed}"
    keys = table.primary_key
    ids = f"SELECT DISTINCT {listed}, {write.column('c', keys[0])} {rest};" if len(keys) == 1 else ""
    verb = VERBS[joined]
    meaning = phrased(
        many, subject, f"Which {many} {verb} {{X}}?", f"which {many} {verb} {{X}}", joined=joined, several=True
    )
    return Plan(
        kind=Kind.LIST,
        sql=f"SELECT DISTINCT {listed} {rest};",
        sql_with_ids=ids,
        entity=table.name,
        tables=(table.name,),
        score=0.7,
        meaning=meaning,
    )


def _compared(write: Sql, parent: Parent) -> Iterator[Plan]:
    """How many others are ahead of a named row."""
    table = parent.table
    for column in table.columns:
        if column.name in parent.label.columns or not varied(table, column) or unsayable(table, column):
            continue
        if is_date(column) and not sorts_as_date(column):
            continue
        if (
            is_date(column)
            and column.descriptive
            and not set(split_words(column.spoken)) & {"birth", "dob", "end", "required"}
        ):
            if (words := said(table, column).split())[0] == "date" and len(words) == 2:
                continue  # "a later date lodged"
            if said(table, column).startswith("start date as "):
                continue
            more, less = "later", "earlier"
        elif (
            of_words(column, RANKED)
            and not in_currencies(table, column)
            and not says_itself(table, said(table, column))
        ):
            *_, more, less = degrees(said(table, column))
        else:
            continue
        noun, many = said(table, column), nouns_of(table)
        several = is_plural(noun)
        if several:
            more, less = "more", "fewer"
        for sign, word, score in ((">", more, 0.6), ("<", less, 0.5)):
            on = f"{write.column('c', column.name)} {sign} {write.column('p', column.name)}"
            rest = (
                f"FROM {write.table(table, 'p')} LEFT JOIN {write.table(table, 'c')} ON {on} "
                f"WHERE {write.given('p', parent)} AND {write.column('p', column.name)} IS NOT NULL "
                f"GROUP BY {write.key(parent)}"
            )
            counted = f"COUNT({write.column('c', table.primary_key[0])})"
            sql, with_ids = write.with_ids(counted, rest, parent)
            ahead = f"{word} {noun}" if several else f"{'an' if word == 'earlier' else 'a'} {word} {noun}"
            meaning = phrased(
                f"number of {many} with {ahead}",
                parent.phrase,
                f"How many {many} have {ahead} than {{X}}?",
                f"how many {many} have {ahead} than {{X}}",
                joined="than",
            )
            yield Plan(
                kind=Kind.COMPARISON,
                sql=sql,
                sql_with_ids=with_ids,
                entity=table.name,
                tables=(table.name,),
                score=score,
                meaning=meaning,
            )
