"""A share of cases that were drawn with different chances, and come in clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InvalidInput
from core.domain.estimates import Proportion
from core.stats.intervals import Z95, clustered_proportion, score_interval

WEIGHTED = "Wilson 95%, effective sample size from weights and clusters"


def weighted_proportion(outcomes: ArrayLike, clusters: ArrayLike, weights: ArrayLike) -> Proportion:
    r"""The share of a population, from a sample whose cases were drawn with known and different chances.

    With the weights :math:`w_i`, one over the chance of case `i` to be drawn, the share is Hajek's ratio
    :math:`p = \sum w_i y_i / \sum w_i`. The interval is Wilson's at an effective sample size: the smaller of

    .. math:: \frac{p(1-p) W^2 (K-1)}{K \sum_k (\sum_{i \in k} w_i (y_i - p))^2}, \quad
              \frac{n_w}{1 + (n_w / n_k - 1) \rho}, \quad n_w = \frac{W^2}{\sum w_i^2}, \quad
              n_k = \frac{W^2}{\sum_k (\sum_{i \in k} w_i)^2},

    and :math:`n_w`, times :math:`(z / t_{K-1})^2`; :math:`\rho` as in
    :func:`core.stats.intervals.clustered_proportion`, by weights. At a share of 0 or 1, or with one cluster, it is
    :math:`n_k`. With equal weights it is that function, and so is the result.

    Args:
        outcomes: True or False per case, shape (n,).
        clusters: The cluster of each case, shape (n,); any integers.
        weights: Above 0 and finite, shape (n,).

    Returns:
        The share; numerator and denominator count cases of the sample.

    Raises:
        InvalidInput: The arrays differ in length, or a weight cannot be used.

    Reference:
        J. Hajek (1971); L. Kish (1965), Survey sampling; Korn and Graubard (1998).

    >>> weighted_proportion([True, True, False], [0, 1, 2], [1.0, 1.0, 8.0]).value
    0.2
    """
    values, labels = np.asarray(outcomes, dtype=bool), np.asarray(clusters)
    each = np.asarray(weights, dtype=np.float64)
    if not values.shape == labels.shape == each.shape:
        raise InvalidInput(
            f"{values.size} outcomes come with {labels.size} clusters and {each.size} weights.", "Give one of each."
        )
    if not (np.isfinite(each) & (each > 0)).all():
        raise InvalidInput("A weight is not above 0.", "Give one over the chance of the case to be drawn.")
    if not values.size or np.ptp(each) == 0.0:
        return clustered_proportion(values, labels)
    _, index = np.unique(labels, return_inverse=True)
    share = float(each[values].sum() / each.sum())
    low, high = score_interval(share, _effective_size(values, index, each))
    return Proportion(
        num=int(values.sum()),
        den=int(values.size),
        low=low,
        high=high,
        method=WEIGHTED,
        clusters=int(index.max()) + 1,
        weighted=share,
    )


def _effective_size(values: NDArray[np.bool_], index: NDArray[np.intp], weights: NDArray[np.float64]) -> float:
    total = weights.sum()
    sizes, right = np.bincount(index, weights=weights), np.bincount(index, weights=weights * values)
    alike = float(total**2 / (sizes @ sizes))
    count = sizes.size
    if count == 1 or values.all() or not values.any():
        return alike
    share = right.sum() / total
    spread = right - share * sizes
    variance = share * (1 - share)
    differences = float(spread @ spread) * count / (count - 1)
    linear = variance * total**2 / differences if differences > 0.0 else np.inf
    independent = float(total**2 / (weights @ weights))
    alikeness = 0.0
    if count < values.size:
        alikeness = 1.0 - float(right @ (sizes - right)) / float(sizes @ sizes - weights @ weights) / variance
    within = independent / (1.0 + (independent / alike - 1.0) * min(max(alikeness, 0.0), 1.0))
    few = (Z95 / float(special.stdtrit(count - 1, 0.975))) ** 2
    return max(min(independent, linear, within) * few, 1.0)
