"""Figures that are parts of a total in an answer: broken down behind it, or added up before it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from core.judging.match.figures.asked import asked_property
from core.judging.match.figures.chosen.closeness import same_sentence
from core.judging.match.figures.chosen.no_rivals import is_all_in
from core.judging.match.figures.chosen.statements import IN_ALL, Statement
from core.judging.match.figures.clauses import BORDER, REACH, asked_words, families, generic_words
from core.judging.match.figures.kinds import comparable
from core.judging.match.readers.times.dates import MONTHS
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.text.words import STOP_WORDS, stem

_PARTS_FOLLOW = re.compile(r"[:(]|\s-\s|\b(?:of which|of these|of them|including|made up of|consisting of|namely)\b")


def broken_down(own: Statement, statements: Sequence[Statement], text: str) -> frozenset[int]:
    """Where the figures behind another one start that make it up: "412: 209 in, 188 out and 15 shifts"."""
    place = bisect_right(statements, own.number.start, key=lambda one: one.number.start)
    following = (
        one
        for one in statements[place:]
        if same_sentence(one, own) and comparable(own.number, one.number) and one.number.unit in {"", own.number.unit}
    )
    first = next(following, None)
    if first is None or not _PARTS_FOLLOW.search(text[own.number.end : first.number.start]):
        return frozenset()
    parts = [first.number, *(one.number for one in following)]
    total = sum(number.plain for number in parts)
    # "four copies: two on film, one on tape and one digital", where "one" need not be read as a figure
    listed = all(number.word for number in parts) and text[own.number.end : first.number.start].endswith(": ")
    whole = (len(parts) > 1 and total == own.number.plain) or (listed and total < own.number.plain)
    return frozenset(number.start for number in parts) if whole else frozenset()


def part_of_a_sum(own: Statement, statements: Sequence[Statement], text: str) -> Statement | None:
    """The total in front of a figure that is broken down into it and others: "149: 37 flagged and 112 overdue"."""
    return next(
        (
            whole
            for whole in statements
            if whole.number.end <= own.number.start and own.number.start in broken_down(whole, statements, text)
        ),
        None,
    )


_TOTALLED = re.compile(
    r"\b(?:altogether|in total|in all|all told|all in all|total\w*|combined|together|sums?|overall|add(?:s|ed|ing)? up"
    r"|comes? to|makes?|making|gives?|giving|bringing|amounts? to|so|therefore|thus|hence)\b|="
)
"""In front of a total, or behind the figures that it is of."""
_HOW_MUCH = re.compile(r"\bhow much\b")
_WORD = re.compile(r"[^\W_]+")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TIMES = frozenset(stem(name) for day in (*MONTHS, *_DAYS) for name in (day, f"{day}s"))
"""Times that stand with one part are those of all, where no other part has one."""
_YEAR = re.compile(r"(?:19|20)\d\d")
MOST_PARTS = 12


def summed_up(own: Statement, statements: Sequence[Statement], text: str, question: str) -> Objection | None:
    """What it means that an answer adds a figure to others and comes to a total; None where it does not.

    The total is the answer, unless the question names what the figure alone is said of: "Ida sold 3 and Per 2, so
    altogether they sold 5".

    Args:
        own: The figure.
        statements: Those of the answer, in order.
        text: Figure text of the answer.
        question: Match text of the question.
    """
    found = _total_behind(own, statements, text)
    if found is None:
        return None
    total, others = found
    if any(one.condition or one.period != own.period for one in others):
        return None
    mine = _clause(own, text)
    told = _words(" ".join({_clause(one, text) for one in (*others, total)} - {mine}))
    beside = _words(" ".join({_clause(one, text) for one in others} - {mine}))
    wanted = asked_property(question)
    # "11 bird strikes and Skarnes 4" counts bird strikes both times, "voluntary excess" and "compulsory excess" differ
    goes_on = wanted is not None and not wanted.words & beside and not _HOW_MUCH.search(question)
    known = wanted.words if wanted and goes_on else frozenset()
    alone = (_words(mine) & _words(question)) - told - known
    if not told & _TIMES:
        alone -= _TIMES
    shown = f"{own.number.text.strip()} and others, which come to {total.number.text.strip()}"
    if not alone and is_all_in(total, own, text, question):
        return None
    if not alone:
        return Objection(rule="other value", reason=f"The answer adds {shown}.")
    behind = BORDER.split(text[own.number.end : own.number.end + REACH], maxsplit=1)[0]
    if families(behind) - asked_words(question) - generic_words():
        return Objection(rule=NEEDS_A_JUDGE, reason=f"The answer adds {shown}.")
    return None


def _total_behind(
    own: Statement, statements: Sequence[Statement], text: str
) -> tuple[Statement, Sequence[Statement]] | None:
    """The total in which an answer takes a figure in, with the other parts of it; or None."""
    if own.named or own.number.plain <= 0:
        return None
    near = _near(own, statements)
    figures = [one for one in near if one is own or (not one.named and comparable(own.number, one.number))]
    place = next(at for at, one in enumerate(figures) if one is own)
    for at, total in enumerate(figures[place + 1 : place + 1 + MOST_PARTS], place + 1):
        between = text[figures[at - 1].number.end : total.number.start]
        if not _TOTALLED.search(between) and not IN_ALL.match(text, total.number.end):
            continue
        for first in range(max(0, at - MOST_PARTS), min(place, at - 2) + 1):
            parts = figures[first:at]
            if sum(part.number.plain for part in parts) == total.number.plain:
                return total, [part for part in parts if part is not own]
    return None


def added_to(own: Statement, statements: Sequence[Statement], text: str, question: str) -> frozenset[int]:
    """Where the figures start that an answer adds up to another one, none of which is what is asked by itself."""
    before = [one for one in _near(own, statements) if one.number.end <= own.number.start]
    parts = [one for one in before if (found := _total_behind(one, statements, text)) and found[0] is own]
    meant = (summed_up(one, statements, text, question) for one in parts)
    sure = [objected is not None and objected.rule != NEEDS_A_JUDGE for objected in meant]
    return frozenset(one.number.start for one in parts) if all(sure) else frozenset()


def _near(own: Statement, statements: Sequence[Statement]) -> Sequence[Statement]:
    """The figures before and behind one that may be added up with it."""
    place = bisect_left(statements, own.number.start, key=lambda one: one.number.start)
    return statements[max(0, place - MOST_PARTS) : place + MOST_PARTS + 1]


def _clause(one: Statement, text: str) -> str:
    """The clause in which a figure stands."""
    before = text[max(0, one.number.start - REACH) : one.number.start]
    after = text[one.number.end : one.number.end + REACH]
    return f"{BORDER.split(before)[-1]}{one.number.text}{BORDER.split(after, maxsplit=1)[0]}"


def _words(text: str) -> set[str]:
    """Word families and numbers of a text, but for years and words without a meaning of their own."""
    return {stem(word) for word in _WORD.findall(text) if word not in STOP_WORDS and not _YEAR.fullmatch(word)}
