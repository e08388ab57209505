"""Criteria judged by a run: met, not met, or cannot be told, each with its reason."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from core.criteria.figures import RunFacts, figure_named
from core.criteria.readings import Reading, nothing
from core.diagnosis.service.evidence import QUICK_S
from core.domain.results.acceptance import (
    AcceptanceCriterion,
    Bound,
    CriterionResult,
    CriterionVerdict,
    Direction,
)
from core.domain.results.runs import Run, RunState
from core.store import acceptance as stored
from core.store.database import Store
from core.store.results import runs

MOST_MISSING: Final = 0.05
"""Share of cases without an outcome up to which a criterion is decided by the others. Above it, a criterion that those
cases could turn cannot be told."""


def criterion_results(
    store: Store,
    run_id: str,
    *,
    criteria: Sequence[AcceptanceCriterion] | None = None,
    seconds: float | None = QUICK_S,
) -> tuple[CriterionResult, ...]:
    """Judges the criteria of a project by one of its runs.

    Args:
        store: Where the run is.
        run_id: The run.
        criteria: Which; the present ones of its project by default.
        seconds: The longest search for the documents' evidence, as in a diagnosis; None waits for all of it.

    Raises:
        NotFound: There is no such run.
        InvalidInput: A given criterion is about a figure that does not exist.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        given = stored.present(connection, run.project_id) if criteria is None else list(criteria)
    facts = RunFacts(store, run, seconds)
    return tuple(_judged(one, run, facts) for one in given)


def removed_since(store: Store, run_id: str) -> tuple[AcceptanceCriterion, ...]:
    """Criteria that stood when a run was started and were removed afterwards, as they then were."""
    with store.read() as connection:
        run = runs.get(connection, run_id)
        every = stored.versions_of(connection, run.project_id)
    stood: dict[str, AcceptanceCriterion] = {}
    gone = []
    for one in every:
        if not _after(one.set_at, run.created_at):
            stood[one.id] = one
        elif one.removed and one.id in stood and not stood[one.id].removed:
            gone.append(stood[one.id])
    return tuple(gone)


def decide(one: AcceptanceCriterion, reading: Reading) -> tuple[CriterionVerdict, str, float | None]:
    """Compares a figure with a threshold.

    Args:
        one: The criterion.
        reading: The figure.

    Returns:
        The verdict, its reason, and the number that was compared.
    """
    estimate = reading.estimate
    if reading.why or estimate.value is None:
        return CriterionVerdict.CANNOT_TELL, reading.why or "There is no value.", None
    end = {Bound.ESTIMATE: estimate.value, Bound.LOWER: estimate.low, Bound.UPPER: estimate.high}[one.bound]
    if end is None:
        why = f"There is no {one.bound.value}: {estimate.method or 'too few independent cases for an interval'}."
        return CriterionVerdict.CANNOT_TELL, why, None
    good = _reaches(one, end)
    many = reading.of > 0 and (reading.missing + reading.unresolved) / reading.of > MOST_MISSING
    if many and _could_turn(one, reading, end, good):
        return CriterionVerdict.CANNOT_TELL, f"{_lacking(reading)} They could turn the verdict.", end
    notes = [reading.note, _lacking(reading)]
    if many:
        notes.append("They could not turn the verdict.")
    if one.bound is Bound.ESTIMATE and _crosses(one, reading):
        notes.append(f"The interval includes the threshold: another sample could {'miss' if good else 'meet'} it.")
    return CriterionVerdict.MET if good else CriterionVerdict.NOT_MET, " ".join(filter(None, notes)), end


def _judged(one: AcceptanceCriterion, run: Run, facts: RunFacts) -> CriterionResult:
    figure = figure_named(one.metric, known=False)
    finished = run.state is RunState.FINISHED
    reading = figure.read(facts) if finished else nothing("The run is not finished; let it end.")
    verdict, reason, compared = decide(one, reading)
    return CriterionResult(
        criterion=one,
        label=figure.label,
        estimate=reading.estimate,
        of=reading.of,
        compared=compared,
        verdict=verdict,
        reason=reason,
        set_after_run=_after(one.set_at, run.created_at),
        locked_before_run=bool(one.locked_at) and not _after(one.locked_at, run.created_at),
    )


def _reaches(one: AcceptanceCriterion, value: float) -> bool:
    # A share such as 9/10 reaches 0.9 whatever its last binary digit says.
    close = abs(value - one.threshold) <= 1e-9 * max(1.0, abs(one.threshold))
    return close or (value > one.threshold) == (one.direction is Direction.AT_LEAST)


def _could_turn(one: AcceptanceCriterion, reading: Reading, end: float, good: bool) -> bool:
    """Whether the cases without an outcome could change the verdict; the interval is taken to keep its width."""
    estimate = reading.estimate.value
    unfavourable = (one.direction is Direction.AT_LEAST) == good
    worst = reading.least if unfavourable else reading.most
    if worst is None or estimate is None:
        return True
    return _reaches(one, end + worst - estimate) is not good


def _crosses(one: AcceptanceCriterion, reading: Reading) -> bool:
    low, high = reading.estimate.low, reading.estimate.high
    return low is not None and high is not None and low <= one.threshold <= high and low < high


def _lacking(reading: Reading) -> str:
    parts = []
    if reading.missing:
        are = "is" if reading.missing == 1 else "are"
        parts.append(f"{reading.missing:,} of {reading.of:,} cases {are} not {reading.what}")
    if reading.unresolved:
        parts.append(f"{reading.unresolved:,} are {reading.unresolved_what}")
    return f"{', and '.join(parts)}." if parts else ""


def _after(at: str, other: str) -> bool:
    """Whether a time lies after another one; times are kept in whole seconds, and the same second is not after."""
    return bool(at) and bool(other) and _second(at) > _second(other)


def _second(at: str) -> datetime:
    moment = datetime.fromisoformat(at).replace(microsecond=0)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
