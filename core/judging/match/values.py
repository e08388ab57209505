"""Where an answer states a reference's value, before the context decides whether the answer means it."""

from __future__ import annotations

from dataclasses import dataclass

from core.judging.match.readers.figures.numbers import Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A place where an answer states the reference's value.

    Attributes:
        rule: What found it: "text", "name", "number", "date", "range".
        start: Offset in the match text of the answer.
        end: Offset behind it.
        reason: One sentence a person can check.
    """

    rule: str
    start: int
    end: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """The hits, and the nearest miss where there is none.

    Attributes:
        hits: In order of appearance.
        near_rule: Rule name for the verdict where no hit holds ("less precise", "currency", "other value"), or empty.
        near_reason: Its sentence.
        others: Spans of other values of the same kind; they make an enumeration ambiguous.
        numbers: Every number that may be a value, where a number is looked for.
        places: Of the hits among the numbers.
        other_ends: Places of the other ends of ranges of which the hits are the end that is asked for.
    """

    hits: tuple[Hit, ...] = ()
    near_rule: str = ""
    near_reason: str = ""
    others: tuple[tuple[int, int], ...] = ()
    numbers: tuple[Number, ...] = ()
    places: tuple[int, ...] = ()
    other_ends: tuple[int, ...] = ()


MAX_VALUES = 2000
"""No honest answer holds more values of one kind; what comes after is not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A place where a text states a value.

    Attributes:
        rule: As in :class:`Hit`.
        text: As found, in the normalised text.
        start: Offset in :func:`core.judging.match.readers.texts.normalise.match_text` of the text.
        end: Offset behind it.
        reason: One sentence a person can check.
    """

    rule: str
    text: str
    start: int
    end: int
    reason: str
