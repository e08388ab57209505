"""Answers of one digit that stand for something, such as 3 for a fair condition: pages say it in words nobody knows."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import Final

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.text.words import stems

MOST_CODES: Final = 7
"""Values of a list of such codes."""
LEAST_FACTS: Final = 8
"""Facts of a template from which on it is no chance that all its answers are one digit."""
_COUNTS: Final = re.compile(
    r"\bhow (?:many|much|high|long|old|far|large|big|often|tall|deep|wide)\b"
    r"|\b(?:number|count|quantity|amount|total|sum|average|days?|hours?|weeks?|months?|years?|age|floors?|rank|place"
    r"|seats?|rooms?|size|weight|length|in [a-z]{2,})\b",
    re.IGNORECASE,
)
"""Questions to which a figure is a figure."""


class DigitCodes:
    """Knows of which templates all answers are one digit and count nothing."""

    def __init__(self) -> None:
        self._answers: defaultdict[str, dict[str, str]] = defaultdict(dict)

    def learn(self, case: TestCase) -> None:
        """Takes a case of some fact of a template."""
        self._answers[case.sql_template_id][case.group_id] = "|".join(case.reference_answers)

    def is_code(self, case: TestCase) -> bool:
        """Whether the answer of a case is such a code."""
        answers = self._answers[case.sql_template_id]
        digits = all(len(answer) == 1 and answer.isdigit() for answer in answers.values())
        few = len(set(answers.values())) <= MOST_CODES
        return digits and few and len(answers) >= LEAST_FACTS and _COUNTS.search(case.question) is None

    def doubted(self, case: TestCase, finding: FactFinding, asked: frozenset[str]) -> FactFinding:
        """A gap, another figure and one beside other words say nothing of such a code: the fact is undecided.

        Args:
            case: Any wording.
            finding: What was found; all else stays as it is.
            asked: Word families of the property.
        """
        beside = finding.evidence is FactEvidence.PRESENT and stems(finding.passage).isdisjoint(asked)
        unsure = beside or finding.evidence in (FactEvidence.ABSENT, FactEvidence.CONTRADICTED)
        if not unsure or not self.is_code(case):
            return finding
        return replace(finding, evidence=FactEvidence.UNDECIDED, document_ids=())
