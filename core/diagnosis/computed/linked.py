"""What documents say of a look-up in another table: of its answer, and of the records on the way to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.diagnosis.called.cases import SHORT_CODE, Calling
from core.diagnosis.called.short import SHORTEST
from core.diagnosis.computed.needed import NeededRow, NeededRows
from core.diagnosis.computed.said import is_apart, said_of
from core.diagnosis.computed.search import RowReader, rows_in_passages
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import read_passages
from core.judging.facts.subjects import Subject, subjects_of
from core.judging.facts.values import reference_values
from core.text.pages import Page, page_of
from core.text.words import contains_phrase, fold, stems, words


class LinkedFacts:
    """Reads documents for answers that stand in another record than their subjects.

    Args:
        index: All documents.
        own: The id of a document by a gold id; None where there is none.
        needed: The records on the way to an answer; None where they are not known.
        calling: Knows what documents call the records; None where nothing does.
    """

    def __init__(
        self,
        index: FactIndex,
        own: Callable[[str], str | None],
        needed: Callable[[TestCase], NeededRows | None],
        calling: Calling | None,
    ) -> None:
        self._index = index
        self._own = own
        self._needed = needed
        self._calling = calling
        self._reader = RowReader(index, own)
        self._known: dict[str, NeededRows | None] = {}
        self._chained: set[str] = set()
        self._linked: set[str] = set()
        self._told_of_last: set[str] = set()

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
        needed = self._needed(case) if passage else None
        text = fold(passage)
        if needed is None or any(contains_phrase(text, fold(answer)) for answer in case.reference_answers):
            return False
        return any(
            row.belongs_to and all(contains_phrase(text, fold(name)) for name in row.names) for row in needed.rows
        )

    def is_linked(self, case: TestCase) -> bool:
        """Whether links decided, or a page that says more than of its own subject: passages must have them too."""
        return any(case.group_id in some for some in (self._chained, self._linked, self._told_of_last))

    def in_context(self, case: TestCase, passages: Sequence[tuple[str, str]]) -> bool | None:
        """Whether retrieved passages state the answer of the last record, or each link to it.

        Args:
            case: As above.
            passages: The id of the document and the text of each.
        """
        needed = self._known.get(case.group_id)
        if needed is None:
            return None
        last, between = needed.rows[-1], needed.between
        if between is not None and case.group_id in self._told_of_last:
            sources = read_passages(passages, (), self._index)
            if any(said_of(source.page, last, between) is not None for source in sources):
                return True
        return rows_in_passages(needed, passages, self._index, self._own)

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
        needed = self._needed(case)
        between = needed.between if needed is not None else None
        others = self._calling.others(between.table) if self._calling is not None and between is not None else None
        return subjects_of([" ".join(record.names)], [others])

    def may_be_tied(self, link: NeededRow) -> bool:
        """Whether documents may say in other words that two records belong together.

        They do not where both have a page of their own, and that of the first has no word of the name of the second
        ("led by Lindqvist").
        """
        parts = {word for name in link.names for word in words(fold(name)) if len(word) >= SHORTEST}
        own = self._called(link.belongs_to)
        return not own or not self._called(link.names) or any(not parts.isdisjoint(words(page.folded)) for page in own)

    def _called(self, names: Sequence[str]) -> list[Page]:
        """The pages that are called by all of some names."""
        folded = [fold(name) for name in names]
        return [page for _, page in self._index.mentioning(folded) if all(page.is_about(name) for name in folded)]

    def _may_be_in_words(self, case: TestCase, fact: Fact) -> bool:
        """Whether an answer is a code of two letters at most that the page of its record may have in words."""
        codes = all(value.text.isupper() and len(value.text) <= SHORT_CODE for value in fact.values)
        lacking = self.lacking(case, fact) if codes else None
        return lacking is not None and not lacking.belongs_to

    def _between(self, case: TestCase, fact: Fact) -> NeededRows | None:
        """The records between a subject and its answer, with what tells a passage about them from others."""
        if case.group_id not in self._known:
            needed = self._needed(case)
            if needed is not None and needed.between is not None:
                between = replace(needed.between, subjects=fact.subjects, words=_calling_words(case, fact))
                needed = replace(needed, between=between)
            self._known[case.group_id] = needed
        return self._known[case.group_id]


def _calling_words(case: TestCase, fact: Fact) -> frozenset[str]:
    """Word families by which a question calls the records on the way: without those of the column that it asks for."""
    column = stems(case.attributes.get("asks_for", "").partition(" (")[0].partition(".")[2].replace("_", " "))
    # Of a table that refers to itself, the word for its records is the word for the subject too.
    kind = stems(case.tables[0].replace("_", " ")) if len(set(case.tables)) == 1 else frozenset()
    return fact.shared - column - kind if column else frozenset()
