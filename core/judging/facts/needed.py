"""Do documents state the rows that an answer is computed from?

A count, a sum or a latest date is read off no single passage: who answers it needs every row. A row is stated where one
passage, one row of a table or one part of a page has what names it, the subject that it belongs to, and the value that
is added up or compared; what names it may join two of these, so that the page of a product has its price and the page of
the supplier lists the product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.index import FactIndex
from core.judging.facts.reading import MOST_STATED
from core.judging.facts.subjects import Subject, subjects_of
from core.text.pages import Page, Piece, page_of
from core.text.words import contains_phrase, fold

MOST_ROWS = 400
"""Rows that are looked for; nobody computes by hand from more."""

SHORT_KEY = 3
"""Digits up to which a key stands on many pages by chance."""

TRIED = 8
"""Rows by which it is known whether documents name rows by their keys."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRow:
    """One row.

    Attributes:
        names: What people call it; empty where they call it nothing.
        keys: Its primary key, as text.
        values: What is added up or compared, as text.
        own_id: The gold id of a page of its own; empty where there can be none.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    values: tuple[str, ...]
    own_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRows:
    """All rows that an answer is computed from.

    Attributes:
        rows: The first `MOST_ROWS` of them.
        subjects: What every row belongs to, or the values that all of them have.
        all_read: Whether there are no more rows.
        any_row: Whether one of them is enough.
        closed: Whether the answer also depends on what is not there.
    """

    rows: tuple[NeededRow, ...]
    subjects: tuple[str, ...]
    all_read: bool = True
    any_row: bool = False
    closed: bool = False


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

    def read(self, needed: NeededRows) -> RowsFinding:
        """How many of the rows the documents state."""
        subjects = subjects_of(needed.subjects)
        with_keys = self._by_keys(needed, subjects)
        stated = absent = 0
        first: tuple[str, str] = ("", "")
        ids: dict[str, None] = {}
        for row in needed.rows:
            found = [self._together(terms, row) for terms in _statements(row, subjects, with_keys=with_keys)]
            if found and all(place is not None for place in found):
                stated += 1
                places = [place for place in found if place is not None]
                first = first if first[0] else (places[0][0].id, places[0][1])
                ids.update(dict.fromkeys(document.id for document, _ in places))
            elif not found or not self._possible(row, subjects, with_keys=with_keys):
                absent += 1 if found else 0
        return RowsFinding(
            total=len(needed.rows),
            stated=stated,
            absent=absent,
            first=first,
            document_ids=tuple(islice(ids, MOST_STATED)),
        )

    def _by_keys(self, needed: NeededRows, subjects: Sequence[Subject]) -> bool:
        """Whether documents name rows without a name by their keys."""
        if any(row.names for row in needed.rows) or not all(row.keys for row in needed.rows):
            return False
        return any(
            self._together((*subjects, *subjects_of(row.keys)), row) is not None for row in needed.rows[:TRIED]
        )

    def _possible(self, row: NeededRow, subjects: Sequence[Subject], *, with_keys: bool) -> bool:
        """Whether some page has all that would state a row, wherever it stands on it."""
        for terms in _statements(row, subjects, with_keys=with_keys):
            if self._together(terms, row) is None and not any(
                all(term.mentioned(page) for term in terms) for _, page in self._pages(terms)
            ):
                return False
        return True

    def _together(self, terms: Sequence[Subject], row: NeededRow) -> tuple[Document, str] | None:
        """The first document that has all terms in one place, with the passage."""
        own_id = self._own(row.own_id) if row.own_id else None
        own = self._index.document(own_id) if own_id else None
        pages = self._pages(terms)
        for document, page in ((own, page_of(own)), *pages) if own is not None else pages:
            if (passage := _in_one_place(terms, page, own=document is own)) is not None:
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


def _statements(row: NeededRow, subjects: Sequence[Subject], *, with_keys: bool) -> list[tuple[Subject, ...]]:
    """What has to stand together for a row to be stated; nothing where the row has neither name nor telling value."""
    names, values = subjects_of(row.names), subjects_of(row.values)
    if names:
        parts = [(*subjects, *names)] if subjects else []
        return [*parts, *([(*names, *values)] if values else [])] or [names]
    keys = subjects_of(row.keys) if with_keys else ()
    if keys or values:
        return [(*subjects, *keys, *values)]
    return []


def _in_one_place(terms: Sequence[Subject], page: Page, *, own: bool) -> str | None:
    """The passage of a page in which, with what it stands under, all terms are; None where there is none.

    Anywhere on the row's own page will do.
    """
    open_terms = [term for term in terms if not page.is_about(term.name)]
    best: str | None = None
    if not page.pieces:
        return None
    for piece in page.pieces:
        here = [term for term in open_terms if _stated(term, piece)]
        if len(here) == len(open_terms):
            return piece.passage.text
        if own and here:
            best = best or piece.passage.text
    if own and all(any(_stated(term, piece) for piece in page.pieces) for term in open_terms):
        return best
    return _in_one_part(open_terms, page)


def _in_one_part(terms: Sequence[Subject], page: Page) -> str | None:
    """Whether what stands under one heading, which has one of the terms, has all of them."""
    for heading in page.headings:
        if not any(contains_phrase(heading, term.name) for term in terms):
            continue
        part = [piece for piece in page.pieces if fold(piece.passage.heading) == heading]
        if all(any(_stated(term, piece) for piece in part) for term in terms):
            return next(
                (piece.passage.text for piece in part if any(_in_text(term, piece) for term in terms)),
                part[0].passage.text,
            )
    return None


def _stated(term: Subject, piece: Piece) -> bool:
    return term.stated_in(piece) or (term.value is None and piece.follows(term.name))


def _in_text(term: Subject, piece: Piece) -> bool:
    text = piece.passage.text
    return contains_phrase(fold(text), term.name) or (term.value is not None and term.value.stated_in(text))


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
    documents = []
    for document_id, text in passages:
        if text.strip():
            known = index.document(document_id)
            title = known.title if known is not None else ""
            documents.append(Document(id=document_id, title=title, text=text))
    if not documents:
        return None
    finding = RowReader(FactIndex(documents), own).read(needed)
    if not needed.all_read and not needed.any_row and finding.stated == finding.total:
        return None
    return finding.stated > 0 if needed.any_row else finding.total > 0 and finding.stated == finding.total
