"""What the cells of a column are: whole numbers, numbers, dates, moments or text, and how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache

BLANKS = frozenset({"", "-", "--", "n/a", "na", "n.a.", "null", "none", "nan", "?", "unknown", "tbd"})
"""What stands where there is no number and no date."""
_MONEY = r"(?:[€$£]|EUR|USD|GBP|CHF)?"
POINT = re.compile(
    rf"\(?[-+]?{_MONEY}\s*[-+]?(?:\d+|\d{{1,3}}(?:[,' \u00a0\u202f]\d{{3}})+)(?:\.\d+)?\s*(?:%|{_MONEY})\)?"
)
COMMA = re.compile(
    rf"\(?[-+]?{_MONEY}\s*[-+]?(?:\d+|\d{{1,3}}(?:[.' \u00a0\u202f]\d{{3}})+)(?:,\d+)?\s*(?:%|{_MONEY})\)?"
)
WHOLE = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})")
ZEROS = re.compile(r"[-+]?0\d+")
"""A number that begins with a zero is a code."""
DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})")
NAMED = re.compile(r"(\d{1,2})[ -]([A-Za-z]{3})[a-z]*\.?[ -](\d{4})")
CLOCK = re.compile(r"[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


class Kind(StrEnum):
    """What a column holds, in a person's words."""

    TEXT = "text"
    WHOLE = "whole number"
    NUMBER = "number"
    NUMBER_COMMA = "number, decimal comma"
    DATE = "date"
    DATE_DAY_FIRST = "date, day first"
    DATE_MONTH_FIRST = "date, month first"
    MOMENT = "date and time"


DECLARED = {
    Kind.TEXT: "TEXT",
    Kind.WHOLE: "INTEGER",
    Kind.NUMBER: "DECIMAL",
    Kind.NUMBER_COMMA: "DECIMAL",
    Kind.DATE: "DATE",
    Kind.DATE_DAY_FIRST: "DATE",
    Kind.DATE_MONTH_FIRST: "DATE",
    Kind.MOMENT: "DATETIME",
}
"""The type that the database declares."""
ORDER = (
    Kind.WHOLE,
    Kind.DATE,
    Kind.DATE_DAY_FIRST,
    Kind.DATE_MONTH_FIRST,
    Kind.MOMENT,
    Kind.NUMBER,
    Kind.NUMBER_COMMA,
)
"""Which kind comes first where several fit."""


SURELY_TEXT = 2_000
"""Cells after which a kind that few of them are of is no longer looked for."""
MOSTLY = 0.8
"""Share of cells of a kind from which the others are worth a note."""


@dataclass(slots=True)
class Guess:
    """The kinds that every cell so far could be of.

    Attributes:
        fits: How many cells each kind fits.
        filled: Cells that hold something.
        blanks: Cells that hold a sign for nothing, such as ``n/a``.
        odd: The first cell that is of no kind but text, with its line.
        coded: Whether one begins with a zero, as codes do.
        tried: The kinds that are still looked for.
    """

    fits: dict[Kind, int]
    filled: int = 0
    blanks: int = 0
    odd: str = ""
    coded: bool = False
    tried: tuple[Kind, ...] = ORDER

    def add(self, cell: str, line: int) -> None:
        """Looks at one more cell."""
        if cell.casefold() in BLANKS:
            self.blanks += bool(cell)
            return
        self.filled += 1
        if self.filled == SURELY_TEXT:
            self.tried = tuple(kind for kind in ORDER if self.fits.get(kind, 0) >= MOSTLY * self.filled)
        if not self.tried:
            return
        if cell[0] in "0+-" and ZEROS.fullmatch(cell):
            self.coded = True
        fitting = (
            kinds_of(cell)
            if len(self.tried) == len(ORDER)
            else [kind for kind in self.tried if converted(cell, kind) is not None]
        )
        for kind in fitting:
            self.fits[kind] = self.fits.get(kind, 0) + 1
        if not fitting and not self.odd:
            self.odd = f"{cell[:40]!r} in line {line}"

    def kind(self, *, commas: bool) -> tuple[Kind, str]:
        """The kind of the column, and what a person should look at; ``commas`` where the file parts cells otherwise."""
        if not self.filled or self.coded:
            return Kind.TEXT, "" if self.filled else "no row has a value"
        every = [kind for kind in ORDER if self.fits.get(kind, 0) == self.filled]
        if not every:
            most = max(self.fits.values(), default=0)
            if most >= MOSTLY * self.filled and self.odd:
                return Kind.TEXT, f"{self.filled - most} of {self.filled} values are no number or date: {self.odd}"
            return Kind.TEXT, ""
        if {Kind.DATE_DAY_FIRST, Kind.DATE_MONTH_FIRST} <= set(every):
            return Kind.DATE_DAY_FIRST, "every date could be read month first too"
        if every[0] is Kind.NUMBER and Kind.NUMBER_COMMA in every:
            chosen = Kind.NUMBER_COMMA if commas else Kind.NUMBER
            return chosen, "no value says whether a comma or a point parts the decimals"
        return every[0], ""


@lru_cache(maxsize=65_536)
def kinds_of(cell: str) -> tuple[Kind, ...]:
    """The kinds that a cell could be of, text left out."""
    if not any(letter.isdigit() for letter in cell):
        return ()
    return tuple(kind for kind in ORDER if converted(cell, kind) is not None)


def converted(cell: str, kind: Kind) -> str | int | float | None:
    """A cell's value as the database keeps it; None where the cell is not of the kind."""
    if kind is Kind.TEXT:
        return cell
    if kind is Kind.WHOLE:
        return int(cell) if WHOLE.fullmatch(cell) else None
    if kind in (Kind.NUMBER, Kind.NUMBER_COMMA):
        return _number(cell, comma=kind is Kind.NUMBER_COMMA)
    if kind is Kind.MOMENT:
        clock = CLOCK.search(cell)
        day = _date(cell[: clock.start()], Kind.DATE) if clock else None
        if clock is None or day is None or int(clock[1]) > 23 or int(clock[2]) > 59:
            return None
        return f"{day} {int(clock[1]):02}:{clock[2]}:{clock[3] or '00'}"
    return _date(cell, kind)


def _number(cell: str, *, comma: bool) -> float | int | None:
    if not (COMMA if comma else POINT).fullmatch(cell):
        return None
    negative = "-" in cell or cell.startswith("(")
    digits = re.sub(r"[^\d,]" if comma else r"[^\d.]", "", cell).replace(",", ".")
    value = float(digits)
    return -value if negative else value


def _date(cell: str, kind: Kind) -> str | None:
    if named := NAMED.fullmatch(cell):
        month = named[2].lower()
        return _day(int(named[3]), MONTHS.index(month) + 1, int(named[1])) if month in MONTHS else None
    found = DATE.fullmatch(cell)
    if found is None:
        return None
    first, middle, last = int(found[1]), int(found[3]), int(found[4])
    if kind is Kind.DATE:
        return _day(first, middle, last) if len(found[1]) == 4 else None
    if len(found[4]) != 4:
        return None
    return _day(last, middle, first) if kind is Kind.DATE_DAY_FIRST else _day(last, first, middle)


def _day(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
