"""Dates and times in text, in any usual format, with every reading an ambiguous one may have."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice

from core.judging.match.readers.figures.number_words import ORDINALS, value_of_words

_MONTH_NAMES = (
    "january jan januari januar janvier enero gennaio",
    "february feb februari februar fevrier febrero febbraio",
    "march mar maart marz mars marzo",
    "april apr avril abril aprile",
    "may mai mei mayo maggio",
    "june jun juni juin junio giugno",
    "july jul juli juillet julio luglio",
    "august aug augustus aout agosto",
    "september sept sep septembre septiembre settembre",
    "october oct oktober okt octobre octubre ottobre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dicembre",
)
MONTHS = {name: place for place, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
SEASONS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "fall": (9, 10, 11),
    "winter": (12, 1, 2),
}
QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One meaning of a date or time; what is not stated is None.

    Attributes:
        quarter: 1-4, where only that is stated.
        season: Where only that is stated.
        second: 0-59, stated or None.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None
    quarter: int | None = None
    season: str = ""

    @property
    def has_date(self) -> bool:
        """Whether it states anything of a date."""
        return any((self.year, self.month, self.day, self.quarter, self.season))

    def last_day(self) -> Reading:
        """The last day of a year or a month; what states a day, or neither, as it is."""
        if self.day or self.quarter or self.season or not (self.year or self.month):
            return self
        month = self.month or 12
        return replace(self, month=month, day=monthrange(self.year or 2001, month)[1])

    def shown(self) -> str:
        """The reading as a person checks it: ``2023-04-01 09:30``, ``2023-04``, ``Q2 2023``."""
        parts: list[str] = []
        if self.quarter:
            parts.append(f"Q{self.quarter}")
        if self.season:
            parts.append(self.season)
        if self.month or self.day:
            year = f"{self.year:04d}" if self.year else "????"
            parts.append(f"{year}-{self.month or 0:02d}" + (f"-{self.day:02d}" if self.day else ""))
        elif self.year:
            parts.append(str(self.year))
        if self.hour is not None:
            seconds = f":{self.second:02d}" if self.second else ""
            parts.append(f"{self.hour:02d}:{self.minute or 0:02d}{seconds}")
        return " ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSpan:
    """A date or a time in a text.

    Attributes:
        readings: Its meanings, the likelier first; more than one where day and month can change places.
        bare_year: Whether it is four digits and nothing else, which may as well be a count.
    """

    readings: tuple[Reading, ...]
    text: str
    start: int
    end: int
    bare_year: bool = False

    @property
    def ambiguous(self) -> bool:
        """Whether day and month can change places."""
        return len(self.readings) > 1


_MONTH = "|".join(sorted(MONTHS, key=lambda name: (-len(name), name)))
_YEAR = r"(?:1[0-9]|2[01])\d\d"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NTH = "|".join(name for name, day in ORDINALS.items() if 0 < day < 10)
_TO_THIRTY = "|".join(name for name, day in ORDINALS.items() if 0 < day <= 30)
_DAY_WORD = rf"(?:twenty[ -](?:{_NTH})|thirty[ -]first|{_TO_THIRTY})"
_TIME = (
    r"(?P<{0}h>2[0-3]|[01]?\d)[:.h](?P<{0}m>[0-5]\d)(?::(?P<{0}s>[0-5]\d)(?:[.,]\d{{1,9}})?)?"
    r"(?:[ ]?(?P<{0}p>[ap]\.?m\b\.?))?(?:z|[ ]?(?:utc|gmt))?"
)
_CLOCK = _TIME.format("c").replace("[:.h]", ":")

DATE = re.compile(
    rf"""(?<![\w]) (?<!\d[.,/:]) (?:(?<!\d-)|(?<=:\d\d-)) (?:
      (?P<iso_year>{_YEAR})(?P<iso_mark>[-/.])(?P<iso_month>1[0-2]|0?[1-9])(?P=iso_mark)(?P<iso_day>{_DAY})
      | (?P<first>\d{{1,2}})(?P<mark>[-/.])[ ]?(?P<second_part>\d{{1,2}})(?P=mark)[ ]?(?P<num_year>{_YEAR}|\d\d)
      | (?P<dmy_day>{_DAY})(?:st|nd|rd|th|\.)?(?:[ ]?-[ ]?|/|[ ]of[ ]|[ ]day[ ]of[ ]|[ ])?(?P<dmy_month>{_MONTH})\b\.?
        (?:(?:,?[ ](?:of[ ])?|-|/|[ ]in[ ])(?P<dmy_year>{_YEAR})|-(?P<dmy_short>\d\d)
          |[ ]'(?P<dmy_quote>\d\d)|[ ](?P<dmy_brief>\d\d)(?=\W*$))?
      | (?P<mdy_month>{_MONTH})\b\.?[ -](?:the[ ])?(?P<mdy_day>{_DAY})(?:st|nd|rd|th)?(?![\d:])
        (?:(?:,[ ]?|[ ](?:of[ ])?|-|,?[ ]in[ ])(?P<mdy_year>{_YEAR}))?
      | (?P<nth_day>{_DAY_WORD})(?:[ ]day)?[ ](?:of[ ])(?P<nth_month>{_MONTH})\b\.?
        (?:(?:,?[ ](?:of[ ])?|,?[ ]in[ ])(?P<nth_year>{_YEAR}))?
      | (?P<mth_month>{_MONTH})\b[ ](?:the[ ])?(?P<mth_day>{_DAY_WORD})(?:,[ ]?|[ ](?:of[ ])?)(?P<mth_year>{_YEAR})
      | (?P<ymd_year>{_YEAR})[ ,-]{{1,2}}(?P<ymd_month>{_MONTH})\b\.?(?:[ -](?P<ymd_day>{_DAY})(?:st|nd|rd|th)?(?!\d))?
      | (?P<my_month>{_MONTH})\b\.?(?:,?[ ](?:of[ ])?|-|/)(?P<my_year>{_YEAR})
      | (?P<my_only>{_YEAR})-(?P<ym_month>1[0-2]|0[1-9])
      | (?P<m_of>1[0-2]|0[1-9])/(?P<m_year>{_YEAR})
      | (?:the[ ])?(?:q(?P<quarter>[1-4])|(?P<quarter_name>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ ]quarter)
        (?:,?[ ](?:of[ ])?|[/-])(?:the[ ]year[ ])?(?P<quarter_year>{_YEAR})
      | (?P<yq_year>{_YEAR})[ -]?q(?P<yq>[1-4])
      | (?P<season>spring|summer|autumn|fall|winter)(?:,?[ ](?:of[ ])?)(?P<season_year>{_YEAR})
      | {_CLOCK}
      | (?P<oclock>1[0-2]|0?[1-9])[ ]?(?P<oclock_p>[ap]\.?m\b\.?)
      | (?P<year>{_YEAR})
    )
    (?(iso_year)(?:(?:t|[ ]|,[ ]|[ ]at[ ]){_TIME.format("i")}(?:[+-](?:0\d|1[0-4]):?[0-5]\d)?)?)
    (?!\w|[/.:,]\d|-\d(?!\d?:[0-5]\d))
    """,
    re.VERBOSE | re.IGNORECASE,
)


COMPACT_DATE = re.compile(
    r"(?<![\w.,/-])(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\w|[.,/-]\d)"
)


def find_dates(text: str, limit: int | None = None) -> tuple[DateSpan, ...]:
    """Every date and time in a text, in order.

    Args:
        text: Best normalised (:func:`core.judging.match.readers.texts.normalise.normalise_text`), so that offsets are
            into that.
        limit: Stop after so many.

    >>> [span.readings[0].shown() for span in find_dates("1 april 2023, april 1st, 2023, 2023-04-01t09:30, apr 2023")]
    ['2023-04-01', '2023-04-01', '2023-04-01 09:30', '2023-04']
    >>> [reading.shown() for reading in find_dates("01/04/2023")[0].readings]
    ['2023-04-01', '2023-01-04']
    """
    return tuple(islice(iter_dates(text), limit))


def iter_dates(text: str) -> Iterator[DateSpan]:
    """:func:`find_dates`, one at a time."""
    for match in DATE.finditer(text):
        readings = tuple(_readings(match))
        if readings:
            yield DateSpan(
                readings=readings,
                text=match[0],
                start=match.start(),
                end=match.end(),
                bare_year=match["year"] is not None,
            )


def compact_dates(text: str) -> tuple[DateSpan, ...]:
    """Dates of eight digits, as ledgers export them; only where a date is looked for, since a count may look so.

    >>> [span.readings[0].shown() for span in compact_dates("posted 20240520, batch 20241399")]
    ['2024-05-20']
    """
    return tuple(
        DateSpan(
            readings=(Reading(year=int(match["year"]), month=int(match["month"]), day=int(match["day"])),),
            text=match[0],
            start=match.start(),
            end=match.end(),
        )
        for match in COMPACT_DATE.finditer(text)
        if int(match["day"]) <= monthrange(int(match["year"]), int(match["month"]))[1]
    )


def parse_date(text: str) -> DateSpan | None:
    """The date or time that a text is, and nothing else; None where it is something else.

    >>> parse_date("2023-04-01 00:00:00").readings[0].shown(), parse_date("opened 2023-04-01")
    ('2023-04-01', None)
    >>> parse_date("end of april 2023").readings[0].shown()
    '2023-04-30'
    """
    span = next(iter_dates(text), None)
    if span is None:
        return None
    rest = (text[: span.start] + text[span.end :]).strip().removesuffix(".").strip(" ,")
    if rest and END_OF.fullmatch(text[: span.start]) and not text[span.end :].strip(" ."):
        return replace(span, readings=tuple(reading.last_day() for reading in span.readings), bare_year=False)
    if rest and WEEKDAY.fullmatch(rest) is None and rest not in {"the", "on", "in"}:
        return None
    first = span.readings[0]
    if first.day and first.hour == 0 and not first.minute and not first.second:
        # a database's way to write a day
        return DateSpan(
            readings=(Reading(year=first.year, month=first.month, day=first.day),),
            text=span.text,
            start=span.start,
            end=span.end,
        )
    return span


END_OF = re.compile(r"(?:(?:at|by|until|on) )?(?:the )?(?:(?:very )?end|last day) of (?:the (?:year|month) )?")
"""In front of a year or a month whose last day is meant."""
WEEKDAY = re.compile(r"(?:on )?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?", re.IGNORECASE)


def _readings(match: re.Match[str]) -> Iterator[Reading]:
    part = match.groupdict()
    if part["iso_year"]:
        yield from _valid(part["iso_year"], part["iso_month"], part["iso_day"], _clock(part, "i"))
    elif part["num_year"]:
        year = _year(part["num_year"])
        # day first, then month first: both where both are dates
        readings = [
            *_valid(year, part["second_part"], part["first"]),
            *_valid(year, part["first"], part["second_part"]),
        ]
        if len(part["num_year"]) == 2 and part["mark"] == "-" and not readings:
            return
        yield from dict.fromkeys(readings)
    elif part["dmy_day"]:
        year_text = part["dmy_year"] or part["dmy_short"] or part["dmy_quote"] or part["dmy_brief"]
        yield from _valid(_year(year_text), _month(part["dmy_month"]), part["dmy_day"])
    elif part["nth_day"]:
        yield from _valid(part["nth_year"], _month(part["nth_month"]), _day(part["nth_day"]))
    elif part["mth_day"]:
        yield from _valid(part["mth_year"], _month(part["mth_month"]), _day(part["mth_day"]))
    elif part["mdy_day"]:
        yield from _valid(part["mdy_year"], _month(part["mdy_month"]), part["mdy_day"])
    elif part["ymd_year"]:
        yield from _valid(part["ymd_year"], _month(part["ymd_month"]), part["ymd_day"])
    else:
        yield from _less_than_a_day(part)


def _less_than_a_day(part: dict[str, str | None]) -> Iterator[Reading]:
    for year, month in (("my_year", "my_month"), ("my_only", "ym_month"), ("m_year", "m_of")):
        if part[year]:
            yield from _valid(part[year], _month(part[month]), None)
            return
    if part["quarter_year"]:
        number = int(part["quarter"]) if part["quarter"] else QUARTERS[(part["quarter_name"] or "").casefold()]
        yield Reading(year=int(part["quarter_year"]), quarter=number)
    elif part["yq_year"]:
        yield Reading(year=int(part["yq_year"]), quarter=int(part["yq"] or 0))
    elif part["season_year"]:
        yield Reading(year=int(part["season_year"]), season=(part["season"] or "").casefold())
    elif part["year"]:
        yield Reading(year=int(part["year"]))
    elif part["ch"]:
        yield _clock(part, "c")
    elif part["oclock"]:
        yield Reading(hour=_hour(int(part["oclock"]), part["oclock_p"]), minute=0)


def _month(text: str | None) -> int:
    word = (text or "").casefold()
    return int(word) if word.isdigit() else MONTHS[word]


def _day(words: str) -> int:
    """The day of a month in words.

    >>> _day("twenty-first"), _day("third")
    (21, 3)
    """
    number = value_of_words(words)
    return int(number[0]) if number else 0


def _year(text: str | None) -> int | None:
    if not text:
        return None
    value = int(text)
    if len(text) > 2:
        return value
    return 2000 + value if value < 70 else 1900 + value


def _valid(
    year: str | int | None, month: str | int, day: str | int | None, clock: Reading | None = None
) -> Iterator[Reading]:
    """The reading, if there is such a day; a day without a year may be 29 February."""
    stated_year = int(year) if year else None
    try:
        date(stated_year or 2000, int(month), int(day) if day else 1)
    except ValueError:
        return
    clock = clock or Reading()
    yield Reading(
        year=stated_year,
        month=int(month),
        day=int(day) if day else None,
        hour=clock.hour,
        minute=clock.minute,
        second=clock.second,
    )


def _clock(part: dict[str, str | None], prefix: str) -> Reading:
    hour = part[prefix + "h"]
    if hour is None:
        return Reading()
    second = part[prefix + "s"]
    return Reading(
        hour=_hour(int(hour), part[prefix + "p"]),
        minute=int(part[prefix + "m"] or 0),
        second=int(second) if second else None,
    )


def _hour(hour: int, half: str | None) -> int:
    if not half or hour > 12:
        return hour
    return hour % 12 + (12 if half.casefold().startswith("p") else 0)


def compare(reference: Reading, answer: Reading) -> str:
    """How an answer's date compares with the reference: "same", "less precise" or "other".

    An answer may say more than the reference. It is less precise where it says less and nothing that disagrees; a
    quarter or a season agrees with a month inside it.

    >>> compare(Reading(year=2023, month=4, day=1), Reading(year=2023, month=4))
    'less precise'
    >>> compare(Reading(year=2023), Reading(year=2023, month=4, day=1))
    'same'
    >>> moment = Reading(year=2023, month=4, day=1, hour=16, minute=42, second=10)
    >>> compare(moment, Reading(year=2023, month=4, day=1, hour=16, minute=42))
    'same'
    """
    less = False
    for name in ("year", "month", "day", "hour", "minute", "second"):
        expected, stated = getattr(reference, name), getattr(answer, name)
        if expected is None or expected == stated:
            continue
        if stated is None:
            # Who is asked when something happened leaves the seconds out.
            if not (name == "second" and (expected == 0 or reference.has_date)):
                less = True
        else:
            return "other"
    if reference.quarter and reference.quarter != _quarter(answer):
        return "other" if _quarter(answer) else "less precise"
    if reference.season and reference.season != answer.season:
        return "other" if answer.season or answer.month else "less precise"
    if answer.quarter and reference.month and answer.quarter != (reference.month + 2) // 3:
        return "other"
    if answer.season and reference.month and reference.month not in SEASONS[answer.season]:
        return "other"
    if less and not _shares(reference, answer):
        return "other"
    return "less precise" if less else "same"


def _quarter(reading: Reading) -> int | None:
    return reading.quarter or ((reading.month + 2) // 3 if reading.month else None)


def _shares(reference: Reading, answer: Reading) -> bool:
    names = ("year", "month", "day", "hour")
    return any(getattr(reference, name) is not None and getattr(answer, name) is not None for name in names)
