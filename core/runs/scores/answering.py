"""What the answers of a run do, by what `answered` measured of them: reading a thousand takes half a minute."""

from __future__ import annotations

from sqlalchemy import Connection

from core.domain.results.responses import Score
from core.domain.results.runs import Run
from core.judging.match.abstention import Outcome
from core.metrics import find_metric
from core.metrics.samples.answerability import Answering
from core.store.results import scores
from core.store.results.cases import run_inputs

METRIC = "answered"


def known(connection: Connection, run_id: str) -> dict[str, Answering]:
    """What the answers do that the present version of `answered` has measured, by case id; the others are left out."""
    return {
        case_id: does for case_id, score in _measured(connection, run_id).items() if (does := _does(score)) is not None
    }


def unread(connection: Connection, run: Run) -> int:
    """How many answers of a run the present version of `answered` has not measured; a target that failed gave none."""
    return len(set(run_inputs.answered_cases(connection, run, failed=False)) - _measured(connection, run.id).keys())


def _measured(connection: Connection, run_id: str) -> dict[str, Score]:
    return scores.measured_now(connection, run_id, METRIC, find_metric(METRIC).spec.version)


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
