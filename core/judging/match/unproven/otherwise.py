"""Figures of an answer that may be the reference's in another form, which is for a judge to say.

An answer in another measure ("144 m3/h" for 2,400 litres per minute), of the rest ("pays 70%" where 30% are left) or of
a fall without its sign is neither right nor another value by what rules know.
"""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from typing import Final

from core.judging.match.figures.candidates import candidates
from core.judging.match.figures.comparison import HUNDRED
from core.judging.match.matching.asked_units import UNIT_ASKED
from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.figures.scales import stated_scales
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.values import MAX_VALUES, Hit

FACTORS: Final = (
    *map(
        Decimal, ("1.609", "2.2046", "2.54", "3.281", "3.785", "4.546", "10.764", "16.667", "25.4", "28.35", "35.315")
    ),
    *map(Decimal, (7, 10, 12, 24, 30, 52, 60, 365, 1000, 3600)),
)
"""By how much one measure is another: miles, pounds, inches, feet, gallons, hours, weeks, per mille."""
MONTH: Final = Decimal(2_629_800)
"""Seconds of a mean month."""
NEAR: Final = Decimal("0.015")
"""How far two measures may be apart, since answers round."""
_UNIT: Final = re.compile(
    r"[ -]?(?P<unit>[^\W\d_][\w^/]*)(?: (?:an|a|per) (?P<time>second|minute|hour|day|week|month|year)\b)?"
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_BY_HOW_MUCH: Final = re.compile(r"\bby how (?:much|many)\b|\bhow (?:much|many) (?:basis|percentage) points\b")
_FALLS: Final = re.compile(
    r"\b(?:decreas|declin|fell|fall|drop|down\b|less\b|lower|shr[aiu]nk|reduc|los[est]|negative|minus|contract|overdr[ae]w|debit|deficit|arrears|shortfall)\w*"
)
_ABOUT: Final = re.compile(r"(?:about|around|approximately|roughly|nearly|almost|some|circa|ca\.?|~)\s?")
_A_YEAR: Final = re.compile(r"\bp\.? ?a\b|\bper (?:annum|year)\b|\bannual|\byearly\b", re.IGNORECASE)
_PER: Final = re.compile(
    r" ?%?(?: [a-z]{4,})?(?: of [a-z-]{3,}(?: [a-z-]{3,}){0,2})?"
    r" ?(?:a|an|per|each|every) (?P<span>second|minute|hour|day|week|month|quarter|year)\b"
)
_SPANS: Final = {
    "second": re.compile(r"\bseconds?\b"),
    "minute": re.compile(r"\bminutes?\b"),
    "hour": re.compile(r"\bhour(?:ly)?\b"),
    "day": re.compile(r"\bda(?:y|ily)\b"),
    "week": re.compile(r"\bweek(?:ly)?\b"),
    "month": re.compile(r"\bmonth(?:ly)?\b"),
    "quarter": re.compile(r"\bquarter(?:ly)?\b"),
    "year": re.compile(r"\b(?:year(?:ly)?|annual(?:ly)?|annum)\b|\bp\.? ?a\b"),
}
"""Spans of time for which something is paid."""
_RATE_ASKED: Final = re.compile(
    r"\b(?:(?:per|each|every) (?:hour|day|week|month|quarter|year)"
    r"|(?:hourly|daily|weekly|monthly|quarterly|yearly|annual) (?:[a-z]+ )?"
    r"(?:fees?|rent(?:al)?|rates?|costs?|charges?|prices?|payments?|premiums?|pay|salary|wages?|pass|ticket|subscription))\b"
)
"""Where a question says for what span of time it asks; "the Monthly Saver" is a name."""
_SPAN_OF: Final = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annual": "year",
}
_RATE_OF: Final = re.compile(
    r"\b(?P<span>hourly|daily|weekly|monthly|quarterly|yearly|annual) (?:[a-z]+ )?"
    r"(?:fees?|rent(?:al)?|costs?|charges?|prices?|payments?|premiums?|pay|salary|wages?|pass|ticket|subscription)"
    r"(?: (?:of|is|was|comes to|amounts to|at))*:? (?:[a-z]{3} |[€$£] ?)?$"
)
"""In front of a rate, for what span of time it is paid: "an annual fee of"."""
_EVERY_SOME: Final = re.compile(
    r"(?: [a-z]+)? every (?P<count>two|three|four|five|six|ten|other|second|third|\d+) "
    r"(?P<span>day|week|month|quarter|year)s?\b"
)
"""Behind a rate, that it is paid less often than once in its span: "every two years"."""
_CENTS: Final = re.compile(r" ?(?:ct|cts|cents?|pence)\b(?! of\b)")
NEAR_BEFORE: Final = 60
"""Characters in front of a rate."""
_MEASURE_WORDS = """
full whole half quarter parts points parsec parsecs lightyears fathom fathoms knot knots barrel barrels gallon gallons
pint pints quart quarts bushel bushels furlong furlongs carat carats cords hands stone pence cents ct cent
"""
_MEASURES: Final = frozenset(_MEASURE_WORDS.split())
"""Words behind a figure that measure something and are not converted."""
_TIME_ASKED: Final = re.compile(
    r"\bhow long\b|\b(?:duration|period|time|interval|length|lasts?|lasted|age|term|notice|deadline|validity)\b"
)
_SECONDS: Final = (1, 60, 3_600, 86_400, 604_800)
LEAST_DIGITS: Final = 3
"""Digits that are not the same by chance."""
_DIGITS: Final = re.compile(r"\d[\d.,]*(?<![.,])")


def may_be_the_same(reference: Number, text: str, question: str) -> str:
    """Why a figure of an answer may be the reference's in another form, in a sentence; empty where none may.

    Args:
        reference: The figure wanted.
        text: Match text or figure text of the answer.
        question: Match text of the question.

    >>> from core.judging.match.readers.figures.numbers import parse_number
    >>> wanted = parse_number("2,400 litres per minute")
    >>> may_be_the_same(parse_number("30%"), "the plan pays 70 percent of it.", "what is the co-payment?")
    '70 percent is what 30% leaves of 100%.'
    >>> may_be_the_same(parse_number("20"), "it makes 21 strokes.", "how many strokes per minute does it make?")
    ''
    """
    wanted = reference.text.strip()
    if pair := _apart(reference, text, question):
        return f"{pair} lie {wanted} apart."
    numbers = candidates(text, question)[:MAX_VALUES]
    alone = all(number.scaled for number in numbers)
    in_its_unit = min((number.start for number in numbers if number.unit == reference.unit), default=len(text))
    for number in numbers:
        said = number.text.strip()
        if reference.unit == "%" == number.unit and number.plain + reference.plain == HUNDRED:
            return f"{said} is what {wanted} leaves of 100%."
        if reference.plain < 0 and number.plain == -reference.plain and _FALLS.search(text):
            return f"{said} may be the fall that {wanted} is."
        if alone and _has_its_digits(reference, number) and not stated_scales(question):
            return f"{said} may be {wanted} in the magnitude of its table."
        if _rounds_to(reference, number):
            return f"{said} may be what {wanted} rounds."
        if _is_a_span_of(reference, number) and _TIME_ASKED.search(question) and not UNIT_ASKED.search(question):
            return f"{said} is {wanted} in a unit that nobody names."
        if number.start < in_its_unit and _as_long(reference, number):
            return f"{said} may be {wanted} in another unit."
        if reference.plain and number.plain == reference.plain * HUNDRED and _CENTS.match(text, number.end):
            return f"{said} cents may be {wanted}."
        if _by_a_factor(reference, number) and (unit := _other_unit(number, text, f"{reference.text} {question}")):
            return f"{number.plain:f} {unit} may be {wanted} in another measure."
    return ""


def _apart(reference: Number, text: str, question: str) -> str:
    """Two shares of an answer whose difference is what a question asks for: "from 14.0% to 14.5%" for 50 bps."""
    if not _BY_HOW_MUCH.search(question) or reference.unit not in {"%", "bp"}:
        return ""
    wanted = reference.plain.copy_abs() / (HUNDRED if reference.unit == "bp" or "b" in reference.text.casefold() else 1)
    shares = [number for number in candidates(text, question)[:MAX_VALUES] if number.unit == "%"]
    for one, other in pairwise(shares):
        if wanted and abs(one.plain - other.plain) == wanted:
            return f"{one.text.strip()} and {other.text.strip()}"
    return ""


def all_figures(reference: str, text: str) -> str:
    """The figures of a reference in words that an answer has, where it has all of them; else empty.

    Args:
        reference: Figure text of the reference.
        text: Figure text of the answer.

    >>> all_figures("5.9% of sales, up from 5.4%", "it was 5.4% and is 5.9%"), all_figures("5.9% of sales", "6.1%")
    ('5.9%, 5.4%', '')
    """
    wanted = [number for number in find_numbers(reference, MAX_VALUES) if not number.word]
    # A code is no figure (0042 is not 42), and small numbers stand in any text.
    telling = any(number.decimals or number.unit == "%" or number.currency or number.scaled for number in wanted)
    if not any(map(str.isalpha, reference)) or not telling:
        return ""
    said = {number.plain.copy_abs() for number in find_numbers(text, MAX_VALUES)}
    if not wanted or not all(number.plain.copy_abs() in said for number in wanted):
        return ""
    return ", ".join(number.text.strip() for number in wanted)


def paid_per(reference: str, text: str, hit: Hit, question: str) -> tuple[str, str]:
    """The spans of time for which an answer and a reference give a rate, where they differ; else two empty texts.

    Args:
        reference: As given.
        text: Match text or figure text of the answer.
        hit: Where the answer has the rate.
        question: Match text of the question, which may say for what span a bare reference holds.

    >>> hit = Hit(rule="number", start=8, end=13, reason="")
    >>> paid_per("1.85% p.a.", "it pays 1.85% per month.", hit, "what does it pay?")
    ('per month', 'for a year')
    >>> hit = Hit(rule="number", start=9, end=11, reason="")
    >>> paid_per("15", "it costs 15 per day.", hit, "what is the monthly rent?")
    ('per day', 'monthly rent')
    """
    seldom = _EVERY_SOME.match(text, hit.end)
    known = f"{match_text(reference)} {question}"
    if seldom and _SPANS[seldom["span"]].search(known) and not re.search(r"\bevery\b", known):
        return seldom[0].strip(), f"per {seldom['span']}"
    behind = _PER.match(text, hit.end)
    if behind is None and (own := _RATE_OF.search(text, max(0, hit.start - NEAR_BEFORE), hit.start)):
        asked = _RATE_ASKED.findall(question)
        same = len(asked) != 1 or own["span"] in asked[0] or _SPANS[_SPAN_OF[own["span"]]].search(question)
        return ("", "") if same else (f"per {_SPAN_OF[own['span']]}", asked[0])
    if behind is None or _SPANS[behind["span"]].search(f"{match_text(reference)} {question}"):
        return "", ""
    if _A_YEAR.search(reference):
        return behind[0].strip(), "for a year"
    if own := _PER.search(match_text(reference)):
        return behind[0].strip(), own[0].strip()
    # A share is one of a year, whatever else the question says of months.
    asked = [] if "%" in text[hit.start : hit.end + 2] else _RATE_ASKED.findall(question)
    return (behind[0].strip(), asked[0]) if len(asked) == 1 else ("", "")


def _other_unit(number: Number, text: str, known: str) -> str:
    """The unit of a figure that is not converted, or its unit of time that neither reference nor question has."""
    digits = _DIGITS.search(number.text)
    behind = _UNIT.match(text, number.start + digits.end() if digits else number.end)
    if behind is None:
        return ""
    words = set(_WORD.findall(known))
    unit, time = behind["unit"], behind["time"]
    if time and time not in words:
        return f"{unit} per {time}"
    is_measure = unit in _MEASURES or not unit.isalpha()
    return unit if is_measure and unit not in UNITS and unit not in words else ""


def _has_its_digits(reference: Number, number: Number) -> bool:
    """Whether a figure in thousands or millions has all digits of a bare reference: "684.3 million" for 684.3."""
    digits = len(reference.plain.normalize().as_tuple().digits)
    bare = not reference.scaled and not reference.unit and not reference.currency
    return bare and number.scaled and digits >= LEAST_DIGITS and number.value == reference.plain * number.scale


def _is_a_span_of(reference: Number, number: Number) -> bool:
    """Whether a bare reference is a span of time in seconds, minutes, hours, days or weeks: "two weeks" for 14."""
    bare = not reference.unit and not reference.currency and not reference.scaled
    return bare and number.unit == "s" and any(number.value == reference.plain * seconds for seconds in _SECONDS)


def _as_long(reference: Number, number: Number) -> bool:
    """Whether one figure counts months and the other as many days: "180 days" for 6 months."""
    if {reference.unit, number.unit} != {"s", "month"}:
        return False
    months, seconds = (reference, number) if reference.unit == "month" else (number, reference)
    return bool(months.value) and abs(seconds.value / months.value / MONTH - 1) <= 2 * NEAR


def _rounds_to(reference: Number, number: Number) -> bool:
    """Whether an approximate reference ("about 23,000") is a figure with fewer digits; bare figures and money alone."""
    if not _ABOUT.match(reference.text.strip()) or reference.unit != number.unit or not reference.plain:
        return False
    digits = len(str(abs(int(reference.plain))).rstrip("0")) or 1
    step = Decimal(10) ** (reference.plain.copy_abs().adjusted() - digits + 1)
    return abs(number.plain - reference.plain) * 2 <= step


def _by_a_factor(reference: Number, number: Number) -> bool:
    one, other = sorted((reference.plain.copy_abs(), number.plain.copy_abs()))
    return one > 0 and any(abs(other / one / factor - 1) <= NEAR for factor in FACTORS)
