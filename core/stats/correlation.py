"""Rank correlation of scores with ratings whose cases come in clusters, and the difference of two of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS

Floats = NDArray[np.float64]

LEAST_PAIRS = 3
"""Two pairs always lie on a line."""
DRAWS = 2_000
CELLS = 4_000_000
"""Draws times cases that are held at once, so that memory stays bounded."""


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
    return _value(_correlations(first, second, np.ones((1, first.size)))[0])


def clustered_spearman(
    x: ArrayLike, y: ArrayLike, clusters: ArrayLike, *, draws: int = DRAWS, seed: int = 0
) -> Estimate:
    """Spearman's rank correlation with a 95% interval from a bootstrap over clusters.

    Whole clusters are drawn again and ranks are taken anew in every draw. The interval lies between two quantiles of
    the draws, which are moved outward from the normal's to Student's t with one degree of freedom less than there are
    clusters, and by the factor sqrt(G / (G - 1)), since a bootstrap of G clusters is too narrow by that (Hesterberg's
    expanded percentiles).

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

    Reference:
        T. C. Hesterberg (2015), What teachers should know about the bootstrap, section 5.

    >>> found = clustered_spearman([1, 2, 3, 4, 5, 6, 7, 8], [1, 3, 2, 4, 6, 5, 8, 7], [1, 2, 3, 4, 5, 6, 7, 8])
    >>> round(found.value, 4), 0.0 < found.low < found.value < found.high <= 1.0, found.n  # 1 - 6 * 6 / (8 * 63)
    (0.9286, True, 8)
    """
    first, second = _pairs(x, y)
    whole = _correlations(first, second, np.ones((1, first.size)))[0]
    drawn = [_correlations(first, second, some) for some in _weights(clusters, first.size, draws, seed)]
    return _estimate(float(whole), np.concatenate(drawn), clusters, first.size)


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
    >>> found = paired_spearman_difference(same, same, [1, 3, 2, 4, 6, 5, 8, 7], same)
    >>> found.value, found.low, found.high
    (0.0, 0.0, 0.0)
    """
    first, target = _pairs(a, y)
    second, _ = _pairs(b, y)
    one = np.ones((1, target.size))
    whole = _correlations(first, target, one)[0] - _correlations(second, target, one)[0]
    drawn = [
        _correlations(first, target, some) - _correlations(second, target, some)
        for some in _weights(clusters, target.size, draws, seed)
    ]
    return _estimate(float(whole), np.concatenate(drawn), clusters, target.size)


def _pairs(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    first, second = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"{first.shape} values and {second.shape} others")
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("a value is not finite")
    if first.size < LEAST_PAIRS:
        raise InsufficientData(LEAST_PAIRS, int(first.size), "pairs")
    return first, second


def _weights(clusters: ArrayLike, cases: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each case is drawn, (draws, n), a bounded block of draws at a time."""
    labels = np.asarray(clusters)
    if labels.shape != (cases,):
        raise ValueError(f"{cases} values and {labels.shape} clusters")
    _, index = np.unique(labels, return_inverse=True)
    count = int(index.max()) + 1
    if count < LEAST_CLUSTERS:
        raise InsufficientData(LEAST_CLUSTERS, count, "clusters")
    generator = np.random.default_rng(seed)
    block = max(1, CELLS // cases)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        drawn = generator.multinomial(count, np.full(count, 1.0 / count), size=size)
        yield drawn[:, index].astype(np.float64)


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
        found = product / np.sqrt(spread)
    return np.where(spread > 0.0, np.clip(found, -1.0, 1.0), np.nan)


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


def _estimate(whole: float, drawn: Floats, clusters: ArrayLike, cases: int) -> Estimate:
    count = int(np.unique(np.asarray(clusters)).size)
    defined = drawn[np.isfinite(drawn)]
    if not np.isfinite(whole) or not defined.size:
        return Estimate(value=_value(whole), low=None, high=None, n=cases, method="one side is constant")
    outward = float(special.stdtrit(count - 1, 0.975)) * (count / (count - 1)) ** 0.5
    tail = float(special.ndtr(-outward))
    low, high = np.quantile(defined, [tail, 1.0 - tail])
    return Estimate(
        value=whole,
        low=min(float(low), whole),
        high=max(float(high), whole),
        n=cases,
        method=f"bootstrap over {count} clusters, 95%",
    )


def _value(found: float) -> float | None:
    return float(found) if np.isfinite(found) else None
