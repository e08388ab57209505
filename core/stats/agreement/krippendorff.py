"""Krippendorff's alpha: agreement of any number of raters, at any level of measurement, with missing ratings."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS, percentiles, resampled

Level = Literal["nominal", "ordinal", "interval"]
Floats = NDArray[np.float64]

LEAST_UNITS = 2
FEW = 1_000
METHOD = "bootstrap over cases, 95%"


def krippendorff_alpha(ratings: ArrayLike, *, level: Level, seed: int = 0, resamples: int = 2_000) -> Estimate:
    r"""Krippendorff's :math:`\alpha = 1 - D_o / D_e`, with an interval from a bootstrap over the cases.

    With :math:`n_{uc}` raters giving value c to case u and :math:`m_u` ratings of it, the coincidences are
    :math:`o_{ck} = \sum_u n_{uc}(n_{uk} - [c=k]) / (m_u - 1)`, their margins :math:`n_c`, and
    :math:`\alpha = 1 - (n-1) \sum_{ck} o_{ck}\delta^2_{ck} / \sum_{ck} n_c n_k \delta^2_{ck}`. The difference
    :math:`\delta^2` is 0 or 1 (nominal), :math:`(c-k)^2` (interval), or the squared number of ratings between the two
    values, their own halved (ordinal). Cases with fewer than two ratings say nothing and are left out.

    Args:
        ratings: One row a rater, one column a case, NaN where a rater did not rate; shape (raters, cases).
        level: How values are compared.
        seed: For the bootstrap.
        resamples: How many times the cases are drawn again.

    Returns:
        Alpha, with n the number of cases that two or more raters rated. The value is None where every rating is the
        same: without any difference to expect, agreement is not defined. The ends are those of the resamples in which
        it is defined; below six cases there are none.

    Raises:
        InsufficientData: Fewer than two cases have two ratings.

    Reference:
        K. Krippendorff (2011), Computing Krippendorff's alpha-reliability. The interval draws cases, not pairs as his
        own procedure does, since pairs of one case are not independent.

    >>> nan = float("nan")
    >>> alpha = krippendorff_alpha([[1, 2, 3, 3, nan], [1, 2, 3, 4, 4]], level="nominal")
    >>> round(alpha.value, 3), alpha.n
    (0.696, 4)
    """
    table = np.asarray(ratings, dtype=np.float64)
    rated = table[:, (~np.isnan(table)).sum(axis=0) >= 2] if table.ndim == 2 else np.empty((0, 0))
    units = rated.shape[1]
    if units < LEAST_UNITS:
        raise InsufficientData(LEAST_UNITS, units, "cases rated twice")
    if np.unique(rated[~np.isnan(rated)]).size < 2:
        return Estimate(value=None, low=None, high=None, n=units, method="every rating is the same")
    alpha = float(_alphas(rated, np.ones((1, units)), level)[0])
    if units < LEAST_CLUSTERS:
        return Estimate(value=alpha, low=None, high=None, n=units, method="too few cases for an interval")
    rated, sizes = _alike(rated)
    low, high = percentiles(resampled(lambda sample: _alphas(rated, sample, level), sizes, draws=resamples, seed=seed))
    return Estimate(value=alpha, low=low, high=high, n=units, method=METHOD)


def _alike(rated: Floats) -> tuple[Floats, Floats]:
    """Cases of the same ratings once, with how many there are; few cases are left apart, they cost nothing."""
    if rated.shape[1] <= FEW:
        return rated, np.ones(rated.shape[1])
    ordered = np.sort(np.where(np.isnan(rated), np.inf, rated), axis=0)
    kinds, sizes = np.unique(ordered, axis=1, return_counts=True)
    return np.where(np.isfinite(kinds), kinds, np.nan), sizes.astype(np.float64)


def _alphas(rated: Floats, weights: Floats, level: Level) -> Floats:
    """Alpha for each row of weights of the cases, (resamples,); NaN where nothing differs."""
    if level == "interval":
        observed, expected, total = _interval_parts(rated, weights)
    else:
        observed, expected, total = _counted_parts(rated, weights, level)
    with np.errstate(divide="ignore", invalid="ignore"):
        alphas = 1.0 - (total - 1.0) * observed / expected
    return np.where(expected > 0.0, alphas, np.nan)


def _interval_parts(rated: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Sums of squared differences from sums and sums of squares, so that any number of values costs the same."""
    filled = np.nan_to_num(rated - np.nanmean(rated))
    sizes = (~np.isnan(rated)).sum(axis=0).astype(float)
    sums, squares = filled.sum(axis=0), np.square(filled).sum(axis=0)
    within = 2.0 * (sizes * squares - np.square(sums)) / (sizes - 1.0)
    total, all_sums, all_squares = weights @ sizes, weights @ sums, weights @ squares
    return weights @ within, 2.0 * (total * all_squares - np.square(all_sums)), total


def _counted_parts(rated: Floats, weights: Floats, level: Level) -> tuple[Floats, Floats, Floats]:
    values = np.unique(rated[~np.isnan(rated)])
    counts = (rated[:, :, None] == values).sum(axis=0).astype(float)
    sizes = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs -= np.eye(values.size) * counts[:, :, None]
    coincidences = np.einsum("bu,uck->bck", weights, pairs / (sizes - 1.0)[:, None, None])
    margins = weights @ counts
    distance = _ordinal(margins) if level == "ordinal" else 1.0 - np.eye(values.size)[None]
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (margins[:, :, None] * margins[:, None, :] * distance).sum(axis=(1, 2))
    return observed, expected, margins.sum(axis=1)


def _ordinal(margins: Floats) -> Floats:
    """Squared number of ratings from one value to another, the two ends counted half, (resamples, values, values)."""
    middle = np.cumsum(margins, axis=1) - margins / 2.0
    return np.asarray(np.square(middle[:, :, None] - middle[:, None, :]))
