"""Fractions in words and figures: "a quarter of", "two and a half", "one in four", "3/4 of"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from core.judging.match.readers.figures.number_words import WORDS_PATTERN, value_of_words

_PORTIONS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10,
}  # fmt: skip
DIGITS = Decimal("0.0001")
"""So far a fraction is worked out: a third is 0.3333."""
MAY_BE_FRACTION = re.compile(
    r"\b(?:half|halves|thirds?|quarters?|fourths?|fifths?|eighths?|tenths?|in|out of)\b|\d/\d", re.IGNORECASE
)
"""Texts without it have no fraction."""
_MAGNITUDES = {"hundred": 100, "dozen": 12, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_MAGNITUDE = rf"[ ](?:of[ ])?(?:an?[ ])?(?P<magnitude>{'|'.join(_MAGNITUDES)})\b"
_ENDS = rf"(?=[ ]of\b|{_MAGNITUDE.replace('?P<magnitude>', '?:')}|[ ]?$|[.,;)](?!\d)|[ ](?:were|are|was|is|said|%)|\n)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fraction:
    """A fraction in a text.

    Attributes:
        value: Worked out to four decimals.
        unit: As written behind it, in lower case, or empty.
        start: Offset in the text.
        end: Offset behind it.
    """

    value: Decimal
    unit: str
    start: int
    end: int


@lru_cache(maxsize=2)
def _pattern(units: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?<![\w'/.,-])(?:
          (?:(?P<whole>(?:{WORDS_PATTERN})(?:[ -](?:{WORDS_PATTERN}))?|\d{{1,4}})[ ]and[ ])
          (?P<some>an?|one|two|three)[ -](?P<part>half|halves|quarters?|thirds?|eighths?)
        | (?P<before>an?|one|two|three|four|five|six|\d{{1,3}})[ ]
          (?P<middle>hours?|days?|weeks?|months?|years?|minutes?)
          [ ]and[ ]a[ ](?P<more>half|quarter)\b
        | (?:an?|one)[ ](?P<single>third|quarter|fifth|tenth){_ENDS} | (?P<half>half){_ENDS}
        | (?P<several>two|three|four|five|seven)[ -]
          (?P<parts>thirds|quarters|fourths|fifths|sixths|sevenths|eighths|ninths|tenths){_ENDS}
        | (?P<top>one|two|three|four|five|six|seven|eight|nine|\d{{1,3}})[ ](?:in|out[ ]of)(?:[ ]every)?[ ]
          (?P<bottom>two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty
              |thirty|forty|fifty|\d{{1,3}})(?![\w/-]|[.,]?\d|[ ]?%|[ ]?[a-z]*million)
        | (?P<up>[1-9])/(?P<down>[2-9]|10|100){_ENDS}
        )(?:{_MAGNITUDE})?(?:[ ](?P<unit>{units})(?!\w))?""",
        re.VERBOSE | re.IGNORECASE,
    )


def find_fractions(text: str, units: str) -> Iterator[Fraction]:
    """Every fraction of a text, in order.

    Args:
        text: Match text.
        units: A pattern of the units that may follow.

    >>> [str(fraction.value) for fraction in find_fractions("a quarter of it, one in three, two and a half", "%")]
    ['0.25', '0.3333', '2.5']
    >>> [int(fraction.value) for fraction in find_fractions("half a million, one and a quarter million", "%")]
    [500000, 1250000]
    """
    for match in _pattern(units).finditer(text):
        value = _value(match)
        if value is not None and match["magnitude"]:
            value *= _MAGNITUDES[match["magnitude"].casefold()]
        if value is not None:
            exact = value.quantize(DIGITS).normalize()
            yield Fraction(
                value=exact,
                unit=(match["middle"] or match["unit"] or "").casefold(),
                start=match.start(),
                end=match.end(),
            )


def _value(match: re.Match[str]) -> Decimal | None:
    """What the words of a fraction say; None where they say none ("three in two")."""
    if match["more"]:
        return _count(match["before"]) + Decimal(1) / _PORTIONS[match["more"].casefold()]
    if match["part"]:
        whole, some = _count(match["whole"]), _count(match["some"])
        return whole + some / _PORTIONS[match["part"].casefold().rstrip("s")]
    if name := match["single"] or match["half"]:
        return Decimal(1) / _PORTIONS[name.casefold()]
    if match["several"]:
        return _count(match["several"]) / _PORTIONS[match["parts"].casefold().rstrip("s")]
    top, bottom = _count(match["up"] or match["top"]), _count(match["down"] or match["bottom"])
    return top / bottom if top < bottom else None


def _count(text: str) -> Decimal:
    if text.isdigit():
        return Decimal(text)
    number = None if text.casefold() in {"a", "an"} else value_of_words(text)
    return number[0] if number else Decimal(1)
