"""Spearman's rank correlation of scores whose cases share sources: its value, two intervals, and differences of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS, bootstrap_interval, case_counts

METHOD = "Spearman, cluster-robust t 95% on Fisher's scale"
TOO_FEW = "fewer than 2 cases have both values"
CONSTANT = "all values of one side are equal"
PERFECT = "Spearman, the ranks agree in every case, no interval"
FEW_CLUSTERS = f"Spearman, fewer than {LEAST_CLUSTERS} clusters, no interval"

LEAST_PAIRS = 3
"""Two pairs always lie on a line."""
DRAWS = 2_000

Floats = NDArray[np.float64]


def midranks(values: ArrayLike) -> Floats:
    """Ranks from 1 to n, the mean rank where values are equal.

    >>> midranks([0.3, 0.1, 0.3]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse], dtype=np.float64)


def spearman(x: ArrayLike, y: ArrayLike) -> float | None:
    r"""Spearman's rank correlation: Pearson's of the ranks, ties with their mean rank.

    .. math:: \rho = \frac{\sum_i (r_i - \bar r)(s_i - \bar s)}
                          {\sqrt{\sum_i (r_i - \bar r)^2 \sum_i (s_i - \bar s)^2}}

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite, same cases in the same order.

    Returns:
        A number in [-1, 1]; None where either is constant, since ranks without any difference go with nothing.

    Raises:
        InsufficientData: Fewer than three pairs.
        ValueError: The shapes differ or a value is not finite.

    >>> spearman([1, 2, 3, 4], [1, 4, 9, 16]), spearman([1, 2, 3], [5, 5, 5])
    (1.0, None)
    """
    first, second = _pairs(x, y)
    value = _whole(first, second)
    return value if np.isfinite(value) else None


def rank_correlation(first: ArrayLike, second: ArrayLike, clusters: ArrayLike) -> Estimate:
    r"""Spearman's correlation with an interval that counts clusters, not cases.

    With the mid-distribution functions F, G of the two sides the correlation is
    :math:`\rho = (E[FG] - 1/4) / \sqrt{(E[F^2] - 1/4)(E[G^2] - 1/4)}`, the correlation of midranks. Its variance is the
    sum over clusters of the squared sums of the cases' influence, in which a case counts for its own ranks and for
    those of all others that it shifts; two clusters are added as :func:`core.stats.clustered_mean` does. The interval
    is that of Student's t with G - 1 degrees of freedom on Fisher's scale, :math:`\operatorname{artanh} \rho`.

    It sorts twice where :func:`clustered_spearman` draws thousands of samples, and is about as
    wide: this one is for every pair of a dozen metrics over any number of cases.

    Args:
        first: One value a case, shape (n,); finite.
        second: The other value, shape (n,); finite.
        clusters: What each case belongs to, shape (n,); any labels.

    Returns:
        The correlation, its 95% interval, and n. No value with fewer than two cases or where one side is constant, no
        interval with fewer than six clusters or a perfect correlation; `method` then says so.

    Raises:
        ValueError: The shapes differ.

    Reference:
        C. B. Borkowf (2002), Computing the nonnull asymptotic variance and the asymptotic relative efficiency of
        Spearman's rank correlation. K.-Y. Liang and S. L. Zeger (1986), for clusters.

    >>> rho = rank_correlation([1, 2, 3, 4, 5, 6, 7], [1, 3, 2, 4, 5, 7, 6], range(7))
    >>> round(rho.value, 3), rho.low < 0.929 < rho.high, rho.n
    (0.929, True, 7)
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    labels = np.asarray(clusters)
    if not x.shape == y.shape == labels.shape or x.ndim != 1:
        raise ValueError(f"{x.shape} and {y.shape} values and {labels.shape} clusters")
    n = int(x.size)
    if n < 2:
        return Estimate(value=None, low=None, high=None, n=n, method=TOO_FEW)
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return Estimate(value=None, low=None, high=None, n=n, method=CONSTANT)
    left, right = _Side(x), _Side(y)
    joint = float((left.share * right.share).mean())
    scale = float(np.sqrt(left.variance * right.variance))
    rho = _whole(x, y)
    if 1.0 - abs(rho) < 1e-12:
        return Estimate(value=float(np.sign(rho)), low=None, high=None, n=n, method=PERFECT)
    influence = left.share * right.share + left.shift(right.share) + right.shift(left.share) - 3.0 * joint
    influence = influence / scale - rho / 2.0 * (left.spread_influence() + right.spread_influence())
    _, numbers = np.unique(labels, return_inverse=True)
    totals = np.bincount(numbers, weights=influence)
    count = totals.size
    if count < LEAST_CLUSTERS:
        return Estimate(value=rho, low=None, high=None, n=n, method=FEW_CLUSTERS)
    widest = float(np.abs(totals).max())
    steadied = np.append(totals, (widest, -widest))
    cases = n * steadied.size / count
    error = float(np.sqrt(steadied.size / (steadied.size - 1) * np.square(steadied).sum())) / cases
    reach = float(special.stdtrit(count - 1, 0.975)) * error / (1.0 - rho * rho)
    centre = float(np.arctanh(rho))
    return Estimate(
        value=rho, low=float(np.tanh(centre - reach)), high=float(np.tanh(centre + reach)), n=n, method=METHOD
    )


def clustered_spearman(
    x: ArrayLike, y: ArrayLike, clusters: ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> Estimate:
    """Spearman's rank correlation with a 95% interval from a bootstrap over clusters.

    Whole clusters are drawn again and ranks are taken anew in every draw; the interval is that of
    :func:`core.stats.resampling.bootstrap_interval`.

    Args:
        x: Shape (n,), finite.
        y: Shape (n,), finite, same cases in the same order.
        clusters: What each case belongs to, shape (n,); any labels.
        draws: How many times the clusters are drawn.
        seed: For the draws.

    Returns:
        The correlation of all cases with its interval and n the number of cases. Draws in which one side is constant
        have no correlation and are left out; where the cases themselves have none, value and ends are None.

    Raises:
        InsufficientData: Fewer than six clusters.
        ValueError: The shapes differ or a value is not finite.

    >>> rho = clustered_spearman([1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 2, 4, 6, 5, 8, 7], [1, 2, 3, 4, 5, 6, 7, 8])
    >>> round(rho.value, 4), 0.0 < rho.low < rho.value < rho.high <= 1.0, rho.n  # 1 - 6 * 6 / (8 * 63)
    (0.9286, True, 8)
    """
    first, second = _pairs(x, y)
    groups = _groups(clusters, first.size)
    correlations = [_correlations(first, second, counts) for counts in case_counts(groups, draws, seed)]
    return _estimate(_whole(first, second), np.concatenate(correlations), groups)


def paired_spearman_difference(
    a: ArrayLike, b: ArrayLike, y: ArrayLike, clusters: ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> Estimate:
    """How much better one score goes with y than another: rho(a, y) - rho(b, y), with a 95% interval.

    Both correlations are taken on the same cases and in the same draws of clusters, so what moves both cancels. The
    interval is that of :func:`clustered_spearman`.

    Args:
        a: One score, shape (n,), finite.
        b: The other, same cases in the same order.
        y: What both are compared with.
        clusters: What each case belongs to, shape (n,); any labels.
        draws: How many times the clusters are drawn.
        seed: For the draws.

    Raises:
        InsufficientData: Fewer than six clusters.
        ValueError: The shapes differ or a value is not finite.

    >>> same = [1, 2, 3, 4, 5, 6, 7, 8]
    >>> difference = paired_spearman_difference(same, same, [1, 3, 2, 4, 6, 5, 8, 7], same)
    >>> difference.value, difference.low, difference.high
    (0.0, 0.0, 0.0)
    """
    first, target = _pairs(a, y)
    second, _ = _pairs(b, y)
    groups = _groups(clusters, target.size)
    differences = [
        _correlations(first, target, counts) - _correlations(second, target, counts)
        for counts in case_counts(groups, draws, seed)
    ]
    return _estimate(_whole(first, target) - _whole(second, target), np.concatenate(differences), groups)


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"{first.shape} values and {second.shape} others")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a value is not finite")
    if first.size < LEAST_PAIRS:
        raise InsufficientData(LEAST_PAIRS, int(first.size), "pairs")
    return first, second


def _groups(clusters: ArrayLike, cases: int) -> NDArray[np.intp]:
    """The clusters numbered from 0, enough of them for a bootstrap."""
    labels = np.asarray(clusters)
    if labels.shape != (cases,):
        raise ValueError(f"{cases} values and {labels.shape} clusters")
    names, groups = np.unique(labels, return_inverse=True)
    if names.size < LEAST_CLUSTERS:
        raise InsufficientData(LEAST_CLUSTERS, int(names.size), "clusters")
    return groups


def _estimate(whole: float, estimates: Floats, groups: NDArray[np.intp]) -> Estimate:
    if np.isfinite(whole) and np.isfinite(estimates).any():
        return bootstrap_interval(whole, estimates, groups)
    value = whole if np.isfinite(whole) else None
    return Estimate(value=value, low=None, high=None, n=groups.size, method="one side is constant")


def _whole(x: Floats, y: Floats) -> float:
    """Spearman's correlation of all cases; NaN where one side is constant."""
    return float(_correlations(x, y, np.ones((1, x.size)))[0])


def _correlations(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's correlation for each row of case counts, (draws,); NaN where one side is constant."""
    first, second = _ranks(x, weights), _ranks(y, weights)
    total = weights.sum(axis=1)
    middle = (total + 1.0)[:, None] / 2.0
    first -= middle
    second -= middle
    product = np.einsum("dn,dn,dn->d", weights, first, second)
    spread = np.einsum("dn,dn,dn->d", weights, first, first) * np.einsum("dn,dn,dn->d", weights, second, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        correlation = product / np.sqrt(spread)
    return np.where(spread > 0.0, np.clip(correlation, -1.0, 1.0), np.nan)


def _ranks(values: Floats, weights: Floats) -> Floats:
    """The mean rank of each case when case i is there weights[i] times, (draws, n)."""
    order = np.argsort(values, kind="stable")
    _, starts, codes = np.unique(values[order], return_index=True, return_inverse=True)
    counts = np.add.reduceat(weights[:, order], starts, axis=1)
    upto = np.cumsum(counts, axis=1)
    back = np.empty_like(order)
    back[order] = codes
    # a value that is there c times up to place u has the ranks u - c + 1 to u
    return np.asarray((upto - counts / 2.0 + 0.5)[:, back])


class _Side:
    """One side's mid-distribution function and what a case does to it."""

    def __init__(self, values: Floats) -> None:
        _, self._inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        self._n = values.size
        self.share: Floats = ((np.cumsum(counts) - counts / 2) / values.size)[self._inverse]
        self.variance = float(np.square(self.share).mean()) - 0.25

    def shift(self, weights: Floats) -> Floats:
        """By how much a case moves the weighted mean share: all greater values rise, equal ones by half."""
        sums = np.bincount(self._inverse, weights=weights)
        above = np.cumsum(sums[::-1])[::-1] - sums / 2
        return np.asarray(above[self._inverse] / self._n, dtype=np.float64)

    def spread_influence(self) -> Floats:
        """Influence of each case on the variance of the shares, as a part of it."""
        moved = np.square(self.share) + 2.0 * self.shift(self.share) - 3.0 * (self.variance + 0.25)
        return np.asarray(moved / self.variance, dtype=np.float64)
