"""Quantities in two units: "1 h 30 min" is 90 minutes, "5 ft 11 in" one height."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Protocol, TypeVar

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


class Quantity(Protocol):
    """A number with its unit, as it stands in a text."""

    @property
    def plain(self) -> Decimal:
        """The value in the unit as written."""

    @property
    def unit(self) -> str:
        """Its dimension."""

    @property
    def text(self) -> str:
        """As written."""

    @property
    def start(self) -> int:
        """Offset in the text."""

    @property
    def end(self) -> int:
        """Offset behind it."""

    @property
    def word(self) -> bool:
        """Whether it is written in words."""

    @property
    def ordinal(self) -> bool:
        """Whether it is "first" or "3rd"."""


Q = TypeVar("Q", bound=Quantity)


def compounds(numbers: Iterator[Q], text: str, join: Callable[[Q, Q], Q]) -> Iterator[Q]:
    """Numbers, those of one quantity in two units or more as one.

    Args:
        numbers: In order.
        text: That they were found in.
        join: Makes one of two.
    """
    former: Q | None = None
    for number in numbers:
        if former is not None and _continues(former, number, text):
            former = join(former, number)
            continue
        if former is not None:
            yield former
        former = number
    if former is not None:
        yield former


def _continues(former: Quantity, number: Quantity, text: str) -> bool:
    mixed = former.word != number.word and "," in text[former.end : number.start]
    if not former.unit or former.unit != number.unit or mixed or former.ordinal or number.ordinal:
        return False
    most = _PARTS.get((_unit_of(former), _unit_of(number)))
    whole = former.plain == former.plain.to_integral_value()
    return bool(
        most and whole and 0 <= number.plain < most and _JOINED.fullmatch(text, former.end, number.start) is not None
    )


def _unit_of(number: Quantity) -> str:
    return _SPELLING.get(unit_name(number.text), "")


def unit_name(text: str) -> str:
    """The unit that a number as written ends with, in lower case.

    >>> unit_name("51 Seconds "), unit_name("51")
    ('seconds', '')
    """
    name = _UNIT_NAME.search(text.strip())
    return name[0].casefold() if name else ""
