"""Do documents state the rows that an answer is computed from?

A count, a sum or a latest date is read off no single passage: who answers it needs every row. A row is stated where
one passage, one row of a table or one part of a page has what names it and the subject that it belongs to, and one has
what names it and the value that is added up or compared: the page of a product may have its price, and the page of the
supplier list the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from core.diagnosis.computed.needed import Between, NeededRow, NeededRows
from core.diagnosis.computed.pieces import Pieces
from core.diagnosis.computed.said import is_apart, said_of
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.index import FactIndex
from core.judging.facts.reading import MOST_STATED
from core.judging.facts.subjects import Subject, subjects_of
from core.text.pages import Page, page_of
from core.text.passages import PassageKind
from core.text.words import contains_phrase, fold

SHORT_KEY = 3
"""Digits up to which a key stands on many pages by chance."""

TRIED = 8
"""Rows by which it is known what documents call rows by that have no name."""

BETWEEN = "\n\n"
"""Between passages of one document."""

KEYS = -1
"""Stands for the keys of rows where the place of a column that marks them may stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsFinding:
    """How many rows documents state.

    Attributes:
        total: The rows that were looked for.
        stated: Of these, rows that documents state.
        absent: Rows of which no page has all that would state them.
        first: The document and the passage that state the first one.
        document_ids: The documents that state rows.
    """

    total: int
    stated: int
    absent: int
    first: tuple[str, str] = ("", "")
    document_ids: tuple[str, ...] = ()

    def evidence(self, needed: NeededRows) -> FactFinding:
        """What it comes to for the answer: present where all rows are, absent where one of them is."""
        if not self.total:
            return FactFinding(evidence=FactEvidence.UNDECIDED)
        enough = self.stated > 0 if needed.any_row else self.stated == self.total
        lacking = self.absent == self.total if needed.any_row else self.absent > 0
        if lacking:
            return FactFinding(evidence=FactEvidence.ABSENT)
        if not enough or needed.closed:
            return FactFinding(evidence=FactEvidence.UNDECIDED, document_id=self.first[0], passage=self.first[1])
        return FactFinding(
            evidence=FactEvidence.PRESENT,
            document_id=self.first[0],
            passage=self.first[1],
            document_ids=self.document_ids,
        )


class RowReader:
    """Looks for rows in documents.

    Args:
        index: All documents, or those of the retrieved passages.
        own: Gives the id of a document by a gold id; None where there is no such document.
    """

    def __init__(self, index: FactIndex, own: Callable[[str], str | None] = lambda gold_id: None) -> None:
        self._index = index
        self._own = own
        self._read: dict[tuple[str, ...], tuple[tuple[Document, Page], ...]] = {}
        self._pieces: dict[str, Pieces] = {}

    def read(self, needed: NeededRows) -> RowsFinding:
        """How many of the rows the documents state; where all are needed, the first that is absent ends the search."""
        subjects = subjects_of(needed.subjects)
        called = self._called(needed, subjects)
        if not any(_statements(row, subjects, called) for row in needed.rows):
            # Nothing tells the rows; but what nobody writes about has none of them.
            unknown = bool(needed.rows and subjects) and not self._mentioned(subjects)
            return RowsFinding(total=1, stated=0, absent=int(unknown))
        stated = absent = 0
        first: tuple[str, str] = ("", "")
        ids: dict[str, None] = {}
        for row in needed.rows:
            found = [self._together(terms, row, needed.between) for terms in _statements(row, subjects, called)]
            if found and all(place is not None for place in found):
                stated += 1
                places = [place for place in found if place is not None]
                first = first if first[0] else (places[0][0].id, places[0][1])
                ids.update(dict.fromkeys(document.id for document, _ in places))
            elif not found or not self._possible(row, subjects, called, needed.between):
                absent += 1 if found else 0
                if absent and not needed.any_row:
                    break
        return RowsFinding(
            total=len(needed.rows),
            stated=stated,
            absent=absent,
            first=first,
            document_ids=tuple(islice(ids, MOST_STATED)),
        )

    def states(self, needed: NeededRows) -> bool:
        """Whether the documents state every row, or one of them where that is enough."""
        subjects = subjects_of(needed.subjects)
        called = self._called(needed, subjects)
        stated = (
            bool(found) and all(place is not None for place in found)
            for row in needed.rows
            for found in [[self._together(terms, row, needed.between) for terms in _statements(row, subjects, called)]]
        )
        return any(stated) if needed.any_row else bool(needed.rows) and all(stated)

    def _called(self, needed: NeededRows, subjects: Sequence[Subject]) -> int | None:
        """What documents call rows without a name by: their keys, or a column that marks them; None where neither."""
        tried = [row for row in needed.rows if not row.names][:TRIED]
        keyed = [row for row in tried if any(_is_own(key) for key in row.keys)]
        if any(self._together((*subjects, *subjects_of(row.keys)), row) is not None for row in keyed):
            return KEYS
        if any(row.values for row in tried):
            return None
        places = range(max((len(row.marks) for row in tried), default=0))
        times = {
            place: sum(
                self._together((*subjects, *subjects_of(row.marks[place : place + 1])), row) is not None
                for row in tried
                if row.marks[place]
            )
            for place in places
        }
        if times and max(times.values()):
            return max(times, key=lambda place: times[place])
        # Where pages call the subject by its name and none of them has a key or a mark of its rows, they do not say
        # that the rows are its.
        if not tried or (subjects and not self._is_named(subjects)):
            return None
        told = [key for row in keyed for key in row.keys if _is_own(key)]
        marks = [mark for row in tried for mark in row.marks if _is_own(mark)]
        if not told and not marks:
            return None
        texts = dict.fromkeys((*told, *marks))
        if any(self._mentioned((*subjects, *subjects_of([text]))) for text in texts):
            return None
        if not subjects and any(self._anywhere(text) for text in texts):
            return None
        return KEYS if told else next(place for place in places if any(_is_own(row.marks[place]) for row in tried))

    def _is_named(self, subjects: Sequence[Subject]) -> bool:
        """Whether a page, or a part of one, is called by the subjects."""
        return any(
            all(
                page.is_about(term.name)
                or any(contains_phrase(above, term.name) for above in page.headings)
                or any(
                    _opens(piece.folded, term.name)
                    if piece.passage.kind is PassageKind.SENTENCE
                    else piece.passage.kind is PassageKind.CELL and fold(piece.passage.text).startswith(term.name)
                    for piece in page.pieces
                )
                for term in subjects
            )
            for _, page in self._pages(subjects)
        )

    def _anywhere(self, text: str) -> bool:
        """Whether any document has a key or a mark, in any spelling."""
        return any(
            term.mentioned(page_of(document)) for term in subjects_of([text]) for document in self._index.documents
        )

    def _mentioned(self, terms: Sequence[Subject]) -> bool:
        return any(all(term.mentioned(page) for term in terms) for _, page in self._pages(terms))

    def _possible(
        self, row: NeededRow, subjects: Sequence[Subject], called: int | None, between: Between | None
    ) -> bool:
        """Whether some page has all that would state a row, wherever it stands on it."""
        return all(
            self._together(terms, row, between) is not None
            or (self._mentioned(terms) if between is None else self._may_say(terms, row, between))
            for terms in _statements(row, subjects, called)
        )

    def _may_say(self, terms: Sequence[Subject], row: NeededRow, between: Between) -> bool:
        """Whether the sentences of a page have all terms; of a page about another record, one of its sentences.

        Each row of a table and each entry of a list says its own: that two people are on one list ties nobody.
        """
        for _, page in self._pages(terms):
            sentences = [piece for piece in page.pieces if piece.passage.kind is PassageKind.SENTENCE]
            places = [{at for at, piece in enumerate(sentences) if term.stated_in(piece)} for term in terms]
            if all(places) and (not is_apart(page, row, between) or set.intersection(*places)):
                return True
        return False

    def _together(
        self, terms: Sequence[Subject], row: NeededRow, between: Between | None = None
    ) -> tuple[Document, str] | None:
        """The first document that has all terms in one place, with the passage."""
        own_id = self._own(row.own_id) if row.own_id else None
        own = self._index.document(own_id) if own_id else None
        pages = self._pages(terms)
        for document, page in ((own, page_of(own)), *pages) if own is not None else pages:
            if between is not None and is_apart(page, row, between):
                if (passage := said_of(page, row, between)) is not None:
                    return document, passage
                continue
            if document.id not in self._pieces:
                self._pieces[document.id] = Pieces(page)
            if (passage := self._pieces[document.id].in_one_place(terms, own=document is own)) is not None:
                return document, passage
        return None

    def _pages(self, terms: Sequence[Subject]) -> tuple[tuple[Document, Page], ...]:
        """The documents in which all names, and keys as they are written, occur; else those with the names alone."""
        names = tuple(term.name for term in terms if term.value is None)
        keys = tuple(term.name for term in terms if term.value is not None and term.name.isdigit())
        exact = self._index.mentioning((*names, *keys)) if any(len(key) > SHORT_KEY for key in keys) else ()
        if exact or not names:
            return exact
        if names not in self._read:
            self._read[names] = self._index.mentioning(names)
        return self._read[names]


def _statements(row: NeededRow, subjects: Sequence[Subject], called: int | None) -> list[tuple[Subject, ...]]:
    """What has to stand together for a row to be stated; nothing where nothing tells it from others."""
    names, values = subjects_of(row.names), row.figures
    subjects = (*subjects, *subjects_of(row.belongs_to))
    if names:
        parts = [(*subjects, *names)] if subjects else []
        return [*parts, *([(*names, *values)] if values else [])] or [names]
    marks = row.keys if called == KEYS else () if called is None else row.marks[called : called + 1]
    told = subjects_of(marks)
    return [(*subjects, *told, *values)] if told or values else []


def _opens(sentence: str, name: str) -> bool:
    """Whether a sentence begins with a name, or with what it is and the name: "Donor D-4373, Orla Dunne, has"."""
    return any(
        rest.startswith(name) and not rest[len(name) : len(name) + 1].isalnum()
        for rest in (sentence, sentence.partition(" ")[2])
    )


def _is_own(key: str) -> bool:
    """Whether a key is no small number, which stands on many pages by chance."""
    return len(key) > SHORT_KEY or not key.isdigit()


def rows_in_passages(
    needed: NeededRows,
    passages: Iterable[tuple[str, str]],
    index: FactIndex,
    own: Callable[[str], str | None] = lambda gold_id: None,
) -> bool | None:
    """Whether retrieved passages state every row, or one of them where that is enough; None where no text is known.

    Args:
        needed: The rows.
        passages: The id of the document and the text of each.
        index: All documents, by which a passage gets the title of its document.
        own: As for :class:`RowReader`.
    """
    texts: dict[str, list[str]] = {}
    for document_id, text in passages:
        if text.strip():
            texts.setdefault(document_id, []).append(text)
    if not texts:
        return None
    documents = []
    for document_id, some in texts.items():
        known = index.document(document_id)
        title = known.title if known is not None else ""
        documents.append(Document(id=document_id, title=title, text=BETWEEN.join(some)))
    states = RowReader(FactIndex(documents), own).states(needed)
    return None if states and not needed.all_read and not needed.any_row else states
