"""The numbers of a text that may be a value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.times.dates import find_dates
from core.judging.match.values import MAX_VALUES

QUANTITY = re.compile(
    r"\b(?:wie ?viele?|hoeveel|combien|cuant[oa]s?|quant[ie]"
    r"|how (?:many|much|large|big|high|long|far|old)|number of|amount|count|total|salary|balance|price|cost|fee|"
    r"rate|value|sum|size|revenue|income|budget|capital|percentage|share|output|capacity|stocks?|weight|mass|length|width"
    r"|height|depth|area|distance|speed|altitude|elevation|volume|population|attendance|enrolment|enrollment|score"
    r"|quantity|yield|production|consumption|turnover|rent|wage|payload|displacement|mileage"
    r"|in (?:kg|kwh|mwh|m2|m3|km|cm|mm|hp|kw|mw|tons|tonnes|litres|liters|metres|meters|feet|acres|hectares|kilograms"
    r"|kilometres|kilometers|miles))\b"
)
YEAR_BEFORE = re.compile(
    r"\b(?:in|since|by|until|till|during|of|year|from|fy|early|late|mid|before|after|through|to)[ -](?:the year )?$"
)
_NUMBERED = re.compile(r"\b(?!(?:total|a|the|what|this) )[a-z]{3,} (?:number|no\.|nr\.?|#) ?$")
"""In front of a figure that names something: "staff number 1"."""
_LIKELY_YEAR = re.compile(r"(?:1[89]|20)\d\d")
"""Behind "of" a figure is a year only where it is one of these: "a score of 1124"."""
NEAR = 40
"""Characters in front of a figure that say whether it names something."""
_CODE = re.compile(
    r"(?<![\w-])(?!(?:in|on|at|of|to|by|for|from|the|and|or|fy|year|years)\b)[a-z]{1,6} \d{2,}(?:[-/]\d+)+(?![\w-])"
)
"""A code of letters and figures with a blank between them: "container bmou 118345-6"."""
_HYPHENED = re.compile(r"(?<![\w-])[a-z]{1,6}(?:-\d+){2,}(?![\w-])")
"""A code of letters and two figures: "CL-2022-10083"."""
_OUT_OF = re.compile(r"(?P<part>\w+) out of (?P<whole>\w+)")
PERCENT_WORD = re.compile(r"%|\bper ?cent|\bpercentage\b|\bpct\b")
COUNTED = re.compile(r"\bhow many (?P<what>[a-z]{3,})\b")
ONE_OF = re.compile(r" (?:of|another|such|who|that|which)\b")


def candidates(text: str, question: str) -> list[Number]:
    """The numbers of a text that may be a value.

    No parts of dates and of codes that the question names, and no years where a quantity is asked for.
    """
    dates = [span for span in find_dates(text, MAX_VALUES) if not span.bare_year]
    numbers = [number for number in find_numbers(text, MAX_VALUES) if not _pronoun(number, text)]
    numbers = _outside(numbers, [(span.start, span.end) for span in dates])
    numbers = _outside(numbers, [found.span() for found in _HYPHENED.finditer(text)])
    for code in frozenset(_CODE.findall(question)):
        numbers = _outside(numbers, [found.span() for found in re.finditer(re.escape(code), text)])
    if QUANTITY.search(question):
        numbers = [
            number for number in numbers if not _NUMBERED.search(text[max(0, number.start - NEAR) : number.start])
        ]
        numbers = [
            number for number in numbers if not _year_like(number, text, question) and not number.ordinal
        ] or numbers
    return numbers


def part_and_whole(numbers: Sequence[Number]) -> list[Number]:
    """Numbers, "21 out of 34" as the two that it counts with.

    >>> [number.text for number in part_and_whole(find_numbers("7 of 9, and 21 out of 34 turbines"))]
    ['7', '9', '21', '34']
    """
    apart: list[Number] = []
    for number in numbers:
        share = _OUT_OF.fullmatch(number.text)
        if share is None:
            apart.append(number)
            continue
        for name in ("part", "whole"):
            start = number.start + share.start(name)
            apart += [replace(one, start=start, end=start + len(one.text)) for one in find_numbers(share[name])]
    return apart


def _pronoun(number: Number, text: str) -> bool:
    return number.word and number.plain == 1 and bool(ONE_OF.match(text, number.end))


def _year_like(number: Number, text: str, question: str) -> bool:
    if not re.fullmatch(r"(?:1[0-9]|2[01])\d\d", number.text):
        return False
    counted = COUNTED.search(question)
    if counted and text.startswith(f" {counted['what']}", number.end):
        return False
    before = text[max(0, number.start - 24) : number.start]
    if before.endswith("of ") and not _LIKELY_YEAR.fullmatch(number.text):
        return False
    return bool(YEAR_BEFORE.search(before))


def _outside(numbers: list[Number], spans: list[tuple[int, int]]) -> list[Number]:
    outside: list[Number] = []
    place = 0
    for number in numbers:
        while place < len(spans) and spans[place][1] <= number.start:
            place += 1
        if place == len(spans) or number.end <= spans[place][0]:
            outside.append(number)
    return outside
