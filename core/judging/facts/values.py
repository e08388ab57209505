"""Values inside passages: is the reference value there, and if not, which value of its kind stands in its place?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.judging.facts.shapes import of_the_same_shape
from core.judging.match.matching.asked_units import with_unit
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.readers.layout.figure_text import with_change
from core.judging.match.readers.texts.normalise import key, normalise_text
from core.judging.match.readers.times.dates import MONTHS, DateSpan, compact_dates, compare, find_dates, parse_date
from core.text.passages import Passage, PassageKind
from core.text.words import STOP_WORDS, contains_phrase, fold, stem

LARGE = 1000
"""A whole number below this stands in many passages by chance."""

LONG_TEXT = 6
"""Words above which nobody repeats a text as it stands."""

FLAGS = frozenset({"0", "1", "y", "n", "t", "f", "yes", "no", "true", "false"})

BARE = re.compile(r"[-+]?\d[\d.,' ]*\d|\d")
POINTER = re.compile(r"(?:section|chapter|page|part|annex|appendix|form|table|figure|note|step|no\.?|number|room)\s*$")
"""What stands before a number that only points somewhere."""

DOTTED = re.compile(r"\S[.@/]\S")
ADDRESS = re.compile(r"\S+@\S+|(?:https?://|www\.)\S+", re.IGNORECASE)
"""Of a mailbox or a page: a name that is a part of one ("anna@acme.example") is not said there."""

ZERO_IN_WORDS = re.compile(
    r"(?<!not )(?<!nt )(?<!never )\b(?:free of charge|for free|admission is free"
    r"|(?:without|at no|for no) (?:a )?(?:charge|cost|fee|payment)"
    r"|(?:pa(?:y|ys|id)|costs?|charge[sd]?|owe[sd]?) nothing"
    r"|nothing (?:is|was|has been|had been) (?:paid|charged|given|owed)|no (?:charge|money|payment|fee|cost)s?)\b"
    r"(?! for (?!it\b|them\b|this\b|us\b))"
)
"""How pages say that an amount is nothing."""
_A_SINGLE = re.compile(r"(?<!not )(?<!nt )\ba single (?=[a-z]{3})")
PERCENTAGE = re.compile(r"\b(?:percentage|per ?cent)\b")
GIVEN = re.compile(r"(?:\b(?:is|are|was|were)|[:=])\s*$")
"""What stands before the value of a property: four digits there are a number, elsewhere they may be a year."""

NAME = re.compile(r"[A-ZÀ-ÖØ-Þ][\w'’&-]*(?:\s+(?:(?:of|de|van|von|der|and|the|la|le)\s+)?[A-ZÀ-ÖØ-Þ][\w'’&-]*)*")
COPULA = re.compile(r"\b(?:is|are|was|were)\b\s+(?:the\s+|an?\s+)?(.+?)[.;]?$", re.IGNORECASE)
OPEN_ENDED = re.compile(
    r"^(?:not|never|no|none|n/a|na|tba|tbc|tbd|unknown|unclear|to be|being|been|yet|still|under|pending|open|subject|"
    r"available|given|stated|listed|shown|set|found|published|printed|decided|agreed|announced|see|in the|on request|"
    r"-|\?|as|confirmed|reviewed|added|named|set out|explained|described)\b|^\W*$",
    re.IGNORECASE,
)
"""How an entry begins that gives no value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceValue:
    """The value that would state a fact.

    Attributes:
        text: As the reference has it.
        key: Its words, as texts are compared.
        date: Where it is a date and nothing else.
        number: Where it is a number and nothing else.
        measured: The number in the unit that the question asks for ("how many days"), where it asks for one.
    """

    text: str
    key: str
    date: DateSpan | None = None
    number: Number | None = None
    measured: Number | None = None

    @property
    def telling(self) -> bool:
        """Whether it is rare enough to be evidence wherever it stands in the right document."""
        if self.number is not None:
            return bool(self.number.decimals or self.number.currency or abs(self.number.value) >= LARGE)
        return self.date is not None or len(self.key.split()) > 1 or (len(self.key) > 3 and self.text[:1].isupper())

    @property
    def in_words(self) -> bool:
        """Whether it is neither a date nor a number and has several words, so that a full stop may stand in it."""
        return self.date is None and self.number is None and " " in self.key

    @property
    def reworded(self) -> bool:
        """Whether documents say it in other words: a code, a flag, a text of many words."""
        if self.date is not None or (self.number is not None and not self.key.isdigit()):
            return False
        return self.key in FLAGS or (self.number is None and (len(self.key) < 3 or len(self.key.split()) > LONG_TEXT))

    @property
    def of_the_day(self) -> ReferenceValue:
        """The same without the time of day, as pages name what happened on a day."""
        if self.date is None:
            return self
        readings = tuple(
            replace(reading, hour=None, minute=None, second=None) if reading.day else reading
            for reading in self.date.readings
        )
        return replace(self, date=replace(self.date, readings=readings))

    def stated_in(self, text: str) -> bool:
        """Whether a text holds it, in any usual spelling; a date that says less ("in May") does not."""
        if self.date is not None and any(
            _compared(self.date, other) == "same" for other in (*_dates(text), *compact_dates(text))
        ):
            return True
        if self.number is not None:
            numbers = _numbers(text)
            none = self.is_zero and not numbers and ZERO_IN_WORDS.search(normalise_text(text)) is not None
            return none or any(self._is_number(other) for other in numbers)
        if self.date is not None or self.key not in (known := _key(text)) or f" {self.key} " not in f" {known} ":
            return False
        return DOTTED.search(self.text) is not None or f" {self.key} " in f" {_key(ADDRESS.sub(' | ', text))} "

    @property
    def is_zero(self) -> bool:
        """Whether it is the number 0, of which pages say that there are no such things."""
        return self.number is not None and not self.number.plain

    def explains(self, other: Number | DateSpan) -> bool:
        """Whether a number or a date in a text may be this value; a date that says less of it ("in May") may."""
        if isinstance(other, DateSpan):
            return self.date is not None and _compared(self.date, other) in ("same", "less precise")
        return self._is_number(other)

    def written_in(self, text: str) -> str:
        """The piece of a text that states it, as the text writes it; empty where none does or it cannot be cut out."""
        # "16" stands in "16.00" and in "16 August" too: a number is where a number is read.
        spans: list[str] = []
        if self.date is not None:
            spans += [date.text for date in _dates(text) if _compared(self.date, date) == "same"]
        if self.number is not None:
            numbers = [number.text for number in _numbers(text) if self._is_number(number)]
            spans += [number[match.start() :] for number in numbers if (match := BARE.search(number))]
        spans.append(self.text)
        return next((span for span in (_as_written(text, span) for span in spans) if span in text), "")

    def _is_number(self, other: Number) -> bool:
        """Whether a number is this one; "four weeks" are 28 where days are asked for, and "28 weeks" are not."""
        if self.measured is not None and other.unit:
            return other.unit == self.measured.unit and self.measured.value in (other.value, *other.also)
        return self.number is not None and _same_number(self.number, other)


def reference_values(answers: Sequence[str], questions: Sequence[str] = ()) -> tuple[ReferenceValue, ...]:
    """The acceptable values, empty ones left out.

    Args:
        answers: As a database or a person writes them.
        questions: What asks for them; all of them say in which unit, or none does.
    """
    values = []
    for answer in answers:
        plain = normalise_text(answer)
        if not (words := key(answer)):
            continue
        date = parse_date(plain)
        number = parse_number(plain) if date is None or date.bare_year else None
        measured = None if number is None or number.unit else _measured(number, questions)
        values.append(ReferenceValue(text=answer.strip(), key=words, date=date, number=number, measured=measured))
    return tuple(values)


def _measured(number: Number, questions: Sequence[str]) -> Number | None:
    """A bare number in the unit that every question asks for; None where they ask for none, or not for one."""
    texts = [normalise_text(question) for question in questions]
    if texts and all(PERCENTAGE.search(text) for text in texts):
        return replace(number, unit="%")
    asked = {with_unit(number, text) for text in texts}
    measured = next(iter(asked), None)
    return measured if measured is not None and measured.unit and len(asked) == 1 else None


def figures_in(text: str) -> tuple[tuple[Number, ...], tuple[DateSpan, ...]]:
    """The numbers and the dates of a text; a bare year is a date here, and "first" is neither."""
    dates = _dates(text)
    years = {(date.start, date.end) for date in dates if date.bare_year}
    numbers = (number for number in _numbers(text) if not number.ordinal)
    return tuple(number for number in numbers if (number.start, number.end) not in years), dates


def other_value(
    reference: ReferenceValue,
    passage: Passage,
    excluded: Sequence[str],
    property_words: frozenset[str],
    subjects: Sequence[ReferenceValue] = (),
) -> str:
    """The value of the reference's kind that a passage holds instead, as written; empty where it holds none.

    Args:
        reference: The value that the passage does not hold.
        passage: Where it belongs.
        excluded: Folded names that are no answer: subjects and title.
        property_words: Word families of the property; a name made of them is no answer either.
        subjects: Dates and numbers that are no answer, in whatever spelling: those the question was filled with.
    """
    if reference.number is not None and (number := _other_number(passage.text, excluded, subjects)):
        return number
    if reference.date is not None:
        others = (
            date.text
            for date in _dates(passage.text)
            if _compared(reference.date, date) == "other"
            and not any(subject.stated_in(date.text) for subject in subjects)
        )
        return _as_written(passage.text, next(others, ""))
    if reference.number is not None:
        return ""
    if alike := of_the_same_shape(reference.text, passage.text, excluded):
        return alike
    is_code = " " not in reference.text and any(map(str.isdigit, reference.text))
    if not is_code and reference.text[:1].isupper() and (name := _other_name(passage.text, excluded, property_words)):
        return name
    return _entry_value(passage, property_words)


def _other_number(text: str, excluded: Sequence[str], subjects: Sequence[ReferenceValue]) -> str:
    plain = normalise_text(text)
    years = {(date.start, date.end) for date in _dates(text) if date.bare_year}
    for number in _numbers(text):
        is_year = (number.start, number.end) in years and not GIVEN.search(plain[: number.start])
        is_excluded = is_year or any(number.text in name.split() for name in excluded)
        is_excluded = is_excluded or any(subject.stated_in(number.text) for subject in subjects)
        if not is_excluded and not number.ordinal and not POINTER.search(plain[: number.start]):
            return _as_written(text, number.text)
    return ""


def _other_name(text: str, excluded: Sequence[str], property_words: frozenset[str]) -> str:
    """The first capitalised phrase that is neither the subject, nor the property, nor a sentence's first word."""
    statement = text.partition(": ")[2] or text
    for match in NAME.finditer(statement):
        words = match.group().split()
        if match.start() == 0 and statement is text and len(words) == 1:
            continue
        while words and (_is_stop_word(words[0]) or stem(words[0].casefold()) in property_words):
            words = words[1:]
        name = " ".join(words)
        if name.casefold() in MONTHS:
            continue
        if name and not any(contains_phrase(other, name) or contains_phrase(fold(name), other) for other in excluded):
            return name
    return ""


def _is_stop_word(word: str) -> bool:
    """Whether a word only begins a name; "IT" in "IT Manager" does not."""
    return word.casefold() in STOP_WORDS and not (word.isupper() and len(word) > 1)


def _entry_value(passage: Passage, property_words: frozenset[str]) -> str:
    """What an entry states after its colon, or a sentence after "is", where that is a value."""
    if passage.kind is PassageKind.SENTENCE:
        match = COPULA.search(passage.text)
        if match is None or not any(
            stem(word) in property_words for word in fold(passage.text[: match.start()]).split()
        ):
            return ""
        value = match.group(1)
    else:
        value = passage.text.partition(": ")[2]
    value = value.strip().rstrip(".")
    return "" if OPEN_ENDED.match(value) else value


def _same_number(reference: Number, other: Number) -> bool:
    """Whether values are equal; a reference without a unit also equals the bare digits, as 25 equals "25 years"."""
    values = {other.value, *other.also}
    if not reference.unit and other.unit:
        values.add(other.plain)
    if (
        not reference.unit
        and other.unit
        and (digits := BARE.search(other.text))
        and (number := parse_number(digits.group()))
    ):
        values |= {number.value, *number.also}
    return not values.isdisjoint({reference.value, *reference.also})


def _as_written(text: str, normalised: str) -> str:
    """A piece of the normalised text as the text itself writes it."""
    start = text.casefold().find(normalised)
    return text[start : start + len(normalised)] if start != -1 and len(text) == len(text.casefold()) else normalised


def _compared(reference: DateSpan, other: DateSpan) -> str:
    """The closest comparison of any two readings of two dates: "same", "less precise" or "other"."""
    outcomes = {
        compare(reading, other_reading)
        for reading in reference.readings
        for other_reading in other.readings
        if (other_reading.has_date if reading.has_date else other_reading.hour is not None)
    }
    return next((result for result in ("same", "less precise", "other") if result in outcomes), "")


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
    numbers = find_numbers(_A_SINGLE.sub("one ", with_change(normalise_text(text))))
    return tuple(
        number for number in numbers if not any(date.start < number.end and number.start < date.end for date in dates)
    )
