"""Wrong values near a true one: for altered statements and for the options of a choice."""

from __future__ import annotations

import re
from collections.abc import Iterator

_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")
_LEADING = re.compile(r"(?<![\d.,])[1-9]")
_YEARS = (1, -1, 2, -2, 3, -3, 4, -4)
_MOST_YEARS_AHEAD = 2099


def altered(value: str, kind: str) -> Iterator[str]:
    """A number with another leading digit, a date with another year; nothing for other kinds.

    >>> list(altered("£45.80", "number"))[:3], next(altered("30 May 2022", "date"))
    (['£55.80', '£35.80', '£65.80'], '30 May 2023')
    >>> list(altered("free of charge", "text"))
    []
    """
    if kind == "date" and (year := _YEAR.search(value)):
        for step in _YEARS:
            other = int(year[0]) + step
            if other <= _MOST_YEARS_AHEAD:
                yield f"{value[: year.start()]}{other}{value[year.end() :]}"
    if kind == "number" and (leading := _LEADING.search(value)):
        digit = int(leading[0])
        for other in sorted(set(range(1, 10)) - {digit}, key=lambda other: (abs(other - digit), -other)):
            yield f"{value[: leading.start()]}{other}{value[leading.end() :]}"
