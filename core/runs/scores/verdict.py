"""A judgement as the score that is kept of it."""

from __future__ import annotations

from core.domain.results.responses import Judgement, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status


def verdict_score(case_id: str, judgement: Judgement) -> Score:
    """A judgement as the score that is stored: 1 correct, 0 incorrect, none when not judged."""
    judged = judgement.verdict is not Verdict.NOT_JUDGED
    return Score(
        case_id=case_id,
        metric=VERDICT_METRIC,
        value=float(judgement.verdict is Verdict.CORRECT) if judged else None,
        status=Status.SCORED if judged else judgement.failure or Status.NOT_JUDGED,
        detail={
            "verdict": judgement.verdict.value,
            "rule": judgement.rule,
            "reason": judgement.reason,
            **judgement.detail,
        },
    )
