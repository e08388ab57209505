"""Dates that an answer tells by a calculation or in words."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from core.judging.match.figures.clauses import families
from core.judging.match.readers.figures.number_words import value_of_words
from core.judging.match.readers.times.dates import DateSpan, Reading, find_dates
from core.judging.match.surroundings.objections import Objection

_RELATIVE: Final = re.compile(
    r"\b(?P<count>\w+) (?P<unit>days?|weeks?|months?|years?)(?: exactly| to the day)? "
    r"(?:later|earlier|after|before|prior|following|from|on\b|thereafter|afterwards|beforehand|ahead)"
    r"|\bthe (?:very )?(?P<next>day|week|month|year) (?:after|before|later|earlier)"
    r"|\b(?P<nextday>following|next|previous|preceding) (?P<step>day|week|month|year)\b"
)
LONGEST_COUNT: Final = 3
"""Digits of a number of days, weeks, months or years."""
_HALF: Final = re.compile(r"[ap]\.?m|^0")
HALF_A_DAY: Final = 12
_DAYS: Final = {"day": 1, "week": 7}
_MONTHS: Final = {"month": 1, "year": 12}
_TIME_IN_WORDS: Final = re.compile(
    r"\b(?:half past|(?:a )?quarter (?:past|to|after)|o ?'?clock|noon|midday|midnight"
    r"|in the (?:morning|afternoon|evening))"
)


def reckoned(wanted: DateSpan, text: str, question: str) -> str:
    """A date that the answer tells by its distance from another one: "on 6 November and two days later"."""
    told = [reading for span in find_dates(text, 20) for reading in span.readings if reading.has_date]
    for match in _RELATIVE.finditer(text):
        count = 1 if match["count"] is None else _count(match["count"])
        unit = (match["unit"] or match["next"] or match["step"] or "").rstrip("s")
        if not count or not unit:
            continue
        if match["step"] and families(_clause(text, match.start()).replace(match[0], " ")).isdisjoint(
            families(question)
        ):
            continue
        for reading in told:
            for way in (1, -1):
                moved = _moved(reading, way * count, unit)
                if moved and any(_same_date(moved, one) for one in wanted.readings):
                    return f'The answer tells a date by its distance ("{match[0]}").'
    return ""


def half_of_the_day(wanted: DateSpan, text: str) -> str:
    """A time that is the reference's in the other half of the day, which the answer does not name: 4:30 for 16:30."""
    for span in find_dates(text, 20):
        if _HALF.search(span.text):
            continue
        for one in span.readings:
            for own in wanted.readings:
                apart = one.hour is not None and own.hour is not None and own.hour - one.hour
                if apart == HALF_A_DAY and one.minute == own.minute and not one.has_date:
                    return f"The answer says {span.text.strip()} and not which half of the day."
    return ""


def _clause(text: str, place: int) -> str:
    start = max(text.rfind(mark, 0, place) for mark in ",.;\n") + 1
    ends = [end for mark in ",.;\n" if (end := text.find(mark, place)) >= 0]
    return text[start : min(ends, default=len(text))]


def _count(word: str) -> int:
    if word in {"a", "an", "one"}:
        return 1
    if word.isdigit():
        return int(word) if len(word) <= LONGEST_COUNT else 0
    value = value_of_words(word)
    return int(value[0]) if value else 0


def _moved(reading: Reading, count: int, unit: str) -> Reading | None:
    try:
        if unit in _DAYS:
            if not (reading.month and reading.day):
                return None
            start = date(reading.year or 2001, reading.month, reading.day)
            there = start + timedelta(days=count * _DAYS[unit])
            return Reading(year=there.year if reading.year else None, month=there.month, day=there.day)
        if not reading.year:
            return None
        months = reading.year * 12 + (reading.month or 1) - 1 + count * _MONTHS[unit]
        month = months % 12 + 1 if reading.month else None
        return Reading(year=months // 12, month=month, day=reading.day)
    except (ValueError, OverflowError):
        return None


def _same_date(one: Reading, other: Reading) -> bool:
    pairs = [(one.year, other.year), (one.month, other.month), (one.day, other.day)]
    return all(left == right for left, right in pairs if left and right) and any(
        left and right for left, right in pairs
    )


def timed(outcome: Objection, text: str) -> str:
    """The words of a time of day that no rule reads, where a date without its time was found; or empty."""
    if outcome.rule == "less precise" and (words := _TIME_IN_WORDS.search(text)):
        return f'The answer gives the time in words ("{words[0]}").'
    return ""
