"""Does a document state a fact, leave it out, say something else, or can words not decide?

A fact is a subject (the values a question was filled with), a property (the words its wordings share) and a value
(any of the reference answers). A *document* states it: the subject may stand in the title, in a heading or in another
sentence of it, and only a passage that speaks about somebody else does not count. Looked at in this order:

1. PRESENT: a gold document states the value where the property belongs, whatever way it writes a date or a number.
2. PRESENT: another document states the value in a passage about the subject and the property, and the gold document
   contradicts it nowhere.
3. CONTRADICTED: no document states the value, and a passage of the gold document about the subject whose own words are
   the property holds another value of the same kind.
4. UNDECIDED: the documents contradict each other; or a document holds the subject and the value, and words cannot tell
   whether they belong together; or the value is of a kind that documents put in other words.
5. ABSENT: every document that mentions the subject was read, and none holds the value beside it.

Where a passage only mentions the property ("will be published in spring") nothing is contradicted and the fact is
absent; the fact is also absent where a date is less precise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.index import FactIndex
from core.judging.facts.subjects import Rivals, Subject, subjects_of
from core.judging.facts.values import ReferenceValue, other_value, reference_values
from core.text.pages import Page, Piece, page_of
from core.text.passages import PassageKind
from core.text.questions import SAID_BY_KIND, asked
from core.text.words import contains_phrase, fold, stem, stems, words

VERSION = 1
"""Grows when the same documents would be read in another way: what an older version found is then searched again."""

ENOUGH = 0.5
"""A target's wrong answer shows where the fact belongs when its passage has more than this share of the property."""

MOST_STATED = 50
"""Documents named as stating a fact; a value that stands on more pages is found by any search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A fact, prepared.

    Attributes:
        subjects: Who it is about.
        values: What states it.
        shared: Word families that most wordings of the question ask with.
        any_of: Word families that any wording asks with.
    """

    subjects: tuple[Subject, ...]
    values: tuple[ReferenceValue, ...]
    shared: frozenset[str]
    any_of: frozenset[str]

    @classmethod
    def of(
        cls,
        answers: Sequence[str],
        subjects: Sequence[object],
        questions: Sequence[str] = (),
        rivals: Sequence[Rivals | None] = (),
    ) -> Fact:
        """Prepares a fact.

        Args:
            answers: Every acceptable value.
            subjects: The values bound in the question's SQL.
            questions: The wordings of the question; the words they share name the property. Without them every value of
                the right kind in the target's own passage counts.
            rivals: What else each subject could have been, in their order; they tell whom a passage is about.
        """
        about = subjects_of(subjects, rivals)
        of_names = frozenset(family for subject in about for family in stems(subject.name))
        wordings = list(dict.fromkeys(questions))
        # Words that say what the subject is ("the loan product 'X'") are no part of the property asked for.
        questions_asked = [asked(wording) for wording in wordings]
        count = Counter(
            family for question in questions_asked for family in question.spelled if family not in question.types
        )
        usable = {family: times for family, times in count.items() if family not in of_names}
        return cls(
            subjects=about,
            values=reference_values(answers),
            shared=frozenset(family for family, times in usable.items() if times * 2 > len(wordings)),
            any_of=frozenset(usable),
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The folded names of its subjects."""
        return tuple(subject.name for subject in self.subjects)

    def stated_in(self, piece: Piece) -> bool:
        """Whether a passage has one of its values, whatever it says about it; a part of a subject's name is none."""
        return any(self._has(value, piece.passage.text) for value in self.values)

    def _has(self, value: ReferenceValue, text: str) -> bool:
        if not value.stated_in(text):
            return False
        holding = [subject.name for subject in self.subjects if contains_phrase(subject.name, value.key)]
        if not holding:
            return True
        folded = fold(text)
        for name in holding:
            folded = folded.replace(name, " | ")
        return value.stated_in(folded)


@dataclass(slots=True)
class _Reading:
    """What reading documents came to: where the fact is stated, and where words could not decide."""

    stated: list[tuple[int, Document, Piece]]
    doubtful: tuple[Document, str] | None = None

    def present(self) -> FactFinding | None:
        """The passage closest to the property, with every document that states the fact."""
        if not self.stated:
            return None
        best = max(self.stated, key=lambda item: item[0])
        return FactFinding(
            evidence=FactEvidence.PRESENT,
            document_id=best[1].id,
            passage=best[2].passage.text,
            document_ids=_ids(document for _, document, _ in self.stated),
        )


def find_evidence(
    fact: Fact, gold_documents: Sequence[Document], index: FactIndex, wrong_answers: Sequence[str] = ()
) -> FactFinding:
    """Finds what the documents say about one fact.

    Args:
        fact: What should be stated.
        gold_documents: The documents that should hold it; empty where they do not exist.
        index: All documents.
        wrong_answers: The wrong answers of targets, without abstentions; they show where another value stands.

    Returns:
        The evidence with the passage; UNKNOWN without documents, without an answer, or without both subject and gold.
    """
    if not index.documents or not fact.values or not (fact.subjects or gold_documents):
        return FactFinding(evidence=FactEvidence.UNKNOWN)
    gold = [(document, page_of(document)) for document in gold_documents]
    gold_ids = {document.id for document in gold_documents}
    others = [(document, page) for document, page in _mentioning(index, fact) if document.id not in gold_ids]
    in_gold = _read(fact, gold, gold=True)
    elsewhere = _read(fact, others, gold=False)
    if finding := in_gold.present():
        repeated = elsewhere.present()
        return replace(finding, document_ids=(*finding.document_ids, *(repeated.document_ids if repeated else ())))
    contradiction = _contradiction(fact, gold, wrong_answers)
    if stated := elsewhere.present():
        # The documents contradict each other: it is not for words to tell which of them is out of date.
        return replace(stated, evidence=FactEvidence.UNDECIDED) if contradiction else stated
    if contradiction:
        return contradiction
    if doubtful := in_gold.doubtful or elsewhere.doubtful or _unreadable(fact, gold):
        document, passage = doubtful
        return FactFinding(evidence=FactEvidence.UNDECIDED, document_id=document.id, passage=passage)
    return FactFinding(evidence=FactEvidence.ABSENT)


def passages_state(fact: Fact, passages: Iterable[tuple[str, str]], stating: Collection[str]) -> bool | None:
    """Whether passages that a target retrieved state a fact.

    Args:
        fact: What should be stated.
        passages: The id of the document and the text of each; a text may be empty where only the id is known.
        stating: Ids of the documents that state the fact. A passage of one of them is about the subject, whose name may
            stand in another part of the document.

    Returns:
        None where no passage has a text, so that it is not known what the target read.
    """
    texts = [Document(id=document_id, title="", text=text) for document_id, text in passages if text.strip()]
    if not texts:
        return None
    return any(_read(fact, [(document, page_of(document))], gold=document.id in stating).stated for document in texts)


def _mentioning(index: FactIndex, fact: Fact) -> tuple[tuple[Document, Page], ...]:
    """Every document that mentions each subject in any spelling."""
    named = [subject.name for subject in fact.subjects if subject.value is None]
    written = [subject for subject in fact.subjects if subject.value is not None]
    if not named:
        return index.mentioning(fact.names)
    return tuple(
        (document, page)
        for document, page in index.mentioning(named)
        if all(subject.mentioned(page) for subject in written)
    )


def _read(fact: Fact, pages: Iterable[tuple[Document, Page]], *, gold: bool) -> _Reading:
    """Where documents state the fact, and the first place where that cannot be told.

    It cannot be told where a document that has every subject has the value too, in a title or beside other words than
    the question's, and the value is too rare to stand there by chance.
    """
    reading = _Reading(stated=[])
    for document, page in pages:
        property_words = _property(fact, page)
        best: tuple[int, Document, Piece] | None = None
        for place, piece in enumerate(page.pieces):
            if not fact.stated_in(piece):
                continue
            overlap = len(property_words & (piece.stems | piece.beside))
            on_property = overlap > 0 or not fact.any_of
            if not (on_property or _telling(fact)):
                continue
            about = _about(fact, page, place, gold=gold)
            if about and (on_property or gold):
                if best is None or overlap > best[0]:
                    best = (overlap, document, piece)
            elif about is not False and reading.doubtful is None:
                reading.doubtful = (document, piece.passage.text)
        if best is not None and len(reading.stated) < MOST_STATED:
            reading.stated.append(best)
        elif reading.doubtful is None and _telling(fact) and (heading := _heading_with(fact, document, page)):
            reading.doubtful = (document, heading)
    return reading


def _heading_with(fact: Fact, document: Document, page: Page) -> str:
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


def _contradiction(
    fact: Fact, pages: Iterable[tuple[Document, Page]], wrong_answers: Sequence[str]
) -> FactFinding | None:
    """The passage of a gold document where the fact belongs and another value stands."""
    wrong = [folded for answer in wrong_answers if (folded := fold(answer))]
    written = [subject.value for subject in fact.subjects if subject.value is not None]
    for document, page in pages:
        for piece in _places(fact, page, wrong):
            excluded = (*fact.names, page.subject)
            for value in fact.values:
                other = other_value(value, piece.passage, excluded, _property(fact, page), written)
                if other and not contains_phrase(fold(value.text), other):
                    return FactFinding(
                        evidence=FactEvidence.CONTRADICTED,
                        document_id=document.id,
                        passage=piece.passage.text,
                        document_ids=(document.id,),
                        other_value=other,
                    )
    return None


def _places(fact: Fact, page: Page, wrong: Sequence[str]) -> Iterator[Piece]:
    """The passages where the fact belongs: those a target answered from, then those that have the whole property."""
    property_words = _property(fact, page, shared=True)
    candidates = [
        piece
        for place, piece in enumerate(page.pieces)
        if _about(fact, page, place, gold=True) and _same_key(fact, page, piece)
    ]
    for piece in candidates:
        text = fold(piece.passage.text)
        if any(text in answer or (len(answer) > 3 and answer in text) for answer in wrong):
            overlap = property_words & piece.own
            if (
                not fact.any_of
                or len(overlap) > ENOUGH * len(property_words)
                or (overlap and overlap == property_words)
            ):
                yield piece
    for piece in candidates:
        if property_words and property_words <= piece.own:
            yield piece


def _unreadable(fact: Fact, pages: Iterable[tuple[Document, Page]]) -> tuple[Document, str] | None:
    """Where a gold document speaks about the property and the value is of a kind that pages put in other words."""
    if not any(value.reworded for value in fact.values):
        return None
    for document, page in pages:
        property_words = _property(fact, page, shared=True)
        for place, piece in enumerate(page.pieces):
            if property_words and property_words <= piece.own and _about(fact, page, place, gold=True):
                return document, piece.passage.text
    return None


def _property(fact: Fact, page: Page, *, shared: bool = False) -> frozenset[str]:
    """The words of the property, without those of the document's own title."""
    families = (fact.shared if shared else fact.any_of) - page.stems
    return families - SAID_BY_KIND or families


def _about(fact: Fact, page: Page, place: int, *, gold: bool) -> bool | None:
    """Whether a passage is about every subject; None where the page has the subject and words cannot tell.

    A gold document with one subject is about it, whatever it calls it. Elsewhere the subject stands in the title, in
    the passage or just before it, or in any passage of the page where nothing between speaks about a rival.
    """
    if gold and len(fact.subjects) < 2:
        return True
    doubt = False
    for subject in fact.subjects:
        about = _about_one(subject, page, place, gold=gold)
        if about is False:
            return False
        doubt = doubt or about is None
    return None if doubt else True


def _about_one(subject: Subject, page: Page, place: int, *, gold: bool) -> bool | None:
    piece = page.pieces[place]
    if page.is_about(subject.name) or subject.stated_in(piece) or piece.follows(subject.name):
        return True
    if not subject.mentioned(page):
        return gold and not subject.rivalled_in(piece)
    if subject.rivals is None:
        return None
    if subject.rivalled_in(piece):
        return False
    if subject.value is not None:
        # A date or a number is a property of what the page is about; other dates are other properties of it.
        return True if gold else None
    for before in reversed(page.pieces[:place]):
        if subject.stated_in(before):
            return True
        if subject.rivalled_in(before):
            return False
    return True if gold else None


def _telling(fact: Fact) -> bool:
    """Whether the values are rare enough that one of them in the gold document is evidence by itself."""
    return all(value.telling for value in fact.values)


def _same_key(fact: Fact, page: Page, piece: Piece) -> bool:
    """Whether an entry's key asks for nothing more than the property: "Deputy manager" is not the manager."""
    if piece.passage.kind is PassageKind.SENTENCE or not fact.any_of:
        return True
    key = piece.passage.text.partition(":")[0].rpartition(", ")[2]
    subject_words = {stem(word) for subject in fact.subjects for word in words(subject.name)}
    return stems(key) <= fact.any_of | page.stems | SAID_BY_KIND | subject_words


def _ids(documents: Iterable[Document]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(document.id for document in documents))
