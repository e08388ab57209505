"""A template with its words: the statement and what it asks, made together so that they cannot part."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database.words import split_words
from core.testset.grounded.currencies import CURRENCIES
from core.testset.grounded.entities import NUMBERS, Label, best_label, clear_keys, is_date, is_line
from core.testset.grounded.wording.asking import PLACES
from core.testset.grounded.wording.meaning import Meaning
from core.testset.grounded.words.dates import says_again
from core.testset.grounded.words.inflection import is_plural, plural
from core.testset.grounded.words.people import HANDLERS, is_person
from core.testset.grounded.words.phrases import column_phrase, role_noun, table_noun


class Kind(StrEnum):
    """What a template asks the database to do."""

    LOOK_UP = "look-up"
    COUNT = "count"
    EXTREME = "extreme"
    TOTAL = "total"
    LIST = "list"
    TOP = "top"
    LATEST = "latest"
    COMPARISON = "comparison"
    NEGATION = "negation"
    EXISTENCE = "existence"
    WHICH = "which of two"
    BETWEEN = "between"


NOT_HAVING = frozenset(
    {"language", "country", "city", "town", "region", "status", "type", "currency", "rating", "year"}
    | {"reason", "cause", "kind", "priority", "severity", "code", "method", "condition", "diagnosis"}
)
"""Nouns that people do not say have something: "How many films are there for the language 'X'?"."""
GIVEN_AS = frozenset({"reason", "cause", "priority", "severity", "code", "status", "condition", "diagnosis"})
"""Nouns that stand with rows: "the stoppages with the reason 'X'", not those of it."""
INSIDE = PLACES | {"building", "campus", "hall", "warehouse", "ward", "zone", "district", "continent", "borough"}
"""What rows lie in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A template before ranking.

    Attributes:
        kind: What it asks the database to do.
        sql: The statement with placeholders.
        sql_with_ids: The same with the key of the row that is named, or empty.
        entity: The table the question is about.
        tables: The tables it reads.
        score: How much people would ask it, in (0, 1].
        meaning: What it asks, in words.
    """

    kind: Kind
    sql: str
    sql_with_ids: str
    entity: str
    tables: tuple[str, ...]
    score: float
    meaning: Meaning


@dataclass(frozen=True, slots=True, kw_only=True)
class Parent:
    """A row that questions name: its table, its name and what other rows call it.

    Attributes:
        table: The table.
        label: The columns that name a row.
        noun: What it is called ("customer", "support representative").
    """

    table: Table
    label: Label
    noun: str

    @property
    def phrase(self) -> str:
        """``the customer '[customer.name]'``."""
        tokens = " ".join(f"[{self.table.name}.{name}]" for name in self.label.columns)
        return f"the {self.noun} '{tokens}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Rows that belong to a row that questions name: "the orders of the customer".

    Attributes:
        parent: The row that is named.
        child: The rows' table.
        via: The table that ties the two together, with its key to the child; None where the child points itself.
        key: The key to the parent, of the child or of the table between.
        child_key: The key from the table between to the child, or None.
    """

    parent: Parent
    child: Table
    key: ForeignKey
    via: Table | None = None
    child_key: ForeignKey | None = None

    @property
    def role(self) -> bool:
        """Whether the parent is called by what it is for the children, rather than by what it is."""
        return self.parent.noun != noun_of(self.parent.table)

    @property
    def act(self) -> str:
        """What a row between is called where it has a word of its own and the children no name: an enrolment."""
        if self.via is None or best_label(self.child):
            return ""
        noun = noun_of(self.via)
        tied = {*self.parent.noun.split(), *noun_of(self.parent.table).split(), *noun_of(self.child).split()}
        return noun if not any(_akin(word, other) for word in noun.split() for other in tied) else ""

    @property
    def backwards(self) -> bool:
        """Whether the table between says it the other way round: a work order has parts, and parts no orders."""
        if self.via is None or self.act:
            return False
        between = split_words(self.via.spoken)
        own, other = (table_noun(table.spoken).split()[-1] for table in (self.parent.table, self.child))
        places = [next((i for i, word in enumerate(between) if _akin(word, last)), -1) for last in (own, other)]
        return -1 < places[1] < places[0]

    @property
    def one(self) -> str:
        """What one child is called; what it belongs to is not said twice: "the wallet balance of the merchant"."""
        words = noun_of(self.child).split()
        rest = [word for word in words if word not in self.parent.noun.split()]
        return " ".join(rest) if len(words) > 2 and len(rest) > 1 and rest[-1] == words[-1] else " ".join(words)

    @property
    def many(self) -> str:
        """What several children are called."""
        return nouns_of(self.child) if self.one == noun_of(self.child) else plural(self.one)

    @property
    def deed(self) -> str:
        """What the parent did to the children: "found" for ``found_by``, or "handled"; empty for neither."""
        owner = self.child if self.via is None else self.via
        words = split_words(owner.column(self.key.columns[0]).spoken) if len(self.key.columns) == 1 else []
        if self.via is None and len(words) > 1 and words[-1] == "by" and not self.role:
            return "made" if says_again(words[-2], noun_of(self.child)) else words[-2]
        return "handled" if self.handled else ""

    @property
    def handled(self) -> bool:
        """Whether the parent saw to the children, rather than had them: an employee's orders are customers'."""
        dated = any(column.descriptive and is_date(column) for column in self.child.columns)
        return (
            self.via is None
            and dated
            and not self.parent.noun.split()[0].endswith(("ed", "ing"))
            and (self.parent.noun.split()[-1] in HANDLERS or self.parent.noun == "staff member")
        )

    @property
    def of(self) -> str:
        """How children are tied to the parent."""
        if self.deed:
            return f"{self.deed} by"
        if given_as(self.parent) or self.backwards:
            return "with"
        return "in" if self.parent.noun.split()[-1] in INSIDE else "of"

    @property
    def within(self) -> str:
        """How children stand to a parent that people do not say has them."""
        if given_as(self.parent) or self.backwards:
            return "with"
        return "in" if self.parent.noun.split()[-1] in INSIDE else "for"

    @property
    def tables(self) -> tuple[str, ...]:
        """In the order of the statement."""
        names = (self.parent.table.name, self.via.name if self.via else "", self.child.name)
        return tuple(dict.fromkeys(name for name in names if name))


def _akin(word: str, other: str) -> bool:
    """Whether one word begins as the other does: a casting and a cast."""
    length = min(len(word), len(other), 4)
    return word[:length] == other[:length]


def links(schema: Schema) -> list[Link]:
    """Every pair of a row with a name and rows of another table that belong to it, directly or through one between."""
    found = []
    for table in schema.tables:
        if not table.rows or not table.asked:
            continue
        for key in clear_keys(schema, table):
            parent = parent_of(schema, table, key)
            if parent is None or parent.table.name == table.name:
                continue
            if is_line(table) and not table.association:
                continue
            if not table.association:
                found.append(Link(parent=parent, child=table, key=key))
                continue
            for other in clear_keys(schema, table):
                child = schema.table(other.referred_table)
                if (
                    other != key
                    # One row between for each pair: who checked an order's tests is not had by the tests.
                    and set(table.primary_key) == {*key.columns, *other.columns}
                    and child.asked
                    and not is_line(child)
                    and child.name != parent.table.name
                ):
                    found.append(Link(parent=parent, child=child, key=key, via=table, child_key=other))
    pairs: dict[tuple[str, str], int] = {}
    for link in found:
        pair = link.parent.table.name, link.child.name
        pairs[pair] = pairs.get(pair, 0) + 1
    # Where a table points twice to another one, only the roles tell the two apart.
    return [
        link
        for link in found
        if pairs[link.parent.table.name, link.child.name] == 1
        or link.parent.noun != noun_of(link.parent.table)
        or link.deed not in ("", "handled")
    ]


def parent_of(schema: Schema, child: Table, key: ForeignKey) -> Parent | None:
    """The row that a key points to, where people can name it."""
    table = schema.table(key.referred_table)
    label = best_label(table)
    if label is None or not table.rows or not table.asked or not table.primary_key:
        return None
    same = [name.casefold() for name in key.columns] == [name.casefold() for name in key.referred_columns]
    # A key that only repeats the other's name is no role: the book, and not the ISBN.
    role = [] if same else [child.column(name).spoken for name in key.columns]
    referred = [] if same else [table.column(name).spoken for name in key.referred_columns]
    return Parent(table=table, label=label, noun=role_noun(role, table.spoken, referred))


def named(table: Table) -> Parent | None:
    """A table's own rows, where people can name them."""
    label = best_label(table)
    if label is None or not table.rows or not table.asked:
        return None
    return Parent(table=table, label=label, noun=noun_of(table))


def noun_of(table: Table) -> str:
    """What one row is called."""
    return table_noun(table.spoken)


def nouns_of(table: Table) -> str:
    """What several rows are called."""
    return table.plural or plural(noun_of(table))


def said(table: Table, column: Column) -> str:
    """What a column is called."""
    noun = column_phrase(table, column)
    return f"{noun} in {column.unit}" if column.unit.casefold() in CURRENCIES else noun


def says_itself(table: Table, noun: str) -> bool:
    """Whether a figure is called as the row is: nobody says that a balance has a balance."""
    return noun.split(" in ")[0].split()[-1] == noun_of(table).split()[-1]


def numbered(parent: Parent) -> bool:
    """Whether people call a row by a number, which is no answer to "who"."""
    return len(parent.label.columns) == 1 and bool(
        set(split_words(parent.table.column(parent.label.columns[0]).spoken)) & NUMBERS
    )


def has(parent: Parent) -> bool:
    """Whether people say that such a row has something; a role that is nobody's is had: "flights with the origin"."""
    return parent.noun.split()[-1] not in NOT_HAVING and not of_thing(parent)


def of_thing(parent: Parent) -> bool:
    """Whether a row is named by a role that no person has: the origin of a flight, a default currency."""
    return parent.noun != noun_of(parent.table) and not (is_person(parent.noun) or is_person(noun_of(parent.table)))


def given_as(parent: Parent) -> bool:
    """Whether rows are said to be with such a row: a role that is nobody's, or a reason."""
    return of_thing(parent) or parent.noun.split()[-1] in GIVEN_AS


def phrased(
    answer: str, subject: str, question: str, clause: str, *, joined: str = "of", several: bool = False
) -> Meaning:
    """A meaning from its words; ``{X}`` in question and clause is the subject."""
    return Meaning(
        answer=answer,
        plural=several or is_plural(answer),
        subject=subject,
        joined=joined,
        clause=clause.replace("{X}", subject),
        question=question.replace("{X}", subject),
        free_clause=clause.replace("{X}", subject),
        free_question=question.replace("{X}", subject),
        several=several,
    )


def tells_more(between: Table) -> bool:
    """Whether a table that ties two others says something of its own: a stock level, and not who acts in a film."""
    keys = {name for key in between.foreign_keys for name in key.columns}
    return sum(column.descriptive and column.name not in keys for column in between.columns) >= 2


VERBS = {False: "is", True: "are"}
