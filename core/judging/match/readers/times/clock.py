"""Times of day in words, as figures: "half past four in the afternoon" is 16:30."""

from __future__ import annotations

import re
from typing import Final

from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.dates import COMPACT_DATE, MONTHS, compact_dates, find_dates, parse_date

_HOURS: Final = "one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_MINUTES: Final = {"half": 30, "a quarter": 15, "quarter": 15, "five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_HOUR: Final = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_DAYTIME: Final = r"(?:,? (?P<part>in the (?:early |late )?(?:morning|afternoon|evening)|at night|[ap]\.?m\b\.?))?"
_IN_WORDS: Final = re.compile(
    rf"\b(?:(?P<minutes>{'|'.join(sorted(_MINUTES, key=len, reverse=True))})(?: minutes)? "
    r"(?P<way>past|after|to|before) )"
    rf"{_HOUR}(?: o ?['’]?clock)?(?![\w:])(?!\.\d){_DAYTIME}"
    rf"|\b{_HOUR.replace('hour', 'full')} o ?['’]?clock{_DAYTIME.replace('part', 'full_part')}"
    rf"|\b{_HOUR.replace('hour', 'bare')}(?P<bare_part> in the (?:morning|afternoon|evening)| at night)"
    r"|\b(?P<named>noon|midday|midnight)\b",
    re.IGNORECASE,
)
_OF_FOUR_DIGITS: Final = re.compile(r"\b([01]\d|2[0-3])([0-5]\d)(?: ?(?:Z|UTC|GMT)| (?:hrs|hours))\b")
"""As pilots and timetables write it: "2142Z"."""
_WITH_A_POINT: Final = re.compile(
    r"(?<![\d.,])(?P<hour>1?\d|2[0-3])[.:](?P<minute>[0-5]\d) in the (?P<part>morning|afternoon|evening)\b"
)
HALF_A_DAY: Final = 12
_NAMED: Final = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}


def is_clock(reference: str) -> bool:
    """Whether a reference is a time of day and nothing else.

    >>> is_clock("16:30"), is_clock("4 p.m."), is_clock("4 May"), is_clock("half an hour")
    (True, True, False, False)
    """
    span = parse_date(match_text(reference))
    return span is not None and all(one.hour is not None and not one.has_date for one in span.readings)


def clock_in_figures(text: str) -> str:
    """A text with its times in words as figures; the half of the day stays open where the text leaves it.

    >>> clock_in_figures("It closes at half past four in the afternoon, on Sundays at noon.")
    'It closes at 16:30, on Sundays at 12:00.'
    >>> clock_in_figures("ten to six"), clock_in_figures("at 8 o'clock in the evening"), clock_in_figures("at 2142Z")
    ('5:50', 'at 20:00', 'at 21:42')
    """
    return _IN_WORDS.sub(_figures, _OF_FOUR_DIGITS.sub(r"\1:\2", _WITH_A_POINT.sub(_pointed, text)))


_LASTED: Final = re.compile(
    r"(?<![\d:])(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d) ?(?:h|hrs?|hours)\b(?! clock)", re.IGNORECASE
)
_DURATION: Final = re.compile(
    r"\b(?:how long|durations?|in minutes|in hours|how many (?:minutes|hours))\b", re.IGNORECASE
)


def lasting(text: str, question: str) -> str:
    """A text with its durations in hours and minutes, where one is asked for.

    >>> lasting("It stood for 2:39 h.", "What is the stoppage in minutes?"), lasting("At 2:39 h.", "When was it?")
    ('It stood for 2 h 39 min.', 'At 2:39 h.')
    """
    if not _DURATION.search(question):
        return text
    return _LASTED.sub(lambda match: f"{int(match['hours'])} h {int(match['minutes'])} min", text)


_STAMP: Final = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d)(?::00)?(?:\.0+)?")
_SPAN: Final = re.compile(r"(?P<hours>\d{1,3}):(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d))?")
_AT: Final = re.compile(r"\bat $")
_LASTING: Final = re.compile(r"\b(?:did|last|lasted|take|took|h+:mm)\b", re.IGNORECASE)
NEAR, FAR = 10, 60
"""Characters in front of a time of day, and those in which a duration is named."""
_HOW_LONG: Final = re.compile(r"\bhow long\b|\bdurations?\b", re.IGNORECASE)


_MONTH_STAMP: Final = re.compile(r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])")
_MONTH_ASKED: Final = re.compile(r"\b(?:which|what) month\b", re.IGNORECASE)
_DAY_ASKED: Final = re.compile(r"\b(?:dates?|dated|when|which day|what day)\b", re.IGNORECASE)


def as_asked(reference: str, question: str) -> str:
    """A reference as the question wants it: the time of a timestamp whose day it names, hours, a day in eight digits.

    >>> as_asked("2022-07-08 06:50:00", "When were they released on 8 July 2022?")
    '06:50'
    >>> as_asked("19:25:00", "How long did it take?"), as_asked("19:25:00", "When did it begin?")
    ('19 h 25 min', '19:25:00')
    >>> as_asked("2022-07", "In which month of 2022 was it?"), as_asked("2022-07", "In which month was it?")
    ('July', '2022-07')
    >>> as_asked("20240520", "What is the posting date?"), as_asked("20240520", "How many were sold?")
    ('2024-05-20', '20240520')
    """
    plain = reference.strip()
    if _DAY_ASKED.search(question) and COMPACT_DATE.fullmatch(plain) and (days := compact_dates(plain)):
        return days[0].readings[0].shown()
    if (stamp := _STAMP.fullmatch(plain)) and (day := parse_date(stamp["date"])):
        asked = [one for span in find_dates(match_text(question), 5) for one in span.readings]
        named = {(one.year, one.month, one.day) for one in asked}
        is_named = any((one.year, one.month, one.day) in named for one in day.readings)
        return stamp["time"] if is_named else reference
    if (month := _MONTH_STAMP.fullmatch(plain)) and _MONTH_ASKED.search(question) and month["year"] in question:
        return next(name for name, place in MONTHS.items() if place == int(month["month"])).capitalize()
    if _HOW_LONG.search(question) and (span := _SPAN.fullmatch(plain)):
        seconds = f" {int(span['seconds'])} s" if int(span["seconds"] or 0) else ""
        return f"{int(span['hours'])} h {int(span['minutes'])} min{seconds}"
    return reference


def is_moment(text: str, start: int, question: str) -> bool:
    """Whether a time of day is when something was, where it is asked how long it took.

    Args:
        text: Match text of the answer.
        start: Where the time begins.
        question: Match text of the question.

    >>> is_moment("it was reported at 06:25", 19, "how long did it last?"), is_moment("06:25", 0, "how long was it?")
    (True, False)
    """
    asked = _HOW_LONG.search(question) and _LASTING.search(question)
    at = _AT.search(text, max(0, start - NEAR), start)
    return bool(asked and at and not _HOW_LONG.search(text[max(0, start - FAR) : start]))


def _figures(match: re.Match[str]) -> str:
    if match["named"]:
        return _NAMED[match["named"].casefold()]
    hour_text, part = next(
        (match[hour], match[part] or "")
        for hour, part in (("hour", "part"), ("full", "full_part"), ("bare", "bare_part"))
        if match[hour]
    )
    hour = int(hour_text) if hour_text.isdigit() else _HOURS.index(hour_text.casefold()) + 1
    minutes = _MINUTES[match["minutes"].casefold()] if match["minutes"] else 0
    if match["minutes"] and match["way"].casefold() in {"to", "before"}:
        hour, minutes = (hour - 1) or 12, 60 - minutes
    part = part.casefold().strip(" ,.")
    if part.startswith("p") or "afternoon" in part or "evening" in part or ("night" in part and hour >= 6):
        return f"{hour % 12 + 12}:{minutes:02}"
    if part:
        return f"{hour % 12:02}:{minutes:02}"
    return f"{hour}:{minutes:02}"


def _pointed(match: re.Match[str]) -> str:
    """A time with a point and its half of the day: "6.50 in the morning"."""
    later = HALF_A_DAY if match["part"] != "morning" and int(match["hour"]) < HALF_A_DAY else 0
    return f"{int(match['hour']) + later:02}:{match['minute']}"
