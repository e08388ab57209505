"""What the answers of a run do, by what `answered` measured of them: reading a thousand takes half a minute."""

from __future__ import annotations

from sqlalchemy import Connection

from core.domain.results.responses import Score
from core.judging.match.abstention import Outcome
from core.metrics import find_metric
from core.metrics.samples.answerability import Answering
from core.store.results import scores

METRIC = "answered"


def known(connection: Connection, run_id: str) -> dict[str, Answering]:
    """What the answers do that the present version of `answered` has measured, by case id; the others are left out."""
    measured = scores.measured_now(connection, run_id, METRIC, find_metric(METRIC).spec.version)
    return {case_id: does for case_id, score in measured.items() if (does := _does(score)) is not None}


def _does(score: Score) -> Answering | None:
    """What the evidence of a score says; None of an empty answer, which is read in no time."""
    who = score.detail.get("decided_by")
    if score.value is None or who is None:
        return None
    return Answering(
        answers=bool(score.value),
        partly=bool(score.value) and score.detail.get("outcome") == Outcome.PARTLY.value,
        agrees=None if who != "target" else not score.detail.get("rules_disagree", False),
    )
