"""What documents say of computed answers: of the answer itself, or of the rows behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.diagnosis.called.cases import Calling
from core.diagnosis.computed.linked import LinkedFacts
from core.diagnosis.computed.needed import NeededRow, NeededRows
from core.diagnosis.computed.none import NoneOfThem
from core.diagnosis.computed.rows import RowsBehind, is_computed
from core.diagnosis.computed.search import RowReader, rows_in_passages
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import OPERATION, TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.wordings.siblings import Wording, is_worded
from core.text.pages import page_of
from core.text.passages import PassageKind
from core.text.words import fold, stems

COUNTED = frozenset({"count", "comparison"})
"""Operations whose answer is a number of rows, which stands on many pages by chance."""
SUMMED = COUNTED | {"total"}
"""Operations whose answer no row has by itself."""


class ComputedFacts:
    """Reads documents for computed answers, and for those that stand in another record.

    Args:
        index: All documents.
        own: The id of a document by a gold id; None where there is none.
        behind: Knows the rows; None where nothing does.
        calling: Knows what documents call the records; None where nothing does.

    Attributes:
        links: Reads them for answers that stand in another record than their subjects.
    """

    def __init__(
        self,
        index: FactIndex,
        own: Callable[[str], str | None],
        behind: RowsBehind | None,
        calling: Calling | None = None,
    ) -> None:
        self._index = index
        self._own = own
        self._behind = behind
        self._calling = calling
        self._reader = RowReader(index, own)
        self._none = NoneOfThem(index, self._reader, self._own_pages, self.needed)
        self._needed: dict[str, NeededRows | None] = {}
        self._nones: dict[str, FactFinding] = {}
        self._direct: set[str] = set()
        self.links = LinkedFacts(index, own, self.needed, calling)

    def learn(self, case: TestCase) -> None:
        """Takes a case of another fact to learn from how documents list what answers come from."""
        if is_computed(case):
            self._none.learn(case)

    def finding(self, case: TestCase, fact: Fact, direct: FactFinding, wording: Wording | None) -> FactFinding:
        """What the documents say of an answer.

        Args:
            case: Any wording of the fact.
            fact: The answer as a fact of its own.
            direct: What the documents say of that.
            wording: How they word the same answer about other subjects, where that is known.
        """
        if self._is_told_in_a_cell(case, direct):
            self._direct.add(case.group_id)
            return replace(direct, evidence=FactEvidence.PRESENT)
        stated = direct.evidence is FactEvidence.PRESENT
        whole = stated and _is_whole(case, fact, direct.passage, wording)
        needed = self.needed(case)
        if needed is not None and not needed.rows and not whole:
            self._nones[case.group_id] = self._none.finding(case, needed)
            return self._nones[case.group_id]
        summed = case.attributes.get(OPERATION) in SUMMED
        rows = None if needed is None else self._rows(case, needed)
        if rows is not None and (rows.evidence is FactEvidence.PRESENT or not stated or not (whole or summed)):
            unclear = (
                summed
                and fact.telling
                and rows.evidence is FactEvidence.ABSENT
                and direct.evidence is FactEvidence.UNDECIDED
            )
            return direct if unclear else rows
        # What is stated of one of the rows ("ordered on 9 April") does not say that it is the latest.
        if whole or (rows is None and stated and summed):
            self._direct.add(case.group_id)
            return direct
        return replace(direct, evidence=FactEvidence.UNDECIDED)

    def _rows(self, case: TestCase, needed: NeededRows) -> FactFinding:
        """What the documents say of the rows, also under the title that the subject's own page has."""
        finding = self._reader.read(needed).evidence(needed)
        if finding.evidence is not FactEvidence.PRESENT and (titled := self._titled(case, needed)) is not None:
            by_title = self._reader.read(titled).evidence(titled)
            if by_title.evidence is not FactEvidence.UNDECIDED and by_title.evidence is not finding.evidence:
                self._needed[case.group_id] = titled
                return by_title
        return finding

    def _is_told_in_a_cell(self, case: TestCase, direct: FactFinding) -> bool:
        """Whether a row of a table has a count under what is counted: "KES, donations: 61" in the row of a site."""
        document = self._index.document(direct.document_id)
        if case.attributes.get(OPERATION) not in COUNTED or document is None:
            return False
        head = stems(direct.passage.rpartition(": ")[0].rpartition(", ")[2])
        counted = stems(case.attributes.get("asks_for", "").partition(" (")[0].partition(".")[0].replace("_", " "))
        if not counted or not counted <= head or len(head) > len(counted) + 1:
            return False
        names = [fold(str(value)) for value in case.sql_params.values()]
        return any(
            piece.passage.kind is PassageKind.CELL
            and piece.passage.text == direct.passage
            and all(piece.names(name) for name in names)
            for piece in page_of(document).pieces
        )

    def _titled(self, case: TestCase, needed: NeededRows) -> NeededRows | None:
        """The rows under the title of the subject's own page: a timetable has a course's title, and not its code."""
        own = [document for gold in case.gold_document_ids if (document := self._document(gold)) is not None]
        if len(own) != 1 or not own[0].title or len(needed.subjects) != 1 or not needed.rows:
            return None
        name, page = fold(needed.subjects[0]), page_of(own[0])
        if page.is_about(name) or not page.mentions(name):
            return None
        link = NeededRow(names=(own[0].title,), keys=(), values=(), belongs_to=needed.subjects)
        return replace(needed, rows=needed.rows if needed.any_row else (*needed.rows, link), subjects=(own[0].title,))

    def _own_pages(self, case: TestCase) -> list[Document]:
        return [page for gold in case.gold_document_ids if (page := self._document(gold)) is not None]

    def _document(self, gold_id: str) -> Document | None:
        document_id = self._own(gold_id)
        return self._index.document(document_id) if document_id else None

    def in_context(self, case: TestCase, passages: Sequence[tuple[str, str]], direct: bool | None) -> bool | None:
        """Whether retrieved passages state all that the answer needs, after its fact was looked for.

        Args:
            case: As above.
            passages: The id of the document and the text of each.
            direct: Whether the passages state the answer itself.
        """
        if self.links.is_linked(case):
            return self.links.in_context(case, passages)
        needed = self.needed(case)
        if case.group_id in self._nones:
            return self._none.in_context(self._nones[case.group_id], passages)
        if needed is None or case.group_id in self._direct:
            return direct
        return rows_in_passages(needed, passages, self._index, self._own)

    def needed(self, case: TestCase) -> NeededRows | None:
        """The rows that the answer of a fact is computed from; asked for once."""
        if case.group_id not in self._needed:
            self._needed[case.group_id] = self._read(case)
        return self._needed[case.group_id]

    def _read(self, case: TestCase) -> NeededRows | None:
        if self._behind is None:
            return None
        original, texts = (case, {}) if self._calling is None else self._calling.original(case)
        needed = self._behind.rows_of(original)
        return needed if needed is None or not texts else needed.renamed(texts)


def _is_whole(case: TestCase, fact: Fact, passage: str, wording: Wording | None) -> bool:
    """Whether a passage states the answer itself: "It has 4 counters", "latest order: 9 April"."""
    if case.attributes.get(OPERATION) in COUNTED:
        return wording is not None and not wording.alone and is_worded(fact, passage, wording)
    return bool(fact.shared) and fact.shared <= stems(passage)
