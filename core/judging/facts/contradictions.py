"""The passage of a document where a fact belongs and another value stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.values import other_value
from core.text.pages import Page, Piece
from core.text.passages import PassageKind
from core.text.questions import SAID_BY_KIND
from core.text.words import contains_phrase, fold, stem, stems, words

ENOUGH = 0.5
"""A target's wrong answer shows where the fact belongs when its passage has more than this share of the property."""


def contradiction(fact: Fact, sources: Iterable[Source], wrong_answers: Sequence[str]) -> FactFinding | None:
    """The first passage that is about the subjects, has the property, and states another value.

    Of a document that is not known to be about the subjects, only what stands under their name counts: "for order 10248
    and Chang, the price is 9" says nothing of the price of Chang.

    Args:
        fact: What should be stated.
        sources: The documents that should state it.
        wrong_answers: Of targets; they show where another value stands.
    """
    wrong = [folded for answer in wrong_answers if (folded := fold(answer))]
    written = [subject.value for subject in fact.subjects if subject.value is not None]
    for source in sources:
        document, page = source.document, source.page
        for piece in _places(fact, source, wrong):
            excluded = (*fact.names, page.subject)
            for value in fact.values:
                other = other_value(value, piece.passage, excluded, source.property_of(fact), written)
                if other and not contains_phrase(fold(value.text), other):
                    return FactFinding(
                        evidence=FactEvidence.CONTRADICTED,
                        document_id=document.id,
                        passage=piece.passage.text,
                        document_ids=(document.id,),
                        other_value=other,
                    )
    return None


def unreadable(fact: Fact, sources: Iterable[Source]) -> tuple[Document, str] | None:
    """Where a document speaks about the property and the value is of a kind that pages put in other words."""
    if not any(value.reworded for value in fact.values):
        return None
    for source in sources:
        property_words = source.property_of(fact, shared=True)
        for place, piece in enumerate(source.page.pieces):
            if property_words and property_words <= piece.own and source.is_about(fact, place):
                return source.document, piece.passage.text
    return None


def _places(fact: Fact, source: Source, wrong: Sequence[str]) -> Iterator[Piece]:
    """The passages where the fact belongs: those a target answered from, then those that have the whole property."""
    property_words = source.property_of(fact, shared=True)
    answered_from: list[Piece] = []
    with_property: list[Piece] = []
    for place, piece in enumerate(source.page.pieces):
        overlap = property_words & piece.own
        whole = bool(property_words) and overlap == property_words
        enough = not fact.any_of or len(overlap) > ENOUGH * len(property_words) or whole
        quoted = enough and _is_quoted(piece, wrong)
        if (quoted or whole) and _belongs(fact, source, place):
            answered_from.extend([piece] if quoted else [])
            with_property.extend([piece] if whole else [])
    return iter((*answered_from, *with_property))


def _is_quoted(piece: Piece, wrong: Sequence[str]) -> bool:
    text = fold(piece.passage.text)
    return any(text in answer or (len(answer) > 3 and answer in text) for answer in wrong)


def _belongs(fact: Fact, source: Source, place: int) -> bool:
    """Whether a passage speaks about the subjects, under their name where the document is not known to."""
    piece = source.page.pieces[place]
    if not _same_key(fact, source.page, piece):
        return False
    known = source.gold or source.said is not None
    return (known or source.is_titled(fact, piece)) and bool(source.is_about(fact, place))


def _same_key(fact: Fact, page: Page, piece: Piece) -> bool:
    """Whether an entry's key asks for nothing more than the property: "Deputy manager" is not the manager."""
    if piece.passage.kind is PassageKind.SENTENCE or not fact.any_of:
        return True
    key = piece.passage.text.partition(":")[0].rpartition(", ")[2]
    subject_words = {stem(word) for subject in fact.subjects for word in words(subject.name)}
    return stems(key) <= fact.any_of | page.stems | SAID_BY_KIND | subject_words
