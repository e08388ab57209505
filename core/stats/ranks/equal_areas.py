"""Whether a score separates equally well in several groups: a test of equal areas under their ROC curves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from core.stats.intervals import Z95
from core.stats.ranks.auc import LEAST_OF_SIDE, GroupedAuc


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualAreas:
    """A test that the areas of several groups are one.

    Attributes:
        groups: Those with at least five clusters of either kind; others are in no figure.
        spread: The largest of their areas less the smallest; None with fewer than two groups.
        p_value: None with fewer than two groups.
        method: What was done, or why it was not.
    """

    groups: int
    spread: float | None
    p_value: float | None
    method: str


def equal_areas(areas: GroupedAuc) -> EqualAreas:
    r"""Tests that all groups have one area, by Welch's analysis of variance on areas with their own variances.

    With :math:`A_j` the area of group j of J and :math:`v_j` its variance, weights :math:`w_j = 1/v_j`, :math:`W = \sum
    w_j`, the weighted mean :math:`\bar A`, and :math:`\Lambda = \sum (1 - w_j/W)^2 / \nu_j`, the statistic

    .. math:: F = \frac{\sum w_j (A_j - \bar A)^2 / (J - 1)}{1 + 2 (J - 2) \Lambda / (J^2 - 1)}

    is compared with the F distribution of J - 1 and :math:`(J^2 - 1) / 3 \Lambda` degrees of freedom;
    :math:`\nu_j` is one less than the clusters of the smaller side. The variance is that of a share at Agresti and
    Coull's centre and the number of independent cases that the pairs of the group are worth, so that a group ordered
    without a mistake has one. Groups count as independent: where a cluster has cases in several groups and they are
    alike, the test is conservative.

    Args:
        areas: As :func:`core.stats.ranks.auc.grouped_auc` gives them.

    Reference:
        B. L. Welch (1951), On the comparison of several mean values. A. Agresti and B. Coull (1998), Approximate is
        better than "exact" for interval estimation of binomial proportions.
    """
    usable = (areas.sides >= LEAST_OF_SIDE) & ~np.isnan(areas.auc)
    area, worth, freedom = areas.auc[usable], areas.worth[usable], areas.sides[usable] - 1.0
    count = int(usable.sum())
    if count < 2:
        return EqualAreas(
            groups=count,
            spread=None,
            p_value=None,
            method=f"fewer than two groups with {LEAST_OF_SIDE} clusters of either kind",
        )
    centre = (area * worth + Z95**2 / 2.0) / (worth + Z95**2)
    weights = (worth + Z95**2) / (centre * (1.0 - centre))
    whole = float(weights.sum())
    mean = float((weights * area).sum()) / whole
    lack = float((np.square(1.0 - weights / whole) / freedom).sum())
    between = float((weights * np.square(area - mean)).sum()) / (count - 1)
    statistic = between / (1.0 + 2.0 * (count - 2) * lack / (count**2 - 1))
    p_value = float(special.fdtrc(count - 1, (count**2 - 1) / (3.0 * lack), statistic))
    return EqualAreas(
        groups=count,
        spread=float(area.max() - area.min()),
        p_value=p_value,
        method="Welch's test of equal areas",
    )
