"""Tests slices on the held-out half: how much worse they are there, and whether chance can explain it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.estimates import Estimate
from core.stats import grouped_means
from core.weakness.blocks import blocks_of
from core.weakness.table import Bools, Floats, Ints, ScoreColumn
from core.weakness.testing import lower_tails

METHOD = "difference of two means, Newcombe 95%, over clusters"


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A slice on the held-out half.

    Attributes:
        mean: Of its cases.
        rest: Of all others.
        effect: How much worse it is, positive is worse; n is that of the slice.
        p_value: One-sided, of no difference from the rest.
    """

    mean: Estimate
    rest: Estimate
    effect: Estimate
    p_value: float


def check(score: ScoreColumn, values: Floats, clusters: Ints, slices: Sequence[Bools]) -> tuple[Checked, ...]:
    r"""Compares each slice with all other cases of the half.

    The test is that of the maps (:func:`core.weakness.testing.lower_tails`). The interval of the difference
    :math:`d = r - m` of the means of rest and slice is made from theirs,

    .. math:: d \pm \sqrt{(r - r_{\mp})^2 + (m_{\pm} - m)^2}

    which are over clusters and stay sound for shares near 0 or 1. A cluster with cases on both sides makes the
    difference vary less than this assumes.

    Args:
        score: Its bounds, and which way is good.
        values: Scores of the half, finite, shape (n,).
        clusters: Shape (n,), whole numbers from 0.
        slices: Which cases each holds, shape (n,); each holds some and leaves some.

    Reference:
        R. G. Newcombe (1998), Interval estimation for the difference between independent proportions. G. Y. Zou and
        A. Donner (2008), Construction of confidence limits about effect measures: a general approach.
    """
    return tuple(_check(score, values, clusters, members) for members in slices)


def _check(score: ScoreColumn, values: Floats, clusters: Ints, members: Bools) -> Checked:
    part = np.where(members, 0, 1)
    means = grouped_means(values, part, clusters, 2, low=score.low, high=score.high)
    tails, _ = lower_tails(blocks_of(score.sign * values, part, clusters), 2)
    mean, rest = (
        Estimate(
            value=float(means.mean[side]),
            low=_or_none(means.low[side]),
            high=_or_none(means.high[side]),
            n=int(means.n[side]),
            method="95%, over clusters",
        )
        for side in (0, 1)
    )
    return Checked(mean=mean, rest=rest, effect=difference(rest, mean, score.sign), p_value=float(tails[0]))


def difference(rest: Estimate, mean: Estimate, sign: float) -> Estimate:
    """How much worse the one mean is, from both intervals; no interval where one of them has none."""
    if mean.value is None or rest.value is None:
        return Estimate(value=None, low=None, high=None, n=mean.n, method=METHOD)
    value = sign * (rest.value - mean.value)
    if mean.low is None or mean.high is None or rest.low is None or rest.high is None:
        return Estimate(value=value, low=None, high=None, n=mean.n, method="too few clusters for an interval")
    up, down = (mean.high - mean.value, mean.value - mean.low), (rest.high - rest.value, rest.value - rest.low)
    if sign < 0:
        up, down = up[::-1], down[::-1]
    return Estimate(
        value=value,
        low=value - float(np.hypot(up[0], down[1])),
        high=value + float(np.hypot(up[1], down[0])),
        n=mean.n,
        method=METHOD,
    )


def _or_none(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
