"""Summaries of sets and decisions: counts, coverage by group, and the expected band of coverage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.probability.models import ProbabilityModel
from core.calibration.report import CurvePoint, Decision, DecisionCount, GroupCoverage, GroupQuantile, SetCount
from core.calibration.sets.conformal import POOLED, Conformal
from core.calibration.sets.coverage import coverage_band
from core.stats import clustered_proportion

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CURVE_POINTS = 101


def decide(sets: ArrayLike, accept_from: int) -> tuple[Decision, ...]:
    """Accept where all levels of the set are accepted, reject where all are rejected, else (both, or none) a human.

    Args:
        sets: Membership, shape (n, levels).
        accept_from: The lowest accepted level.

    >>> [decision.value for decision in decide([[False, True], [True, False], [True, True], [False, False]], 1)]
    ['accept', 'reject', 'human', 'human']
    """
    membership = np.asarray(sets, dtype=bool)
    good: Bools = np.asarray(membership[:, accept_from:].any(axis=1))
    bad: Bools = np.asarray(membership[:, :accept_from].any(axis=1))
    return tuple(
        Decision.HUMAN if yes == no else Decision.ACCEPT if yes else Decision.REJECT
        for yes, no in zip(good.tolist(), bad.tolist(), strict=True)
    )


def expected_band(rule: Conformal, tested: int) -> tuple[float | None, float | None]:
    """The band of coverage on a test part of a size, over calibrations without ties; none by group or by source."""
    pooled = rule.quantile()
    if pooled.too_few or not tested or len(rule.quantiles) > 1 or pooled.clusters < pooled.n:
        return None, None
    return coverage_band(pooled.n, rule.alpha, tested=tested)


def curve(model: ProbabilityModel, table: Floats, accept_from: int) -> tuple[CurvePoint, ...]:
    """The probability of acceptance over the range of a single score; nothing for several."""
    if table.shape[1] != 1:
        return ()
    grid = np.linspace(table.min(), table.max(), CURVE_POINTS)
    chance = model.probabilities(grid)[:, accept_from:].sum(axis=1)
    return tuple(CurvePoint(score=float(x), accepted=float(y)) for x, y in zip(grid, chance, strict=True))


def group_sizes(conformal_groups: Sequence[str] | None, group_names: Sequence[str] | None) -> dict[str, int]:
    """Labels of the conformal part by group, 0 where a labelled group has none there."""
    if conformal_groups is None or group_names is None:
        return {}
    return {group: conformal_groups.count(group) for group in sorted(set(group_names))}


def without_own(
    rule: Conformal, conformal_groups: list[str] | None, group_names: Sequence[str] | None, clusters: ArrayLike
) -> dict[str, tuple[int, int]]:
    """Labels and clusters of the conformal part, of each group that has no quantile of its own."""
    sizes, sources = group_sizes(conformal_groups, group_names), np.asarray(clusters)
    members = {group: np.array([name == group for name in conformal_groups or ()], dtype=bool) for group in sizes}
    return {
        group: (n, int(np.unique(sources[members[group]]).size))
        for group, n in sizes.items()
        if group not in rule.quantiles
    }


def quantiles(
    rule: Conformal, conformal_groups: list[str] | None, group_names: Sequence[str] | None
) -> tuple[GroupQuantile, ...]:
    """The quantile in use for all cases, then for each group."""

    def record(group: str, n: int, *, own: bool) -> GroupQuantile:
        quantile = rule.quantile(group if own else POOLED)
        return GroupQuantile(
            group=group,
            n=n,
            k=quantile.k,
            value=float(quantile.value) if np.isfinite(quantile.value) else None,
            own=own,
        )

    pooled = record(POOLED, rule.quantile().n, own=True)
    return (
        pooled,
        *(
            record(group, n, own=group in rule.quantiles)
            for group, n in group_sizes(conformal_groups, group_names).items()
        ),
    )


def by_group(hits: Bools, clusters: ArrayLike, group_names: list[str] | None) -> tuple[GroupCoverage, ...]:
    """Coverage on the test part by group."""
    if group_names is None:
        return ()
    names, index = np.array(group_names), numbers(clusters)
    return tuple(
        GroupCoverage(group=str(group), coverage=clustered_proportion(hits[names == group], index[names == group]))
        for group in np.unique(names)
    )


def set_counts(sets: Bools) -> tuple[SetCount, ...]:
    """Each set that occurs; with two levels all four, those that do not occur too."""
    levels = sets.shape[1]
    rows, counts = np.unique(sets, axis=0, return_counts=True)
    set_sizes = {tuple(np.flatnonzero(row).tolist()): int(n) for row, n in zip(rows, counts, strict=True)}
    if levels == 2:
        set_sizes = {key: set_sizes.get(key, 0) for key in ((0,), (1,), (0, 1), ())}
    return tuple(SetCount(levels=key, n=n) for key, n in set_sizes.items())


def decided(sets: Bools, accepted: Bools, clusters: ArrayLike, accept_from: int) -> tuple[DecisionCount, ...]:
    """Decisions on the test part, with the cases on which people decided otherwise."""
    outcomes, index = np.array([outcome.value for outcome in decide(sets, accept_from)]), numbers(clusters)
    counts = []
    for decision in Decision:
        members = outcomes == decision.value
        wrong = None
        if decision is not Decision.HUMAN:
            against = ~accepted if decision is Decision.ACCEPT else accepted
            wrong = clustered_proportion(against[members], index[members])
        counts.append(DecisionCount(decision=decision, n=int(members.sum()), wrong=wrong))
    return tuple(counts)


def tally(sets: Bools, accept_from: int) -> tuple[DecisionCount, ...]:
    """Decisions without labels."""
    outcomes = decide(sets, accept_from)
    return tuple(DecisionCount(decision=decision, n=outcomes.count(decision)) for decision in Decision)


def numbers(clusters: ArrayLike) -> NDArray[np.intp]:
    """Clusters as numbers from 0."""
    return np.asarray(np.unique(np.asarray(clusters), return_inverse=True)[1], dtype=np.intp)
