"""Sentences in which documents state what a template asks for, learnt from the test set and from the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from core.diagnosis.service.facts.template_facts import KnownFacts
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.reading import Source
from core.judging.facts.wordings.patterns import Pattern, in_pattern, patterns_of
from core.judging.facts.wordings.siblings import SUBJECT
from core.judging.facts.wordings.spellings import Spelling, in_words, spellings_of
from core.judging.facts.wordings.statements import ToldFact

LONGEST_CODE = 4
"""Letters and figures that a code has at most which documents may put in words."""

LEAST_SPELT = 0.8
"""Share of the records that documents tell something of which must have their code in words that are known."""

Read = Callable[[Iterable[tuple[str, str]], Collection[str]], list[Source]]
"""Makes sources of passages: the id of the document and the text of each, and the ids of those about the subject."""


class PatternReader:
    """Reads documents for facts in the sentences in which they state the same of others.

    Args:
        known: The facts of each template.
        read: Makes sources of passages that a target retrieved.
    """

    def __init__(self, known: KnownFacts, read: Read) -> None:
        self._known = known
        self._read_passages = read
        self._patterns: dict[str, tuple[Pattern, ...]] = {}
        self._told: set[str] = set()
        self._spellings: dict[str, tuple[Spelling, ...]] = {}

    def finding(self, wordings: Sequence[TestCase], finding: FactFinding) -> FactFinding:
        """What a fact comes to that no words of the question state.

        Args:
            wordings: Every wording of the fact.
            finding: What was found without patterns.
        """
        fact = self._known.fact(wordings)
        told = self._known.told_of(fact, wordings[0])
        absent = finding.evidence is FactEvidence.ABSENT
        found = self._read(told, wordings[0])
        # Where the value stands beside the subject in other words, the documents may contradict each other.
        beside = finding.evidence is FactEvidence.UNDECIDED and fact.telling
        if found is None and absent and told.passages and self._is_coded(told, wordings[0]):
            return replace(finding, evidence=FactEvidence.UNDECIDED)
        if found is None or (beside and found.evidence is FactEvidence.CONTRADICTED):
            return finding
        self._told.add(wordings[0].group_id)
        return found

    def stated_in(
        self, wordings: Sequence[TestCase], passages: Iterable[tuple[str, str]], stating: Collection[str]
    ) -> bool:
        """Whether passages that a target retrieved state a fact that was found in such a sentence.

        Args:
            wordings: Every wording of the fact.
            passages: The id of the document and the text of each.
            stating: Ids of the documents that state the fact.
        """
        if wordings[0].group_id not in self._told:
            return False
        fact = self._known.fact(wordings)
        told = ToldFact.read(fact, self._read_passages(passages, stating))
        found = self._read(told, wordings[0])
        return found is not None and found.evidence is FactEvidence.PRESENT

    def _is_coded(self, told: ToldFact, case: TestCase) -> bool:
        """Whether the value is a code that documents write of no record as it stands: they may have it in words."""
        codes = all(value.text.isupper() and len(value.text) <= LONGEST_CODE for value in told.fact.values)
        written = any(other.is_written for other in self._known.told(case))
        return codes and not written and not self.is_spelt(told.fact, case)

    def is_spelt(self, fact: Fact, case: TestCase) -> bool:
        """Whether the word is known by which documents call a code, and most records have theirs in such words."""
        spelt = self._spelt(case)
        if not any(value.key in spelling.codes.values() for value in fact.values for spelling in spelt):
            return False
        told = [in_words(one, spelt) for one in self._known.told(case) if one.passages]
        present = sum(one is not None and one.evidence is FactEvidence.PRESENT for one in told)
        return present >= LEAST_SPELT * len(told)

    def _read(self, told: ToldFact, case: TestCase) -> FactFinding | None:
        return in_pattern(told, self.patterns(case)) or in_words(told, self._spelt(case))

    def name_subjects(self, case: TestCase) -> bool:
        """Whether documents state what a template asks for beside the names that its questions have."""
        return any(SUBJECT in (*pattern.before, *pattern.after) for pattern in self.patterns(case))

    def patterns(self, case: TestCase) -> tuple[Pattern, ...]:
        """The sentences in which documents state what the template of a case asks for."""
        template_id = case.sql_template_id
        if template_id not in self._patterns:
            self._patterns[template_id] = patterns_of(self._known.told(case))
        return self._patterns[template_id]

    def _spelt(self, case: TestCase) -> tuple[Spelling, ...]:
        """How documents put the codes that a template asks for in words, where they do not have them as they stand."""
        template_id = case.sql_template_id
        if template_id not in self._spellings:
            as_they_stand = bool(self.patterns(case))
            self._spellings[template_id] = () if as_they_stand else spellings_of(self._known.told(case))
        return self._spellings[template_id]
