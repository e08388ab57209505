"""Cohen's kappa of two verdicts on cases that come in clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS, percentiles, resampled

ONE_LABEL = "every verdict is the same"
METHOD = "Cohen's kappa, bootstrap over clusters, 95%"
TOO_FEW = "Cohen's kappa, too few clusters for an interval"


def clustered_kappa(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    seed: int = 0,
    resamples: int = 2_000,
) -> Estimate:
    r"""Cohen's kappa of two judges who say yes or no, with an interval that draws clusters, not cases.

    With the cases both affirm `a`, only the first `b`, only the second `c`, neither `d`,

    .. math:: \kappa = \frac{2 (a d - b c)}{(a + b)(b + d) + (a + c)(c + d)}.

    Whole clusters are drawn again, so that what is alike inside one stays together; clusters with the same four counts
    are drawn together. Draws in which kappa is undefined are left out of the interval.

    Args:
        first: Yes or no of the one, shape (n,).
        second: Yes or no of the other for the same cases.
        clusters: The cluster of each case; any integers.
        weights: How much each case counts in the four counts, such as one over its chance to be drawn; 1 when None.
        seed: For the bootstrap.
        resamples: How many draws.

    Returns:
        Kappa with n; no value where both give one and the same verdict throughout, no interval below six clusters.

    Raises:
        InvalidInput: The three differ in length.
        InsufficientData: There is no case.

    Reference:
        J. Cohen (1960), A coefficient of agreement for nominal scales.

    >>> clustered_kappa([1, 1, 1, 0, 0, 0], [1, 1, 0, 0, 0, 0], range(6)).value  # 2 (2x3 - 1x0) / (3x4 + 2x3)
    0.6666666666666666
    """
    first_yes, second_yes, groups = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool), np.asarray(clusters)
    if not first_yes.shape == second_yes.shape == groups.shape:
        raise InvalidInput(
            f"{first_yes.size} and {second_yes.size} verdicts come with {groups.size} clusters.",
            "Give all three for each case.",
        )
    if not first_yes.size:
        raise InsufficientData(1, 0, "cases that both judged")
    _, index = np.unique(groups, return_inverse=True)
    cells = (first_yes & second_yes, first_yes & ~second_yes, ~first_yes & second_yes, ~first_yes & ~second_yes)
    each = np.ones(first_yes.size) if weights is None else np.asarray(weights, dtype=np.float64)
    if each.shape != first_yes.shape:
        raise InvalidInput(f"{first_yes.size} verdicts come with {each.size} weights.", "Give both for each case.")
    counts = np.stack([np.bincount(index, weights=cell * each) for cell in cells], axis=1)
    kinds, sizes = np.unique(counts, axis=0, return_counts=True)
    value = float(_kappas(counts.sum(axis=0)[None, :])[0])
    if not np.isfinite(value):
        return Estimate(value=None, low=None, high=None, n=first_yes.size, method=ONE_LABEL)
    total = int(sizes.sum())
    if total < LEAST_CLUSTERS:
        return Estimate(value=value, low=None, high=None, n=first_yes.size, method=TOO_FEW)
    low, high = percentiles(resampled(lambda sample: _kappas(sample @ kinds), sizes, draws=resamples, seed=seed))
    if low is None or high is None:
        return Estimate(value=value, low=None, high=None, n=first_yes.size, method=TOO_FEW)
    return Estimate(value=value, low=min(low, value), high=max(high, value), n=first_yes.size, method=METHOD)


def _kappas(table: NDArray[np.float64]) -> NDArray[np.float64]:
    a, b, c, d = table.T
    below = (a + b) * (b + d) + (a + c) * (c + d)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(below > 0, 2 * (a * d - b * c) / below, np.nan), dtype=np.float64)
