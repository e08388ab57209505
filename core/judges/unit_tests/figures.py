"""What a run of unit tests says of a judge: pass rates by metric and failure mode, failures apart, its own noise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.domain.estimates import Proportion
from core.domain.results.judge_tests import Judged, JudgeTestOutcome, UnitTest
from core.domain.status import Status
from core.judges.unit_tests.conditions import VALUES, Condition, parse
from core.judges.unit_tests.suite import FAILURE_MODES
from core.stats import clustered_proportion

CONTROL: Final = "perfect answer"
"""How the tests without a failure are named among the failure modes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One condition of a test and what the judge said.

    Attributes:
        holds: None where there is no judgement.
    """

    condition: Condition
    judged: Judged
    holds: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestResult:
    """One test, the first time it was judged.

    Attributes:
        passed: Whether every condition holds; None where none is broken and some has no judgement.
    """

    __test__ = False

    test: UnitTest
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool | None:
        """True, False, or None."""
        held = [check.holds for check in self.checks]
        return False if False in held else None if None in held else True


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTestFigures:
    """A judge by its tests.

    Attributes:
        tests: How many tests have a condition that this judge can be asked about.
        reached: How many of them were judged so far.
        pass_rate: Tests passed of all that were reached; one without a whole judgement is not passed.
        by_metric: Conditions that hold, of those with a judgement.
        by_failure_mode: Tests passed, of those with a whole judgement.
        of_metric: Conditions in all, with those that have no judgement.
        of_failure_mode: Tests in all.
        without: Why there is no judgement: by metric, status to number.
        noise: Tests whose outcome changes between repeats, of those judged more than once; None without repeats.
        results: Every test that was reached.
    """

    tests: int
    reached: int
    pass_rate: Proportion
    by_metric: Mapping[str, Proportion]
    by_failure_mode: Mapping[str, Proportion]
    of_metric: Mapping[str, int]
    of_failure_mode: Mapping[str, int]
    without: Mapping[str, Mapping[str, int]]
    noise: Proportion | None
    results: tuple[TestResult, ...] = field(repr=False)

    @property
    def passed(self) -> int:
        """Tests passed."""
        return self.pass_rate.num

    @property
    def failing(self) -> tuple[TestResult, ...]:
        """Tests that are not passed, broken ones before those without a judgement."""
        return tuple(sorted((item for item in self.results if not item.passed), key=lambda item: item.passed is None))

    def unjudged(self, status: Status | None = None) -> int:
        """Tests in which some metric has no judgement; with this status where one is named."""
        return sum(
            any(check.holds is None and status in (None, check.judged.status) for check in item.checks)
            for item in self.results
        )


def figures(
    tests: Sequence[UnitTest], outcomes: Iterable[JudgeTestOutcome], metrics: Sequence[str] = tuple(VALUES)
) -> JudgeTestFigures:
    """Sums up outcomes.

    All shares are of the first time each test was judged, with 95% intervals over situations, since the tests of one
    situation share their documents. Further times only show how far the judge agrees with itself.

    Args:
        tests: Those that are run.
        outcomes: What the judge said, in any order.
        metrics: What this judge can be asked.
    """
    draws: dict[str, dict[int, JudgeTestOutcome]] = {}
    for outcome in outcomes:
        draws.setdefault(outcome.test_id, {})[outcome.draw] = outcome
    asked = [test for test in tests if any(metric in metrics for metric in test.conditions)]
    results = tuple(result(test, draws[test.id][0], metrics) for test in asked if 0 in draws.get(test.id, {}))
    clusters: dict[str, int] = {}
    for test in tests:
        clusters.setdefault(test.situation, len(clusters))

    def share(held: Sequence[tuple[UnitTest, bool]]) -> Proportion:
        return clustered_proportion([value for _, value in held], [clusters[test.situation] for test, _ in held])

    by_metric: dict[str, list[tuple[UnitTest, bool | None]]] = {}
    for item in results:
        for check in item.checks:
            by_metric.setdefault(check.judged.metric, []).append((item.test, check.holds))
    by_mode: dict[str, list[tuple[UnitTest, bool | None]]] = {}
    for item in results:
        by_mode.setdefault(item.test.failure_mode or CONTROL, []).append((item.test, item.passed))
    without: dict[str, Counter[str]] = {}
    for item in results:
        for check in item.checks:
            if check.holds is None:
                without.setdefault(check.judged.metric, Counter())[check.judged.status.value] += 1
    known = [name for name in metrics if name in by_metric]
    modes = sorted(by_mode, key=_mode_order)
    return JudgeTestFigures(
        tests=len(asked),
        reached=len(results),
        pass_rate=share([(item.test, item.passed is True) for item in results]),
        by_metric={name: share(_decided(by_metric[name])) for name in known},
        by_failure_mode={name: share(_decided(by_mode[name])) for name in modes},
        of_metric={name: len(by_metric[name]) for name in known},
        of_failure_mode={name: len(by_mode[name]) for name in modes},
        without={name: dict(counts) for name, counts in without.items()},
        noise=_noise(asked, draws, metrics, share),
        results=results,
    )


def result(test: UnitTest, outcome: JudgeTestOutcome, metrics: Sequence[str]) -> TestResult:
    """One test with each of its conditions; a metric that the judge said nothing of was not judged."""
    said = {judged.metric: judged for judged in outcome.judged}
    checks = []
    for metric, text in test.conditions.items():
        if metric not in metrics:
            continue
        judged = said.get(metric) or Judged(
            metric=metric, value=None, status=Status.NOT_JUDGED, reason="The judge said nothing of it."
        )
        condition = parse(text)
        checks.append(Check(condition=condition, judged=judged, holds=condition.holds(judged)))
    return TestResult(test=test, checks=tuple(checks))


def _decided(held: Iterable[tuple[UnitTest, bool | None]]) -> list[tuple[UnitTest, bool]]:
    return [(test, value) for test, value in held if value is not None]


def _mode_order(mode: str) -> tuple[int, str]:
    return (FAILURE_MODES.index(mode) if mode in FAILURE_MODES else len(FAILURE_MODES), mode)


def _noise(
    tests: Sequence[UnitTest],
    draws: Mapping[str, Mapping[int, JudgeTestOutcome]],
    metrics: Sequence[str],
    share: Callable[[Sequence[tuple[UnitTest, bool]]], Proportion],
) -> Proportion | None:
    """Tests of which some repeat passes and another does not; a repeat without a judgement counts for neither."""
    changing = []
    for test in tests:
        passed = [result(test, outcome, metrics).passed for outcome in draws.get(test.id, {}).values()]
        decided = [value for value in passed if value is not None]
        if len(decided) > 1:
            changing.append((test, len(set(decided)) > 1))
    return share(changing) if changing else None
