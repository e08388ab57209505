"""In which scale bare figures are given: "in USD millions", "($ in thousands)"."""

from __future__ import annotations

import re
from decimal import Decimal

from core.judging.match.readers.figures.units import CURRENCIES

_CODES = "|".join(sorted(name for name in CURRENCIES if name.isalpha() and name.isascii()))
_CODE = rf"(?:us\$|u\.s\.|us|{_CODES}|[$€£¥₹])"
_SCALES = {
    "thousand": Decimal(10) ** 3,
    "million": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
}
_SHORT = {
    "mm": "million", "mn": "million", "mio": "million", "m": "million", "mln": "million",
    "bn": "billion", "b": "billion", "k": "thousand", "tsd": "thousand", "000s": "thousand", "000": "thousand",
}  # fmt: skip
_IN = re.compile(
    rf"\bin (?:the )?(?:{_CODE} ?){{0,2}}(thousand|million|billion|trillion)s?\b"
    rf"|\b(thousand|million|billion|trillion)s of\b|\bhow many (thousand|million|billion|trillion)s?\b"
    rf"|(?<![\w.,]){_CODE} ?(thousand|million|billion|trillion)s?\b(?! \d)"
)
_BRIEF = re.compile(rf"(?<![\w.,]){_CODE} ?(mm|mn|mio|mln|bn|m|b|k|000s?)\b|[\"'](000s?)\b|\((mm|mn|bn|m|k)\)")


def stated_scales(text: str) -> tuple[Decimal, ...]:
    """The scales that a text states for bare figures; one beside a figure ("5 million") belongs to that figure.

    Args:
        text: Normalised (:func:`core.judging.match.readers.texts.normalise.match_text`).

    >>> [str(scale) for scale in stated_scales("what is capex (in usd millions)?")], stated_scales("it was 5 million")
    (['1000000'], ())
    """
    found: dict[Decimal, None] = {}
    for match in _IN.finditer(text):
        found[_SCALES[next(group for group in match.groups() if group)]] = None
    for match in _BRIEF.finditer(text):
        name = next(group for group in match.groups() if group)
        found[_SCALES[_SHORT[name]]] = None
    return tuple(found)
