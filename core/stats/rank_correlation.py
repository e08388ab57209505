"""Spearman's rank correlation of scores whose cases share sources."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS

METHOD = "Spearman, cluster-robust t 95% on Fisher's scale"
TOO_FEW = "fewer than 2 cases have both values"
CONSTANT = "all values of one side are equal"
PERFECT = "Spearman, the ranks agree in every case, no interval"
FEW_CLUSTERS = f"Spearman, fewer than {LEAST_CLUSTERS} clusters, no interval"

Floats = NDArray[np.float64]


def midranks(values: ArrayLike) -> Floats:
    """Ranks from 1 to n, the mean rank where values are equal.

    >>> midranks([0.3, 0.1, 0.3]).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[inverse], dtype=np.float64)


def rank_correlation(first: ArrayLike, second: ArrayLike, clusters: ArrayLike) -> Estimate:
    r"""Spearman's correlation with an interval that counts clusters, not cases.

    With the mid-distribution functions F, G of the two sides the correlation is
    :math:`\rho = (E[FG] - 1/4) / \sqrt{(E[F^2] - 1/4)(E[G^2] - 1/4)}`, the correlation of midranks. Its variance is the
    sum over clusters of the squared sums of the cases' influence, in which a case counts for its own ranks and for
    those of all others that it shifts; two clusters are added as :func:`core.stats.clustered_mean` does. The interval
    is that of Student's t with G - 1 degrees of freedom on Fisher's scale, :math:`\operatorname{artanh} \rho`.

    It sorts twice where :func:`core.stats.correlation.clustered_spearman` draws thousands of samples, and is about as
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

    >>> found = rank_correlation([1, 2, 3, 4, 5, 6, 7], [1, 3, 2, 4, 5, 7, 6], range(7))
    >>> round(found.value, 3), found.low < 0.929 < found.high, found.n
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
    rho = float(np.clip((joint - 0.25) / scale, -1.0, 1.0))
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
