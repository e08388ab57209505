"""Does a document state a fact, leave it out, or say something else?

A fact is a subject (the values a question was filled with), a property (the words its wordings share) and a value
(any of the reference answers). Looked at in this order:

1. PRESENT: a gold document holds the value, whatever way it writes a date or a number.
2. CONTRADICTED: the gold document does not hold the value, and a passage about the subject and the property holds
   another value of the same kind.
3. PRESENT: another document holds the value in a passage about the subject and the property.
4. ABSENT.

Where a passage only mentions the property ("will be published in spring") nothing is contradicted and the fact is
absent; the fact is also absent where a date is less precise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.index import FactIndex
from core.judging.facts.values import ReferenceValue, other_value, reference_values
from core.text.pages import Page, Piece, page_of
from core.text.passages import PassageKind
from core.text.questions import SAID_BY_KIND, asked
from core.text.words import fold, stem, stems, words

ENOUGH = 0.5
"""A target's wrong answer shows where the fact belongs when its passage has more than this share of the property."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fact:
    """A fact, prepared.

    Attributes:
        subjects: Folded names.
        values: What states it.
        shared: Word families that most wordings of the question ask with.
        any_of: Word families that any wording asks with.
    """

    subjects: tuple[str, ...]
    values: tuple[ReferenceValue, ...]
    shared: frozenset[str]
    any_of: frozenset[str]


def fact_evidence(
    reference_answers: Sequence[str],
    subject_values: Sequence[str],
    gold_documents: Sequence[Document],
    corpus: FactIndex | Corpus,
    wrong_answers: Sequence[str] = (),
    *,
    questions: Sequence[str] = (),
) -> FactFinding:
    """Finds what the documents say about one fact.

    Args:
        reference_answers: Every acceptable value.
        subject_values: The subjects of the fact: the values bound in the question's SQL.
        gold_documents: The documents that should hold it; empty where they do not exist.
        corpus: All documents; give a :class:`FactIndex` for many facts.
        wrong_answers: The wrong answers of targets, without abstentions; they show where another value stands.
        questions: The wordings of the question; the words they share name the property. Without them every value of
            the right kind in the target's own passage counts.

    Returns:
        The evidence with the passage; UNKNOWN without documents, without an answer, or without both subject and gold.
    """
    index = corpus if isinstance(corpus, FactIndex) else FactIndex(corpus.documents)
    fact = _fact(reference_answers, subject_values, questions)
    if not index.documents or not fact.values or not (fact.subjects or gold_documents):
        return FactFinding(evidence=FactEvidence.UNKNOWN)
    gold = [(document, page_of(document)) for document in gold_documents]
    if finding := _stated(fact, gold, gold=True):
        return finding
    if finding := _contradiction(fact, gold, wrong_answers):
        return finding
    gold_ids = {document.id for document in gold_documents}
    others = [(document, page) for document, page in index.mentioning(fact.subjects) if document.id not in gold_ids]
    return _stated(fact, others, gold=False) or FactFinding(evidence=FactEvidence.ABSENT)


def _fact(answers: Sequence[str], subjects: Sequence[str], questions: Sequence[str]) -> _Fact:
    names = tuple(dict.fromkeys(name for value in subjects if (name := fold(str(value)))))
    of_names = frozenset(family for name in names for family in stems(name))
    wordings = list(dict.fromkeys(questions))
    # Words that say what the subject is ("the loan product 'X'") are no part of the property asked for.
    questions_asked = [asked(wording) for wording in wordings]
    count = Counter(
        family for question in questions_asked for family in question.spelled if family not in question.types
    )
    usable = {family: times for family, times in count.items() if family not in of_names}
    return _Fact(
        subjects=names,
        values=reference_values(answers),
        shared=frozenset(family for family, times in usable.items() if times * 2 > len(wordings)),
        any_of=frozenset(usable),
    )


def _stated(fact: _Fact, pages: Iterable[tuple[Document, Page]], *, gold: bool) -> FactFinding | None:
    """The passage that states the fact, the one closest to the property first."""
    best: tuple[int, FactFinding] | None = None
    for document, page in pages:
        for piece in page.pieces:
            if not any(value.stated_in(piece.passage.text) for value in fact.values):
                continue
            overlap = len(_property(fact, page) & (piece.stems | piece.beside))
            on_property = overlap > 0 or not fact.any_of
            if not _about(fact, page, piece, gold=gold) or not (on_property or (gold and _telling(fact))):
                continue
            if best is None or overlap > best[0]:
                finding = FactFinding(
                    evidence=FactEvidence.PRESENT, document_id=document.id, passage=piece.passage.text
                )
                best = (overlap, finding)
    return best[1] if best else None


def _contradiction(
    fact: _Fact, pages: Iterable[tuple[Document, Page]], wrong_answers: Sequence[str]
) -> FactFinding | None:
    """The passage of a gold document where the fact belongs and another value stands."""
    wrong = [folded for answer in wrong_answers if (folded := fold(answer))]
    for document, page in pages:
        for piece in _places(fact, page, wrong):
            excluded = (*fact.subjects, page.subject)
            for value in fact.values:
                other = other_value(value, piece.passage, excluded, _property(fact, page))
                if other:
                    return FactFinding(
                        evidence=FactEvidence.CONTRADICTED,
                        document_id=document.id,
                        passage=piece.passage.text,
                        other_value=other,
                    )
    return None


def _places(fact: _Fact, page: Page, wrong: Sequence[str]) -> Iterator[Piece]:
    """The passages where the fact belongs: those a target answered from, then those that have the whole property."""
    property_words = _property(fact, page, shared=True)
    candidates = [
        piece for piece in page.pieces if _about(fact, page, piece, gold=True) and _same_key(fact, page, piece)
    ]
    for piece in candidates:
        text = fold(piece.passage.text)
        if any(text in answer or (len(answer) > 3 and answer in text) for answer in wrong):
            overlap = property_words & (piece.stems | piece.beside)
            if (
                not fact.any_of
                or len(overlap) > ENOUGH * len(property_words)
                or (overlap and overlap == property_words)
            ):
                yield piece
    for piece in candidates:
        if property_words and property_words <= piece.stems | piece.beside:
            yield piece


def _property(fact: _Fact, page: Page, *, shared: bool = False) -> frozenset[str]:
    """The words of the property, without those of the document's own title."""
    families = (fact.shared if shared else fact.any_of) - page.stems
    return families - SAID_BY_KIND or families


def _about(fact: _Fact, page: Page, piece: Piece, *, gold: bool) -> bool:
    """Whether a passage is about every subject. A gold document with one subject is about it, whatever it calls it."""
    if gold and len(fact.subjects) < 2:
        return True
    return all(
        page.is_about(name) or piece.names(name) or piece.follows(name) or (gold and not page.mentions(name))
        for name in fact.subjects
    )


def _telling(fact: _Fact) -> bool:
    """Whether the values are rare enough that one of them in the gold document is evidence by itself."""
    return all(value.telling for value in fact.values)


def _same_key(fact: _Fact, page: Page, piece: Piece) -> bool:
    """Whether an entry's key asks for nothing more than the property: "Deputy manager" is not the manager."""
    if piece.passage.kind is PassageKind.SENTENCE or not fact.any_of:
        return True
    key = piece.passage.text.partition(":")[0].rpartition(", ")[2]
    allowed = fact.any_of | page.stems | SAID_BY_KIND | {stem(word) for name in fact.subjects for word in words(name)}
    return stems(key) <= allowed
