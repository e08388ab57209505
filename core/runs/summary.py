"""The headline of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Proportion
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.stats import clustered_proportion
from core.store.database import Store
from core.store.results import failures, runs, scores
from core.store.results.cases.score_order import NOT_REACHED, TARGET_FAILED
from core.store.results.failures import CommonFailure


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """How a run ended.

    Attributes:
        cases: Cases of the test set that are not excluded.
        answered: Responses there are, failed ones included.
        failed: Responses without an answer because the target failed.
        failure: Why it failed most often; None where it did not fail.
        scored: Cases with a value, by metric.
        unscored: Cases without one, by metric and reason; where the target failed that is the reason.
        accuracy: Correct of judged, interval clustered on the filled SQL query.
    """

    cases: int
    answered: int
    failed: int
    scored: Mapping[str, int]
    unscored: Mapping[str, Mapping[str, int]]
    accuracy: Proportion
    failure: CommonFailure | None = None


def summarise(store: Store, run_id: str) -> RunSummary:
    """Counts a run's responses, verdicts and scores.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        outcomes = runs.outcomes(connection, run_id)
        failure = failures.common_failure(connection, run_id)
        counted = scores.counts(connection, run_id, runs.get(connection, run_id).test_set_id)
    cases = sum(outcome.cases for outcome in outcomes)
    others = {name: count for name, count in counted.items() if name != VERDICT_METRIC}
    reasons: Counter[str] = Counter()
    for outcome in outcomes:
        reasons[_outcome(outcome)] += outcome.cases
    scored = reasons.pop(Status.SCORED.value, 0)
    judged = sorted((outcome for outcome in outcomes if _outcome(outcome) == Status.SCORED.value), key=_order)
    numbers = {group: number for number, group in enumerate(dict.fromkeys(outcome.group for outcome in judged))}
    counts = [outcome.cases for outcome in judged]
    return RunSummary(
        cases=cases,
        answered=sum(outcome.cases for outcome in outcomes if outcome.failed is not None),
        failed=sum(outcome.cases for outcome in outcomes if outcome.failed),
        scored={VERDICT_METRIC: scored, **{name: count.scored for name, count in others.items()}},
        unscored={
            VERDICT_METRIC: dict(reasons),
            **{name: unscored_reasons(count, cases) for name, count in others.items()},
        },
        accuracy=clustered_proportion(
            np.repeat(np.array([outcome.value == 1.0 for outcome in judged], dtype=bool), counts),
            np.repeat(np.array([numbers[outcome.group] for outcome in judged], dtype=np.int64), counts),
        ),
        failure=failure,
    )


def unscored_reasons(count: scores.MetricCount, cases: int) -> dict[str, int]:
    """How many of a run's cases have no value of a metric, by reason; together with the scored ones they are all."""
    unreached = cases - count.scored - count.failed - sum(count.unscored.values())
    reasons = {**count.unscored, TARGET_FAILED: count.failed, NOT_REACHED: unreached}
    return {reason: number for reason, number in reasons.items() if number}


def _order(outcome: runs.OutcomeCount) -> tuple[str, float]:
    return outcome.group, outcome.value or 0.0


def _outcome(outcome: runs.OutcomeCount) -> str:
    if outcome.status == Status.SCORED.value:
        return outcome.status
    if outcome.failed:
        return TARGET_FAILED
    return outcome.status or NOT_REACHED
