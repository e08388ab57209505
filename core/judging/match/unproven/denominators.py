"""What a figure is given for: a hectare or an acre, a kilogram or a pound, days or business days.

The same figure for another measure is another value: "7.2 tonnes per acre" is not 7.2 t/ha.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.unproven.otherwise import paid_per
from core.judging.match.values import Hit

_NAMES: Final = {
    "hectare": "hectares? ha",
    "acre": "acres?",
    "square metre": "m2 m² sqm sq.?m square.met(?:re|er)s?",
    "square foot": "sq.?ft ft2 square.f(?:oo|ee)t",
    "kilogram": "kg kilos? kilograms?",
    "pound": "lbs? pounds?",
    "ounce": "oz ounces?",
    "tonne": "t tonnes? metric.tons?",
    "litre": "l lit(?:re|er)s?",
    "gallon": "gal gallons?",
    "cubic metre": "m3 m³ cubic.met(?:re|er)s?",
    "kilometre": "km kilomet(?:re|er)s?",
    "mile": "miles? mi",
}
_MEASURE: Final = "|".join(f"(?P<{name.replace(' ', '_')}>{'|'.join(words.split())})" for name, words in _NAMES.items())
_PER: Final = re.compile(rf" ?(?:[a-z]{{1,12}} ?)?(?:/ ?|\b(?:per|a|an|each|every) )(?:{_MEASURE})(?![\w/])")
_OWN: Final = re.compile(rf"(?:/ ?|\bper )(?:{_MEASURE})(?![\w/])")
_UNIT: Final = re.compile(r"[^\W_a-z]?\d[\d.,' ]* ?(?P<unit>[a-z]{1,4})")
_COUNTED: Final = re.compile(r" ?(?P<kind>business|working|banking|trading|school) (?:days?|hours?|weeks?)\b")


def given_for(reference: str, text: str, hit: Hit, question: str) -> tuple[str, str]:
    """The spans of time or measures for which an answer and a reference give a figure, where they differ.

    Two empty texts where they do not, or one of them does not say it.

    Args:
        reference: As given.
        text: Match text or figure text of the answer.
        hit: Where the answer has the figure.
        question: Match text of the question, which may say for what measure a bare reference holds.

    >>> hit = Hit(rule="number", start=0, end=10, reason="")
    >>> given_for("7.2 t/ha", "7.2 tonnes per acre", hit, ""), given_for("7.2", "7.2 tonnes a hectare", hit, "")
    (('per acre', 'per hectare'), ('', ''))
    """
    if (paid := paid_per(reference, text, hit, question))[0]:
        return paid
    said = _PER.match(text, hit.end)
    own = [*_OWN.finditer(match_text(reference))] or [*_OWN.finditer(question)]
    if said is None or not own or said.lastgroup in {one.lastgroup for one in own}:
        return "", ""
    return _told(said), _told(own[0])


def counted_in(reference: str, text: str, hit: Hit, question: str) -> str:
    """The kind of days or hours that an answer counts and neither reference nor question names; else empty.

    Args:
        reference: As given.
        text: Match text or figure text of the answer.
        hit: Where the answer has the figure.
        question: Match text of the question.

    >>> hit = Hit(rule="number", start=9, end=11, reason="")
    >>> counted_in("60 days", "you have 60 business days", hit, "how long may it take?")
    'business days'
    """
    said = _COUNTED.match(text, hit.end)
    if said is None or said["kind"] in f"{match_text(reference)} {question}":
        return ""
    return said[0].strip()


def measured_in(reference: str, text: str, hit: Hit, question: str) -> str:
    """The measure in which an answer gives a figure whose unit in the reference is another word; else empty.

    Args:
        reference: As given; a unit that is known is compared elsewhere.
        text: Match text or figure text of the answer.
        hit: Where the answer has the figure.
        question: Match text of the question.

    >>> measured_in("3,412 nm", "it is 3,412 km.", Hit(rule="number", start=6, end=14, reason=""), "how far is it?")
    'km'
    """
    own = _UNIT.fullmatch(match_text(reference).strip(" ."))
    said = _UNIT.fullmatch(text[hit.start : hit.end].strip())
    if own is None or said is None or own["unit"] in UNITS or said["unit"] not in UNITS:
        return ""
    other = said["unit"]
    abbreviated = other.startswith(own["unit"])
    return "" if abbreviated or other in re.findall(r"\w+", question) else str(other)


def _told(found: re.Match[str]) -> str:
    return f"per {(found.lastgroup or '').replace('_', ' ')}"
