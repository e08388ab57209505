"""Plans on the rows that belong to a named one: how many, which, in all, the latest, the highest, whether any."""

from __future__ import annotations

from collections.abc import Iterator

from core.domain.sources.schema import Schema
from core.domain.sources.semantics import CENTS
from core.testset.grounded.beyond.amounts import (
    AVERAGED,
    RANKED,
    SUMMED,
    degrees,
    in_currencies,
    is_share,
    main_date,
    of_words,
    varied,
)
from core.testset.grounded.beyond.plan import (
    VERBS,
    Kind,
    Link,
    Parent,
    Plan,
    has,
    links,
    named,
    nouns_of,
    numbered,
    phrased,
    said,
    says_itself,
    tells_more,
)
from core.testset.grounded.beyond.statements import Sql
from core.testset.grounded.entities import clear_keys, is_line
from core.testset.grounded.wording.meaning import Meaning
from core.testset.grounded.words.inflection import is_plural, plural
from core.testset.grounded.words.people import is_person

MOST_LISTED = 8
"""Answers of a list on average above which nobody would read it."""
LARGEST_RANKED = 5_000
"""Rows of a table up to which each is compared with all others of its group."""
ABOUT_ONE = 0.9, 1.2
"""Rows for each parent between which nobody would count them."""
STANDING = frozenset(
    {"price", "balance", "rate", "level", "value", "stock", "limit", "salary", "wage", "rent", "score"}
)
"""What stands at a time rather than happens: nobody asks when a price was."""
SCARCE = 3
"""Rows for each parent below which some parents have none."""


def row_plans(schema: Schema) -> Iterator[Plan]:
    """Plans on every pair of a named row and what belongs to it."""
    write = Sql(schema)
    for link in links(schema):
        each = (link.via or link.child).rows / max(1, link.parent.table.rows)
        # Few of those who could are the head of anything: what the others have is not counted.
        if not ABOUT_ONE[0] <= each <= ABOUT_ONE[1] and not (link.role and each < ABOUT_ONE[0]):
            yield _count(write, link)
        if child := named(link.child):
            if 1 < each <= MOST_LISTED and not (link.via and (tells_more(link.via) or link.act)):
                yield _list(write, link, child)
            if each >= 2 and link.via is None:
                yield from _extremes(write, link, child)
            yield from _without(schema, write, link, child)
        if each > ABOUT_ONE[1]:
            yield from _totals(write, link)
        yield from _latest(write, link)
        if each < SCARCE and link.via is None and not link.role and not link.deed:
            yield _any(write, link)


def _plan(kind: Kind, link: Link, statements: tuple[str, str], score: float, meaning: Meaning) -> Plan:
    sql, with_ids = statements
    return Plan(
        kind=kind,
        sql=sql,
        sql_with_ids=with_ids,
        entity=link.parent.table.name,
        tables=link.tables,
        score=score * (0.6 + 0.4 * link.parent.label.weight),
        meaning=meaning,
    )


def _count(write: Sql, link: Link) -> Plan:
    counted = (link.via or link.child), ("v" if link.via else "c")
    key = link.key if link.via is None else link.child_key
    column = counted[0].primary_key[0] if link.via is None and counted[0].primary_key else (key or link.key).columns[0]
    rest = f"{write.joined(link, left=True)} WHERE {write.given('p', link.parent)} GROUP BY {write.key(link.parent)}"
    statements = write.with_ids(f"COUNT({write.column(counted[1], column)})", rest, link.parent)
    many = plural(link.act) if link.act else link.many
    if link.deed:
        words = f"How many {many} were {link.deed} by {{X}}?", f"how many {many} were {link.deed} by {{X}}"
    elif has(link.parent) and not link.backwards:
        words = f"How many {many} does {{X}} have?", f"how many {many} {{X}} has"
    else:
        words = f"How many {many} are there {link.within} {{X}}?", f"how many {many} there are {link.within} {{X}}"
    meaning = phrased(
        f"number of {many}", link.parent.phrase, *words, joined=link.of if has(link.parent) else link.within
    )
    return _plan(Kind.COUNT, link, statements, 0.9, meaning)


def _list(write: Sql, link: Link, child: Parent) -> Plan:
    listed = write.columns("c", child.label.columns)
    rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} ORDER BY {listed}"
    statements = write.with_ids(f"DISTINCT {listed}", rest, link.parent)
    who = "Who" if is_person(child.noun) and not numbered(child) else "What"
    words = f"{who} are the {link.many} {link.of} {{X}}?", f"{who.lower()} the {link.many} {link.of} {{X}} are"
    if is_person(child.noun) and numbered(child):
        called = plural(said(link.child, link.child.column(child.label.columns[0])))
        words = (
            f"What are the {called} of the {link.many} {link.of} {{X}}?",
            f"what the {called} of the {link.many} {link.of} {{X}} are",
        )
    meaning = phrased(link.many, link.parent.phrase, *words, joined=link.of, several=True)
    return _plan(Kind.LIST, link, statements, 0.85, meaning)


def _extremes(write: Sql, link: Link, child: Parent) -> Iterator[Plan]:
    if link.child.rows > LARGEST_RANKED:
        return
    listed = write.columns("c", child.label.columns)
    for column in link.child.columns:
        if not of_words(column, RANKED) or not varied(link.child, column) or in_currencies(link.child, column):
            continue
        own, noun = write.column("c", column.name), said(link.child, column)
        if says_itself(link.child, noun):
            continue
        inner = f"FROM {write.table(link.child, 'd')} WHERE {write.on('d', 'p', link.key)}"
        most, least = ("most", "fewest") if is_plural(noun) else degrees(noun)[:2]
        for function, word, score in (("MAX", most, 0.8), ("MIN", least, 0.6)):
            other = f"(SELECT {function}({write.column('d', column.name)}) {inner})"
            rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} AND {own} = {other}"
            meaning = phrased(
                f"{child.noun} with the {word} {noun}",
                link.parent.phrase,
                f"Which {child.noun} {link.of} {{X}} has the {word} {noun}?",
                f"which {child.noun} {link.of} {{X}} has the {word} {noun}",
                joined=link.of,
            )
            yield _plan(Kind.EXTREME, link, write.with_ids(listed, rest, link.parent), score, meaning)
        ahead = f"(SELECT COUNT(*) {inner} AND {write.column('d', column.name)} > {own})"
        rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} AND {ahead} < 3 ORDER BY {listed}"
        many = f"three {nouns_of(link.child)} with the {most} {noun}"
        meaning = phrased(
            many,
            link.parent.phrase,
            f"Which three {nouns_of(link.child)} {link.of} {{X}} have the {most} {noun}?",
            f"which three {nouns_of(link.child)} {link.of} {{X}} have the {most} {noun}",
            joined=link.of,
            several=True,
        )
        yield _plan(Kind.TOP, link, write.with_ids(f"DISTINCT {listed}", rest, link.parent), 0.7, meaning)


def _totals(write: Sql, link: Link) -> Iterator[Plan]:
    if link.via is not None:
        return
    for column in link.child.columns:
        noun, own = said(link.child, column), write.column("c", column.name)
        if in_currencies(link.child, column) or plural(noun.split()[-1]) == link.many.split()[-1]:
            continue  # "the balance of the balances"
        rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} GROUP BY {write.key(link.parent)}"
        whole = " / 100.0" if column.unit == CENTS else ""
        if of_words(column, SUMMED) and not is_share(noun):
            answer = "sum of the totals" if noun == "total" else f"total {noun.removeprefix('total ')}"
            exact = "INT" in column.type.upper() and not whole
            amount = f"SUM({own})" if exact else write.rounded(f"SUM({own}){whole}")
            yield _total(link, write.with_ids(amount, rest, link.parent), answer, 0.75)
        if of_words(column, AVERAGED):
            yield _total(
                link, write.with_ids(write.rounded(f"AVG({own}){whole}"), rest, link.parent), f"average {noun}", 0.65
            )


def _total(link: Link, statements: tuple[str, str], answer: str, score: float) -> Plan:
    subject = f"the {link.many} {link.of} {link.parent.phrase}"
    rounded = ", to two decimals" if answer.startswith("average") else ""
    verb = VERBS[is_plural(answer.split(" of ")[0])]
    words = f"What {verb} the {answer} of {{X}}{rounded}?", f"what the {answer} of {{X}} {verb}{rounded}"
    meaning = phrased(answer, subject, *words)
    return _plan(Kind.TOTAL, link, statements, score, meaning)


def _latest(write: Sql, link: Link) -> Iterator[Plan]:
    date = main_date(link.child) if link.via is None else None
    if date is None or link.one.endswith("history record"):
        return
    noun = link.one
    rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} GROUP BY {write.key(link.parent)}"
    for function, word, score in (("MAX", "latest", 0.8), ("MIN", "first", 0.65)):
        statements = write.with_ids(f"{function}({write.column('c', date.name)})", rest, link.parent)
        words = f"When was the {word} {noun} {link.of} {{X}}?", f"when the {word} {noun} {link.of} {{X}} was"
        if noun.split()[-1] in STANDING:
            dated = f"date of the {word} {noun} {link.of} {{X}}"
            words = f"What is the {dated}?", f"what the {dated} is"
        meaning = phrased(f"date of the {word} {noun}", link.parent.phrase, *words, joined=link.of)
        yield _plan(Kind.LATEST, link, statements, score, meaning)


def _any(write: Sql, link: Link) -> Plan:
    inner = write.rows(link.child, "c", "p", link.key)
    answer = f"CASE WHEN EXISTS({inner}) THEN 'yes' ELSE 'no' END"
    rest = f"FROM {write.table(link.parent.table, 'p')} WHERE {write.given('p', link.parent)}"
    if has(link.parent):
        words = f"Does {{X}} have any {link.many}?", f"whether {{X}} has any {link.many}"
    else:
        words = f"Are there any {link.many} for {{X}}?", f"whether there are any {link.many} for {{X}}"
    meaning = phrased("", link.parent.phrase, *words, joined="for")
    return _plan(Kind.EXISTENCE, link, write.with_ids(answer, rest, link.parent), 0.5, meaning)


def _without(schema: Schema, write: Sql, link: Link, child: Parent) -> Iterator[Plan]:
    """Those of the rows that have nothing themselves: "Which products of the category 'X' have no orders?"."""
    if link.via is not None:
        return
    listed = write.columns("c", child.label.columns)
    for other in schema.tables:
        keys = [key for key in clear_keys(schema, other) if key.referred_table == link.child.name]
        if (
            is_line(other)
            or len(keys) != 1
            or not other.rows
            or not other.asked
            or other.association
            or other.name == link.child.name
        ):
            continue
        inner = write.rows(other, "d", "c", keys[0])
        rest = f"{write.joined(link)} WHERE {write.given('p', link.parent)} AND NOT EXISTS({inner}) ORDER BY {listed}"
        many = nouns_of(other)
        meaning = phrased(
            "",
            link.parent.phrase,
            f"Which {link.many} {link.of} {{X}} have no {many}?",
            f"which {link.many} {link.of} {{X}} have no {many}",
            joined=link.of,
            several=True,
        )
        yield _plan(Kind.NEGATION, link, write.with_ids(f"DISTINCT {listed}", rest, link.parent), 0.7, meaning)
