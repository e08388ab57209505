"""The same case in two runs, and the figures of a paired difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.diagnosis import Attribution
from core.domain.estimates import Estimate
from core.domain.testset.cases import TestCase
from core.robustness.pairs import Answered, cluster_sums
from core.stats import LEAST_CLUSTERS, clustered_mean, paired_permutation
from core.stats.comparisons.detectable import smallest_detectable

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePair:
    """One case with its outcome in both runs.

    Attributes:
        before, after: What came of it in run A and in run B.
        module_before, module_after: The module each wrong answer is attributed to, None where the run has no diagnosis.
    """

    before: Answered
    after: Answered
    module_before: Attribution | None = None
    module_after: Attribution | None = None

    @property
    def case(self) -> TestCase:
        """The case, as the first run has it."""
        return self.before.case

    @property
    def cluster(self) -> str:
        """What it shares its source with."""
        return self.case.group_id or self.case.case_id

    @property
    def judged(self) -> bool:
        """Whether both answers have a verdict."""
        return self.before.verdict is not None and self.after.verdict is not None

    @property
    def fixed(self) -> bool:
        """Whether a wrong answer became right."""
        return self.judged and self.before.verdict == 0.0 and self.after.verdict == 1.0

    @property
    def broken(self) -> bool:
        """Whether a right answer became wrong."""
        return self.judged and self.before.verdict == 1.0 and self.after.verdict == 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """How far a figure moved from run A to run B, over the cases that have it in both.

    Attributes:
        name: What is compared: ``verdict``, a metric, a module or a slice.
        before, after: Means over the cases of both.
        difference: Mean of after less before, with its interval, clustered on the filled query.
        p_value: That the difference is 0, by flipping signs of the clusters; None with too few of them.
        p_adjusted: Adjusted over its family (Holm).
        detectable: The smallest difference that could have been shown with power .8; None for none.
        one_sided: Cases that have a value in one run only, which do not count.
        clusters: Independent sources.
    """

    name: str
    before: float | None
    after: float | None
    difference: Estimate
    p_value: float | None = None
    p_adjusted: float | None = None
    detectable: float | None = None
    one_sided: int = 0
    clusters: int = 0

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "a": self.before,
            "b": self.after,
            "difference": self.difference.as_json(),
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "smallest_detectable_change": self.detectable,
            "clusters": self.clusters,
            "scored_in_one_run_only": self.one_sided,
        }


def change_of(
    name: str,
    before: Mapping[str, float],
    after: Mapping[str, float],
    clusters: Mapping[str, str],
    *,
    comparisons: int = 1,
    span: float = 1.0,
    seed: int = 0,
) -> Change:
    """The paired difference of one figure.

    Args:
        name: Of the figure.
        before: Values in run A by case; a case without one is left out.
        after: Values in run B.
        clusters: What each case shares its source with, by case.
        comparisons: Figures that are adjusted for together, for the smallest difference.
        span: The largest difference possible.
        seed: For drawn sign patterns.
    """
    both = [case_id for case_id in before if case_id in after]
    first = np.array([before[case_id] for case_id in both], dtype=np.float64)
    second = np.array([after[case_id] for case_id in both], dtype=np.float64)
    moved = second - first
    numbers: dict[str, int] = {}
    labels = np.array([numbers.setdefault(clusters[case_id], len(numbers)) for case_id in both], dtype=np.int64)
    sums = cluster_sums(moved, labels)
    enough = sums.size >= LEAST_CLUSTERS
    few = f"{sums.size} independent sources, and {LEAST_CLUSTERS} are needed"
    mean = float(moved.mean()) if both else None
    return Change(
        name=name,
        before=float(first.mean()) if both else None,
        after=float(second.mean()) if both else None,
        difference=clustered_mean(moved, labels, low=-span, high=span)
        if enough
        else Estimate(value=mean, low=None, high=None, n=len(both), method=few),
        p_value=_p_value(sums * len(both) / sums.size, seed) if enough else None,
        detectable=smallest_detectable(sums, comparisons=comparisons, span=span) if enough else None,
        one_sided=len(before.keys() ^ after.keys()),
        clusters=len(numbers),
    )


def _p_value(totals: Floats, seed: int) -> float:
    """By sign flips of each cluster's total; whole numbers, as verdicts give them, are counted exactly."""
    whole = np.rint(totals)
    return paired_permutation(whole if np.allclose(whole, totals, atol=1e-9) else totals, seed=seed).p_value


def values_of(pairs: Sequence[CasePair], metric: str) -> tuple[dict[str, float], dict[str, float]]:
    """A metric's values in both runs, by case; ``verdict`` is 1 or 0."""

    def of(answered: Answered) -> float | None:
        return answered.verdict if metric == "verdict" else answered.scores.get(metric)

    before = {pair.case.case_id: of(pair.before) for pair in pairs}
    after = {pair.case.case_id: of(pair.after) for pair in pairs}
    return (
        {name: value for name, value in before.items() if value is not None},
        {name: value for name, value in after.items() if value is not None},
    )


def clusters_of(pairs: Sequence[CasePair]) -> dict[str, str]:
    """What each case shares its source with, by case."""
    return {pair.case.case_id: pair.cluster for pair in pairs}
