"""What a run will cost, before it starts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.cases import TestCase
from core.domain.errors import TargetFailed
from core.targets import Target

PROBES = 5
"""Cases that are really asked to see how long one takes; their answers are thrown away."""

KEEPING_SECONDS = 0.0015
"""What judging and storing one case takes besides, on two cores (165,492 cases in 4.5 minutes)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """The size of a run.

    Attributes:
        cases: Questions that will be asked.
        model_calls: Calls of a paid model; 0 for the built-in targets and the match judge.
        seconds: Expected duration, or None where it could not be probed.
        seconds_per_case: Median seconds of one probed case.
        probed: Cases that were asked to find out.
    """

    cases: int
    model_calls: int
    seconds: float | None
    seconds_per_case: float | None
    probed: int


def plan_run(cases: Sequence[TestCase], target: Target) -> RunPlan:
    """Estimates a run by asking a few evenly spread cases.

    Args:
        cases: The cases of the test set that are not excluded.
        target: The opened target.

    Returns:
        The plan; with no case, zero seconds.
    """
    step = max(1, len(cases) // PROBES)
    seconds = []
    for case in cases[::step][:PROBES]:
        started = time.perf_counter()
        try:
            target.answer(case.case_id, case.question)
        except TargetFailed:
            continue
        seconds.append(time.perf_counter() - started)
    middle = sorted(seconds)[len(seconds) // 2] if seconds else None
    return RunPlan(
        cases=len(cases),
        model_calls=0,
        seconds=_expected(len(cases), middle, target.concurrency),
        seconds_per_case=middle,
        probed=len(seconds),
    )


def _expected(cases: int, each: float | None, at_once: int) -> float | None:
    if not cases:
        return 0.0
    return None if each is None else cases * (each / at_once + KEEPING_SECONDS)
