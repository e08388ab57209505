"""Plans with two values of one column: which of two named rows is ahead, and how many rows lie between two bounds."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import CENTS
from core.sources.database.words import split_words
from core.testset.grounded.beyond.amounts import RANKED, degrees, in_currencies, main_date, of_words, varied
from core.testset.grounded.beyond.plan import Kind, Parent, Plan, named, noun_of, nouns_of, said, says_itself
from core.testset.grounded.beyond.statements import Sql
from core.testset.grounded.entities import NUMBERS, is_date, is_line, sorts_as_date, writable
from core.testset.grounded.usefulness import unsayable, without_unit
from core.testset.grounded.wording.asking import EVENTS, TIME_WORDS
from core.testset.grounded.wording.meaning import Meaning
from core.testset.grounded.words.dates import says_again
from core.testset.grounded.words.inflection import article, is_plural
from core.testset.grounded.words.vocabulary import UNITS

LARGEST_PAIRED = 120
"""Rows of a table up to which each is compared with each."""
LEAST_BOUNDED = 6
"""Different values of a column from which a part of them is a period or a range."""
MORE = {
    "price": "costs more",
    "cost": "costs more",
    "length": "is longer",
    "duration": "takes longer",
    "weight": "is heavier",
    "height": "is taller",
    "area": "is larger",
    "population": "has the larger population",
}
"""How people say which of two has more, where a column is called so and nothing else."""
TEXTS = ("CHAR", "TEXT", "CLOB", "STRING")


def pair_plans(schema: Schema) -> Iterator[Plan]:
    """Plans on every table whose rows have names and figures, and on every date and figure by which rows lie apart."""
    write = Sql(schema)
    for table in schema.tables:
        if not table.rows or not table.asked or table.association:
            continue
        if (parent := named(table)) and _comparable(parent):
            yield from _which(write, parent)
        if not is_line(table):
            yield from _between(write, table)


def _comparable(parent: Parent) -> bool:
    """Whether every row has a name of its own that people use, and there are few enough to compare all pairs."""
    table = parent.table
    if len(parent.label.columns) != 1 or len(table.primary_key) != 1 or not 2 < table.rows <= LARGEST_PAIRED:
        return False
    label = table.column(parent.label.columns[0])
    words = set(split_words(label.spoken))
    called = any(kind in label.type.upper() for kind in TEXTS) and not words & NUMBERS
    return called and (label.distinct is None or label.distinct == table.rows)


def _which(write: Sql, parent: Parent) -> Iterator[Plan]:
    """Which of two named rows is ahead; pairs that are level make no question."""
    table, label = parent.table, parent.label.columns[0]
    key = table.primary_key[0]
    for column in table.columns:
        ways = _ahead(table, column)
        if column.name == label or not ways or not varied(table, column):
            continue
        first, second = write.column("a", column.name), write.column("b", column.name)
        token = f"{table.name}.{label}"
        rest = (
            f"FROM {write.table(table, 'a')} JOIN {write.table(table, 'b')} "
            f"ON {write.column('a', key)} < {write.column('b', key)} AND {first} <> {second} "
            f"WHERE {write.column('a', label)} = '[{token}#1]' AND {write.column('b', label)} = '[{token}#2]'"
        )
        sign, said_as = ways
        own, other = write.column("a", label), write.column("b", label)
        answer = f"CASE WHEN {first} {sign} {second} THEN {own} ELSE {other} END"
        both = f"'[{token}#1]' or '[{token}#2]'"
        yield Plan(
            kind=Kind.WHICH,
            sql=f"SELECT {answer} {rest};",
            sql_with_ids=f"SELECT {answer}, {write.column('a', key)}, {write.column('b', key)} {rest};",
            entity=table.name,
            tables=(table.name,),
            score=0.7 * (0.6 + 0.4 * parent.label.weight),
            meaning=_asked(f"Which {parent.noun} {said_as}, {both}?", f"the {parent.noun} {both}"),
        )


def _ahead(table: Table, column: Column) -> tuple[str, str] | None:
    """The sign and the words for the row that is ahead in a column; None where nobody compares rows by it."""
    words = split_words(column.spoken)
    if is_date(column):
        event = _event(column)
        return ("<", f"{event} earlier") if column.descriptive and event and sorts_as_date(column) else None
    if not of_words(column, RANKED) or in_currencies(table, column):
        return None
    noun = said(table, column)
    if says_itself(table, noun):
        return None
    bare, _, rest = noun.partition(" in ")
    if rest and rest != column.unit and f"in {rest}" not in UNITS.values():
        bare = noun  # units in stock are no unit of measurement
    if is_plural(bare):
        return ">", f"has more {bare}"
    if len(words) > 1 and bare == "total":
        return None
    return ">", MORE.get(bare) or f"has the {degrees(bare)[2]} {bare}"


def _event(column: Column) -> str:
    """What happened on a date ("opened", "was hired"); empty where its name does not say."""
    events = [word for word in split_words(column.spoken) if word not in TIME_WORDS]
    return EVENTS[events[0]].past if len(events) == 1 and events[0] in EVENTS else ""


def _between(write: Sql, table: Table) -> Iterator[Plan]:
    happened = main_date(table)
    for column in table.columns:
        if (
            not column.descriptive
            or column.moments
            or column.unit == CENTS
            or not writable(table, column.name)
            or unsayable(table, column)
            or without_unit(column)
            or (column.distinct is not None and column.distinct < LEAST_BOUNDED)
        ):
            continue
        bounds = f"between [{table.name}.{column.name}#1] and [{table.name}.{column.name}#2]"
        many, noun = nouns_of(table), said(table, column)
        if says_itself(table, noun):
            continue
        if is_date(column):
            timed = column.dates or any(part in column.type.upper() for part in ("DATE", "TIMESTAMP"))
            if not timed or not sorts_as_date(column):
                continue
            event = _event(column).replace("was ", "were ", 1)
            again = says_again(split_words(column.spoken)[0], noun_of(table))
            if again or (happened is not None and column.name == happened.name):
                event = "were there"
            if not event or event.startswith("expire"):
                continue
            words = f"{event} {bounds}, both days included"
        elif of_words(column, RANKED) and not in_currencies(table, column):
            if is_plural(noun) and " in " not in noun:
                low, high = bounds.removeprefix("between ").split(" and ")
                words = f"have between {low} and {high} {noun}, both included"
            else:
                words = f"have {article(noun)} {noun} {bounds}, both included"
        else:
            continue
        own, token = write.column("c", column.name), f"{table.name}.{column.name}"
        yield Plan(
            kind=Kind.BETWEEN,
            sql=f"SELECT COUNT(*) FROM {write.table(table, 'c')} "  # noqa: S608
            f"WHERE {own} >= '[{token}#1]' AND {own} <= '[{token}#2]' HAVING COUNT(*) > 0;",
            sql_with_ids="",
            entity=table.name,
            tables=(table.name,),
            score=0.7 if is_date(column) else 0.6,
            meaning=_asked(f"How many {many} {words}?", f"the {many} {bounds}"),
        )


def _asked(question: str, subject: str) -> Meaning:
    """A meaning that is said as one question only."""
    clause = question[:1].lower() + question[1:-1]
    if " were there between " in clause:
        clause = clause.replace(" were there between ", " there were between ")
    return Meaning(
        answer="",
        plural=False,
        subject=subject,
        joined="between",
        clause=clause,
        question=question,
        free_clause=clause,
        free_question=question,
    )
