"""The time that a figure is for, as headers of tables and sentences write it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NUMBERS = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "one": 1, "two": 2}
_WORDS = {number: word for word, number in _NUMBERS.items()}
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?\\.?" if name != "may" else "may" for name in _MONTHS)
DATE = rf"(?:(?:{_MONTH}) \d{{1,2}} ?, ?(?:19|20)\d\d|\d{{1,2}} (?:{_MONTH}),? (?:19|20)\d\d)"
"""A day with its year, in either order."""
_DATE = re.compile(
    rf"(?:(?P<month>{_MONTH}) (?P<day>\d{{1,2}}) ?, ?|(?P<day_first>\d{{1,2}}) (?P<month_last>{_MONTH}),? )"
    r"(?P<year>(?:19|20)\d\d)",
    re.IGNORECASE,
)
_LENGTH = rf"(?P<number>{'|'.join(_NUMBERS)}|\d{{1,2}})[- ]months? (?:periods? )?"
_SPAN = re.compile(
    rf"(?:(?:for|in|during) )?(?:the )?(?:{_LENGTH}|(?P<named>(?:fiscal )?(?:quarter|year)) )(?:ended|ending) "
    rf"(?P<date>{DATE})",
    re.IGNORECASE,
)
_DAY = re.compile(rf"(?:(?:as of|at|on) )?(?P<date>{DATE})", re.IGNORECASE)
_QUARTER = re.compile(
    r"\b(?:Q(?P<digit>[1-4])|(?P<word>first|second|third|fourth) quarter)(?: of)? (?:fiscal )?(?P<year>(?:19|20)\d\d)\b",  # noqa: E501
    re.IGNORECASE,
)
_SHORT_YEAR = re.compile(r"\bQ([1-4])[ '’-]{1,2}([0-4]\d)(?![\d/])")
"""A quarter with two digits of its year."""
_MONTH_YEAR = re.compile(rf"\b(?P<month>{_MONTH}) (?P<year>(?:19|20)\d\d)\b(?!\d)", re.IGNORECASE)
_YEAR = re.compile(
    r"(?<![\w.,/-])(?P<fiscal>(?:fiscal(?: year)?|FY) ?)?(?P<year>(?:19|20)\d\d)(?![\w/-]|[.,]\d)", re.IGNORECASE
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A stretch of time by its length and last day, or a day.

    Attributes:
        months: Its length; 0 for a day.
        end: Year, month and day of its end; month and day are 0 where only the year is given.
        words: As a question names it, without the preposition.
    """

    months: int
    end: tuple[int, int, int]
    words: str

    @property
    def identity(self) -> tuple[int, ...]:
        """Equal for two spellings of one period."""
        return self.months, *self.end

    @property
    def named(self) -> bool:
        """Whether it is a year, a quarter or a month, which things happen in, and no day ends it."""
        return not (self.end[1] and self.end[2])

    @property
    def phrase(self) -> str:
        """With its preposition: "for the three months ended April 1, 2023", "as of April 1, 2023", "in 2023"."""
        if self.months and self.named:
            return f"in {self.words}"
        return f"for {self.words}" if self.months else f"as of {self.words}"


def read_period(text: str) -> tuple[Period | None, str]:
    """The period that a header or a title names, and what else it says.

    Two periods of one kind in a text are none: which of them a figure is for is not said.

    >>> read_period("Three Months Ended April 1, 2023")[0].phrase
    'for the three months ended April 1, 2023'
    >>> read_period("2022 Change")
    (Period(months=12, end=(2022, 0, 0), words='2022'), 'Change')
    >>> read_period("Q2 24")[0].words, read_period("Q2 23/24")[0]
    ('the second quarter of 2024', None)
    >>> read_period("April 1, 2023 and September 24, 2022")[0] is None
    True
    """
    plain = _SHORT_YEAR.sub(r"Q\1 20\2", " ".join(text.split()))
    for shape, read in ((_SPAN, _span), (_DAY, _day), (_QUARTER, _quarter), (_MONTH_YEAR, _month), (_YEAR, _year)):
        matches = list(shape.finditer(plain))
        if len(matches) > 1:
            return None, plain
        if matches:
            match = matches[0]
            rest = _without_marks(f"{plain[: match.start()]} {plain[match.end() :]}")
            if shape is not _YEAR and len(_DATE.findall(rest)):
                return None, plain
            return read(match), " ".join(rest.split())
    return None, plain


def _without_marks(rest: str) -> str:
    """What a head says besides its period, without the marks around that; a unit keeps its brackets."""
    bare = re.sub(r"\(\s*\)", "", rest).strip(" ,;:-–—")
    whole = bare.count("(") == bare.count(")") and not bare.startswith("(")
    return bare if whole else bare.strip(" ,;:()-–—")


def _date(text: str) -> tuple[tuple[int, int, int], str]:
    match = _DATE.search(text)
    assert match is not None  # noqa: S101
    name = (match["month"] or match["month_last"]).lower()[:3]
    month = next(number for number, full in enumerate(_MONTHS, start=1) if full.startswith(name))
    day = int(match["day"] or match["day_first"])
    full = _MONTHS[month - 1].capitalize()
    words = f"{full} {day}, {match['year']}" if match["month"] else f"{day} {full} {match['year']}"
    return (int(match["year"]), month, day), words


def _span(match: re.Match[str]) -> Period:
    end, words = _date(match["date"])
    if match["named"]:
        named = match["named"].lower()
        return Period(months=12 if named.endswith("year") else 3, end=end, words=f"the {named} ended {words}")
    number = _NUMBERS.get(match["number"].lower()) or int(match["number"])
    return Period(months=number, end=end, words=f"the {_WORDS.get(number, number)} months ended {words}")


def _day(match: re.Match[str]) -> Period:
    end, words = _date(match["date"])
    return Period(months=0, end=end, words=words)


def _quarter(match: re.Match[str]) -> Period:
    number = int(match["digit"] or _ORDINALS[match["word"].lower()])
    word = next(word for word, place in _ORDINALS.items() if place == number)
    # A quarter has no day by which it could be the same as one given by its end.
    return Period(months=3, end=(int(match["year"]), 0, number), words=f"the {word} quarter of {match['year']}")


def _month(match: re.Match[str]) -> Period:
    name = match["month"].lower()[:3]
    number = next(place for place, full in enumerate(_MONTHS, start=1) if full.startswith(name))
    return Period(
        months=1, end=(int(match["year"]), number, 0), words=f"{_MONTHS[number - 1].capitalize()} {match['year']}"
    )


def _year(match: re.Match[str]) -> Period:
    fiscal = "fiscal " if match["fiscal"] else ""
    return Period(months=12, end=(int(match["year"]), 0, 0), words=f"{fiscal}{match['year']}")
