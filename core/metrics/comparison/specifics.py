"""Numbers, dates, codes and names of an answer that occur nowhere in its contexts.

A similar sentence with another number is still similar, so similarity alone cannot see it. What is compared here is the
value, not the spelling: 1,200 is 1200 and twelve hundred, 3 May 2014 is 2014-05-03. Everything is in favour of the
answer where a reading is in doubt, so what is reported as missing is worth a look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache

from core.judging.match.readers.figures.numbers import Number, find_numbers
from core.judging.match.readers.figures.scales import stated_scales
from core.judging.match.readers.layout.figure_text import figure_text
from core.judging.match.readers.texts.normalise import normalise_text
from core.judging.match.readers.times.dates import DateSpan, Reading, compare, find_dates
from core.text.words import STOP_WORDS, fold, stem

MOST = 2_000
"""No honest text holds more specifics of one kind; what comes after is not read."""
SMALL = 12
"""Counts up to this written in words ("two ways") are a manner of speaking."""

_WORD = re.compile(r"[^\W_]+(?:[.'’&/:_-][^\W_]+)*")
_DIGIT = re.compile(r"\d")
_PIECE = re.compile(r"[^\W_]+")
_ATTACHED = re.compile(r"(?<![\w.,])\d{1,15}(?=[^\W\d_])")
"""Digits before letters: a 401k is the 401(k) of another text, the 1990s hold 1990."""
_JOINING = frozenset({"and", "de", "der", "for", "la", "of", "the", "van", "von"})
"""Words inside a name that have no capital: Bank of England."""
_CONNECTORS = frozenset({"a", "an", "and", "as", "at", "but", "by", "for", "from", "in", "of", "on", "or", "the", "to"})
"""Words that have no capital even in a title: Fill Out the Forms."""
_COUNTING = re.compile(r"\b(?:step|option|part|phase|example|method|tip|reason|question|item|point|stage)s? ?#? ?$|#$")
"""Before a number that counts the answer's own items."""
_LEAD = re.compile(r"[^:.!?]{1,60}:(?=\s)")
"""What stands before an early colon is a label, often with capitals for looks."""
SELF = frozenset({"i", "i'm", "i'll", "i've", "i'd", "ok", "okay", "yes", "no"})


class Kind(StrEnum):
    """What a specific is."""

    NUMBER = "number"
    DATE = "date"
    CODE = "code"
    NAME = "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Specific:
    """One number, date, code or name of a text.

    Attributes:
        kind: What it is.
        text: As written, up to case and typographic marks.
        found: Whether it occurs in any of the texts it was looked up in.
    """

    kind: Kind
    text: str
    found: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _SourceText:
    """What one text states."""

    values: frozenset[Decimal]
    readings: tuple[Reading, ...]
    words: frozenset[str]
    acronyms: frozenset[str]
    initials: str


def find_specifics(text: str, known_texts: Iterable[str]) -> tuple[Specific, ...]:
    """The specifics of a text and whether each occurs in the known texts, each once, by kind, in order.

    A number is found where a known text has its value, in digits or in words, with or without its unit, in the scale
    that the text states ("in millions"), or more exactly than the answer rounds it. A date is found where a known text
    says as much or more; day and month may be found apart from the year. A code (letters with digits, versions) is
    found as it is, a name where every word of it occurs, an acronym also where consecutive words have its initials.
    Small counts in words, numbers of steps and the first word of a sentence are not looked at.

    Args:
        text: One sentence, best without markup.
        known_texts: Texts that may hold it: the contexts, and the question, whose words the answer may repeat.

    >>> specifics = find_specifics("Rates rose to 4.5% in Basel.", ["In Geneva rates are 4.50."])
    >>> [(specific.text, specific.found) for specific in specifics]
    [('4.5%', True), ('Basel', False)]
    """
    sources = [_source_text(source) for source in known_texts]
    plain = normalise_text(text)
    # every date has a digit, and most sentences have none
    dates = [span for span in find_dates(plain, MOST) if not span.bare_year] if _DIGIT.search(plain) else []
    specifics: dict[tuple[Kind, str], Specific] = {}
    for kind, spelling, is_there in (
        *((Kind.DATE, date.text, _has_date(date, sources)) for date in dates),
        *((Kind.NUMBER, number.text, _has_number(number, sources)) for number in _numbers(plain, dates)),
        *((Kind.CODE, code, any(fold(code) in source.words for source in sources)) for code in _codes(text, dates)),
        *((Kind.NAME, name, _has_name(name, sources)) for name in _names(text, dates)),
    ):
        spelled = spelling.strip(" .,;:")
        specifics.setdefault((kind, spelled), Specific(kind=kind, text=spelled, found=is_there))
    return tuple(specifics.values())


@lru_cache(maxsize=512)
def _source_text(text: str) -> _SourceText:
    plain = normalise_text(text)
    numbers = find_numbers(plain, MOST)
    if any(mark in plain for mark in "(|\\"):
        # negative in brackets, cells of tables
        numbers += find_numbers(figure_text(text), MOST)
    values = {value for number in numbers for value in (number.value, number.plain, *number.also)}
    for scale in stated_scales(plain):
        values |= {number.plain * scale for number in numbers if not number.scaled and not number.unit}
    values |= {Decimal(digits) for digits in _ATTACHED.findall(plain)}
    folded = [fold(word) for word in _WORD.findall(text)]
    pieces = [piece for word in folded for piece in _PIECE.findall(word)]
    return _SourceText(
        values=frozenset(values),
        readings=tuple(reading for span in find_dates(plain, MOST) for reading in span.readings),
        words=frozenset((*folded, *pieces, *(stem(piece) for piece in pieces))),
        acronyms=frozenset(fold(word).replace(".", "") for word in _WORD.findall(text) if word.isupper()),
        initials="".join(piece[0] for piece in pieces),
    )


def _numbers(plain: str, dates: list[DateSpan]) -> Iterator[Number]:
    for number in find_numbers(plain, MOST):
        if any(span.start < number.end and number.start < span.end for span in dates):
            continue
        if number.word and (number.ordinal or abs(number.plain) <= SMALL):
            continue
        if _COUNTING.search(plain[max(0, number.start - 16) : number.start]):
            continue
        yield number


def _has_number(number: Number, sources: list[_SourceText]) -> bool:
    values = {number.value, number.plain, *number.also}
    if number.unit == "%":
        values |= {value / 100 for value in values}
    if any(not values.isdisjoint(source.values) for source in sources):
        return True
    unit = _rounded_to(number)
    if unit is None:
        return False
    return any(abs(value - number.value) * 2 <= unit for source in sources for value in source.values)


def _rounded_to(number: Number) -> Decimal | None:
    """The unit of the last digit of a number that may have been rounded: 2.3 million to 100,000; None for a count."""
    if not (number.decimals or number.scaled):
        return None
    digits = number.value.normalize().as_tuple()
    if len(digits.digits) < 2 or not isinstance(digits.exponent, int):
        return None
    return Decimal(1).scaleb(digits.exponent)


def _has_date(span: DateSpan, sources: list[_SourceText]) -> bool:
    return any(_states(reading, sources) for reading in span.readings)


def _states(reading: Reading, sources: list[_SourceText]) -> bool:
    there = [other for source in sources for other in source.readings]
    if any(compare(reading, other) == "same" for other in there):
        return True
    if not reading.year or not (reading.month or reading.hour is not None):
        return False
    # "opened in 2014 ... on 3 May": the parts of a date may stand apart
    year = Decimal(reading.year)
    has_year = any(year in source.values for source in sources) or any(other.year == reading.year for other in there)
    rest = Reading(month=reading.month, day=reading.day, hour=reading.hour, minute=reading.minute)
    return has_year and any(other.year is None and compare(rest, other) == "same" for other in there)


def _codes(text: str, dates: list[DateSpan]) -> Iterator[str]:
    """Words of letters and digits, and versions; ordinals, amounts and dates are no codes."""
    if not _DIGIT.search(text):
        return
    spans = {part for span in dates for part in re.findall(r"[^\s,]+", span.text)}
    for word in _WORD.findall(text):
        if not _DIGIT.search(word) or (plain := fold(word)) in spans:
            continue
        if VERSION.fullmatch(plain) or (CODE.fullmatch(plain) and not find_numbers(normalise_text(word), 1)):
            yield word


VERSION = re.compile(r"v?\d+(?:\.\d+){2,}")
CODE = re.compile(r"(?=.*[^\W\d_])(?=.*\d).+")


def _names(text: str, dates: list[DateSpan]) -> Iterator[str]:
    """Runs of words with a capital that do not owe it to the start of a sentence, a title or a date."""
    if text[1:] == text[1:].lower():
        return
    own = {*SELF, *(word for span in dates for word in _WORD.findall(span.text))}
    lead = _LEAD.match(text)
    start = lead.end() if lead else 0
    matches = list(_WORD.finditer(text, start))
    telling = [word[0] for word in matches if word[0] not in _CONNECTORS]
    if len(telling) > 1 and not any(word[0].islower() for word in telling):
        return
    run: list[str] = []
    end = start
    for place, word in enumerate(matches):
        spelling = word[0]
        between = text[end : word.start()]
        if run and between.strip(" "):
            yield from _ended(run)
            run = []
        first = place == 0 or between.rstrip(" \"'“‘(*_").endswith((".", "!", "?", ":"))
        end = word.end()
        acronym = sum(letter.isupper() for letter in spelling) > 1
        if any(letter.isdigit() for letter in spelling):
            yield from _ended(run)
            run = []
        elif (run and spelling in _JOINING) or (
            spelling[0].isupper() and (acronym or not first) and fold(spelling) not in own
        ):
            run.append(spelling)
        else:
            yield from _ended(run)
            run = []
    yield from _ended(run)


def _ended(run: list[str]) -> Iterator[str]:
    while run and run[-1] in _JOINING:
        run = run[:-1]
    if run:
        yield " ".join(run)


def _has_name(name: str, sources: list[_SourceText]) -> bool:
    parts = _WORD.findall(name)
    if len(parts) > 1 and any("".join(fold(word)[0] for word in parts) in source.acronyms for source in sources):
        return True
    for word in parts:
        plain = fold(word).removesuffix("'s")
        if plain in STOP_WORDS or any(_has_word(plain, source) for source in sources):
            continue
        short = word.removesuffix("s")
        if short.isupper() and any(_spells(fold(short).replace(".", ""), source) for source in sources):
            continue
        return False
    return True


def _spells(acronym: str, source: _SourceText) -> bool:
    """Whether a text has the acronym, with or without points, or three or more words in a row with its initials."""
    return acronym in source.acronyms or (len(acronym) > 2 and acronym in source.initials)


def _has_word(plain: str, source: _SourceText) -> bool:
    if plain in source.words or stem(plain) in source.words:
        return True
    pieces = _PIECE.findall(plain)
    return len(pieces) > 1 and all(piece in source.words or stem(piece) in source.words for piece in pieces)
