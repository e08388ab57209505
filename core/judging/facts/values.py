"""Values inside passages: is the wanted one there, and if not, which other one of its kind stands in its place?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.encoders.passages import Passage, PassageKind
from core.encoders.words import STOP_WORDS, contains_phrase, fold, stem
from core.judging.match.dates import DateSpan, compare, find_dates, parse_date
from core.judging.match.normalise import key, normalise_text
from core.judging.match.numbers import Number, find_numbers, parse_number

LARGE = 1000
"""A whole number below this stands in many passages by chance."""

BARE = re.compile(r"[-+]?\d[\d.,' ]*\d|\d")
POINTER = re.compile(r"(?:section|chapter|page|part|annex|appendix|form|table|figure|note|step|no\.?|number|room)\s*$")
"""What stands before a number that only points somewhere."""

NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’&-]*(?:\s+(?:(?:of|de|van|von|der|and|the|la|le)\s+)?[A-ZÀ-ÖØ-Þ][\w'’&-]*)*")
COPULA = re.compile(r"\b(?:is|are|was|were)\b\s+(?:the\s+|an?\s+)?(.+?)[.;]?$", re.IGNORECASE)
OPEN_ENDED = re.compile(
    r"^(?:not|never|no|none|n/a|na|tba|tbc|tbd|unknown|unclear|to be|being|been|yet|still|under|pending|open|subject|"
    r"available|given|stated|listed|shown|set|found|published|printed|decided|agreed|announced|see|in the|on request|"
    r"-|\?|as|confirmed|reviewed|added|named|set out|explained|described)\b|^\W*$",
    re.IGNORECASE,
)
"""What an entry says that has no value to give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The value that would state a fact.

    Attributes:
        text: As the reference has it.
        key: Its words, as texts are compared.
        date: Where it is a date and nothing else.
        number: Where it is a number and nothing else.
    """

    text: str
    key: str
    date: DateSpan | None = None
    number: Number | None = None

    @property
    def telling(self) -> bool:
        """Whether it is rare enough to say something wherever it stands in the right document."""
        if self.number is not None:
            return bool(self.number.decimals or self.number.currency or abs(self.number.value) >= LARGE)
        return self.date is not None or len(self.key.split()) > 1 or (len(self.key) > 3 and self.text[:1].isupper())

    def stated_in(self, text: str) -> bool:
        """Whether a text holds it, in any usual spelling; a date that says less ("in May") does not."""
        if self.date is not None and any(_compared(self.date, other) == "same" for other in _dates(text)):
            return True
        if self.number is not None:
            return any(_same_number(self.number, other) for other in _numbers(text))
        return self.date is None and f" {self.key} " in f" {_key(text)} "


def wanted_values(answers: Sequence[str]) -> tuple[Wanted, ...]:
    """The acceptable values, empty ones left out."""
    found = []
    for answer in answers:
        plain = normalise_text(answer)
        if not (words := key(answer)):
            continue
        date = parse_date(plain)
        number = parse_number(plain) if date is None or date.bare_year else None
        found.append(Wanted(text=answer.strip(), key=words, date=date, number=number))
    return tuple(found)


def other_value(wanted: Wanted, passage: Passage, known: Sequence[str], asked: frozenset[str]) -> str:
    """The value of the wanted one's kind that a passage holds instead, as written; empty where it holds none.

    Args:
        wanted: The value that is not there.
        passage: Where it belongs.
        known: Folded names that are no answer: subjects and title.
        asked: Word families of the property; a name made of them is no answer either.
    """
    if wanted.number is not None and (number := _other_number(passage.text, known)):
        return number
    if wanted.date is not None:
        others = (date.text for date in _dates(passage.text) if _compared(wanted.date, date) == "other")
        return _written(passage.text, next(others, ""))
    if wanted.number is not None:
        return ""
    if wanted.text[:1].isupper() and (name := _other_name(passage.text, known, asked)):
        return name
    return _said(passage, asked)


def _other_number(text: str, known: Sequence[str]) -> str:
    plain = normalise_text(text)
    years = {(date.start, date.end) for date in _dates(text) if date.bare_year}
    for number in _numbers(text):
        within = (number.start, number.end) in years or any(number.text in name.split() for name in known)
        if not within and not number.ordinal and not POINTER.search(plain[: number.start]):
            return _written(text, number.text)
    return ""


def _other_name(text: str, known: Sequence[str], asked: frozenset[str]) -> str:
    """The first capitalised phrase that is neither the subject, nor the property, nor a sentence's first word."""
    said = text.partition(": ")[2] or text
    for found in NAME.finditer(said):
        words = found.group().split()
        if found.start() == 0 and said is text and len(words) == 1:
            continue
        while words and (words[0].casefold() in STOP_WORDS or stem(words[0].casefold()) in asked):
            words = words[1:]
        name = " ".join(words)
        if name and not any(contains_phrase(other, name) or contains_phrase(fold(name), other) for other in known):
            return name
    return ""


def _said(passage: Passage, asked: frozenset[str]) -> str:
    """What an entry says after its colon, or a sentence after "is", where that is a value and no excuse."""
    if passage.kind is PassageKind.SENTENCE:
        found = COPULA.search(passage.text)
        if found is None or not any(stem(word) in asked for word in fold(passage.text[: found.start()]).split()):
            return ""
        value = found.group(1)
    else:
        value = passage.text.partition(": ")[2]
    value = value.strip().rstrip(".")
    return "" if OPEN_ENDED.match(value) else value


def _same_number(wanted: Number, other: Number) -> bool:
    """Equal values; a wanted number without a unit also meets the bare digits, so that 25 is met by "25 years"."""
    values = {other.value, *other.also}
    if not wanted.unit and other.unit and (bare := BARE.search(other.text)) and (read := parse_number(bare.group())):
        values |= {read.value, *read.also}
    return not values.isdisjoint({wanted.value, *wanted.also})


def _written(text: str, found: str) -> str:
    """What was found in the normalised text, as the text itself writes it."""
    start = text.casefold().find(found)
    return text[start : start + len(found)] if start != -1 and len(text) == len(text.casefold()) else found


def _compared(wanted: DateSpan, other: DateSpan) -> str:
    """The best that any two readings of two dates make of each other: "same", "less precise" or "other"."""
    found = {compare(one, two) for one in wanted.readings for two in other.readings if two.has_date}
    return next((result for result in ("same", "less precise", "other") if result in found), "")


@lru_cache(maxsize=100_000)
def _key(text: str) -> str:
    return key(text)


@lru_cache(maxsize=100_000)
def _dates(text: str) -> tuple[DateSpan, ...]:
    return find_dates(normalise_text(text))


@lru_cache(maxsize=100_000)
def _numbers(text: str) -> tuple[Number, ...]:
    """The numbers of a text that are no part of a date; four digits alone are both."""
    dates = [date for date in _dates(text) if not date.bare_year]
    found = find_numbers(normalise_text(text))
    return tuple(
        number for number in found if not any(date.start < number.end and number.start < date.end for date in dates)
    )
