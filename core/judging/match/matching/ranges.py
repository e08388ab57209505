"""Ranges and bounds: both ends of a range, and the end or the bound that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.judging.match.figures.comparison import compare_figures
from core.judging.match.figures.kinds import comparable
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.surroundings.choices import CHANGED
from core.judging.match.values import MAX_VALUES, Hit, SearchResult

RANGE_MARK = re.compile(r" ?(?:-|to|through|up to) ?(?:[a-z]{3} |[€$£])?")
BETWEEN = re.compile(r"\bbetween (?:[a-z]{3} |[€$£])?$")
_UPPER = r"exceed|allowed|permitted|max|maximum|maximal|most|limit|cap|up to|longest|highest|largest|biggest|greatest"
_UPPER += "|capacity|payload|seats?"
_LOWER = r"must|required|min|minimum|minimal|least|shortest|lowest|smallest"
_MAY = r"how (?:many|much|long|far|often|late|heavy)\b[^?]*\b(?:can|may)\b"
"""A question for what is possible asks for the most: "how many books can a member borrow?"."""
ASKS_UPPER = re.compile(rf"\b(?:{_UPPER}|{_MAY})\b")
ASKS_LOWER = re.compile(rf"\b(?:{_LOWER})\b")
ASKS_BOUND = re.compile(rf"\b(?:{_UPPER}|{_LOWER}|{_MAY}|threshold|range)\b")
_LIMIT_ASKED = re.compile(r"\b(?:limit|threshold|cut-?off)\b")
_BEYOND = re.compile(r"\b(?:above|over|beyond|exceeds?|exceeding|exceeded) (?:about |around )?$")
"""What stands before a limit where it is said what happens beyond it: "it is stopped when the wind exceeds 50"."""
_NO_MORE = re.compile(r"\b(?:not?|never|cannot|cant|mustnt|without|nor|nobody|none)\b[^.;,]{0,50}$")
_YEAR = re.compile(r"(?:19|20)\d\d")


def bound_elsewhere(number: Number, end: re.Pattern[str], numbers: Sequence[Number]) -> bool:
    """Whether another figure of the kind is said to be the bound that is asked for: "at least 85%, not 75-85%"."""
    sign = ">" if end is ASKS_LOWER else "<"
    return any(
        other.sign_of_bound == sign
        and other.plain != number.plain
        and (not number.unit or other.unit == number.unit)
        and other.currency == number.currency
        for other in numbers
    )


def other_bound(number: Number, text: str, question: str) -> bool:
    """Whether a bound goes the other way than the question: "at least 1,000" for a maximum."""
    if _NO_MORE.search(text[max(0, number.start - 60) : number.start]):
        return False
    if _LIMIT_ASKED.search(question) and _BEYOND.search(text[max(0, number.start - 40) : number.start]):
        return False
    upper, lower = bool(ASKS_UPPER.search(question)), bool(ASKS_LOWER.search(question))
    return upper != lower and number.sign_of_bound == (">" if upper else "<")


def find_range(reference: tuple[Number, Number], range_text: str, text: str) -> SearchResult:
    """Looks for a range (``5-10``, ``between 5 and 10``) with both its ends."""
    numbers = find_numbers(text, MAX_VALUES)
    for left, right in pairwise(numbers):
        left = _in_the_unit_of(left, right)
        between = text[left.end : right.start]
        joined = RANGE_MARK.fullmatch(between) is not None or between.strip() in {"and", "to", "-"}
        if not between.strip() and right.text.startswith("-"):
            # "2°c-8°c"
            right, joined = replace(right, value=-right.value, plain=-right.plain), True
        if joined and left.currency and not right.currency:
            right = replace(right, currency=left.currency)
        same = compare_figures(reference[0], left)[0] == compare_figures(reference[1], right)[0] == "same"
        if joined and same:
            answer_text = text[left.start : right.end]
            return SearchResult(
                hits=(
                    Hit(rule="range", start=left.start, end=right.end, reason=f"range: {range_text} = {answer_text}"),
                )
            )
    return (
        SearchResult(near_rule="other value", near_reason=f"The answer does not give the range {range_text}.")
        if numbers
        else SearchResult()
    )


def _in_the_unit_of(left: Number, right: Number) -> Number:
    """The lower end of a range in the magnitude and currency that only its upper end has: "$16.0-16.5 billion"."""
    if left.scaled or left.unit or not right.scaled or right.unit or left.word:
        return left
    scaled = left.plain * right.scale
    if scaled >= right.plain:
        return left
    currency = left.currency or right.currency
    return replace(left, value=scaled, plain=scaled, scale=right.scale, scaled=True, currency=currency, also=())


def parse_range(text: str) -> tuple[Number, Number] | None:
    """The two ends of a text that is a range and nothing else."""
    match = re.fullmatch(r"(?:from |between )?(.{1,40}?) ?(?:-| to | and ) ?(\S.{0,40})", text)
    if not match or (" and " in text and not text.startswith("between")):
        return None
    left, right = parse_number(match[1]), parse_number(match[2])
    if left is None or right is None or left.plain >= right.plain or left.word:
        return None
    return left, right


def end_of_range(numbers: Sequence[Number], place: int, text: str) -> re.Pattern[str] | None:
    """The words of a question that ask for this end of a range; None where the number is at no end of one."""
    number = numbers[place]
    if place + 1 < len(numbers):
        following = numbers[place + 1]
        gap = text[number.end : following.start]
        if RANGE_MARK.fullmatch(gap) and not _change(number, gap, text) and comparable(number, following):
            return ASKS_LOWER
        if gap == " and " and BETWEEN.search(text[max(0, number.start - 20) : number.start]):
            return ASKS_LOWER
    if place and not (_YEAR.fullmatch(numbers[place - 1].text) and not _YEAR.fullmatch(number.text)):
        former = numbers[place - 1]
        gap = text[former.end : number.start]
        before = text[max(0, former.start - 20) : former.start]
        if RANGE_MARK.fullmatch(gap):
            return None if _change(former, gap, text) or not comparable(former, number) else ASKS_UPPER
        return ASKS_UPPER if gap == " and " and BETWEEN.search(before) else None
    return None


def _change(first: Number, gap: str, text: str) -> bool:
    """Whether two numbers are before and after of a change ("rose from 20.3% to 21.5%") or parts of a calculation."""
    if gap.strip(" $€£") == "-":
        return first.scaled or bool(first.currency) or gap.startswith(" - ")
    return bool(CHANGED.search(text[max(0, first.start - 140) : first.start]))
