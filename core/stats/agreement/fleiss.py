"""Fleiss' kappa: agreement beyond chance of equally many labels a case, whoever gave them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.resampling import LEAST_CLUSTERS, percentiles, resampled

Floats = NDArray[np.float64]

METHOD = "Fleiss' kappa, bootstrap over cases, 95%"


@dataclass(frozen=True, slots=True, kw_only=True)
class FleissKappa:
    """Fleiss' kappa with what it is about.

    Attributes:
        estimate: n is the cases it was computed from.
        raters: Labels that each of these cases has.
        left_out: Cases with another number of labels, those with a single one among them.
    """

    estimate: Estimate
    raters: int
    left_out: int


def fleiss_kappa(ratings: ArrayLike, *, seed: int = 0, resamples: int = 2_000) -> FleissKappa:
    r"""Fleiss' :math:`\kappa = (\bar P - P_e) / (1 - P_e)` over the cases that have equally many labels.

    With :math:`n_{uc}` of a case's m labels at level c: :math:`P_u = \sum_c n_{uc}(n_{uc} - 1) / (m(m-1))`, its mean
    :math:`\bar P`, and :math:`P_e = \sum_c p_c^2` of the levels' shares. The formula needs one m; the most frequent
    number of labels above one is taken (the larger of two equally frequent ones) and the other cases are left out and
    counted. Krippendorff's alpha uses them all.

    Args:
        ratings: One row a rater, one column a case, NaN where a rater did not label; shape (raters, cases).
        seed: For the bootstrap.
        resamples: How many times the cases are drawn again.

    Returns:
        Kappa; no value where every label is the same, no interval below six cases.

    Raises:
        InsufficientData: No case has two labels.

    Reference:
        J. L. Fleiss (1971), Measuring nominal scale agreement among many raters.

    >>> kappa = fleiss_kappa([[1, 1, 2, 2], [1, 1, 2, 1], [1, 2, 2, 1]])  # P = (1 + 1/3 + 1 + 1/3) / 4, P_e = 74/144
    >>> round(kappa.estimate.value, 4), kappa.raters, kappa.left_out  # (2/3 - 37/72) / (35/72)
    (0.3143, 3, 0)
    """
    table = np.asarray(ratings, dtype=np.float64)
    labelled = (~np.isnan(table)).sum(axis=0) if table.ndim == 2 else np.empty(0, dtype=np.int64)
    sizes, frequency = np.unique(labelled[labelled >= 2], return_counts=True)
    if not sizes.size:
        raise InsufficientData(1, 0, "cases with two labels")
    raters = int(sizes[frequency == frequency.max()].max())
    complete = table[:, labelled == raters]
    n = complete.shape[1]
    levels = np.unique(complete[~np.isnan(complete)])
    counted = (complete[:, :, None] == levels).sum(axis=0)
    kinds, frequency = np.unique(counted, axis=0, return_counts=True)
    value = float(_kappas(kinds, frequency[None, :].astype(float), raters)[0])
    low = high = None
    method = METHOD
    if not np.isfinite(value):
        method = "every label is the same"
    elif n < LEAST_CLUSTERS:
        method = "Fleiss' kappa, too few cases for an interval"
    else:
        low, high = percentiles(
            resampled(lambda sample: _kappas(kinds, sample, raters), frequency, draws=resamples, seed=seed)
        )
    estimate = Estimate(value=value if np.isfinite(value) else None, low=low, high=high, n=n, method=method)
    return FleissKappa(estimate=estimate, raters=raters, left_out=int((labelled > 0).sum()) - n)


def _kappas(kinds: NDArray[np.int64], frequency: Floats, raters: int) -> Floats:
    """Kappa for each row of frequencies (resamples, kinds) of label counts (kinds, levels); NaN where undefined."""
    equal = (kinds * (kinds - 1)).sum(axis=1) / (raters * (raters - 1))
    cases = frequency.sum(axis=1)
    observed = frequency @ equal / cases
    shares = frequency @ kinds / (cases[:, None] * raters)
    expected = np.square(shares).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(expected < 1.0 - 1e-12, (observed - expected) / (1.0 - expected), np.nan)
