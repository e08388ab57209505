"""Questions about one fact: a look-up in prose or a form, a cell of a table, a choice of four, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.readers.texts.normalise import key
from core.judging.match.reference import contains
from core.testset.corpus.asking.index import FactIndex, number_of, same_unit, series_of
from core.testset.corpus.asking.phrases import amount, ask, ask_whether, be, placed, then, with_options
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import sort_of
from core.text.words import stems

OPTIONS = 4
"""Answers a multiple-choice question offers."""
TABLES = frozenset({FactRule.CELL, FactRule.TABLE, FactRule.LOOK_UP})
OF_ONE_SORT = frozenset({FactRule.TABLE, FactRule.LOOK_UP, FactRule.KEY_VALUE})
"""Facts whose values are compared by what they are: a person, a code, an amount."""
NO_STATEMENT = frozenset({FactRule.DEFINITION, FactRule.CAUSE, FactRule.SHORT_FORM})
SHARED = 0.65
"""The largest share of the words of one text that the other may have, for the two to be different answers."""
_PER = re.compile(r"(?:\bper|/|\ban?) ?(\w+)")
"""What an amount is counted by."""
WIDEST = 20.0
"""The most times that an option may be the answer; one that is further away rules itself out."""


def simple(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A fact that a sentence or a field of a form states."""
    for fact in facts:
        if fact.rule not in TABLES:
            yield index.question(QuestionKind.SIMPLE, ask(fact), fact.value, fact.rule.value, fact)


def table(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A cell, named by row, column, period and unit."""
    for fact in facts:
        if fact.rule in TABLES:
            yield index.question(QuestionKind.TABLE, ask(fact), fact.value, fact.rule.value, fact)


def yes_no(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """True and false statements in turn, so that any beginning of the list is balanced; then each opposite."""
    usable = [fact for fact in facts if fact.rule not in NO_STATEMENT and fact.kind != "boolean"]
    for turn in (0, 1):
        true, false = (
            [question for fact in usable[start::2] if (question := _statement(index, fact, holds=holds))]
            for start, holds in ((turn, True), (1 - turn, False))
        )
        for pair in zip_longest(true, false):
            yield from (question for question in pair if question is not None)


def _statement(index: FactIndex, fact: Fact, *, holds: bool) -> DocumentQuestion | None:
    if fact.rule is FactRule.CELL and index.coin(fact):
        return _direction(index, fact, holds=holds)
    values = (fact.value,) if holds else _other_values(index, fact, 1)
    text = ask_whether(fact, values[0]) if values else ""
    if not text or len(values[0].split()) > 8:
        return None
    reference, rule = ("Yes", "true statement") if holds else ("No", "value of another")
    return index.question(QuestionKind.YES_NO, text, reference, rule, fact)


def _direction(index: FactIndex, fact: Fact, *, holds: bool) -> DocumentQuestion | None:
    """Whether a figure was higher than in another period, as its filings state both."""
    mine = number_of(fact)
    for other in index.by_series[series_of(fact)]:
        theirs = number_of(other)
        if mine is None or theirs is None or mine == theirs or fact.period is None or other.period is None:
            continue
        if other.period.identity == fact.period.identity:
            continue
        word = "higher" if (mine > theirs) == holds else "lower"
        text = f"{be(fact).capitalize()} {then(fact, other, word)}?"
        answer = "Yes" if holds else "No"
        return index.question(QuestionKind.YES_NO, placed(text, fact.subject), answer, "direction", fact, other)
    return None


def multiple_choice(index: FactIndex, facts: Sequence[Fact]) -> Iterator[DocumentQuestion]:
    """A fact with three values of the same type that the documents give for something else."""
    for fact in facts:
        if fact.rule in NO_STATEMENT:
            continue
        others = _other_values(index, fact, OPTIONS - 1)
        if len(others) < OPTIONS - 1:
            continue
        options = tuple(sorted((fact.value, *others), key=lambda value: index.hash(fact.chunk_id, value)))
        text = with_options(ask(fact), options)
        yield index.question(QuestionKind.MULTIPLE_CHOICE, text, fact.value, "other values", fact, options=options)


def _other_values(index: FactIndex, fact: Fact, n: int) -> tuple[str, ...]:
    """Values of the same type that the documents give for another subject, period or row, and not for this one."""
    if fact.rule is FactRule.CELL:
        period = fact.period.identity if fact.period else ()
        rows = index.by_column[fact.chunk_id, fact.table, period, fact.unit]
        candidates = [*index.by_series[series_of(fact)], *rows]
        stated = ""
    else:
        candidates = index.near(index.by_property[fact.family, fact.kind], fact)
        stated = index.texts[fact.chunk_id][fact.start : fact.end]
    used, values = {key(amount(fact))}, []
    for other in candidates:
        if key(amount(other)) in used or not _alike(fact, other) or (stated and contains(other.value, stated)):
            continue
        if n == 1 and fact.rule is FactRule.KEY_VALUE and not other.spoken:
            continue  # it reads as a form only
        used.add(key(amount(other)))
        values.append(other.value if n > 1 or not other.spoken else other.spoken)
        if len(values) == n:
            break
    return tuple(values)


def _alike(fact: Fact, other: Fact) -> bool:
    """Whether a value could stand for the other: of one unit and size, or of about as many words."""
    if re.match(r"[$€£\d]", fact.value) and _PER.findall(fact.value) != _PER.findall(other.value):
        return False  # hops at so much a tonne
    if fact.kind == "number":
        mine, theirs = number_of(fact), number_of(other)
        if mine is None or theirs is None or not same_unit(fact, other) or mine == theirs:
            return False
        low, high = sorted((abs(mine), abs(theirs)))
        return high <= WIDEST * max(low, 1e-9)
    if fact.rule in OF_ONE_SORT and sort_of(fact.value, fact.kind, fact.unit) != sort_of(
        other.value, other.kind, other.unit
    ):
        return False
    if fact.kind == "text" and _nearly(fact.value, other.value):
        return False  # "Cessna 172" and "Cessna Skyhawk 172" may be the same
    return abs(len(fact.value.split()) - len(other.value.split())) <= 3 and key(other.value) not in key(fact.value)


def _nearly(value: str, other: str) -> bool:
    """Whether all but a few words of the shorter of two texts stand in the other."""
    mine, theirs = stems(value), stems(other)
    least = min(len(mine), len(theirs))
    return least > 1 and len(mine & theirs) > SHARED * least
