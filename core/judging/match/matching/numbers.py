"""Whether a number of an answer is the reference's number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.judging.match.figures.candidates import COUNTED, PERCENT_WORD, candidates, part_and_whole
from core.judging.match.figures.comparison import CONVERTED, Scales, compare_figures
from core.judging.match.figures.direction import asked_direction, stated_direction
from core.judging.match.figures.kinds import comparable
from core.judging.match.matching.asked_units import with_currency, with_unit
from core.judging.match.matching.nothing import none_of_it
from core.judging.match.matching.ranges import ASKS_BOUND, ASKS_LOWER, bound_elsewhere, end_of_range, other_bound
from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.figures.scales import stated_scales
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.judging.match.values import Hit, SearchResult

OUTFLOW_ASKED = re.compile(
    r"\b(?:pa(?:y|id|yments?)|spen[dt]|spending|repurchased?|capital expenditures?|capex|dividends?|purchases? of)\b"
    r"(?!.*\b(?:chang|grow|grew|increas|decreas|declin|improv|rise|rose|fell|fall|drop)\w*)"
)
_COUNTED = re.compile(
    r" (?!or\b|and\b|out\b|in\b|of\b|for\b|to\b|per\b|is\b|was\b|at\b|by\b|on\b|as\b|from\b|pp\b"
    r"|points?\b)[a-z]{4,}s?\b|(?= people\b)"
)
_SUMMED = re.compile(r"=|\b(?:therefore|thus|hence|so|total\w*|sum|in all|altogether|overall)\b")
MAX_SUMMED = 4_000
"""Characters of an answer in which parts of a sum are looked for."""
MOST_PARTS = 12
ORDER = {"": 0, "other value": 1, "unit": 2, "currency": 3, "range": 4, "bound": 5, "less precise": 6}
"""The nearest miss is the one that is reported."""
REACH = 120
LEVEL = re.compile(
    r"\b(?:reached|stood at|came (?:in )?at|hit"
    r"|(?:increas|decreas|declin|dropp|climb|jump|slipp)\w* to|(?:rose|grew|fell"
    r"|rising|growing|falling) to) (?:about |around |approximately |nearly |roughly )?(?:[a-z]{3} )?[€$£]?$"
)
"""In front of a figure that says how much there is."""
MOVE = re.compile(
    r"\b(?:increase|decrease|decline|growth|change|difference|rise|drop|gain|reduction|improvement|loss|fall) "
    r"(?:of [a-z ]{2,40} |in [a-z ]{2,40} )?(?:reached|stood|came|hit)\b"
)


def is_identifier(reference: str) -> bool:
    """Whether digits are a code, not a quantity: a leading zero, or more digits than any count has."""
    return bool(re.fullmatch(r"0\d{2,4}(?:[ /-]\d{2,5}){1,4}|0\d+|\d{16,}|\+\d[\d ()/.-]{6,24}\d", reference))


def find_number(
    reference: Number,
    text: str,
    question: str,
    settings: MatchSettings = DEFAULT,
    reference_sign: int = 0,
    *,
    several: bool = False,
) -> SearchResult:
    """Looks for a number in an answer.

    Args:
        reference: The number wanted.
        text: Match text or figure text of the answer.
        question: Match text of the question: a question for a quantity does not take a year for one.
        settings: The tolerance of the project.
        reference_sign: -1 or 1 where the words beside the reference say that it is a fall or a rise.
        several: Whether the reference has several figures, so that "from 5% to 7%" may be two of them.
    """
    is_count = COUNTED.search(question) is not None and reference.plain == reference.plain.to_integral_value()
    numbers = part_and_whole(candidates(text, question)) if is_count else candidates(text, question)
    reference = with_unit(with_currency(reference, question), question)
    scales = Scales(
        question=stated_scales(question),
        answer=stated_scales(text),
        percent=bool(PERCENT_WORD.search(question)),
        direction=asked_direction(question),
        outflow=bool(OUTFLOW_ASKED.search(question)),
    )
    asks_bound = bool(ASKS_BOUND.search(question))
    hits: list[Hit] = []
    others: list[Number] = []
    places: list[int] = []
    other_ends: set[int] = set()
    near, near_reason = "", ""
    for place, number in enumerate(numbers):
        signs = reference_sign, _sign_by_words(reference, number, text)
        outcome, reason = compare_figures(reference, number, scales, settings=settings, signs=signs)
        if (
            outcome == "same"
            and reference.unit == "%"
            and _COUNTED.match(text, number.end)
            and not number.unit
            and not number.decimals
        ):
            outcome, reason = "other value", f"The answer counts {number.text.strip()}, the reference is a share."
        if outcome == "bound" and asks_bound and not other_bound(number, text, question):
            outcome, reason = "same", f"number: {reference.text.strip()} = {number.text.strip()}"
        if outcome == "same" and reference_sign and _is_level(text[max(0, number.start - REACH) : number.start]):
            outcome, reason = "other value", f"{number.text.strip()} is what it came to, not by how much it changed."
        end = end_of_range(numbers, place, text) if outcome == "same" and not several else None
        if end is not None and end.search(question) and not bound_elsewhere(number, end, numbers):
            other_ends |= {place + (1 if end is ASKS_LOWER else -1)}
        elif end is not None:
            outcome, reason = "range", f"The answer gives a range with {number.text} at one end, not one value."
        if outcome == "same":
            hits.append(Hit(rule="number", start=number.start, end=number.end, reason=reason))
            places.append(place)
            continue
        if not (number.word and number.plain == 1):
            others.append(number)
        if ORDER[outcome] > ORDER[near]:
            near, near_reason = outcome, reason
    if hits and all(hit.reason.endswith(CONVERTED) for hit in hits) and _in_its_own_unit(reference, others):
        hits, places = [], []
    if not reference.plain and not hits:
        hits = none_of_it(text, question)
    return SearchResult(
        hits=tuple(hits),
        near_rule=near,
        near_reason=near_reason,
        others=tuple(
            (other.start, other.end)
            for other in others
            if any(comparable(numbers[at], other) for at in places[:5])
            and not (reference.unit not in {"", "%"} and _COUNTED.match(text, other.end) and not other.unit)
            and other not in {numbers[at] for at in other_ends}
        ),
        numbers=tuple(numbers),
        places=tuple(places),
        other_ends=tuple(other_ends),
    )


def _in_its_own_unit(reference: Number, others: Sequence[Number]) -> bool:
    """Whether an answer has another figure in the unit of the reference, which counts before a converted one."""
    if not reference.plain:
        return False
    factor = reference.value / reference.plain * reference.scale
    return any(
        other.unit == reference.unit and other.plain and other.value / other.plain * other.scale == factor
        for other in others
    )


def _is_level(before: str) -> bool:
    """Whether words in front of a figure say what something came to: "it rose to", but not "the rise reached"."""
    sentence = SENTENCE_BORDER.split(before)[-1]
    return bool(LEVEL.search(sentence)) and not MOVE.search(sentence)


def _sign_by_words(reference: Number, number: Number, text: str) -> int:
    if (
        reference.plain < 0
        and text[number.start - 1 : number.start] == "("
        and text[number.end : number.end + 1] == ")"
    ):
        return -1
    return stated_direction(text, number.start, number.end)


def add_up(reference: Number, text: str, question: str) -> str:
    """The figures of one sentence whose sum is the reference, where the answer does not say so; else empty.

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> add_up(parse_number("5"), "two pilots and three passengers", "how many people were aboard?")
    'two + three'
    """
    for sentence in SENTENCE_BORDER.split(text[:MAX_SUMMED]):
        if _SUMMED.search(sentence):
            continue
        numbers = [number for number in candidates(sentence, question) if number.plain and not number.ordinal]
        if 2 <= len(numbers) <= MOST_PARTS and sum(number.value for number in numbers) == reference.value:
            return " + ".join(number.text.strip() for number in numbers)
    return ""
