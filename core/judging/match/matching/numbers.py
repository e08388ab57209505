"""Whether a number of an answer is the reference's number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from core.judging.match.abstention import find_gap
from core.judging.match.figures.candidates import PERCENT_WORD, candidates
from core.judging.match.figures.comparison import CONVERTED, Scales, compare_figures
from core.judging.match.figures.direction import asked_direction, stated_direction
from core.judging.match.figures.kinds import comparable
from core.judging.match.figures.words import question_words
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.readers.figures.scales import stated_scales
from core.judging.match.readers.figures.units import CURRENCIES, UNITS
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match.surroundings.context import CHANGED, SENTENCE_BORDER
from core.judging.match.values import MAX_VALUES, Hit, SearchResult
from core.text.words import stem

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

CURRENCY_ASKED = re.compile(
    rf"\bin (?:thousands? |millions? |billions? )?(?:of )?({'|'.join(name for name in CURRENCIES if name.isalpha())})\b"
)

_MEASURES = "|".join(
    sorted((name for name in UNITS if name.replace(" ", "").isalpha() and len(name) > 3), key=lambda name: -len(name))
)
_SYMBOLS = (
    r"kg|km/h|m/s|km|cm|mm|ml|mg|kwh|mwh|gwh|kw|mw|gb|mb|tb|ms|ha|m2|km2|m3|[ck]?m\^[23]|mph|hp|kv|kpa|mbar|psi|°[cf]"
    r"|(?:m3|m\^3|l)/(?:h|s|min)"
)
_ANY = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
UNIT_ASKED = re.compile(
    rf"\b(?:in ({_MEASURES}|{_SYMBOLS}|bar)|how many ({_MEASURES}|{_SYMBOLS})(?! of\b))(?![\w/^])(?! per\b)"
    rf"|(?<= )\((?:[^()]{{1,40}}, |in )?({_ANY})\)"
    r"|\bin (m|t|l|ft)(?= (?:of|at|for|does)\b|[?,.]|$)"
)
"""Units by their whole names, and by symbols that are no words; "points", "percent" and "bytes" are among them."""

OUTFLOW_ASKED = re.compile(
    r"\b(?:pa(?:y|id|yments?)|spen[dt]|spending|repurchased?|capital expenditures?|capex|dividends?|purchases? of)\b"
    r"(?!.*\b(?:chang|grow|grew|increas|decreas|declin|improv|rise|rose|fell|fall|drop)\w*)"
)
_NO_MORE = re.compile(r"\b(?:not?|never|cannot|cant|mustnt|without|nor|nobody|none)\b[^.;,]{0,50}$")
NONE = re.compile(r"\b(?:no|did not \w+ any|not \w+ any|without any) (?P<what>[a-z]+(?: [a-z]+){0,3})")
_JUST_NONE = re.compile(
    r"\W*(?P<said>(?:there (?:is|are|was|were|have been) |it has |they have )?none(?: at all| whatsoever| so far)?)\W*"
)
_HOW_MANY = re.compile(r"\b(?:how many|number of|count)\b")

_COUNTED = re.compile(
    r" (?!or\b|and\b|out\b|in\b|of\b|for\b|to\b|per\b|is\b|was\b|at\b|by\b|on\b|as\b|from\b|pp\b"
    r"|points?\b)[a-z]{4,}s?\b|(?= people\b)"
)
_SUMMED = re.compile(r"=|\b(?:therefore|thus|hence|so|total\w*|sum|in all|altogether|overall)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
MAX_SUMMED = 4_000
"""Characters of an answer in which parts of a sum are looked for."""
MOST_PARTS = 12
MAX_GAP = 200
"""Characters after "no" in which a gap in the documents is looked for: "no information on goodwill"."""

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
    numbers = candidates(text, question)
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
        if outcome == "bound" and asks_bound and not _other_bound(number, text, question):
            outcome, reason = "same", f"number: {reference.text.strip()} = {number.text.strip()}"
        if outcome == "same" and reference_sign and _is_level(text[max(0, number.start - REACH) : number.start]):
            outcome, reason = "other value", f"{number.text.strip()} is what it came to, not by how much it changed."
        end = _end_of_range(numbers, place, text) if outcome == "same" and not several else None
        if end is not None and end.search(question) and not _bound_elsewhere(number, end, numbers):
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
        hits = _none_of_it(text, question)
    return SearchResult(
        hits=tuple(hits),
        near_rule=near,
        near_reason=near_reason,
        others=tuple(
            (other.start, other.end)
            for other in others
            if any(comparable(numbers[at], other) for at in places[:5])
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


def _bound_elsewhere(number: Number, end: re.Pattern[str], numbers: Sequence[Number]) -> bool:
    """Whether another figure of the kind is said to be the bound that is asked for: "at least 85%, not 75-85%"."""
    sign = ">" if end is ASKS_LOWER else "<"
    return any(
        other.sign_of_bound == sign
        and other.plain != number.plain
        and (not number.unit or other.unit == number.unit)
        and other.currency == number.currency
        for other in numbers
    )


def _is_level(before: str) -> bool:
    """Whether words in front of a figure say what something came to: "it rose to", but not "the rise reached"."""
    sentence = SENTENCE_BORDER.split(before)[-1]
    return bool(LEVEL.search(sentence)) and not MOVE.search(sentence)


def _other_bound(number: Number, text: str, question: str) -> bool:
    """Whether a bound goes the other way than the question: "at least 1,000" for a maximum."""
    if _NO_MORE.search(text[max(0, number.start - 60) : number.start]):
        return False
    if _LIMIT_ASKED.search(question) and _BEYOND.search(text[max(0, number.start - 40) : number.start]):
        return False
    upper, lower = bool(ASKS_UPPER.search(question)), bool(ASKS_LOWER.search(question))
    return upper != lower and number.sign_of_bound == (">" if upper else "<")


def _none_of_it(text: str, question: str) -> list[Hit]:
    """Where an answer says in words that there is none of what a question asks for: "no goodwill was impaired"."""
    if (none := _JUST_NONE.fullmatch(text)) and _HOW_MANY.search(question):
        reason = f'number: 0 = "{none["said"]}"'
        return [Hit(rule="number", start=none.start("said"), end=none.end("said"), reason=reason)]
    wanted = question_words(question)
    for match in NONE.finditer(text):
        gap = find_gap(text[match.start() : match.start() + MAX_GAP])
        declines = gap is not None and gap.start() == 0
        if any(stem(word) in wanted for word in match["what"].split()) and not declines:
            reason = f'number: 0 = "{match[0]}"'
            return [Hit(rule="number", start=match.start(), end=match.end(), reason=reason)]
    return []


def with_currency(reference: Number, question: str) -> Number:
    """A bare number in the currency that the question asks for ("in EUR", "in USD millions")."""
    if reference.currency or reference.unit or reference.word or reference.ordinal:
        return reference
    names = {CURRENCIES[name] for name in CURRENCY_ASKED.findall(question)}
    return replace(reference, currency=names.pop()) if len(names) == 1 else reference


def with_unit(reference: Number, question: str) -> Number:
    """A bare number in the unit that the question asks for ("in milliseconds", "how many days").

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> with_unit(parse_number("1500"), "how long is it in milliseconds?").value
    Decimal('1.500')
    """
    if reference.currency or reference.unit or reference.ordinal or reference.scaled:
        return reference
    names = {UNITS[match[1] or match[2] or match[3] or match[4]] for match in UNIT_ASKED.finditer(question)}
    if len(names) != 1:
        return reference
    unit, factor = names.pop()
    return replace(reference, unit=unit, value=reference.plain * factor)


def _sign_by_words(reference: Number, number: Number, text: str) -> int:
    if (
        reference.plain < 0
        and text[number.start - 1 : number.start] == "("
        and text[number.end : number.end + 1] == ")"
    ):
        return -1
    return stated_direction(text, number.start, number.end)


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


def parse_range(text: str) -> tuple[Number, Number] | None:
    """The two ends of a text that is a range and nothing else."""
    match = re.fullmatch(r"(?:from |between )?(.{1,40}?) ?(?:-| to | and ) ?(\S.{0,40})", text)
    if not match or (" and " in text and not text.startswith("between")):
        return None
    left, right = parse_number(match[1]), parse_number(match[2])
    if left is None or right is None or left.plain >= right.plain or left.word:
        return None
    return left, right


def _end_of_range(numbers: Sequence[Number], place: int, text: str) -> re.Pattern[str] | None:
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
