"""What kind of value a reference is, and where a text states it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.judging.match.aliases.countries import country
from core.judging.match.figures.candidates import QUANTITY
from core.judging.match.figures.wanted.prose import WantedFigure, asks_figure, wanted_figures
from core.judging.match.figures.wanted.series import after_figures, is_over_time, series_figures, two_questions
from core.judging.match.matching.called import find_called
from core.judging.match.matching.dates import find_date
from core.judging.match.matching.numbers import find_number, is_identifier
from core.judging.match.matching.ranges import find_range, parse_range
from core.judging.match.matching.texts import TENOR, find_text
from core.judging.match.polar.booleans import truth
from core.judging.match.polar.explained import Explained, read_explained
from core.judging.match.readers.figures.numbers import Number, parse_number
from core.judging.match.readers.layout.figure_text import figure_reference
from core.judging.match.readers.layout.lists import bulleted, list_parts
from core.judging.match.readers.texts.codes import asks_code, has_letters, is_code, is_in_blanks, numbers_one
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.times.dates import DateSpan, parse_date
from core.judging.match.settings import DEFAULT, MatchSettings
from core.judging.match.values import Match, SearchResult

MAX_TYPED = 200
"""A longer reference is prose, whatever it begins with."""
HOW_MANY = re.compile(r"\bhow (?:many|much)\b|\bnumber of\b")
"""Questions to which none is 0."""
_TIME_ASKED = re.compile(r"\b(?:in|how many|number of) (seconds|minutes|hours|days|weeks|months|years)\b")
NAMES_ASKED = re.compile(r"\W*(?:which|who|whose|whom)\b")
"""Questions that names answer, whatever figures these have: "which notes are registered?"."""
OLDEST, NEWEST = 1800, 2100
"""Years that need no question for one."""
_YEAR_ASKED = re.compile(
    r"\b(?:when|years?|dates?|since|centur\w*|vintage|dynast\w*|era|epoch|age|old|born|died|death|birth|found(?:ed|ation)"
    r"|establish\w*|built|erected|written|painted|composed|published|discovered|conquered|signed|crowned)\b"
)
_GROUPS = re.compile(r"\d{2,}(?: \d{2,}){1,5}")
MAX_PROSE = 5000
"""A longer reference is compared as text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A reference answer, read.

    Attributes:
        text: As given.
        plain: Its match text.
        kind: "boolean", "date", "number", "range", "list", "figures" or "text".
        parts: What a list is made of.
        figures: Those of a text in prose that the question asks for.
        open_part: Where the figures are a part of what is asked, what else is: "what was the focus?".
        rest: What the reference says besides its first sentence with a figure, where there is an open part.
        in_order: Whether the figures follow each other in time.
        explained: What a reference that says yes or no says besides.
    """

    text: str
    plain: str
    kind: str
    truth: bool | None = None
    date: DateSpan | None = None
    number: Number | None = None
    ends: tuple[Number, Number] | None = None
    parts: tuple[str, ...] = ()
    figures: tuple[WantedFigure, ...] = ()
    open_part: str = ""
    rest: str = ""
    in_order: bool = False
    explained: Explained | None = None

    @property
    def has_figures(self) -> bool:
        """Whether it is compared by its figures, so that an answer is read as figures are."""
        return (
            self.number is not None
            or self.ends is not None
            or bool(self.figures)
            or (self.explained is not None and bool(self.explained.figures))
        )


_EXTENSION_ASKED = re.compile(
    r"\b(?:(?:tele)?phone|internal|office) (?:extension|ext)\b|\bextension number\b|\bdirect dial\b"
)
"""Questions to which digits are dialled and not counted."""


_IN_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "ø": "oe", "å": "aa"}
)
"""Letters as they are written where there are none of them: "Fuerth"."""


@lru_cache(maxsize=4096)
def read_reference(reference: str, question: str = "") -> Reference:
    """Reads a reference.

    Four digits that may be a year are one unless the question asks for a quantity, or they are no year of the last two
    centuries and it asks for no time; digits that may be a truth value
    are one only where it asks for yes or no. A code (leading zero, sixteen digits) is text.

    Args:
        reference: As given.
        question: Match text of the question.
    """
    plain = match_text(reference)
    value = truth(plain, question) if len(plain) <= MAX_TYPED else None
    if value is not None:
        return Reference(text=reference, plain=plain, kind="boolean", truth=value)
    if explained := read_explained(reference, plain, question):
        return Reference(text=reference, plain=plain, kind="boolean", truth=explained.truth, explained=explained)
    if lines := _in_lines(reference, plain, question):
        return lines
    if len(plain) > MAX_TYPED:
        if len(plain) <= MAX_PROSE and (read := _with_figures(reference, plain, question)):
            return read
        parts = list_parts(reference, is_country)
        return Reference(text=reference, plain=plain, kind="list" if parts else "text", parts=parts)
    if plain.strip(" .") in {"none", "zero", "no one", "nobody"} and HOW_MANY.search(question):
        return Reference(text=reference, plain=plain, kind="number", number=parse_number("0"))
    if is_identifier(plain) or _is_in_groups(reference) or _names_one(reference, plain, question):
        return Reference(text=reference, plain=plain, kind="text")
    date = parse_date(plain)
    number = parse_number(figure_reference(reference))
    if date is not None and not (date.bare_year and number is not None and _is_a_count(number, question)):
        return Reference(text=reference, plain=plain, kind="date", date=date)
    if is_code(plain) and not plain.isdigit() and asks_code(question):
        return Reference(text=reference, plain=plain, kind="text")
    if number is not None:
        number = _in_the_asked_unit(number, question)
        return Reference(text=reference, plain=plain, kind="number", number=number)
    ends = parse_range(plain)
    if ends is not None:
        return Reference(text=reference, plain=plain, kind="range", ends=ends)
    return _of_words(reference, plain, question)


def _names_one(reference: str, plain: str, question: str) -> bool:
    """Whether digits are an extension, the number of something or the term of a rate, and count nothing."""
    if (TENOR.fullmatch(plain) and reference.isupper()) or numbers_one(plain, question):
        return True
    return plain.isdigit() and _EXTENSION_ASKED.search(question) is not None


def _of_words(reference: str, plain: str, question: str) -> Reference:
    """A reference that is no single value: a code, names, a list, or prose with figures."""
    if (is_code(plain) and has_letters(plain)) or is_in_blanks(reference.strip(" .")):
        return Reference(text=reference, plain=plain, kind="text")
    parts = list_parts(reference, is_country)
    named = len(parts) > 1 and all(len(part.split()) > 1 for part in parts)
    if named and NAMES_ASKED.match(question) and not asks_figure(question):
        return Reference(text=reference, plain=plain, kind="list", parts=parts)
    if (not parts or any(" " in part for part in parts)) and (read := _with_figures(reference, plain, question)):
        return read
    return Reference(text=reference, plain=plain, kind="list" if parts else "text", parts=parts)


def _in_lines(reference: str, plain: str, question: str) -> Reference | None:
    """A list with marks, a part in each line, unless its lines tell the figures that a question asks for."""
    parts = bulleted(reference)
    read = _with_figures(reference, plain, question) if parts else None
    if not parts or (read and len(read.figures) >= len(parts)):
        return None
    return Reference(text=reference, plain=plain, kind="list", parts=parts)


def _is_in_groups(reference: str) -> bool:
    """Whether digits stand in groups that are no thousands, as those of a code: "6907 21 00"."""
    return _GROUPS.fullmatch(reference.strip()) is not None and parse_number(figure_reference(reference)) is None


def _is_a_count(number: Number, question: str) -> bool:
    """Whether four digits are no year: a quantity is asked for, or they are none of a year's and no time is."""
    return bool(QUANTITY.search(question)) or not (
        OLDEST <= number.value <= NEWEST or not question or _YEAR_ASKED.search(question)
    )


def _in_the_asked_unit(number: Number, question: str) -> Number:
    """A bare number of a question for months or days with that unit, so that 3 years are 36 of them."""
    asked = _TIME_ASKED.findall(question)
    if len(set(asked)) != 1 or number.unit or number.currency or number.scaled:
        return number
    return parse_number(f"{number.text.strip()} {asked[0]}") or number


def is_country(name: str) -> bool:
    """Whether a name is one of a country."""
    return bool(country(name))


def _with_figures(reference: str, plain: str, question: str) -> Reference | None:
    """A reference in prose by the figures that the question, or a part of it, asks for."""
    parts = two_questions(question)
    if figures := wanted_figures(reference, question) or series_figures(reference, question):
        in_order = len(figures) > 1 and is_over_time(question)
        open_part, rest = (parts[1], after_figures(reference)) if parts else ("", "")
        return Reference(
            text=reference,
            plain=plain,
            kind="figures",
            figures=figures,
            in_order=in_order,
            open_part=open_part if rest else "",
            rest=rest,
        )
    if parts:
        asked, open_part = parts
        if figures := wanted_figures(reference, asked) or series_figures(reference, asked):
            rest = after_figures(reference)
            return Reference(
                text=reference, plain=plain, kind="figures", figures=figures, open_part=open_part, rest=rest
            )
    return None


def find_value(reference: Reference, text: str, question: str = "", settings: MatchSettings = DEFAULT) -> SearchResult:
    """Where a text states a reference that is one value; a list is looked for as one text.

    Args:
        reference: The value wanted.
        text: Match text.
        question: Match text of the question.
        settings: The choices of the project.
    """
    if reference.date is not None:
        return find_date(reference.date, text, question, settings)
    if reference.number is not None:
        return find_number(reference.number, text, question, settings)
    if reference.ends is not None:
        return find_range(reference.ends, reference.text.strip(), text)
    found = find_text(reference.text, text, question)
    spelled = reference.text.translate(_IN_TWO_LETTERS)
    if not found.hits and spelled != reference.text:
        found = find_text(spelled, text, question)
    return found if found.hits else find_called(reference.text, text, question)


def contains(answer: str, text: str, question: str = "") -> Match | None:
    """The first place where a text states a value in any usual format, or None.

    The words around the value are not read: a denied value is found as well.

    >>> contains("2023-04-01", "It opened on April 1st, 2023.").text
    'april 1st, 2023'
    >>> contains("1250000", "Revenue of 1.25 million").reason
    'number: 1250000 = 1.25 million'
    >>> contains("Paris", "the Parish of St. Ann") is None
    True
    """
    question_text = match_text(question)
    reference = read_reference(answer, question_text)
    plain = match_text(text)
    if not re.search(r"\w", reference.plain):
        return None
    hits = find_value(reference, plain, question_text).hits
    if not hits:
        return None
    first = hits[0]
    return Match(
        rule=first.rule, text=plain[first.start : first.end], start=first.start, end=first.end, reason=first.reason
    )
