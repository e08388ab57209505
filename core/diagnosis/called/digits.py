"""Answers of one digit that stand for something, such as 3 for a fair condition: pages say it in words nobody knows."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from typing import Final

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.match.readers.figures.units import UNITS
from core.text.words import stems

MOST_CODES: Final = 7
"""Values of a list of such codes."""
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
LEAST_FACTS: Final = 8
"""Facts of a template from which on it is no chance that all its answers are one digit."""
_UNITS: Final = "|".join(sorted((re.escape(name) for name in UNITS if name.isalpha() and len(name) > 1), key=len))
_COUNTS: Final = re.compile(
    r"\bhow (?:many|much|high|long|old|far|large|big|often|tall|deep|wide|fast)\b"
    r"|\b(?:number|count|quantity|amount|total|sum|average|days?|hours?|weeks?|months?|years?|age|floors?|rank|place"
    r"|seats?|rooms?|size|weight|length|price|fee|cost|rate|charge|score|speed|goals?|points?|temperature|stars?|share"
    rf"|percent\w*|in (?:{_UNITS}|square|cubic|degrees|per))\b",
    re.IGNORECASE,
)
"""Questions to which a figure is a figure."""


class DigitCodes:
    """Knows of which templates all answers are one digit and count nothing."""

    def __init__(self) -> None:
        self._answers: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._known: dict[str, bool] = {}

    def learn(self, case: TestCase) -> None:
        """Takes a case of some fact of a template."""
        self._answers[case.sql_template_id][case.group_id] = "|".join(case.reference_answers)
        self._known.clear()

    def is_code(self, case: TestCase) -> bool:
        """Whether the answer of a case is such a code."""
        template = case.sql_template_id
        if template not in self._known:
            told = self._answers[template].values()
            digits = len(told) >= LEAST_FACTS and all(len(answer) == 1 and answer.isdigit() for answer in told)
            self._known[template] = digits and len(set(told)) <= MOST_CODES
        return self._known[template] and _COUNTS.search(_QUOTED.sub(" ", case.question)) is None

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
