"""Figures that an answer gives rounded, as a bound, as an ordinal, as a rate or by the middle of a range."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from core.judging.match.figures.candidates import candidates
from core.judging.match.readers.figures.number_words import ORDINALS
from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.reference import Reference
from core.judging.match.surroundings.objections import Objection
from core.judging.match.values import MAX_VALUES

_ABOUT: Final = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.?|close to"
    r"|(?:just|slightly|a (?:bit|little)) (?:over|under|above|below|more than|less than)|well over|rund|etwa|knapp"
    r"|environ)|~)\s?(?:(?:[€$£]|[a-z]{3})\s?)?(?=\d)"
)
_AT_MOST: Final = re.compile(
    r"\b(?:at most|at least|max(?:imum|imal)?|min(?:imum|imal)?|up to|no more than|no fewer than|no less than|not more"
    r" than|not less than|limit|most|least|more than|less than|over|under|within|cap)\b"
)
_NO_MORE: Final = re.compile(
    r"\b(?:no|not|never) (?:more|less|fewer|later|earlier|longer|higher|lower|older) than\b"
    r"|\b(?:not|never|cannot|\w+nt)\b[^.;\n]{0,40}"
    r"\b(?:above|over|exceed|beyond|below|under|(?:more|less|\w{3,}er) than)\b"
)
_BOUND_ASKED: Final = re.compile(
    r"\b(?:below|above|under|over|beyond|from|up to|until|exceeding|more than|less than) (?:what|which|how)\b"
)
_LIMIT_ASKED: Final = re.compile(
    r"\b(?:covenants?|(?:sub-?)?limits?|caps?|thresholds?|ceilings?|floors?|cut-?offs?|requirements?"
    r"|at (?:what|which) level|latest acceptable)\b"
)
"""Questions for what is a bound itself."""
_KEEPS_TO: Final = re.compile(
    r"\b(?:not|never|cannot|mustnt|maynt) exceed\b|\bnot? (?:more|less|lower|higher)\b|\bat (?:most|least)\b|\bup to\b"
)
"""How an answer gives such a bound."""
_OFF: Final = re.compile(
    r"(?P<middle>\d[\d.,]*)[^\d\n]{0,24}(?:±|\+/-|\+-|plus or minus|plus/minus|give or take) ?[€$£]?(?P<off>\d[\d.,]*)"
)
_RATE: Final = re.compile(
    r"\b(?:daily|weekly|monthly|yearly|annually|hourly|once|twice|thrice|times|per|each|every|half|both|doses?)\b"
)
_NIL: Final = re.compile(r"\b(?:nil|zero|none|nothing|not any|no)\b")
_SETTLED: Final = re.compile(r"\b(?:(?:paid|settled) in full|fully paid|out of stock|sold out)\b")
_HALF: Final = re.compile(r"\bhalf an? (?P<unit>[a-z]+)\b")
HALF: Final = Decimal("0.5")
_PER: Final = re.compile(r"(?<=\w)/[a-z]|\b(?:per|each|every)\b")
_OF_A_CODE: Final = re.compile(r"[^\W\d_]-?\d|\d-\d")
_WORD: Final = re.compile(r"[^\W_]+")
NEARLY: Final = Decimal("0.01")
"""How far a figure that is called rounded may be from the reference, as a share of it."""
LEAST_PORT: Final = 3
"""Digits of a port; fewer may be a time."""
ROUNDED: Final = Decimal("0.005")
"""Within this share it counts as the reference."""
FARTHEST: Final = Decimal("0.05")
"""How far a figure that is called rounded may be from the reference where its digits are few, as a share of it."""
MOST_ABOUT: Final = 24
"""Characters in front of a figure in which it may be called rounded."""


def figure_unproven(number: Number, reference: Reference, outcome: Objection, text: str, question: str) -> str:
    """Why the figures of an answer do not show another value, in a sentence; empty where they do.

    Args:
        number: The figure wanted.
        reference: Where it stands.
        outcome: Why it is not stated.
        text: Match text or figure text of the answer.
        question: Match text of the question.
    """
    plain = match_text(reference.text)
    if not number.plain and (settled := _SETTLED.search(text)):
        return f'The answer says "{settled[0]}".'
    if outcome.rule in {"less precise", "bound"} and (rounded := nearly(number, text) or _to_its_digits(number, text)):
        return f'The answer rounds ("{rounded}").'
    if outcome.rule == "less precise" and (rounded := nearly(number, text, ROUNDED, says_so=False)):
        return f"The answer has {rounded}, which is {number.text.strip()} rounded."
    if outcome.rule == "negated" and (no_more := _NO_MORE.search(text)):
        return f'The answer gives a bound ("{no_more[0]}").'
    is_limit = _LIMIT_ASKED.search(question) and _KEEPS_TO.search(text)
    if outcome.rule == "bound" and (_AT_MOST.search(plain) or _BOUND_ASKED.search(question) or is_limit):
        return "The answer gives the figure as a bound, and so may the reference."
    if outcome.rule in {"other value", "no match", "echo", "question"} and (order := _as_ordinal(number, text)):
        return f'The answer has "{order}", an ordinal of {reference.text.strip()}.'
    if outcome.rule in {"other value", "currency", "unit"} and (rate := _same_digits(number, plain, text)):
        return f"{rate} may be the reference in another measure."
    if outcome.rule == "other value" and _other_rate(plain, text):
        return "Answer and reference are rates, which may be the same for other times."
    if outcome.rule in {"other value", "no match"} and (address := _in_an_address(number, text)):
        return f'The figure stands in an address ("{address}").'
    if outcome.rule in {"other value", "no match", "less precise"} and (share := _rounds_a_fraction(number, text)):
        return f"{share} may be {reference.text.strip()}, rounded."
    if outcome.rule == "no match" and not _OF_A_CODE.search(plain):
        return _no_other_figure(number, text, question)
    return ""


def _as_ordinal(number: Number, text: str) -> str:
    """The ordinal of a count: "upon his fifth booking" where the reference is 5."""
    if number.ordinal:
        return ""
    said = [one.text.strip() for one in find_numbers(text, MAX_VALUES) if one.ordinal and one.plain == number.plain]
    said += [word for word in _WORD.findall(text) if ORDINALS.get(word) == number.plain]
    return said[0] if said else ""


def _same_digits(number: Number, plain: str, text: str) -> str:
    """A rate of an answer with the digits of the reference, which is a rate too: "0.21 per kg" for "210 per tonne"."""
    if not (_PER.search(plain) and _PER.search(text)) or not number.plain:
        return ""
    wanted = number.plain.copy_abs().normalize().as_tuple().digits
    for said in find_numbers(text, MAX_VALUES):
        same = said.plain.copy_abs().normalize().as_tuple().digits == wanted
        if same and said.plain != number.plain and _PER.match(text[said.end :].lstrip()):
            return said.text.strip()
    return ""


def _in_an_address(number: Number, text: str) -> str:
    """Where the digits of a whole number end an address: "127.0.0.1:8384"."""
    digits = number.text.strip()
    found = re.search(rf"[^\W_][\w.-]*[^\W_]:{digits}(?!\w)", text) if digits.isdigit() else None
    return found[0] if found and len(digits) >= LEAST_PORT else ""


def _rounds_a_fraction(number: Number, text: str) -> str:
    """The whole percentage that a fraction in words comes to: "67%" for two thirds."""
    if not number.word or not 0 < number.plain < 1:
        return ""
    share = (number.plain * 100).to_integral_value()
    found = re.search(rf"(?<![\w.,]){share} ?(?:%|percent|per cent)", text)
    return found[0] if found else ""


def _other_rate(plain: str, text: str) -> bool:
    """Whether reference and answer are rates for other times: "40 mg twice daily", "80 mg per day in two doses"."""
    wanted, said = set(_RATE.findall(plain)), set(_RATE.findall(text))
    return bool(wanted and said) and not wanted <= said


def _no_other_figure(number: Number, text: str, question: str) -> str:
    if not number.plain and (nil := _NIL.search(text)):
        return f'The answer says "{nil[0]}".'
    for part in _HALF.finditer(text):
        unit, factor = UNITS.get(part["unit"], ("", Decimal(0)))
        if unit == number.unit and factor * HALF == number.value:
            return f'The answer says "{part[0]}".'
    told = [one for one in candidates(text, question)[:20] if one.text.strip() not in question and not one.ordinal]
    if told and not any(one.unit == number.unit for one in told if number.unit):
        return f"Whether {told[0].text.strip()} is another figure of it, words cannot tell."
    return ""


ROUGH: Final = Decimal("0.02")
"""How far a figure that says it is rounded may lie from a part of the reference, for a judge to say."""


def nearly(number: Number, text: str, share: Decimal = NEARLY, *, says_so: bool = True) -> str:
    """A figure of two digits or more that is rounded, within a share of the reference; or empty.

    Args:
        number: The reference.
        text: Figure text of the answer.
        share: How far it may be off.
        says_so: Whether the answer must say that it is rounded ("about").
    """
    for said in find_numbers(text, MAX_VALUES):
        about = _ABOUT.search(text[max(0, said.start - MOST_ABOUT) : said.start] + "0")
        digits = len((said.plain if said.decimals else said.plain.normalize()).as_tuple().digits)  # 4.0 has two
        value = said.value if number.unit or number.currency else said.plain
        if (about or not says_so) and digits > 1 and number.value and abs(value / number.value - 1) <= share:
            return f"{about[0].strip() if about else ''} {said.text.strip()}".strip()
    return ""


def _to_its_digits(number: Number, text: str) -> str:
    """A figure that is called rounded and is the reference, rounded to its two digits or more: "about 38" for 38.4."""
    for said in find_numbers(text, MAX_VALUES):
        about = _ABOUT.search(text[max(0, said.start - MOST_ABOUT) : said.start] + "0")
        bare = not (number.unit or number.currency)
        value, wanted = (said.plain, number.plain) if bare else (said.value, number.value)
        step = said.step if bare or not said.plain else said.step * said.value / said.plain
        off, digits = abs(value - wanted), len(said.plain.normalize().as_tuple().digits)
        if about and digits > 1 and off * 2 <= abs(step) and off <= abs(wanted) * FARTHEST:
            return f"{about[0].strip()} {said.text.strip()}"
    return ""


def range_unproven(ends: tuple[Number, Number], text: str) -> str:
    """Why an answer may give a range in another form, in a sentence: "50 %, give or take 5"; or empty."""
    low, high = (end.plain for end in ends)
    for match in _OFF.finditer(text):
        middle, off = (_decimal(match[name]) for name in ("middle", "off"))
        if middle is not None and off is not None and (middle - off, middle + off) == (low, high):
            return f'The answer gives the range by its middle ("{match[0]}").'
    unit = ends[1].unit
    said = {one.plain for one in find_numbers(text, MAX_VALUES) if not (one.unit and unit and one.unit != unit)}
    return "The answer has both ends of the range." if {low, high} <= said else ""


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text.strip(".,").replace(",", "."))
    except ArithmeticError:
        return None
