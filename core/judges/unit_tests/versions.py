"""Two runs of the same tests side by side: prompts before and after an edit, or two models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.domain.results.judge_tests import UnitTest
from core.judges.unit_tests.figures import CONTROL, JudgeTestFigures, TestResult
from core.stats import clustered_mean, paired_permutation


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """How much more of the same tests the second judge passes.

    Attributes:
        name: A metric, a failure mode, or ``tests`` for all.
        difference: Share passed by the second less that by the first, in [-1, 1], with its 95% interval over
            situations.
        first: Passed by the first only.
        second: Passed by the second only.
        p_value: By flipping signs within situations; None with fewer than six.
    """

    name: str
    difference: Estimate
    first: int
    second: int
    p_value: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionComparison:
    """Two runs over the tests that both have.

    Attributes:
        tests: How many tests both judged.
        overall: Over all tests; one without a whole judgement is not passed.
        by_metric: Over conditions that both gave a judgement for.
        by_failure_mode: Over tests that both gave a whole judgement for.
        changed: Tests that one passes and the other does not: the second's result, and whether it is the one to pass.
    """

    tests: int
    overall: PairedDifference
    by_metric: tuple[PairedDifference, ...]
    by_failure_mode: tuple[PairedDifference, ...]
    changed: tuple[tuple[TestResult, bool], ...] = field(repr=False, default=())


Pairs = list[tuple[UnitTest, bool, bool]]


def compare_versions(first: JudgeTestFigures, second: JudgeTestFigures) -> VersionComparison:
    """Compares two judges on the tests that both were put to.

    Raises:
        InvalidInput: They share no test.
    """
    before = {item.test.id: item for item in first.results}
    shared = [(before[item.test.id], item) for item in second.results if _same(before.get(item.test.id), item)]
    if not shared:
        raise InvalidInput("The two judge tests have no test in common.", "Compare runs of the same suite and part.")
    by_metric: dict[str, Pairs] = {}
    by_mode: dict[str, Pairs] = {}
    for old, new in shared:
        held = {check.judged.metric: check.holds for check in old.checks}
        for check in new.checks:
            was, now = held.get(check.judged.metric), check.holds
            if was is not None and now is not None:
                by_metric.setdefault(check.judged.metric, []).append((new.test, was, now))
        if old.passed is not None and new.passed is not None:
            by_mode.setdefault(new.test.failure_mode or CONTROL, []).append((new.test, old.passed, new.passed))
    passed = [(new.test, old.passed is True, new.passed is True) for old, new in shared]
    return VersionComparison(
        tests=len(shared),
        overall=paired_difference("tests", passed),
        by_metric=_all(by_metric, {name: number for number, name in enumerate(second.by_metric)}),
        by_failure_mode=_all(by_mode, {name: number for number, name in enumerate(second.by_failure_mode)}),
        changed=tuple((new, new.passed is True) for old, new in shared if (old.passed is True) != (new.passed is True)),
    )


def paired_difference(name: str, pairs: Pairs) -> PairedDifference:
    """The mean difference of paired outcomes, clustered by situation.

    Args:
        name: What is compared.
        pairs: A test, and whether the first and the second passed it; at least one.
    """
    clusters: dict[str, int] = {}
    for test, _, _ in pairs:
        clusters.setdefault(test.situation, len(clusters))
    values = [float(now) - float(was) for _, was, now in pairs]
    labels = [clusters[test.situation] for test, _, _ in pairs]
    sums = [0.0] * len(clusters)
    for value, label in zip(values, labels, strict=True):
        sums[label] += value
    try:
        p_value = paired_permutation(sums).p_value
    except InsufficientData:
        p_value = None
    return PairedDifference(
        name=name,
        difference=clustered_mean(values, labels, low=-1.0, high=1.0),
        first=sum(was and not now for _, was, now in pairs),
        second=sum(now and not was for _, was, now in pairs),
        p_value=p_value,
    )


def _same(old: TestResult | None, new: TestResult) -> bool:
    return old is not None and old.test == new.test


def _all(groups: Mapping[str, Pairs], order: Mapping[str, int]) -> tuple[PairedDifference, ...]:
    return tuple(paired_difference(name, groups[name]) for name in sorted(groups, key=lambda name: order.get(name, 99)))
