"""The headline of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Proportion
from core.domain.responses import Score, Status
from core.domain.runs import VERDICT_METRIC
from core.stats import clustered_proportion
from core.store import runs, testsets
from core.store.database import Store

TARGET_FAILED = "target_failed"
NOT_REACHED = "not_reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """How a run ended.

    Attributes:
        cases: Cases of the test set that are not excluded.
        answered: Responses there are, failed ones included.
        failed: Responses without an answer because the target failed.
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


def summarise(store: Store, run_id: str) -> RunSummary:
    """Counts a run's responses and verdicts.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = testsets.cases(connection, run.test_set_id)
        tally = runs.tally(connection, run_id)
        verdicts = runs.scores(connection, run_id, VERDICT_METRIC)
        failed = runs.failed_ids(connection, run_id)
    judged = [(verdicts[case.case_id].value == 1.0, case.group_id or case.case_id) for case in cases
              if case.case_id in verdicts and verdicts[case.case_id].status is Status.SCORED]  # fmt: skip
    groups = {group: number for number, group in enumerate(dict.fromkeys(group for _, group in judged))}
    reasons = Counter(_outcome(case.case_id, verdicts, failed) for case in cases)
    scored = reasons.pop(Status.SCORED.value, 0)
    return RunSummary(
        cases=len(cases),
        answered=tally.answered,
        failed=tally.failed,
        scored={VERDICT_METRIC: scored},
        unscored={VERDICT_METRIC: dict(reasons)},
        accuracy=clustered_proportion(
            np.array([correct for correct, _ in judged], dtype=bool),
            np.array([groups[group] for _, group in judged], dtype=np.int64),
        ),
    )


def _outcome(case_id: str, verdicts: Mapping[str, Score], failed: Collection[str]) -> str:
    verdict = verdicts.get(case_id)
    if verdict is not None and verdict.status is Status.SCORED:
        return Status.SCORED.value
    if case_id in failed:
        return TARGET_FAILED
    return verdict.status.value if verdict else NOT_REACHED
