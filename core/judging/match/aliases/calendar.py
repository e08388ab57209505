"""Months and days of the week by their abbreviations and by their names in other languages (Unicode's CLDR)."""

from __future__ import annotations

import re
from functools import lru_cache

from babel.dates import get_day_names, get_month_names

from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.dates import MONTHS

ASKED = re.compile(r"\b(?:months?|days?|weekdays?|when)\b")
"""Questions that a month or a day of the week answers."""
_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt")
_EVERYDAY = frozenset(
    {"mai", "mar", "ma", "di", "do", "so", "mi", "sat", "sun", "wed", "sa", "fr", "mo", "lu", "me", "je", "ve"}
)
"""Abbreviations that are also other words; they count with a full stop or in an answer that is nothing else."""


@lru_cache(maxsize=1)
def _by_name() -> dict[str, tuple[str, int]]:
    """Match text of a name -> which month or day it is."""
    names: dict[str, tuple[str, int]] = {name: ("month", place) for name, place in MONTHS.items()}
    for language in _LANGUAGES:
        for width in ("wide", "abbreviated"):
            for place, name in get_month_names(width, locale=language).items():
                names.setdefault(match_text(name).strip("."), ("month", place))
            for place, name in get_day_names(width, locale=language).items():
                names.setdefault(match_text(name).strip("."), ("day", place))
    return names | {"tues": ("day", 1), "thur": ("day", 3), "thurs": ("day", 3)}


def names_of(reference: str) -> tuple[str, ...]:
    """The other names of the month or day of the week that a reference is; empty where it is neither.

    >>> "sept" in names_of("September"), "montag" in names_of("Monday"), names_of("Chang")
    (True, True, ())
    """
    meant = _by_name().get(match_text(reference).strip(" ."))
    return tuple(name for name, other in _by_name().items() if other == meant) if meant else ()


def places(name: str, text: str) -> list[tuple[int, int]]:
    """Where a text has such a name.

    Args:
        name: As :func:`names_of` gives it.
        text: Match text.
    """
    found = [match.span() for match in re.finditer(rf"(?<![\w-]){re.escape(name)}s?(?![\w-])", text)]
    if name not in _EVERYDAY or text.strip(" .") == name:
        return found
    return [span for span in found if text[span[1] : span[1] + 1] == "."]


_NUMBERED = re.compile(
    r"(?<![\w./-])(?:(?P<first>0?[1-9]|1[0-2])[/.](?:19|20)\d\d|(?:19|20)\d\d-(?P<last>0[1-9]|1[0-2]))"
    r"(?![\w/-]|\.\d)"
)
"""A month by its number, with its year."""


def by_number(reference: str, text: str) -> list[tuple[int, int]]:
    """Where a text has a month by its number, with the year: "01/2023", "2023-01".

    >>> by_number("January", "the peak was 01/2023"), by_number("January", "the peak was 2023-02")
    ([(13, 20)], [])
    """
    kind, place = _by_name().get(match_text(reference).strip(" ."), ("", 0))
    if kind != "month":
        return []
    return [found.span() for found in _NUMBERED.finditer(text) if int(found["first"] or found["last"]) == place]
