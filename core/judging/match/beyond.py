"""What a reference says of its figure besides it: its compound unit, how often, of what. Another one is another value.

"0.1 mg/kg twice daily" has the figure of "0.1 mg/kg once daily", and "5% of the net profit" that of "5% of gross
revenue". Where the answer says something else in the same place, the verdict is for a judge.
"""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.figures.clauses import families
from core.judging.match.readers.figures.units import UNITS
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.values import Hit

_COMPOUND: Final = re.compile(r" ?(?P<said>[^\W\d_]{1,5}[23]?/[^\W\d_]{1,5})(?![\w/])")
_UNIT: Final = re.compile(r"[ -]?(?P<said>[^\W\d_]{2,12})(?![\w/'])")
_TECHNICAL: Final = frozenset(
    {"ppm", "ppb", "ppt", "kt", "mt", "bar", "mbar", "hpa", "kpa", "mpa", "psi", "db", "lux", "lm", "iu", "mol", "mmol"}
)
"""Units of which none is converted: another one beside the same figure is another quantity."""
_OF: Final = re.compile(
    r"[ %\w-]{0,16}? of (?:the |its |their |an? )?(?P<said>(?!wh)[^\W\d_]{3,}(?: [^\W\d_]{3,}){0,4})"
)
_FROM: Final = re.compile(
    r"[ -]?(?:[^\W\d_]+ ){0,2}(?P<way>after|before|from|following|prior to|since|upon|of) "
    r"(?:the |your |their |its |his |her |our |an? )?(?P<said>[^\W\d_]{3,}(?: [^\W\d_]{3,}){0,4})"
)
"""From where a time is counted: "31 days after returning home"."""
_MOMENTS: Final = (
    re.compile(r"\b(?:start|begin|beginning|departure|departing|commencement|outset|admission|opening)"),
    re.compile(r"\b(?:end|ending|return|returning|completion|expiry|arrival|arriving|discharge|closing)\b"),
    re.compile(r"\b(?:purchase|purchasing|order|ordering|booking|payment|invoice|signing|signature)"),
    re.compile(r"\b(?:delivery|receipt|receiving|dispatch|shipment|installation|commissioning)"),
)
"""Moments of an affair of which one is not another."""
_TAX: Final = re.compile(
    r"\b(?:(?P<net>net|excl\w*|without|plus|before) ?(?:of )?(?:vat|tax\w*)?"
    r"|(?:gross|incl\w*) ?(?:of )?(?:vat|tax\w*)?)\b"
)
_OFTEN: Final = re.compile(r"\b(?P<said>once|twice|thrice|three times|four times)\b")


def beyond(reference: str, hit: Hit, text: str, question: str) -> str:
    """What an answer says of a figure where the reference says something else, in a sentence; empty where it does not.

    Args:
        reference: As given.
        hit: The figure in the answer.
        text: Match text or figure text of the answer.
        question: Match text of the question.

    >>> hit = Hit(rule="number", start=0, end=2, reason="")
    >>> beyond("5% of gross revenue", hit, "5% of the net profit.", "what share do they receive?")
    'The figure is "net profit" in the answer and "gross revenue" in the reference.'
    >>> beyond("5% of revenue", hit, "5%", "what share of revenue do they receive?")
    ''
    """
    plain, behind = match_text(reference), text[_digits_end(hit, text) :]
    own, theirs = _COMPOUND.search(plain), _COMPOUND.match(behind)
    if own and theirs and own["said"] != theirs["said"] and not _comparable(own["said"], theirs["said"]):
        return _told(theirs["said"], own["said"])
    own, theirs = (
        _UNIT.match(plain, _digits_end(_whole(plain), plain)),
        _UNIT.match(behind),
    )
    if own and theirs and own["said"] != theirs["said"]:
        units = {own["said"], theirs["said"]}
        if units & _TECHNICAL and units <= _TECHNICAL | UNITS.keys() and not _comparable(*units):
            return _told(theirs["said"], own["said"])
    own, theirs = _OFTEN.search(plain), _OFTEN.search(behind)
    if own and theirs and own["said"] not in behind:
        return _told(theirs["said"], own["said"])
    own, theirs = _OF.search(plain), _OF.match(behind)
    if own and theirs and families(own["said"]).isdisjoint(families(f"{text} {question}")):
        return _told(theirs["said"], own["said"])
    own, theirs = _FROM.match(plain, _digits_end(_whole(plain), plain)), _FROM.match(behind)
    if own and theirs and _other_moment(own["said"], theirs["said"]):
        return _told(theirs[0].strip(), own[0].strip())
    own, theirs = _TAX.search(plain), _TAX.search(text)
    if own and theirs and bool(own["net"]) != bool(theirs["net"]) and not _TAX.search(question):
        return _told(theirs[0].strip(), own[0].strip())
    return ""


def _comparable(one: str, other: str) -> bool:
    """Whether two units are of one dimension, so that the figures were compared in it."""
    return one in UNITS and other in UNITS and UNITS[one][0] == UNITS[other][0]


def _other_moment(own: str, other: str) -> bool:
    """Whether two texts name different moments of an affair, such as its start and its end."""
    moments = [{place for place, words in enumerate(_MOMENTS) if words.search(text)} for text in (own, other)]
    return all(moments) and moments[0].isdisjoint(moments[1])


def _told(said: str, wanted: str) -> str:
    return f'The figure is "{said}" in the answer and "{wanted}" in the reference.'


def _whole(text: str) -> Hit:
    return Hit(rule="", start=0, end=len(text), reason="")


def _digits_end(hit: Hit, text: str) -> int:
    """Behind the digits of a figure, before what may be read as its unit."""
    digits = re.match(r"[^\d]*\d[\d.,]*(?<![.,])", text[hit.start : hit.end])
    return hit.start + digits.end() if digits else hit.end
