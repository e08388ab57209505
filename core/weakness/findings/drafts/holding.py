"""Scores that separate correct from incorrect only through differences between levels, as findings in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from core.domain.results.findings import FindingKind, Severity
from core.weakness.findings.drafts.drafting import Draft
from core.weakness.findings.drafts.facts import Labels, ScoreWords
from core.weakness.findings.drafts.families import MOST_LEVELS
from core.weakness.findings.drafts.wording import holding_text
from core.weakness.holding import LEVELS, Holding, scores_within
from core.weakness.table import CaseTable, Floats

EVERY_LEVEL = "every level"
"""What stands for a level in the conditions: the finding is of the attribute as a whole."""


def holding_drafts(
    table: CaseTable, verdict: Floats, names: Sequence[str], words: ScoreWords, labels: Labels
) -> tuple[Draft, ...]:
    """Examines each attribute with at most 50 levels; with more, a level has too few pairs.

    Args:
        table: The cases with a score that is no verdict, as it is, without a threshold.
        verdict: 1 for right, 0 for wrong, NaN where not judged; shape (n,).
        names: The attributes.
        words: The words for the score.
        labels: Names of the attributes for people.
    """
    compared = [name for name in names if 2 <= len(table.attribute(name).levels) <= MOST_LEVELS]
    drafts = [holding_draft(table, holding, words, labels) for holding in scores_within(table, verdict, compared)]
    return tuple(draft for draft in drafts if draft is not None)


def holding_draft(table: CaseTable, holding: Holding, words: ScoreWords, labels: Labels) -> Draft | None:
    """A finding where a score's discrimination comes from differences between levels; None for any other verdict.

    Its severity is medium by rule: no answer is wrong because of it, but it misleads users of the score.
    """
    if holding.verdict != LEVELS:
        return None
    figures = {
        name: value
        for name, value in asdict(holding).items()
        if name not in ("levels", "sentence", "attribute", "equality", "p_adjusted")
    }
    return Draft(
        kind=FindingKind.HOLDING,
        conditions=((holding.attribute, EVERY_LEVEL),),
        text=holding_text(
            words.label,
            labels[holding.attribute],
            pooled=holding.pooled,
            within=holding.within,
            right=holding.right,
            wrong=holding.wrong,
            most=holding.within.low is not None and holding.within.low > 0.5,
        ),
        figures={**figures, "severity": Severity.MEDIUM.value},
        positions=np.flatnonzero(table.attribute(holding.attribute).codes >= 0).astype(np.int64),
        severity=Severity.MEDIUM,
    )
