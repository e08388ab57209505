"""Whether a date of an answer is the reference's date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.judging.match.figures.asked import OWN_FROM, asked_property
from core.judging.match.readers.times.dates import (
    END_OF,
    MONTHS,
    QUARTERS,
    DateSpan,
    Reading,
    compact_dates,
    compare,
    find_dates,
)
from core.judging.match.settings import DEFAULT, CoarseDates, MatchSettings
from core.judging.match.surroundings.language import CLAUSE_BORDER, SENTENCE_BORDER
from core.judging.match.surroundings.sentences import telling_stems
from core.judging.match.values import MAX_VALUES, Hit, SearchResult
from core.text.words import stem

YEAR = re.compile(r"(?<!\d)(?:(?<=mid-)|(?<=early-)|(?<=late-)|(?<=pre-)|(?<![a-z]-))(?:1[0-9]|2[01])\d\d(?!\d)")
BOUND = re.compile(
    r"\b(?:before|after|since before|some time (?:before|after)|prior to|(?<!no )(?<!not )(?:later|earlier) than) "
    r"(?:the )?$"
)


BORDER = re.compile(rf"{CLAUSE_BORDER.pattern}|{SENTENCE_BORDER.pattern}|\band\b")
_LIMIT_ASKED = re.compile(r"\b(?:cut-?offs?|cut off|deadlines?|by (?:when|what time))\b")
_UP_TO = re.compile(r"\b(?:before|prior to) (?:the )?$")
_TIME_LINE = re.compile(r"\W*time\W")
_NEXT_DAY = re.compile(
    r"\b(?:(?:next|following|previous) (?:day|morning|evening)|(?:day|days|night) (?:after|before|later|earlier))\b"
)
_WHICH_OF = re.compile(r"\b(?:last|latest|newest|next|first|earliest|most recent)\b")
_LATEST_WORDS = frozenset({"last", "latest", "newest", "most recent"})
_LATEST = r"\b(?:last|latest|newest|most recent)\b"
NEAR = 40
"""Characters in front of a date in which it is called the one that is asked for."""
FAR = 80
"""Characters beside a date in which it is said what the date is of."""

_MONTH = "|".join(name for name in MONTHS if len(name) > 3)
_LAST_DAY = re.compile(rf"\b(?:last day|end) of (?:the month of )?(?P<month>{_MONTH})\b(?!,? ?\d)")
"""The last day of a month without a year."""
_BEHIND_END_OF = re.compile(rf"\b{END_OF.pattern}$")
_QUARTER = re.compile(
    r"\b(?:q(?P<digit>[1-4])|(?:the )?(?P<name>first|second|third|fourth|[1-4](?:st|nd|rd|th)) (?:fiscal )?quarter)\b"
)
_RELATIVE_YEAR = re.compile(r",? (?:of|in) the (?P<which>following|next|previous|preceding) year\b")
_DAY_ASKED = re.compile(r"\b(?:date|which day|what day|on the day)\b")
_TIME_ASKED = re.compile(r"\b(?:times?|hours?|minutes?|timestamps?|o'?clock)\b")
"""A question for a date wants the day, also where the reference has the time of day too."""
COARSER = "coarser date"
"""The rule of a date that says less than the reference, where a project accepts that wholly or in part."""


def find_date(reference: DateSpan, text: str, question: str, settings: MatchSettings = DEFAULT) -> SearchResult:
    """Looks for a date in an answer.

    An answer may say more than the reference; it may say less ("March 2021") where the project accepts that and the
    answer names no other day of that time. Where day and month can change places one agreeing reading
    is enough, and the reason says so. A year left out is taken from the question where that has exactly one.

    Args:
        reference: The date wanted; its first reading counts.
        text: Match text of the answer.
        question: Match text of the question.
        settings: Whether a coarser date is accepted.
    """
    expected = reference.readings[0]
    expected_text = expected.shown()
    asks_day = bool(_DAY_ASKED.search(question)) and not _TIME_ASKED.search(question)
    day = replace(expected, hour=None, minute=None, second=None) if asks_day and expected.day else expected
    question_years = set(YEAR.findall(question))
    question_year = int(question_years.pop()) if len(question_years) == 1 else None
    hits: list[Hit] = []
    others: list[tuple[int, int]] = []
    coarser: list[Hit] = []
    near, near_reason = "", ""
    for span in _dates_and_quarters(expected, text, question_year):
        at_the_end = bool(expected.day) and _BEHIND_END_OF.search(text, max(0, span.start - 40), span.start) is not None
        wanted = day if all(reading.hour is None for reading in span.readings) else expected
        outcomes = [
            compare(wanted, _with_year(reading.last_day() if at_the_end else reading, question_year))
            for reading in span.readings
        ]
        if "same" not in outcomes and (year := _told_year(span, text, question_year)):
            outcomes = [compare(wanted, _with_year(reading, year)) for reading in span.readings]
        answer_text = span.text.strip()
        if "same" in outcomes:
            ahead = text[max(0, span.start - 24) : span.start]
            if BOUND.search(ahead) and not (_LIMIT_ASKED.search(question) and _UP_TO.search(ahead)):
                near, near_reason = "bound", f"The answer gives {answer_text} as a bound, not as the date."
                continue
            note = ""
            if span.ambiguous and outcomes[0] != "same" and _spelt_out(span, text):
                near, near_reason = "other value", f"The answer says {span.readings[0].shown()}."
                others.append((span.start, span.end))
                continue
            if span.ambiguous:
                note = ", read as day/month" if outcomes[0] == "same" else ", read as month/day"
            hits.append(
                Hit(rule="date", start=span.start, end=span.end, reason=f"date: {expected_text} = {answer_text}{note}")
            )
            continue
        others.append((span.start, span.end))
        if "less precise" in outcomes:
            near, near_reason = (
                "less precise",
                f"The answer says {answer_text}, the reference {expected_text} is more precise.",
            )
            reason = f"date: {answer_text} holds {expected_text}, which is more precise"
            coarser.append(Hit(rule=COARSER, start=span.start, end=span.end, reason=reason))
        elif near in {"", "other value"} and (expected.has_date == span.readings[0].has_date):
            near, near_reason = "other value", f"The answer says {answer_text}, the reference is {expected_text}."
    wider = {(hit.start, hit.end) for hit in coarser}
    if not hits:
        hits = _told_otherwise(expected, text, question)
    if hits and (named := _date_of_another(hits, [span for span in others if span not in wider], text, question)):
        near, near_reason = "other value", named
        others.extend((hit.start, hit.end) for hit in hits)
        hits = []
    if not hits and settings.coarse_dates is not CoarseDates.NOT_ACCEPTED and near == "less precise":
        beside = [span for span in others if span not in {(hit.start, hit.end) for hit in coarser}]
        hits, others = coarser, beside
    others = [span for span in others if not (hits and span in wider)]
    return SearchResult(hits=tuple(hits), near_rule=near, near_reason=near_reason, others=tuple(others))


def _dates_and_quarters(expected: Reading, text: str, asked: int | None) -> list[DateSpan]:
    """The dates of a text, and the quarters that it names without their year where the question has that."""
    spans = _joined(find_dates(text, MAX_VALUES), text)
    if expected.day and (compact := compact_dates(text)[:MAX_VALUES]):
        spans = sorted([*spans, *compact], key=lambda span: span.start)
    if not expected.quarter or expected.year != asked:
        return spans
    taken = [(span.start, span.end) for span in spans]
    quarters = [
        DateSpan(
            readings=(Reading(quarter=int(match["digit"] or 0) or QUARTERS[match["name"]]),),
            text=match[0],
            start=match.start(),
            end=match.end(),
        )
        for match in list(_QUARTER.finditer(text))[:MAX_VALUES]
        if not any(start < match.end() and match.start() < end for start, end in taken)
    ]
    return sorted([*spans, *quarters], key=lambda span: span.start)


def _date_of_another(hits: Sequence[Hit], others: Sequence[tuple[int, int]], text: str, question: str) -> str:
    """Why dates that equal the reference are of something else: what is asked for stands beside another date alone."""
    wanted = asked_property(question)
    others = [span for span in others if not _is_named(text[slice(*span)], question)]
    if wanted is None or not others:
        return ""
    spans = sorted([*((hit.start, hit.end) for hit in hits), *others])
    if which := _WHICH_OF.search(question):
        said = _LATEST if which[0] in _LATEST_WORDS else rf"\b{which[0]}\b"
        if any(re.search(said, text[max(0, hit.start - NEAR) : hit.start]) for hit in hits):
            return ""
    beside = {span: wanted.head in _words_beside(spans, place, text) for place, span in enumerate(spans)}
    if any(beside[hit.start, hit.end] for hit in hits):
        return ""
    rival = next((span for span in others if beside[span]), None)
    if rival is None or any(SENTENCE_BORDER.search(text, *_between(rival, hit)) for hit in hits):
        return ""
    return f"The answer mentions {text[hits[0].start : hits[0].end]}; what is asked for is {text[slice(*rival)]}."


def _is_named(date: str, question: str) -> bool:
    """Whether the question names a date: it says what is asked about ("the order dated 4 March")."""
    named = [reading for span in find_dates(question, MAX_VALUES) for reading in span.readings]
    own = [reading for span in find_dates(date, MAX_VALUES) for reading in span.readings]
    return any(compare(reading, other) == "same" for reading in named for other in own)


def _between(rival: tuple[int, int], hit: Hit) -> tuple[int, int]:
    return min(rival[1], hit.end), max(rival[0], hit.start)


def _words_beside(spans: Sequence[tuple[int, int]], place: int, text: str) -> frozenset[str]:
    """The word families before a date, from what belongs to the date before it, and behind it in its clause."""
    start, end = spans[place]
    former = spans[place - 1][1] if place else 0
    border = OWN_FROM.search(text, former, start) if place else None
    sentence = max((match.end() for match in SENTENCE_BORDER.finditer(text, former, start)), default=former)
    following = spans[place + 1][0] if place + 1 < len(spans) else len(text)
    before = text[max(border.end() if border else former, sentence, start - FAR) : start]
    behind = BORDER.split(text[end : min(following, end + FAR)], maxsplit=1)[0]
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]{2,}", f"{before} {behind}"))


def _told_otherwise(expected: Reading, text: str, question: str) -> list[Hit]:
    """Where a text has a date as the last day of a month, or its day and its time apart from each other."""
    last = _LAST_DAY.search(text) if expected.day else None
    if last and _is_last_day(expected, last["month"]):
        return [Hit(rule="date", start=last.start(), end=last.end(), reason=f"date: {expected.shown()} = {last[0]}")]
    if at := _told_apart(expected, text, question):
        reason = f"date: {expected.shown()} = {at.text.strip()}"
        return [Hit(rule="date", start=at.start, end=at.end, reason=reason)]
    return []


def _told_apart(expected: Reading, text: str, question: str) -> DateSpan | None:
    """The last time of a text that is the one wanted, in a sentence about what is asked, where the text names its day.

    None where it names another day, or says that something was on the next one.
    """
    if _NEXT_DAY.search(text):
        return None
    spans = find_dates(text, MAX_VALUES)
    times = [span for span in spans if all(not one.has_date and one.hour is not None for one in span.readings)]
    days = [one for span in spans for one in span.readings if one.day]
    wanted = replace(expected, hour=None, minute=None, second=None)
    if expected.hour is None or not expected.day or not times or not days:
        return None
    last = times[-1].readings[0]
    start = max((border.end() for border in SENTENCE_BORDER.finditer(text, 0, times[-1].start)), default=0)
    ends = SENTENCE_BORDER.search(text, times[-1].end)
    said = text[start : ends.start() if ends else len(text)]
    if not _TIME_LINE.match(said) and not telling_stems(said) & telling_stems(question):
        return None
    same_time = (last.hour, last.minute or 0) == (expected.hour, expected.minute or 0)
    return times[-1] if same_time and all(compare(wanted, one) == "same" for one in days) else None


def _is_last_day(expected: Reading, month: str) -> bool:
    """Whether a day is the last one of a month, named without a year."""
    return Reading(year=expected.year, month=MONTHS[month]).last_day() == replace(expected, hour=None, minute=None)


def _told_year(span: DateSpan, text: str, asked: int | None) -> int | None:
    """The year of a date without one, by the words behind it, else the only year that an answer names."""
    behind = _RELATIVE_YEAR.match(text, span.end)
    if behind and asked:
        return asked + (1 if behind["which"] in {"following", "next"} else -1)
    years = set(YEAR.findall(text)) if asked is None else set()
    return int(years.pop()) if len(years) == 1 else None


def _spelt_out(span: DateSpan, text: str) -> bool:
    """Whether an answer gives the likelier reading of a date once more, in words."""
    first = span.readings[0]
    return any(other.readings == (first,) for other in find_dates(text, MAX_VALUES))


def _with_year(reading: Reading, year: int | None) -> Reading:
    is_part = reading.month or reading.quarter
    return replace(reading, year=year) if year and reading.year is None and is_part else reading


def _joined(spans: tuple[DateSpan, ...], text: str) -> list[DateSpan]:
    """Joins a date with the time beside it ("1 April 2023 at 9:30", "9:30 on 1 April 2023")."""
    merged: list[DateSpan] = []
    for span in spans:
        if merged and _completes(merged[-1], span, text):
            former = merged.pop()
            span = DateSpan(
                readings=tuple(_both(a, b) for a in former.readings for b in span.readings),
                text=text[former.start : span.end],
                start=former.start,
                end=span.end,
            )
        merged.append(span)
    return merged


JOINER = re.compile(
    r"\)?(?:,? ?(?:at|on|@|,|-|um|om|a|à|alle|a las)? ?(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,? )?)"
)


def _completes(a: DateSpan, b: DateSpan, text: str) -> bool:
    first, second = a.readings[0], b.readings[0]
    one_each = (first.has_date and first.hour is None and not second.has_date) or (
        not first.has_date and second.has_date and second.hour is None
    )
    return one_each and b.start - a.end <= 20 and JOINER.fullmatch(text, a.end, b.start) is not None


def _both(a: Reading, b: Reading) -> Reading:
    day, clock = (a, b) if a.has_date else (b, a)
    return replace(day, hour=clock.hour, minute=clock.minute, second=clock.second)
