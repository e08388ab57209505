"""Quantities in two units: "1 h 30 min" is 90 minutes, "5 ft 11 in" one height."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from core.judging.match.readers.units import UNITS

if TYPE_CHECKING:
    from core.judging.match.readers.numbers import Number

MAY_BE_COMPOUND = re.compile(
    r"\b(?:h|hrs?|hours?|mins?|minutes?|days?|weeks?|years?|yrs?|months?|ft|feet|foot|kg|lbs?|km|m)"
    r"[ ,]{1,2}(?:and )?(?:\d|[a-z]+ (?:m|s|h|d|in|o)[a-z]*\b)"
)
"""Texts without it have no quantity in two units."""
_JOINED = re.compile(r",? ?(?:and )?")
_UNIT_NAME = re.compile(r"[a-z]+$", re.IGNORECASE)
_SPELLINGS = {
    "h": "h hr hrs hour hours", "min": "min mins minute minutes", "s": "s sec second seconds", "d": "d day days",
    "week": "week weeks", "year": "year years yr yrs", "month": "month months", "ft": "ft foot feet",
    "inch": "inch inches", "lb": "lb lbs", "oz": "oz ounce ounces", "kg": "kg kilogram kilograms kilo kilos",
    "g": "g gram grams", "km": "km kilometre kilometres kilometer kilometers", "m": "m metre metres meter meters",
    "cm": "cm centimetre centimetres centimeter centimeters",
}  # fmt: skip
_SPELLING = {name: short for short, names in _SPELLINGS.items() for name in names.split()}
_PARTS = {
    ("h", "min"): 60, ("min", "s"): 60, ("d", "h"): 24, ("week", "d"): 7, ("year", "month"): 12, ("ft", "inch"): 12,
    ("lb", "oz"): 16, ("kg", "g"): 1000, ("km", "m"): 1000, ("m", "cm"): 100,
}  # fmt: skip
"""Units that stand together, with how many of the smaller make the larger one."""


def compounds(numbers: Iterator[Number], text: str) -> Iterator[Number]:
    """Numbers, those of one quantity in two units or more as one.

    Args:
        numbers: In order.
        text: That they were found in.

    >>> from core.judging.match.readers.numbers import find_numbers
    >>> [str(number.value) for number in find_numbers("it lasts 1 h 30 min, 2 days a week")]
    ['5400', '172800']
    """
    former: Number | None = None
    for number in numbers:
        if former is not None and _continues(former, number, text):
            former = _together(former, number, text)
            continue
        if former is not None:
            yield former
        former = number
    if former is not None:
        yield former


def _continues(former: Number, number: Number, text: str) -> bool:
    if not former.unit or former.unit != number.unit or former.word != number.word:
        return False
    most = _PARTS.get((_unit_of(former), _unit_of(number)))
    whole = former.plain == former.plain.to_integral_value()
    return bool(
        most and whole and 0 <= number.plain < most and _JOINED.fullmatch(text, former.end, number.start) is not None
    )


def _unit_of(number: Number) -> str:
    name = _UNIT_NAME.search(number.text.strip())
    return _SPELLING.get(name[0].casefold(), "") if name else ""


def _together(former: Number, number: Number, text: str) -> Number:
    """Two parts of one quantity, counted in the unit of the last one."""
    name = _UNIT_NAME.search(number.text.strip())
    factor = UNITS[name[0].casefold()][1] if name else 1
    value = former.value + number.value
    return replace(number, value=value, plain=value / factor, text=text[former.start : number.end], start=former.start)
