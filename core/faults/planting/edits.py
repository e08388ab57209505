"""Pieces of a document's text replaced by others, with its pages and headings where they belong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.sources.documents import Document
from core.faults.planting.facts import SoundFact
from core.judging.facts.values import ReferenceValue, reference_values

SHORT = 3
"""Letters below which a value is replaced in its passage only: elsewhere on the page it may be anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A piece of a text, from `start` to before `end`, and what stands there instead."""

    start: int
    end: int
    text: str


def value_edits(text: str, fact: SoundFact, other: str, *, first: bool) -> list[Edit]:
    """Another value wherever a text has the fact's, or in the passage only where the value is short.

    What the question was filled with stays as it is, also where the value is a part of it: the page still speaks about
    the same.
    """
    written = [spelling for value in reference_values(fact.answers) for spelling in _spellings(value, text)]
    start = text.find(fact.passage) if first else -1
    within = range(start, start + len(fact.passage)) if start != -1 else range(0)
    if not written:
        return []
    subjects = [
        spelling for value in reference_values(fact.subjects) for spelling in (value.text, *_spellings(value, text))
    ]
    return [
        Edit(start=match.start(), end=match.end(), text=other)
        for match in re.finditer(f"(?P<kept>(?i:{_any_of(subjects)}))|(?P<value>{_any_of(written)})", text)
        if match["value"] and (len(match["value"]) >= SHORT or match.start() in within)
    ]


def _spellings(value: ReferenceValue, text: str) -> list[str]:
    """Each way in which a text writes a value: a page may have a date in figures and in words."""
    spellings: list[str] = []
    while written := value.written_in(text):
        spellings.append(written)
        text = text.replace(written, "\n" * len(written))
    return spellings


def _any_of(pieces: Sequence[str]) -> str:
    """A pattern for pieces of text as whole words, longer ones first; one that nothing fits where there are none."""
    longest_first = sorted(set(pieces), key=lambda piece: (-len(piece), piece))
    return "|".join(rf"(?<!\w){re.escape(piece)}(?!\w)" for piece in longest_first) or "(?!)"


def with_edits(text: str, edits: Sequence[Edit]) -> str:
    """A text with its edits, which stand in their order."""
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def edited(document: Document, edits: Sequence[Edit]) -> Document:
    """A document with another text; its pages and headings begin where they began in what is left."""

    def moved(place: int) -> int:
        shift = 0
        for edit in edits:
            if edit.end <= place:
                shift += len(edit.text) - (edit.end - edit.start)
            elif edit.start < place:
                return edit.start + shift
        return place + shift

    return replace(
        document,
        text=with_edits(document.text, edits),
        pages=tuple(moved(place) for place in document.pages),
        outline=tuple(
            replace(heading, start=moved(heading.start), end=moved(heading.end)) for heading in document.outline
        ),
    )
