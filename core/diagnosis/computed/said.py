"""Whose value a passage states: that of the record it is about, or that of a record it refers to?

"Petite Vedrine lies in the Haute Valmeuse. It is a tributary of Vedrine Glacier" says where Petite Vedrine lies, and
nothing of Vedrine Glacier, though both lie there. "Its main glacier, Vedrine Glacier, lies in the Haute Valmeuse" does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from core.diagnosis.computed.needed import Between, NeededRow
from core.judging.facts.subjects import Subject
from core.text.pages import Page, Piece
from core.text.passages import NEXT_HEADING, PassageKind
from core.text.words import contains_phrase, fold, stem, words

ITSELF: Final = re.compile(r"\b(?:it|he|she|they)\b")
"""What stands for the record that a page is about."""
ANOTHER: Final = re.compile(r"\b(?:which|who|whose|that|where)\b|[(:]")
"""Behind a name, what follows is said of it."""
ELSE: Final = re.compile(r"\b(?:it|its|he|his|she|her|they|their)\b|;")
"""Between a name and a value, the value may be somebody else's."""


def is_apart(page: Page, row: NeededRow, between: Between) -> bool:
    """Whether a page is about another record than a row: about who is asked about, or about another one of the kind."""
    if row.belongs_to or all(page.is_about(name) for name in row.names):
        return False
    return any(
        page.is_about(subject.name)
        or (subject.rivals is not None and subject.rivals.named_in(page.subject, subject.name))
        for subject in between.subjects
    )


def said_of(page: Page, row: NeededRow, between: Between) -> str | None:
    """The first passage of a page about another record that states the values of a row of that row; None without one.

    Args:
        page: The page.
        row: The last record of a chain with its answer.
        between: What is known of the chain.
    """
    names, values = [fold(name) for name in row.names], row.figures
    others = [subject.name for subject in between.subjects if subject.name not in names]
    for piece in page.pieces:
        if all(value.stated_in(piece) for value in values) and _is_of(piece, names, values, others, between.words):
            return piece.passage.text
    return None


def _is_of(
    piece: Piece, names: Sequence[str], values: Sequence[Subject], others: Sequence[str], links: frozenset[str]
) -> bool:
    """Whether a passage with the values says them of the names, or of what a question calls the record with them."""
    text, part = fold(piece.passage.text), fold(piece.passage.heading.rpartition(NEXT_HEADING)[2])
    if all(contains_phrase(part, name) for name in names):
        return True
    if piece.passage.kind is PassageKind.CELL and text.startswith(names[0]):
        return True
    written = [_written(piece, value, text) for value in values]
    called = [" ".join(names)] if contains_phrase(text, " ".join(names)) else list(_of_kind(text, links))
    return any(all(said and _clause(text, name, said, others) for said in written) for name in called)


def _written(piece: Piece, value: Subject, text: str) -> str:
    """A value as a passage has it, folded; empty where it stands in the row or in the heading only."""
    if contains_phrase(text, value.name):
        return value.name
    return fold(value.value.written_in(piece.passage.text)) if value.value is not None else ""


def _of_kind(text: str, links: frozenset[str]) -> Iterator[str]:
    """The words of a text by which a question calls the record that it asks for the value of."""
    return (word for word in dict.fromkeys(words(text)) if stem(word) in links)


def _clause(text: str, name: str, value: str, others: Iterable[str]) -> bool:
    """Whether a sentence says a value of a name and not of another one or of what the page is about.

    >>> others = ["petite vedrine"]
    >>> say = lambda text: _clause(text, "vedrine glacier", "haute valmeuse", others)
    >>> say("its main glacier, vedrine glacier, lies in the haute valmeuse.")
    True
    >>> say("petite vedrine, a tributary of vedrine glacier, lies in the haute valmeuse.")
    False
    >>> say("petite vedrine is a tributary of vedrine glacier, which lies in the haute valmeuse.")
    True
    >>> say("it lies in the haute valmeuse and is a tributary of vedrine glacier.")
    False
    """
    start, at = text.find(name), text.rfind(value)
    if at < start:
        return text.removeprefix("the ").startswith(value)
    before, after = text[:start], text[start + len(name) : at]
    if ANOTHER.search(after):
        return True
    if ITSELF.search(before) or ELSE.search(after):
        return False
    return not any(re.search(rf"(?<!of ){re.escape(other)}(?!['’])", before) for other in others)
