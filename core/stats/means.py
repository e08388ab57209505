"""The mean of scores whose cases share sources."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.intervals import clustered_proportion

LEAST = 2
"""Clusters without which nothing is known about the spread."""

METHOD = "cluster-robust t 95%"


def clustered_mean(
    values: ArrayLike, clusters: ArrayLike, *, low: float | None = None, high: float | None = None
) -> Estimate:
    r"""The mean of all values with an interval that counts clusters, not cases.

    With :math:`e_g = \sum_{i \in g} (y_i - \bar y)` the variance of the mean is
    :math:`\frac{G}{G-1} \sum_g e_g^2 / n^2` (the sandwich of a mean, Liang and Zeger 1986), and the interval is that of
    Student's t with G - 1 degrees of freedom. Two clusters are added to the spread, one as far above the mean as the
    farthest seen and one as far below, since few skewed values know their spread badly (as Agresti and Coull do for a
    share); where all values are alike, as far as the range goes. Values that are all 0 or 1 are a proportion and get
    the interval of :func:`clustered_proportion`.

    Args:
        values: One score a case, shape (n,); finite.
        clusters: What each case belongs to, shape (n,); any labels.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.

    Returns:
        The mean, its 95% interval within the range, and n.

    Raises:
        InsufficientData: No value.
        ValueError: A value is not finite, or the shapes differ.

    >>> mean = clustered_mean([0.2, 0.4, 0.6, 0.8], [1, 2, 3, 4], low=0.0, high=1.0)
    >>> round(mean.value, 3), mean.low < 0.3, mean.high > 0.7, mean.n
    (0.5, True, True, 4)
    """
    scores = np.asarray(values, dtype=np.float64)
    labels = np.asarray(clusters)
    if scores.shape != labels.shape or scores.ndim != 1:
        raise ValueError(f"{scores.shape} values and {labels.shape} clusters")
    if not scores.size:
        raise InsufficientData(1, 0, "scored cases")
    if not np.isfinite(scores).all():
        raise ValueError("a value is not finite")
    _, numbers = np.unique(labels, return_inverse=True)
    if np.isin(scores, (0.0, 1.0)).all() and (low, high) == (0.0, 1.0):
        share = clustered_proportion(scores == 1.0, numbers)
        return Estimate(value=share.value, low=share.low, high=share.high, n=scores.size, method=share.method)
    mean = float(scores.mean())
    count = int(numbers.max()) + 1
    if count < LEAST:
        return Estimate(value=mean, low=None, high=None, n=scores.size, method="one cluster, no interval")
    totals = np.bincount(numbers, weights=scores - mean)
    widest = float(np.abs(totals).max())
    if np.ptp(scores) == 0.0:
        widest = scores.size / count * max(abs(mean - end) for end in (mean, low, high) if end is not None)
    steadied = np.append(totals, (widest, -widest))
    cases = scores.size * steadied.size / count
    spread = float(np.sqrt(steadied.size / (steadied.size - 1) * np.square(steadied).sum()) / cases)
    reach = float(special.stdtrit(count - 1, 0.975)) * spread
    below = mean - reach if low is None else max(low, mean - reach)
    above = mean + reach if high is None else min(high, mean + reach)
    return Estimate(value=mean, low=below, high=above, n=scores.size, method=METHOD)
