"""Answers that are one of a list of codes: what documents say of them, learnt from the pages of other records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.diagnosis.called.cases import Calling
from core.diagnosis.called.codes import code_beside, code_on_page, has_part_of_label, stated_as_code
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex

MOST_NAMED = 3
"""Documents that mention a record, each of which may be its own."""
LEAST = 3
"""Pages that must name one value of a list each, before another one on a page contradicts."""


class CodedAnswers:
    """Reads documents for answers that are one of a list of codes.

    Args:
        index: All documents.
        calling: Knows the lists, under the names that documents have.
        own: The record's own pages, by a case.
    """

    def __init__(self, index: FactIndex, calling: Calling, own: Callable[[TestCase], Sequence[Document]]) -> None:
        self._index = index
        self._calling = calling
        self._own = own
        self._siblings: defaultdict[str, list[TestCase]] = defaultdict(list)
        self._told: set[str] = set()

    def learn(self, case: TestCase) -> None:
        """Takes a case of another fact to learn from."""
        self._siblings[case.sql_template_id].append(case)

    def is_told(self, case: TestCase) -> bool:
        """Whether it was by the list that documents were found to state a fact, or another value of it."""
        return case.group_id in self._told

    def finding(self, case: TestCase, names: Sequence[str], finding: FactFinding) -> FactFinding:
        """What a fact comes to that no words of the question state.

        Args:
            case: Any wording, under the names that documents have.
            names: Of its subjects, folded.
            finding: What was found without the list.
        """
        codes = self._calling.code_list(case)
        if not codes:
            return finding
        found = self._stated(case, names, finding, codes) or self._on_page(case, codes)
        if found is None:
            in_part = finding.evidence is FactEvidence.ABSENT and has_part_of_label(
                self._own(case) or self._named(names), case.reference_answers, codes
            )
            return replace(finding, evidence=FactEvidence.UNDECIDED) if in_part else finding
        self._told.add(case.group_id)
        return found

    def _stated(
        self, case: TestCase, names: Sequence[str], finding: FactFinding, codes: Sequence[str]
    ) -> FactFinding | None:
        stated = stated_as_code(finding, case.reference_answers, codes)
        if stated.evidence is FactEvidence.PRESENT:
            return stated
        return code_beside(self._index.mentioning(names), names, case.reference_answers, codes)

    def _named(self, names: Sequence[str]) -> list[Document]:
        """The documents that mention every subject, few of them."""
        mentioning = [document for document, _ in self._index.mentioning(names)]
        return mentioning if len(mentioning) <= MOST_NAMED else []

    def _on_page(self, case: TestCase, codes: Sequence[str]) -> FactFinding | None:
        """What the record's own page names; another one contradicts where pages name what they are about by one."""
        here = code_on_page(self._own(case), case.reference_answers, codes)
        if here is None or here.evidence is FactEvidence.PRESENT:
            return here
        siblings = self._siblings[case.sql_template_id]
        usual = [code_on_page(self._own(other), other.reference_answers, codes) for other in siblings]
        told = sum(found is not None and found.evidence is FactEvidence.PRESENT for found in usual)
        return here if told >= LEAST and told * 3 >= 2 * len(usual) else None
