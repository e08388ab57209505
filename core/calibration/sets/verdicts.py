"""What sets and decisions come to: counts, coverage by group, the band that coverage keeps to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.conformal import POOLED, Conformal
from core.calibration.coverage import coverage_band
from core.calibration.models import ProbabilityModel
from core.calibration.report import CurvePoint, Decision, DecisionCount, GroupCoverage, GroupQuantile, SetCount
from core.stats import clustered_proportion

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CURVE_POINTS = 101


def decide(sets: ArrayLike, accept_from: int) -> tuple[Decision, ...]:
    """Accept where all levels of the set are accepted, reject where all are rejected, else (both, or none) a human.

    Args:
        sets: Membership, shape (n, levels).
        accept_from: The lowest accepted level.

    >>> [one.value for one in decide([[False, True], [True, False], [True, True], [False, False]], 1)]
    ['accept', 'reject', 'human', 'human']
    """
    held = np.asarray(sets, dtype=bool)
    good: Bools = np.asarray(held[:, accept_from:].any(axis=1))
    bad: Bools = np.asarray(held[:, :accept_from].any(axis=1))
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


def group_sizes(held: Sequence[str] | None, named: Sequence[str] | None) -> dict[str, int]:
    """Labels of the conformal part by group, 0 where a labelled group has none there."""
    if held is None or named is None:
        return {}
    return {group: held.count(group) for group in sorted(set(named))}


def without_own(
    rule: Conformal, held: list[str] | None, named: Sequence[str] | None, near: ArrayLike
) -> dict[str, tuple[int, int]]:
    """Labels and clusters of the conformal part, of each group that has no quantile of its own."""
    sizes, sources = group_sizes(held, named), np.asarray(near)
    members = {group: np.array([other == group for other in held or ()], dtype=bool) for group in sizes}
    return {
        group: (n, int(np.unique(sources[members[group]]).size))
        for group, n in sizes.items()
        if group not in rule.quantiles
    }


def quantiles(rule: Conformal, held: list[str] | None, named: Sequence[str] | None) -> tuple[GroupQuantile, ...]:
    """The quantile in use for all cases, then for each group."""

    def record(group: str, n: int, *, own: bool) -> GroupQuantile:
        used = rule.quantile(group if own else POOLED)
        return GroupQuantile(
            group=group, n=n, k=used.k, value=float(used.value) if np.isfinite(used.value) else None, own=own
        )

    first = record(POOLED, rule.quantile().n, own=True)
    return (
        first,
        *(record(group, n, own=group in rule.quantiles) for group, n in group_sizes(held, named).items()),
    )


def by_group(hits: Bools, near: ArrayLike, named: list[str] | None) -> tuple[GroupCoverage, ...]:
    """Coverage on the test part by group."""
    if named is None:
        return ()
    names, index = np.array(named), numbers(near)
    return tuple(
        GroupCoverage(group=str(group), coverage=clustered_proportion(hits[names == group], index[names == group]))
        for group in np.unique(names)
    )


def set_counts(sets: Bools) -> tuple[SetCount, ...]:
    """Each set that occurs; with two levels all four, those that do not occur too."""
    levels = sets.shape[1]
    rows, counts = np.unique(sets, axis=0, return_counts=True)
    found = {tuple(np.flatnonzero(row).tolist()): int(n) for row, n in zip(rows, counts, strict=True)}
    if levels == 2:
        found = {key: found.get(key, 0) for key in ((0,), (1,), (0, 1), ())}
    return tuple(SetCount(levels=key, n=n) for key, n in found.items())


def decided(sets: Bools, accepted: Bools, near: ArrayLike, accept_from: int) -> tuple[DecisionCount, ...]:
    """Decisions on the test part, with how often people saw it otherwise."""
    made, index = np.array([one.value for one in decide(sets, accept_from)]), numbers(near)
    found = []
    for decision in Decision:
        chosen = made == decision.value
        wrong = None
        if decision is not Decision.HUMAN:
            against = ~accepted if decision is Decision.ACCEPT else accepted
            wrong = clustered_proportion(against[chosen], index[chosen])
        found.append(DecisionCount(decision=decision, n=int(chosen.sum()), wrong=wrong))
    return tuple(found)


def tally(sets: Bools, accept_from: int) -> tuple[DecisionCount, ...]:
    """Decisions without labels."""
    made = decide(sets, accept_from)
    return tuple(DecisionCount(decision=decision, n=made.count(decision)) for decision in Decision)


def numbers(near: ArrayLike) -> NDArray[np.intp]:
    """Clusters as numbers from 0."""
    return np.asarray(np.unique(np.asarray(near), return_inverse=True)[1], dtype=np.intp)
