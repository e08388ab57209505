"""Scores that tell right from wrong only because the levels of an attribute differ, as findings in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from core.domain.findings import FindingKind, Severity
from core.weakness.findings.drafting import Draft
from core.weakness.findings.facts import Labels, ScoreWords
from core.weakness.findings.families import MOST_LEVELS
from core.weakness.findings.wording import holding_text
from core.weakness.holding import LEVELS, Holding, score_within
from core.weakness.table import CaseTable, Floats

EVERY_LEVEL = "every level"
"""What stands for a level in the conditions: the finding is of the attribute as a whole."""


def holding_drafts(
    table: CaseTable, verdict: Floats, names: Sequence[str], words: ScoreWords, labels: Labels
) -> tuple[Draft, ...]:
    """Looks at each attribute; those with more than 50 levels have too few pairs in each to say anything.

    Args:
        table: The cases with a score that is no verdict, as it is, without a threshold.
        verdict: 1 for right, 0 for wrong, NaN where not judged; shape (n,).
        names: The attributes.
        words: How the score is spoken of.
        labels: What the attributes are called.
    """
    made = []
    for name in names:
        attribute = table.attribute(name)
        if 2 <= len(attribute.levels) <= MOST_LEVELS:
            found = score_within(
                table.score.values,
                verdict,
                table.clusters,
                attribute,
                higher_is_better=table.score.higher_is_better,
            )
            made.append(holding_draft(table, found, words, labels))
    return tuple(draft for draft in made if draft is not None)


def holding_draft(table: CaseTable, found: Holding, words: ScoreWords, labels: Labels) -> Draft | None:
    """A finding where what a score tells comes from differences between levels; None for any other verdict.

    It is medium by rule: no answer is wrong because of it, but whoever trusts the score is misled.
    """
    if found.verdict != LEVELS:
        return None
    figures = {name: value for name, value in asdict(found).items() if name not in ("levels", "sentence", "attribute")}
    return Draft(
        kind=FindingKind.HOLDING,
        conditions=((found.attribute, EVERY_LEVEL),),
        text=holding_text(
            words.label,
            labels[found.attribute],
            pooled=found.pooled,
            within=found.within,
            right=found.right,
            wrong=found.wrong,
            most=found.within.low is not None and found.within.low > 0.5,
        ),
        figures={**figures, "severity": Severity.MEDIUM.value},
        positions=np.flatnonzero(table.attribute(found.attribute).codes >= 0).astype(np.int64),
        severity=Severity.MEDIUM,
    )
