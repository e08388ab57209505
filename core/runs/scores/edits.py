"""Scores that a person changes: what the machine measured is kept, with who, when and why."""

from __future__ import annotations

import math
from datetime import UTC, datetime

from sqlalchemy import Connection

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.judging.stored import is_judge
from core.metrics import find_metric
from core.project.service import require
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import ScoreEdit
from core.store.testset import testsets

EDITOR = Role.VALIDATOR
"""The role that may change a score: labels are an opinion beside the score, this replaces it."""

LONGEST_REASON = 2_000


def edit_score(
    store: Store,
    run_id: str,
    case_id: str,
    metric: str,
    *,
    value: float | None,
    reason: str,
    actor: str,
    seen: Score | None = None,
) -> Score:
    """Writes a person's value instead of the one that stands there; the evidence stays as it was measured.

    Args:
        store: Where the run is.
        run_id: The run.
        case_id: A case of the run that has a score of the metric, or a reason for none.
        metric: Whose score, ``verdict`` among them (1 correct, 0 incorrect).
        value: Within the metric's range; None for no value, which then counts as not judged.
        reason: Why, in a person's words.
        actor: Who.
        seen: The score as this person saw it, None where nobody looked.

    Returns:
        The score as it is now.

    Raises:
        NotFound: There is no such run, case or score.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The reason is blank or too long, or the value is none the metric can have.
        Conflict: The score has that value already, or it is no longer what was seen.
    """
    status = Status.NOT_JUDGED if value is None else Status.SCORED
    if value is not None:
        _refuse_outside(metric, value)
    with store.write(
        actor,
        "score.edit",
        project_id=_checked(store, run_id, case_id, reason, actor),
        subject=run_id,
        detail={"case": case_id, "metric": metric, "value": value, "reason": reason.strip()},
    ) as connection:
        before = _before(connection, run_id, case_id, metric, seen)
        if before.value == value and (value is not None or before.status is status):
            raise Conflict(f"The {metric} of case {case_id} is {_shown(value)} already.", "Give another value.")
        edit = _edit(run_id, before, value=value, status=status, reason=reason, actor=actor)
        scores.change(connection, edit, edited=True)
        return _now(before, edit, edited=True)


def restore_score(
    store: Store, run_id: str, case_id: str, metric: str, *, reason: str, actor: str, seen: Score | None = None
) -> Score:
    """Writes back what the machine measured last; this is a change with a reason as well, see :func:`edit_score`.

    Returns:
        The score as it is now.

    Raises:
        NotFound: There is no such run, case or score.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The reason is blank or too long.
        Conflict: No person changed the score, or it is no longer what was seen.
    """
    with store.write(
        actor,
        "score.restore",
        project_id=_checked(store, run_id, case_id, reason, actor),
        subject=run_id,
        detail={"case": case_id, "metric": metric, "reason": reason.strip()},
    ) as connection:
        before = _before(connection, run_id, case_id, metric, seen)
        if not before.edited:
            raise Conflict(f"The {metric} of case {case_id} is as it was measured.", "There is nothing to restore.")
        measured = next(edit for edit in scores.edits(connection, run_id, case_id, metric) if not edit.before_edited)
        edit = _edit(
            run_id, before, value=measured.before_value, status=measured.before_status, reason=reason, actor=actor
        )
        scores.change(connection, edit, edited=False)
        return _now(before, edit, edited=False)


def edits(store: Store, run_id: str, case_id: str | None = None) -> tuple[ScoreEdit, ...]:
    """The changes of scores by people in a run, newest first; of one case where it is named."""
    with store.read() as connection:
        return scores.edits(connection, run_id, case_id)


def score_range(metric: str) -> tuple[float | None, float | None]:
    """The least and the greatest value a metric can have, None where there is no bound or the metric is not ours."""
    if is_judge(metric):
        return 0.0, 1.0
    try:
        spec = find_metric(metric).spec
    except InvalidInput:
        return None, None
    return spec.low, spec.high


def _refuse_outside(metric: str, value: float) -> None:
    low, high = score_range(metric)
    if not math.isfinite(value) or (low is not None and value < low) or (high is not None and value > high):
        bounds = " and ".join(
            text for end, text in ((low, f"at least {low}"), (high, f"at most {high}")) if end is not None
        )
        raise InvalidInput(
            f"{value:g} is not a value of {metric}.", f"Give a number{f' of {bounds}' if bounds else ''}."
        )
    if metric == VERDICT_METRIC and value not in (0.0, 1.0):
        raise InvalidInput(f"{value:g} is not a verdict.", "Give 1 for correct or 0 for incorrect.")


def _checked(store: Store, run_id: str, case_id: str, reason: str, actor: str) -> str:
    """Checks who changes what, and why; returns the project's id."""
    text = reason.strip()
    if not text or len(text) > LONGEST_REASON:
        raise InvalidInput(
            f"A change of a score has a reason of 1 to {LONGEST_REASON:,} characters; this one has {len(text):,}.",
            "State why the score is wrong.",
        )
    with store.read() as connection:
        run = runs.get(connection, run_id)
        testsets.case(connection, run.test_set_id, case_id)
    require(store, run.project_id, actor, EDITOR)
    return run.project_id


def _before(connection: Connection, run_id: str, case_id: str, metric: str, seen: Score | None) -> Score:
    """The score as it stands, refused where that is not what the person saw."""
    before = scores.get(connection, run_id, case_id, metric)
    if before is None:
        raise NotFound(f"Case {case_id} has no score of {metric}.", "Score the run first.")
    if seen is not None and (before.value, before.edited) != (seen.value, seen.edited):
        what = f"The {metric} of case {case_id}"
        last = next(iter(scores.edits(connection, run_id, case_id, metric)), None)
        if last is not None and last.value == before.value:
            message = (
                f"{last.actor} changed {what[0].lower()}{what[1:]} to {_shown(last.value)} meanwhile: {last.reason}"
            )
        else:
            message = f"{what} was measured again in the meantime and is {_shown(before.value)} now."
        raise Conflict(message, f"You saw {_shown(seen.value)}. Check the current value, then change it if needed.")
    return before


def _shown(value: float | None) -> str:
    return "no value" if value is None else f"{value:g}"


def _edit(run_id: str, before: Score, *, value: float | None, status: Status, reason: str, actor: str) -> ScoreEdit:
    return ScoreEdit(
        run_id=run_id,
        case_id=before.case_id,
        metric=before.metric,
        before_value=before.value,
        before_status=before.status,
        before_edited=before.edited,
        value=value,
        status=status,
        reason=reason.strip(),
        actor=actor,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _now(before: Score, edit: ScoreEdit, *, edited: bool) -> Score:
    return Score(
        case_id=before.case_id,
        metric=before.metric,
        value=edit.value,
        status=edit.status,
        detail=before.detail,
        edited=edited,
    )
