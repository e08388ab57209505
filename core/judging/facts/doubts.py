"""Passages with the value of a fact that may state it or not: what words alone say of them."""

from __future__ import annotations

from core.domain.sources.documents import Document
from core.judging.facts.fact import Fact
from core.judging.facts.index import Titles
from core.judging.match.readers.texts.normalise import key
from core.text.pages import Page, Piece
from core.text.passages import PassageKind
from core.text.words import contains_phrase, fold

LISTED = "\N{BLACK SQUARE}"
"""Stands for what a line of a list names."""


def is_entry(fact: Fact, piece: Piece) -> bool:
    """Whether a word is all that an entry or a cell has after its key: "Goods: bicycles"."""
    if piece.passage.kind is PassageKind.SENTENCE:
        return False
    entry = key(piece.passage.text.rpartition(": ")[2])
    return any(value.key == entry and not value.reworded and value.number is None for value in fact.values)


def is_elses(fact: Fact, page: Page, piece: Piece, titles: Titles | None) -> bool:
    """Whether a passage has the value as a part of a title or in a list, where it states no property."""
    return _in_title(fact, piece, titles) or _listed(fact, page, piece)


def _listed(fact: Fact, page: Page, piece: Piece) -> bool:
    """Whether the value stands in a list beside the subject: "a track of Music is X" where another one is the subject.

    What is listed with a subject is another thing of its kind, and no property of it.
    """
    text = fold(piece.passage.text)
    lines = {text.replace(fold(value.text), LISTED) for value in fact.values}
    return any(
        text.replace(name, LISTED, 1) in lines
        for other in page.pieces
        if other is not piece
        for name in fact.names
        if contains_phrase(text := fold(other.passage.text), name)
    )


def _in_title(fact: Fact, piece: Piece, titles: Titles | None) -> bool:
    """Whether a passage has the values only as a part of what other documents are called."""
    if titles is None:
        return False
    text = piece.passage.text
    for document in titles.named_in(piece.folded):
        title = fold(document.title)
        if not any(value.key == key(document.title) for value in fact.values):
            text = fold(text).replace(title, " | ")
    return not any(value.stated_in(text) for value in fact.values)


def heading_with(fact: Fact, document: Document, page: Page) -> str:
    """The title or the heading of a page, or of the part of it that names a subject, that has the value."""
    if any(value.stated_in(page.subject) for value in fact.values):
        return document.title or document.id
    return next(
        (
            piece.passage.heading
            for piece in page.pieces
            if any(value.stated_in(piece.passage.heading) for value in fact.values)
            and all(subject.stated_in(piece) for subject in fact.subjects)
        ),
        "",
    )


def named_with(fact: Fact, document: Document) -> str:
    """The title of a document where it is a subject's name and the value, and nothing else: "RR2 Tidal Ramp"."""
    title = fold(document.title)
    for name in fact.names:
        rest = key(title.replace(name, " ", 1))
        if contains_phrase(title, name) and any(value.key == rest for value in fact.values):
            return document.title
    return ""
