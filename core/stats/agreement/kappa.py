"""Cohen's kappa for levels that lie near or far from each other, with a bootstrap interval; and its mean over pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS, percentiles, resampled

Weights = Literal["none", "linear", "quadratic"]
Floats = NDArray[np.float64]

LEAST_SHARED = 2
ONE_LABEL = "every label is the same"
TOO_FEW = "too few cases for an interval"
MEAN = "mean of pairwise kappas by shared cases, bootstrap over cases, 95%"


def weighted_kappa(
    first: ArrayLike, second: ArrayLike, *, weights: Weights = "none", seed: int = 0, resamples: int = 2_000
) -> Estimate:
    r"""Cohen's kappa of two raters, :math:`1 - \sum_{ij} w_{ij} o_{ij} / \sum_{ij} w_{ij} r_i c_j`.

    With the shares :math:`o_{ij}` of cases that got level i from one and j from the other, and their margins
    :math:`r_i, c_j`. The weight of a difference is 1 (none), :math:`|i-j|` (linear) or :math:`(i-j)^2` (quadratic), of
    the levels themselves: a level that nobody uses still lies between its neighbours. The interval draws cases; those
    with the same two labels are drawn together, so the cost goes with the pairs of levels.

    Args:
        first: Labels of one rater, NaN for none, shape (n,).
        second: Labels of the other for the same cases.
        weights: How much a difference counts.
        seed: For the bootstrap.
        resamples: How many times the cases are drawn again.

    Returns:
        Kappa, with n the cases that both labelled. No value where both give one and the same label throughout: chance
        agrees fully. No interval below six cases.

    Raises:
        InvalidInput: The two differ in length.
        InsufficientData: No case has both labels.

    Reference:
        J. Cohen (1968), Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial
        credit.

    >>> round(weighted_kappa([1, 1, 2, 3, 3, 3], [1, 2, 2, 3, 3, 2], weights="linear").value, 4)  # 1 - (2/6) / (32/36)
    0.625
    """
    first_labels, second_labels = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if first_labels.shape != second_labels.shape:
        raise InvalidInput(
            f"One rater has {first_labels.size} labels, the other {second_labels.size}.",
            "Give both labels of each case.",
        )
    both = ~(np.isnan(first_labels) | np.isnan(second_labels))
    n = int(both.sum())
    if n == 0:
        raise InsufficientData(1, 0, "cases that both raters labelled")
    pairs, counts = np.unique(np.column_stack([first_labels[both], second_labels[both]]), axis=0, return_counts=True)
    value = float(_kappas(pairs, counts[None, :].astype(float), weights)[0])
    if not np.isfinite(value):
        return Estimate(value=None, low=None, high=None, n=n, method=ONE_LABEL)
    name = "Cohen's kappa" if weights == "none" else f"Cohen's kappa, {weights} weights"
    if n < LEAST_CLUSTERS:
        return Estimate(value=value, low=None, high=None, n=n, method=f"{name}, {TOO_FEW}")
    low, high = percentiles(
        resampled(lambda sample: _kappas(pairs, sample, weights), counts, draws=resamples, seed=seed)
    )
    return Estimate(value=value, low=low, high=high, n=n, method=f"{name}, bootstrap over cases, 95%")


def mean_pairwise_kappa(
    ratings: ArrayLike,
    *,
    weights: Weights = "none",
    of: Sequence[tuple[int, int]] | None = None,
    seed: int = 0,
    resamples: int = 2_000,
) -> Estimate:
    """The mean kappa of pairs of raters, each pair counted by the cases that it shares.

    Light's kappa where all pairs share equally many cases; elsewhere a pair with two shared cases should not count as
    much as one with a hundred. Pairs that share a single case or whose kappa is not defined are left out. All pairs are
    drawn again together.

    Args:
        ratings: One row a rater, one column a case, NaN where a rater did not label; shape (raters, cases).
        weights: How much a difference counts.
        of: Which pairs of rows; all where not told.
        seed: For the bootstrap.
        resamples: How many times the cases are drawn again.

    Returns:
        The mean, with n the cases that at least one of the pairs shares; no interval below six of them.

    Raises:
        InsufficientData: No pair shares two cases.

    Reference:
        R. J. Light (1971), Measures of response agreement for qualitative data.

    >>> mean_pairwise_kappa([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]).value  # (1 + 1/2 + 1/2) / 3
    0.6666666666666666
    """
    table = np.asarray(ratings, dtype=np.float64)
    there = ~np.isnan(table)
    chosen = list(combinations(range(table.shape[0]), 2)) if of is None else list(of)
    shared = [(a, b, there[a] & there[b]) for a, b in chosen]
    shared = [(a, b, both) for a, b, both in shared if both.sum() >= LEAST_SHARED]
    if not shared:
        raise InsufficientData(LEAST_SHARED, 0, "cases that the same two raters labelled")
    rated = np.any([both for _, _, both in shared], axis=0)
    n = int(rated.sum())
    # Cases with the same labels from the same raters are drawn together: three raters of a scale have few kinds.
    kinds, kind_sizes = np.unique(np.where(there, table, np.inf)[:, rated], axis=1, return_counts=True)

    def means(cases: Floats) -> Floats:
        """The mean for each row of how often a kind of case is there; NaN where no pair has a kappa."""
        total, size = np.zeros(len(cases)), np.zeros(len(cases))
        for a, b, _ in shared:
            both = np.isfinite(kinds[a]) & np.isfinite(kinds[b])
            pairs, index = np.unique(np.column_stack([kinds[a, both], kinds[b, both]]), axis=0, return_inverse=True)
            counts = cases[:, both] @ (index.reshape(-1)[:, None] == np.arange(len(pairs))).astype(float)
            kappas = _kappas(pairs, counts, weights)
            weight = np.where(np.isfinite(kappas), counts.sum(axis=1), 0.0)
            total += weight * np.nan_to_num(kappas)
            size += weight
        with np.errstate(invalid="ignore"):
            return np.asarray(total / size)

    value = float(means(kind_sizes[None, :].astype(float))[0])
    if not np.isfinite(value):
        return Estimate(value=None, low=None, high=None, n=n, method=ONE_LABEL)
    if n < LEAST_CLUSTERS:
        return Estimate(value=value, low=None, high=None, n=n, method=f"{MEAN.split(',')[0]}, {TOO_FEW}")
    low, high = percentiles(resampled(means, kind_sizes, draws=resamples, seed=seed))
    return Estimate(value=value, low=low, high=high, n=n, method=MEAN)


def _kappas(pairs: Floats, counts: Floats, weights: Weights) -> Floats:
    """Kappa for each row of counts (resamples, pairs) of the pairs of labels (pairs, 2); NaN where it is undefined."""
    levels, codes = np.unique(pairs, return_inverse=True)
    at = codes.reshape(pairs.shape)
    difference = np.abs(levels[:, None] - levels[None, :])
    if weights == "none":
        difference = (difference > 0.0).astype(float)
    elif weights == "quadratic":
        difference = np.square(difference)
    rows = counts @ (at[:, :1] == np.arange(levels.size)).astype(float)
    columns = counts @ (at[:, 1:] == np.arange(levels.size)).astype(float)
    expected = ((rows @ difference) * columns).sum(axis=1)
    observed = counts @ difference[at[:, 0], at[:, 1]] * counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected > 0.0, 1.0 - observed / expected, np.nan)
