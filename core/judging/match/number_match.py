"""Whether a number of an answer is the reference's number."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from itertools import pairwise

from core.judging.match.readers.dates import find_dates
from core.judging.match.readers.numbers import Number, find_numbers, parse_number
from core.judging.match.readers.units import same_currency
from core.judging.match.values import MAX_VALUES, Hit, SearchResult

QUANTITY = re.compile(
    r"\b(?:how (?:many|much|large|big|high|long|far|old)|number of|amount|count|total|salary|balance|price|cost|fee|"
    r"rate|value|sum|size|revenue|income|budget|capital|percentage|share)\b"
)
YEAR_BEFORE = re.compile(
    r"\b(?:in|since|by|until|till|during|of|year|from|fy|early|late|mid|before|after|through|to)[ -](?:the year )?$"
)
RANGE_MARK = re.compile(r" ?(?:-|to|through|up to) ?(?:[a-z]{3} |[€$£])?")
BETWEEN = re.compile(r"\bbetween (?:[a-z]{3} |[€$£])?$")
PERCENT_WORD = re.compile(r"%|\bper ?cent|\bpercentage\b|\bpct\b")
ASKS_BOUND = re.compile(r"\b(?:min|max|minimum|maximum|minimal|maximal|least|most|limit|cap|threshold|up to|range)\b")
ONE_OF = re.compile(r" (?:of|another|such|who|that|which)\b")

ORDER = {"": 0, "other value": 1, "unit": 2, "currency": 3, "range": 4, "bound": 5, "less precise": 6}
"""The nearest miss is the one that is reported."""


def is_identifier(reference: str) -> bool:
    """Whether digits are a code, not a quantity: a leading zero, or more digits than any count has."""
    return bool(re.fullmatch(r"0\d+|\d{16,}", reference))


def find_number(reference: Number, text: str, question: str) -> SearchResult:
    """Looks for a number in an answer.

    Args:
        reference: The number wanted.
        text: Match text of the answer.
        question: Match text of the question: a question for a quantity does not take a year for one.
    """
    dates = [span for span in find_dates(text, MAX_VALUES) if not span.bare_year]
    numbers = [number for number in find_numbers(text, MAX_VALUES) if not _pronoun(number, text)]
    numbers = _outside(numbers, [(span.start, span.end) for span in dates])
    asks_quantity = bool(QUANTITY.search(question))
    if asks_quantity:
        numbers = [number for number in numbers if not _year_like(number, text) and not number.ordinal] or numbers
    asks_bound = bool(ASKS_BOUND.search(question))
    hits: list[Hit] = []
    others: list[tuple[int, int]] = []
    near, near_reason = "", ""
    for place, number in enumerate(numbers):
        outcome, reason = compare_numbers(reference, number, percent=bool(PERCENT_WORD.search(question)))
        if outcome == "bound" and asks_bound:
            outcome, reason = "same", f"number: {reference.text.strip()} = {number.text.strip()}"
        if outcome == "same" and _in_range(numbers, place, text):
            outcome, reason = "range", f"The answer gives a range with {number.text} at one end, not one value."
        if outcome == "same":
            hits.append(Hit(rule="number", start=number.start, end=number.end, reason=reason))
            continue
        if not (number.word and number.plain == 1):
            others.append((number.start, number.end))
        if ORDER[outcome] > ORDER[near]:
            near, near_reason = outcome, reason
    return SearchResult(hits=tuple(hits), near_rule=near, near_reason=near_reason, others=tuple(others))


def compare_numbers(reference: Number, number: Number, *, percent: bool = False) -> tuple[str, str]:
    """How a number compares with the reference, and a sentence that says so.

    Equal values are the same whatever their spelling. A unit or currency that one side leaves out is not held against
    it; one that differs is. 4.5% and 0.045 are the same number. Rounding counts only behind the decimal mark: a
    reference with more than two decimals may be given to two or more.

    Returns:
        ("same" | "less precise" | "currency" | "unit" | "bound" | "other value", reason).
    """
    equation = f"{reference.text.strip()} = {number.text.strip()}"
    if number.sign_of_bound and not reference.sign_of_bound and _equal(reference, number, percent):
        return "bound", f"The answer gives {number.text.strip()} as a bound, not as the value."
    if reference.currency and number.currency and not same_currency(reference.currency, number.currency):
        differs = f"{number.text.strip()} is in another currency than {reference.text.strip()}."
        return ("currency", differs) if reference.plain == number.plain else ("other value", differs)
    if _dimension(reference) and _dimension(number) and _dimension(reference) != _dimension(number):
        differs = f"{number.text.strip()} has another unit than {reference.text.strip()}."
        return ("unit", differs) if reference.plain == number.plain else ("other value", differs)
    if _equal(reference, number, percent):
        return "same", f"number: {equation}"
    if any(value == reference.value for value in number.also):
        return "same", f"number: {equation} (in one of its readings)"
    rounded = _rounded(reference, number)
    if rounded == "accepted":
        return "same", f"number: {equation} (rounded to {number.decimals} decimals)"
    if rounded:
        return (
            "less precise",
            f"{number.text.strip()} is {reference.text.strip()} rounded; the reference is more precise.",
        )
    return "other value", f"The answer says {number.text.strip()}, the reference is {reference.text.strip()}."


def find_range(reference: tuple[Number, Number], range_text: str, text: str) -> SearchResult:
    """Looks for a range (``5-10``, ``between 5 and 10``) with both its ends."""
    numbers = find_numbers(text, MAX_VALUES)
    for left, right in pairwise(numbers):
        between = text[left.end : right.start]
        joined = RANGE_MARK.fullmatch(between) or between.strip() in {"and", "to", "-"}
        same = compare_numbers(reference[0], left)[0] == compare_numbers(reference[1], right)[0] == "same"
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


def parse_range(text: str) -> tuple[Number, Number] | None:
    """The two ends of a text that is a range and nothing else."""
    match = re.fullmatch(r"(?:from |between )?(.{1,40}?) ?(?:-| to | and ) ?(\S.{0,40})", text)
    if not match or (" and " in text and not text.startswith("between")):
        return None
    left, right = parse_number(match[1]), parse_number(match[2])
    if left is None or right is None or left.plain >= right.plain or left.word:
        return None
    return left, right


def _dimension(number: Number) -> str:
    return "currency" if number.currency else number.unit


def _equal(reference: Number, number: Number, percent: bool) -> bool:
    if reference.unit and number.unit:
        return reference.value == number.value
    if reference.plain == number.plain:
        return True
    with localcontext() as context:
        context.prec = 100
        if reference.unit == "%" and not _dimension(number):
            return abs(reference.plain) <= 100 and reference.plain == number.plain * 100
        if number.unit == "%" and not _dimension(reference) and not percent:
            return abs(reference.plain) <= 1 and reference.plain * 100 == number.plain
    return False


def _rounded(reference: Number, number: Number) -> str:
    """Whether the answer is the reference rounded to the answer's digits: "accepted", "coarse" or empty."""
    expected, stated = (
        (reference.value, number.value) if reference.unit and number.unit else (reference.plain, number.plain)
    )
    if stated == 0 or expected == 0 or expected == stated:
        return ""
    exponent = int(stated.normalize().as_tuple().exponent)
    keeps_decimals = bool(number.decimals) and not number.scaled
    step = Decimal(1).scaleb(-number.decimals if keeps_decimals else exponent)
    with localcontext() as context:
        context.prec = 100
        if abs(expected - stated) > step or abs(expected - stated) > abs(expected) / 20:
            return ""
        ways = {(expected / step).quantize(Decimal(1), rounding=way) * step for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    if stated not in ways:
        return ""
    return "accepted" if keeps_decimals and number.decimals >= 2 and reference.decimals > 2 else "coarse"


def _pronoun(number: Number, text: str) -> bool:
    return number.word and number.plain == 1 and bool(ONE_OF.match(text, number.end))


def _year_like(number: Number, text: str) -> bool:
    if not re.fullmatch(r"(?:1[0-9]|2[01])\d\d", number.text):
        return False
    return bool(YEAR_BEFORE.search(text[max(0, number.start - 24) : number.start]))


def _in_range(numbers: list[Number], place: int, text: str) -> bool:
    number = numbers[place]
    if place + 1 < len(numbers):
        following = numbers[place + 1]
        gap = text[number.end : following.start]
        if RANGE_MARK.fullmatch(gap) or (
            gap == " and " and BETWEEN.search(text[max(0, number.start - 20) : number.start])
        ):
            return True
    if place:
        former = numbers[place - 1]
        gap = text[former.end : number.start]
        before = text[max(0, former.start - 20) : former.start]
        return bool(RANGE_MARK.fullmatch(gap)) or (gap == " and " and bool(BETWEEN.search(before)))
    return False


def _outside(numbers: list[Number], spans: list[tuple[int, int]]) -> list[Number]:
    outside: list[Number] = []
    place = 0
    for number in numbers:
        while place < len(spans) and spans[place][1] <= number.start:
            place += 1
        if place == len(spans) or number.end <= spans[place][0]:
            outside.append(number)
    return outside
