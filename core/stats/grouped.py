"""Means of many groups of cases at once, each with its interval; as clustered_mean gives them one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from core.stats.intervals import Z95
from core.stats.means import LEAST

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedMeans:
    """The mean of each group, arrays of shape (groups,).

    Attributes:
        n: Values.
        clusters: Clusters among them.
        mean: NaN without a value.
        low: Lower end of the 95% interval, NaN where there is none.
        high: Upper end, NaN where there is none.
    """

    n: Ints
    clusters: Ints
    mean: Floats
    low: Floats
    high: Floats


def grouped_means(
    values: Floats,
    groups: NDArray[np.integer],
    clusters: NDArray[np.integer],
    count: int,
    *,
    low: float | None = None,
    high: float | None = None,
) -> GroupedMeans:
    """The mean of each group with the interval of :func:`core.stats.clustered_mean`, all groups in a few passes.

    Args:
        values: One a case, shape (n,); finite.
        groups: Group of each case, shape (n,), from 0 to `count` - 1.
        clusters: What each case belongs to, shape (n,), whole numbers from 0.
        count: How many groups there are; one without a case has neither mean nor interval.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
    """
    n = np.bincount(groups, minlength=count).astype(np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(groups, weights=values, minlength=count) / n
    span = int(clusters.max()) + 1 if clusters.size else 1
    pairs, block = np.unique(groups.astype(np.int64) * span + clusters, return_inverse=True)
    owner = pairs // span
    cluster_counts = np.bincount(owner, minlength=count).astype(np.int64)
    below, above = _of_means(values, groups, mean, block, owner, n, cluster_counts, low, high)
    if (low, high) == (0.0, 1.0):
        shares = _all_zero_or_one(values, groups, count)
        sizes = np.bincount(block, minlength=pairs.size).astype(np.float64)
        totals = np.bincount(block, weights=values, minlength=pairs.size).astype(np.float64)
        share_below, share_above = _of_shares(totals, sizes, owner, mean, n, cluster_counts)
        below, above = np.where(shares, share_below, below), np.where(shares, share_above, above)
    return GroupedMeans(n=n, clusters=cluster_counts, mean=mean, low=below, high=above)


def _of_means(
    values: Floats,
    groups: NDArray[np.integer],
    mean: Floats,
    block: NDArray[np.intp],
    owner: Ints,
    n: Ints,
    cluster_counts: Ints,
    low: float | None,
    high: float | None,
) -> tuple[Floats, Floats]:
    """Student's interval over cluster totals that two more clusters have steadied."""
    totals = np.bincount(block, weights=values - mean[groups], minlength=owner.size)
    widest, squares = np.zeros(n.size), np.bincount(owner, weights=totals**2, minlength=n.size)
    np.maximum.at(widest, owner, np.abs(totals))
    least, most = np.full(n.size, np.inf), np.full(n.size, -np.inf)
    np.minimum.at(least, groups, values)
    np.maximum.at(most, groups, values)
    with np.errstate(invalid="ignore", divide="ignore"):
        ends = [np.abs(mean - end) for end in (mean, low, high) if end is not None]
        widest = np.where(most == least, n / cluster_counts * np.max(ends, axis=0), widest)
        cases = n * (cluster_counts + 2) / cluster_counts
        spread = np.sqrt((cluster_counts + 2) / (cluster_counts + 1) * (squares + 2 * widest**2)) / cases
        reach = special.stdtrit(np.maximum(cluster_counts - 1, 1), 0.975) * spread
    enough = cluster_counts >= LEAST
    below = np.where(enough, mean - reach, np.nan)
    above = np.where(enough, mean + reach, np.nan)
    return (
        below if low is None else np.maximum(below, low),
        above if high is None else np.minimum(above, high),
    )


def _of_shares(
    totals: Floats, sizes: Floats, owner: Ints, share: Floats, n: Ints, cluster_counts: Ints
) -> tuple[Floats, Floats]:
    """Wilson's interval at the number of independent cases that the clustered ones are worth."""
    cases = n.astype(np.float64)
    good: Floats = np.bincount(owner, weights=totals, minlength=n.size).astype(np.float64)
    squares = np.bincount(owner, weights=sizes**2, minlength=n.size)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = cases**2 / squares
        residual = np.bincount(owner, weights=(totals - share[owner] * sizes) ** 2, minlength=n.size)
        variance = cases * share * (1.0 - share)
        spread = residual / variance * cluster_counts / (cluster_counts - 1)
        differing = np.bincount(owner, weights=totals * (sizes - totals), minlength=n.size) / (squares - cases)
        agreement = np.clip(1.0 - differing / (share * (1.0 - share)), 0.0, 1.0)
        effect = np.maximum(1.0, np.maximum(spread, 1.0 + (cases / alike - 1.0) * agreement))
        few = (Z95 / special.stdtrit(np.maximum(cluster_counts - 1, 1), 0.975)) ** 2
        worth = np.where(
            (cluster_counts == 1) | (good == 0) | (good == cases), alike, np.maximum(cases / effect * few, 1.0)
        )
        worth = np.where(cluster_counts == n, cases, worth)
        centre = (share + Z95**2 / (2 * worth)) / (1 + Z95**2 / worth)
        half = Z95 * np.sqrt(share * (1 - share) / worth + Z95**2 / (4 * worth**2)) / (1 + Z95**2 / worth)
    below = np.where(share == 0.0, 0.0, np.maximum(0.0, centre - half))
    above = np.where(share == 1.0, 1.0, np.minimum(1.0, centre + half))
    return np.minimum(below, share), np.maximum(above, share)


def _all_zero_or_one(values: Floats, groups: NDArray[np.integer], count: int) -> Bools:
    other: Bools = np.bincount(groups, weights=(values != 0.0) & (values != 1.0), minlength=count) == 0.0
    return other
