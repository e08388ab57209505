"""What documents say of computed answers: of the answer itself, or of the rows behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.diagnosis.called.cases import SHORT_CODE, Calling
from core.diagnosis.called.short import SHORTEST
from core.diagnosis.computed.needed import NeededRow, NeededRows
from core.diagnosis.computed.none import NoneOfThem
from core.diagnosis.computed.rows import RowsBehind, is_computed
from core.diagnosis.computed.said import is_apart, said_of
from core.diagnosis.computed.search import RowReader, rows_in_passages
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import OPERATION, TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import read_passages
from core.judging.facts.siblings import Wording, is_worded
from core.judging.facts.subjects import Subject, subjects_of
from core.judging.facts.values import reference_values
from core.text.pages import page_of
from core.text.passages import PassageKind
from core.text.words import contains_phrase, fold, stems, words

COUNTED = frozenset({"count", "comparison"})
"""Operations whose answer is a number of rows, which stands on many pages by chance."""
SUMMED = COUNTED | {"total"}
"""Operations whose answer no row has by itself."""


class ComputedFacts:
    """Reads documents for computed answers.

    Args:
        index: All documents.
        own: The id of a document by a gold id; None where there is none.
        behind: Knows the rows; None where nothing does.
        calling: Knows what documents call the records; None where nothing does.
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
        self._chained: set[str] = set()
        self._linked: set[str] = set()
        self._told_of_last: set[str] = set()

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

    def chained(self, case: TestCase, fact: Fact, direct: FactFinding) -> FactFinding:
        """What the documents say of a look-up in another table, of which no document was found to state the answer.

        They state it where they state each link from the subject to the answer; where they may, it is undecided.

        Args:
            case: Any wording of the fact.
            fact: The answer as a fact of its own.
            direct: What was found.
        """
        needed = self._between(case, fact)
        if needed is None:
            return direct
        rows = self._reader.read(needed).evidence(needed)
        if rows.evidence is FactEvidence.PRESENT:
            self._chained.add(case.group_id)
            return rows
        absent = direct.evidence is FactEvidence.ABSENT
        if absent and (rows.evidence is FactEvidence.UNDECIDED or self._may_be_in_words(case, fact)):
            return replace(direct, evidence=FactEvidence.UNDECIDED)
        return direct

    def _may_be_in_words(self, case: TestCase, fact: Fact) -> bool:
        """Whether an answer is a code of two letters at most that the page of its record may have in words."""
        codes = all(value.text.isupper() and len(value.text) <= SHORT_CODE for value in fact.values)
        lacking = self.lacking(case, fact) if codes else None
        return lacking is not None and not lacking.belongs_to

    def without_own(self, case: TestCase, fact: Fact, direct: FactFinding) -> FactFinding:
        """What the documents say of a look-up in another table, after what a page says of its own subject.

        Where Ann and her manager both live in Usk, the page of Ann says where she lives, and nothing of her manager;
        where he lives elsewhere, her page contradicts nothing. What the database has of the records before the last
        one is taken for theirs, unless the passage says it of the last one.

        Args:
            case: Any wording of the fact.
            fact: The answer as a fact of its own.
            direct: What was found.
        """
        needed = None if case.group_id in self._chained else self._between(case, fact)
        if needed is None or needed.between is None or direct.evidence is FactEvidence.ABSENT:
            return direct
        contradicted = direct.evidence is FactEvidence.CONTRADICTED
        told = [direct.other_value] if contradicted else [value.text for value in fact.values]
        own = reference_values(needed.between.own)
        if not any(value.stated_in(text) for value in own for text in told if text):
            return direct
        ids = dict.fromkeys((direct.document_id, *direct.document_ids))
        pages = [page_of(document) for one in ids if (document := self._index.document(one)) is not None]
        last = needed.rows[-1]
        elsewhere = [page for page in pages if not is_apart(page, last, needed.between)]
        if contradicted and elsewhere:
            return direct
        if not contradicted and any(said_of(page, last, needed.between) is not None for page in pages):
            self._told_of_last.add(case.group_id)
            return direct
        self._linked.add(case.group_id)
        return self.chained(case, fact, FactFinding(evidence=FactEvidence.ABSENT))

    def lacking(self, case: TestCase, fact: Fact) -> NeededRow | None:
        """The first record on the way to an answer of which no document states what belongs to it; None where unknown.

        Args:
            case: Any wording of the fact.
            fact: The answer as a fact of its own.
        """
        needed = self._between(case, fact)
        if needed is None or needed.between is None:
            return None
        rows = (replace(needed, rows=(row,)) for row in needed.rows)
        absent = (one.rows[0] for one in rows if self._reader.read(one).evidence(one).evidence is FactEvidence.ABSENT)
        return next(absent, None)

    def subjects_of(self, case: TestCase, record: NeededRow) -> tuple[Subject, ...]:
        """The last record on the way to an answer as one whom pages are about, told from others of its table."""
        needed = self.needed(case)
        between = needed.between if needed is not None else None
        others = self._calling.others(between.table) if self._calling is not None and between is not None else None
        return subjects_of([" ".join(record.names)], [others])

    def is_traced(self, link: NeededRow) -> bool:
        """Whether a page that is about a record has a word of the name of the next one: "led by Lindqvist"."""
        parts = {word for name in link.names for word in words(fold(name)) if len(word) >= SHORTEST}
        belongs_to = [fold(name) for name in link.belongs_to]
        return any(
            not parts.isdisjoint(words(page.folded)) and all(page.is_about(name) for name in belongs_to)
            for _, page in self._index.mentioning(belongs_to)
        )

    def _between(self, case: TestCase, fact: Fact) -> NeededRows | None:
        """The records between a subject and its answer, with what tells a passage about them from others."""
        needed = self.needed(case)
        if needed is not None and needed.between is not None and not needed.between.subjects:
            asked = case.attributes.get("asks_for", "").partition(" (")[0]
            column = stems(asked.partition(".")[2].replace("_", " "))
            # Of a table that refers to itself, the word for its records is the word for the subject too.
            kind = stems(case.tables[0].replace("_", " ")) if len(set(case.tables)) == 1 else frozenset()
            called = fact.shared - column - kind if column else frozenset()
            needed = replace(needed, between=replace(needed.between, subjects=fact.subjects, words=called))
            self._needed[case.group_id] = needed
        return needed

    def by_links(self, case: TestCase, fact: Fact, direct: FactFinding) -> FactFinding:
        """What the documents say of a look-up in another table whose answer stands on a page without its subject.

        The page of a line says when it opened; that this is so of the line of an incident takes a page that says which
        line that was. Where words cannot tell, and where the records between are not known, the page is believed.

        Args:
            case: Any wording of the fact.
            fact: The answer as a fact of its own.
            direct: What was found.
        """
        needed = self._between(case, fact)
        if needed is None:
            return direct
        rows = self._reader.read(needed).evidence(needed)
        # Another value on a page may be its own: the manager of Ann Lee was hired on another day than she.
        lacking = rows.evidence is FactEvidence.ABSENT and direct.evidence is FactEvidence.PRESENT
        if rows.evidence is not FactEvidence.PRESENT and not lacking:
            return direct
        self._linked.add(case.group_id)
        return rows

    def names_a_link(self, case: TestCase, passage: str) -> bool:
        """Whether a passage has the name of a record between a subject and its answer, and not the answer.

        That a donor gives at a site does not say what the site can store, though all who give there share the figure.
        """
        needed = self.needed(case) if passage else None
        text = fold(passage)
        if needed is None or any(contains_phrase(text, fold(answer)) for answer in case.reference_answers):
            return False
        return any(
            row.belongs_to and all(contains_phrase(text, fold(name)) for name in row.names) for row in needed.rows
        )

    def is_linked(self, case: TestCase) -> bool:
        """Whether its links decided, as no page says the answer of the subject itself: passages must have them too."""
        return case.group_id in self._linked or case.group_id in self._told_of_last

    def is_chained(self, case: TestCase) -> bool:
        """Whether documents state the fact by the links to its answer only."""
        return case.group_id in self._chained

    def in_context(self, case: TestCase, passages: Sequence[tuple[str, str]], direct: bool | None) -> bool | None:
        """Whether retrieved passages state all that the answer needs, after its fact was looked for.

        Args:
            case: As above.
            passages: The id of the document and the text of each.
            direct: Whether the passages state the answer itself.
        """
        needed = self.needed(case)
        if case.group_id in self._nones:
            return self._none.in_context(self._nones[case.group_id], passages)
        if needed is None or case.group_id in self._direct:
            return direct
        if case.group_id in self._told_of_last and self._say_of_last(needed, passages):
            return True
        return rows_in_passages(needed, passages, self._index, self._own)

    def _say_of_last(self, needed: NeededRows, passages: Sequence[tuple[str, str]]) -> bool:
        """Whether passages about a subject state the answer of the last record on the way to it."""
        sources = read_passages(passages, (), self._index)
        last, between = needed.rows[-1], needed.between
        return between is not None and any(said_of(source.page, last, between) is not None for source in sources)

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
