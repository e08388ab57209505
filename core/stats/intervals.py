"""Intervals for shares: independent cases, and cases that share a source."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InvalidInput
from core.domain.estimates import Proportion

Z95 = 1.959963984540054
"""The 0.975 quantile of the standard normal distribution."""

WILSON = "Wilson 95%"
CLUSTERED = "Wilson 95%, effective sample size from clusters"


def wilson(num: int, den: int) -> Proportion:
    r"""A share of independent cases with Wilson's 95% score interval.

    .. math:: (p + z^2/2n \pm z \sqrt{p(1-p)/n + z^2/4n^2}) / (1 + z^2/n)

    Args:
        num: How many cases have the property, 0 <= `num` <= `den`.
        den: How many cases there are.

    Returns:
        The share; its ends are None when `den` is 0.

    Raises:
        InvalidInput: `num` is negative or above `den`.

    Reference:
        E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference.

    >>> share = wilson(0, 10)
    >>> share.value, share.low, round(share.high, 4)
    (0.0, 0.0, 0.2775)
    """
    if not 0 <= num <= den:
        raise InvalidInput(f"{num} of {den} is not a share.", "The numerator lies between 0 and the denominator.")
    if den == 0:
        return Proportion(num=0, den=0, method=WILSON)
    low, high = score_interval(num / den, float(den))
    return Proportion(num=num, den=den, low=low, high=high, method=WILSON)


def clustered_proportion(outcomes: ArrayLike, clusters: ArrayLike) -> Proportion:
    r"""A share of cases that come in clusters, with a 95% interval that counts clusters, not cases.

    Wilson's interval at an effective sample size `n / d`. With cluster totals :math:`y_k`, sizes :math:`m_k`, `K`
    clusters, `n` cases, share `p` and the mean size of a case's cluster :math:`\bar m = \sum_k m_k^2 / n`, the design
    effect `d` is the largest of 1, the linearised variance over that of independent cases, and Kish's formula,

    .. math:: \frac{K}{K-1} \frac{\sum_k (y_k - p m_k)^2}{n p (1-p)}, \quad
              1 + (\bar m - 1) \rho, \quad
              \rho = 1 - \frac{\sum_k y_k (m_k - y_k) / \sum_k m_k (m_k - 1)}{p (1-p)}.

    The first fails where few clusters of unequal size hold all the successes, the second sees how alike the cases of a
    cluster are but not how sizes go with outcomes; together they cover (tests/statistical). The size is multiplied by
    :math:`(z / t_{K-1})^2`, because few clusters estimate `d` badly. At a share of 0 or 1, or with one cluster, nothing
    can be estimated and `rho` is 1: the size is the number of clusters where they are equally large.

    Args:
        outcomes: True or False per case, shape (n,).
        clusters: The cluster of each case, shape (n,); any integers.

    Returns:
        The share with its number of clusters; where each case is its own cluster, plain Wilson.

    Raises:
        InvalidInput: The two arrays differ in length.

    Reference:
        E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small expected number of
        positive counts estimated from survey data. They put the effective size into Clopper and Pearson's interval;
        this puts it into Wilson's.

    >>> share = clustered_proportion([True] * 12, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    >>> share.num, share.den, share.clusters, round(share.low, 3)
    (12, 12, 4, 0.51)
    """
    values = np.asarray(outcomes, dtype=bool)
    labels = np.asarray(clusters)
    if values.shape != labels.shape:
        raise InvalidInput(
            f"{values.size} outcomes come with {labels.size} cluster labels.", "Give one label per outcome."
        )
    if values.size == 0:
        return Proportion(num=0, den=0, method=CLUSTERED, clusters=0)
    _, index = np.unique(labels, return_inverse=True)
    sizes = np.bincount(index).astype(np.int64)
    totals = np.bincount(index[values], minlength=sizes.size).astype(np.int64)
    num, den, count = int(values.sum()), int(values.size), int(sizes.size)
    if count == den:
        plain = wilson(num, den)
        return Proportion(num=num, den=den, low=plain.low, high=plain.high, method=WILSON, clusters=count)
    low, high = score_interval(num / den, effective_size(totals, sizes))
    return Proportion(num=num, den=den, low=low, high=high, method=CLUSTERED, clusters=count)


def effective_size(totals: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    """The number of independent cases that the clustered ones are worth; see :func:`clustered_proportion`.

    Args:
        totals: Successes per cluster, shape (K,), K >= 1.
        sizes: Cases per cluster, shape (K,), each >= 1 and one at least above 1.
    """
    # Whole numbers until the last step, so that the order of the clusters cannot change a digit.
    count, cases, successes = int(sizes.size), int(sizes.sum()), int(totals.sum())
    squares = int(sizes @ sizes)
    alike = cases**2 / squares
    if count == 1 or successes in (0, cases):
        return alike
    variance = successes * (cases - successes)
    products = int(totals @ totals) * cases**2 - 2 * successes * cases * int(totals @ sizes) + successes**2 * squares
    spread = products / (cases * variance) * count / (count - 1)
    differing = int(totals @ (sizes - totals)) * cases**2 / (squares - cases)
    agreement = min(max(1.0 - differing / variance, 0.0), 1.0)
    effect = max(1.0, spread, 1.0 + (cases / alike - 1.0) * agreement)
    few = (Z95 / float(special.stdtrit(count - 1, 0.975))) ** 2
    return max(cases / effect * few, 1.0)


def score_interval(share: float, size: float) -> tuple[float, float]:
    """Both ends of Wilson's interval for a share of so many independent cases, which need be no whole number."""
    square = Z95**2
    centre = (share + square / (2 * size)) / (1 + square / size)
    half = Z95 * math.sqrt(share * (1 - share) / size + square / (4 * size**2)) / (1 + square / size)
    low = 0.0 if share == 0.0 else max(0.0, centre - half)
    high = 1.0 if share == 1.0 else min(1.0, centre + half)
    return min(low, share), max(high, share)
