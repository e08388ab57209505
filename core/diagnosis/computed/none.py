"""What documents say of an answer that there is none: 0 orders, no buildings.

Nothing states it unless documents say so or list all that there is. Whether they list it, and where, is learnt from the
other facts of the same template: where the pages of other customers list their orders, the page of this one, which
lists none, says that there is none. Where each order has a page that names its customer, all of these pages together
say so: who answers needs every one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from core.diagnosis.computed.needed import NeededRows
from core.diagnosis.computed.search import RowReader
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex
from core.judging.facts.reading import MOST_STATED
from core.text.pages import page_of
from core.text.words import fold, words

LEAST = 2
"""Facts with rows by which it is known whether documents list such rows."""
LISTED, UNLISTED = 0.8, 0.2
"""Share of the facts with rows from which documents list them all, and up to which they speak of none of them."""
NEGATIONS = frozenset({"no", "none", "nobody", "not", "never", "nothing", "without", "neither", "nor", "zero", "0"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """How documents list the rows of other facts.

    Attributes:
        share: Of the facts with rows, those whose rows the documents all state.
        own: Whether it is the subject's own page that lists them.
        pages: The pages that list the rows of the other subjects.
    """

    share: float
    own: bool = False
    pages: tuple[str, ...] = ()


class NoneOfThem:
    """Reads documents for answers that there is none.

    Args:
        index: All documents.
        reader: Of rows.
        own: The subject's own pages, by a case.
        needed: The rows behind the answer of a case.
    """

    def __init__(
        self,
        index: FactIndex,
        reader: RowReader,
        own: Callable[[TestCase], Sequence[Document]],
        needed: Callable[[TestCase], NeededRows | None],
    ) -> None:
        self._index = index
        self._reader = reader
        self._own = own
        self._needed = needed
        self._siblings: dict[str, dict[str, TestCase]] = {}
        self._listings: dict[str, Listing | None] = {}

    def learn(self, case: TestCase) -> None:
        """Takes a case to learn from."""
        self._siblings.setdefault(case.sql_template_id, {})[case.group_id] = case

    def finding(self, case: TestCase, needed: NeededRows) -> FactFinding:
        """What the documents say of the answer.

        Args:
            case: Any wording of the fact.
            needed: Its rows, of which there are none.
        """
        listing = self._listing(case)
        if listing is None or UNLISTED < listing.share < LISTED:
            return FactFinding(evidence=FactEvidence.UNDECIDED)
        if listing.share <= UNLISTED:
            return FactFinding(evidence=FactEvidence.ABSENT)
        pages = self._pages(case, needed)
        if (other := self._listed_all_the_same(case, needed, pages)) is not None:
            return other
        if listing.own:
            return _says(pages[0], pages) if pages else FactFinding(evidence=FactEvidence.ABSENT)
        known = pages or self._index.mentioning([fold(subject) for subject in needed.subjects])
        lists = [page for name in listing.pages if (page := self._index.document(name)) is not None] if known else []
        return _says(lists[0], lists) if lists else FactFinding(evidence=FactEvidence.ABSENT)

    def in_context(self, finding: FactFinding, passages: Sequence[tuple[str, str]]) -> bool | None:
        """Whether retrieved passages show that there is none: what says so, else the whole of each page.

        Args:
            finding: What was found.
            passages: The id of the document and the text of each.
        """
        read: dict[str, str] = {}
        for known, text in passages:
            read[known] = f"{read.get(known, '')} {fold(text)}"
        if not any(text.strip() for text in read.values()):
            return None
        if finding.passage:
            return fold(finding.passage) in read.get(finding.document_id, "")
        documents = [self._index.document(name) for name in finding.document_ids]
        return all(
            document is not None
            and all(fold(piece.passage.text) in read.get(document.id, "") for piece in page_of(document).pieces)
            for document in documents
        )

    def _listing(self, case: TestCase) -> Listing | None:
        """How documents list the rows of the template's other facts; None where too few have any."""
        if case.sql_template_id not in self._listings:
            self._listings[case.sql_template_id] = self._learnt(case.sql_template_id)
        return self._listings[case.sql_template_id]

    def _learnt(self, template_id: str) -> Listing | None:
        stated = own = total = 0
        ids: dict[str, None] = {}
        for case in self._siblings.get(template_id, {}).values():
            needed = self._needed(case)
            if needed is None or not needed.rows:
                continue
            total += 1
            finding = self._reader.read(needed).evidence(needed)
            if finding.evidence is FactEvidence.PRESENT:
                stated += 1
                pages = {page.id for page in self._pages(case, needed)}
                own += bool(pages & set(finding.document_ids)) and finding.document_id in pages
                ids.update(dict.fromkeys(finding.document_ids))
        if total < LEAST:
            return None
        return Listing(
            share=stated / total,
            own=own >= LISTED * stated > 0,
            pages=tuple(islice(ids, MOST_STATED)),
        )

    def _pages(self, case: TestCase, needed: NeededRows) -> list[Document]:
        """The subject's own pages: those of its record, else those that are called by all subjects."""
        own = list(self._own(case))
        names = [name for subject in needed.subjects if (name := fold(subject))]
        if own or not names:
            return own
        return [
            document for document, page in self._index.mentioning(names) if all(page.is_about(name) for name in names)
        ]

    def _listed_all_the_same(self, case: TestCase, needed: NeededRows, pages: Sequence[Document]) -> FactFinding | None:
        """A row that the subject's own page lists all the same, of those of other subjects."""
        names = {fold(subject) for subject in needed.subjects}
        for other in self._siblings.get(case.sql_template_id, {}).values():
            theirs = self._needed(other)
            for row in theirs.rows if theirs is not None else ():
                row_names = [fold(name) for name in row.names]
                if not row_names or set(row_names) & names:
                    continue
                for document in pages:
                    for piece in page_of(document).pieces:
                        if all(piece.names(name) for name in row_names) and not NEGATIONS & set(words(piece.folded)):
                            return FactFinding(
                                evidence=FactEvidence.CONTRADICTED,
                                document_id=document.id,
                                passage=piece.passage.text,
                                document_ids=(document.id,),
                                other_value=", ".join(row.names),
                            )
        return None


def _says(document: Document, documents: Sequence[Document]) -> FactFinding:
    """That pages which list all that there is list nothing of the subject."""
    return FactFinding(
        evidence=FactEvidence.PRESENT,
        document_id=document.id,
        document_ids=tuple(page.id for page in documents),
    )
