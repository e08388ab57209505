"""The area under the ROC curve, of all cases and inside groups of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from core.domain.estimates import Estimate
from core.stats.intervals import Z95
from core.stats.resampling import LEAST_CLUSTERS, case_counts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_OF_SIDE = 5
"""Clusters with accepted cases, and with others, without which an area has no interval."""

AUC_METHOD = "AUC, Wilson 95% at the effective size from clusters"


def auc(scores: ArrayLike, accepted: ArrayLike) -> float:
    """The chance that an accepted case scores above one that is not, ties counted half; NaN where one side is empty.

    >>> auc([0.1, 0.4, 0.4, 0.8], [0, 0, 1, 1])
    0.875
    """
    values = np.asarray(scores, dtype=np.float64)
    return float(_aucs(values, np.asarray(accepted, dtype=bool), np.ones((1, values.size)))[0])


class AucResamples:
    """The AUC of several scores in the same resamples of whole clusters; kept, since most score the same cases.

    Args:
        scores: Shape (n, m); what is NaN is never asked for.
        accepted: Shape (n,).
        clusters: What each case belongs to, numbered from 0 without a gap, shape (n,).
        draws: How many resamples; none where there are fewer than six clusters.
        seed: For the draws.
    """

    def __init__(
        self, scores: Floats, accepted: NDArray[np.bool_], clusters: NDArray[np.intp], *, draws: int, seed: int
    ) -> None:
        self._scores, self._accepted = scores, accepted
        enough = np.unique(clusters).size >= LEAST_CLUSTERS
        self._counts = np.concatenate(list(case_counts(clusters, draws, seed))) if enough else None
        self._kept: dict[tuple[int, bytes], Floats] = {}

    def aucs(self, place: int, cases: NDArray[np.bool_]) -> Floats:
        """Of one score on some cases, (draws,); NaN where one side is empty."""
        if self._counts is None:
            return np.empty(0)
        key = (place, cases.tobytes())
        if key not in self._kept:
            self._kept[key] = _aucs(self._scores[cases, place], self._accepted[cases], self._counts[:, cases])
        return self._kept[key]


def _aucs(score: Floats, good: NDArray[np.bool_], counts: Floats) -> Floats:
    """The AUC for each row of case counts, (draws,); NaN where one side is empty."""
    order = np.argsort(score, kind="stable")
    _, starts = np.unique(score[order], return_index=True)
    ordered_counts = counts[:, order]
    yes, no = ordered_counts * good[order], ordered_counts * ~good[order]
    if starts.size < score.size:
        yes, no = (np.add.reduceat(side, starts, axis=1) for side in (yes, no))
    below = np.cumsum(no, axis=1) - no / 2.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((yes * below).sum(axis=1) / (yes.sum(axis=1) * no.sum(axis=1)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupedAuc:
    """The AUC inside each group and over all pairs of one group; arrays of shape (groups,) unless said otherwise.

    Attributes:
        right: Accepted cases.
        wrong: Cases that are not.
        auc: NaN where one side is empty.
        low: Lower end of the 95% interval, NaN where there are too few clusters on one side.
        high: Upper end.
        worth: How many independent cases the pairs of a group are worth to its area; NaN where one side is empty.
        sides: Clusters of its smaller side.
        overall: Over all pairs of an accepted case and one that is not of the same group.
        influence: How much each case moves `overall`, shape (n,); their sum is 0.
    """

    right: Ints
    wrong: Ints
    auc: Floats
    low: Floats
    high: Floats
    worth: Floats
    sides: Ints
    overall: Estimate
    influence: Floats


def grouped_auc(
    scores: Floats, accepted: NDArray[np.bool_], groups: NDArray[np.integer], clusters: NDArray[np.integer], count: int
) -> GroupedAuc:
    r"""The AUC inside each of many groups, in two sorts.

    With :math:`w_i` the cases of the other kind in its group that case i is ordered right with, ties counted half, the
    influence of a case on the AUC A of a group of m accepted and l other cases is :math:`(w_i - A l) / ml`, or
    :math:`(w_i - A m) / ml` if it is not accepted. The variance is the sum of squares of its sums over clusters
    (Obuchowski 1997; DeLong's where each case is alone), and the interval that of Wilson for a share of
    :math:`A(1 - A) / \operatorname{var} A` independent cases: no more than a score of two values would leave, and where
    all are ordered right or all wrong, the clusters of the smaller side. Student's t of that side stands for z.

    Args:
        scores: Higher means accepted, finite, shape (n,).
        accepted: Shape (n,).
        groups: From 0 to `count` - 1, shape (n,).
        clusters: What each case belongs to, whole numbers from 0, shape (n,).
        count: How many groups there are.

    Reference:
        E. DeLong, D. DeLong and D. Clarke-Pearson (1988), Comparing the areas under two or more correlated receiver
        operating characteristic curves. N. Obuchowski (1997), Nonparametric analysis of clustered ROC curve data.
        R. G. Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic.

    >>> areas = grouped_auc(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, False, True, True]),
    ...                     np.zeros(4, dtype=int), np.arange(4), 1)
    >>> areas.auc.tolist(), areas.overall.value
    ([0.875], 0.875)
    """
    right = np.bincount(groups[accepted], minlength=count).astype(np.int64)
    wrong = np.bincount(groups[~accepted], minlength=count).astype(np.int64)
    pairs = (right * wrong).astype(np.float64)
    wins = _wins(scores, accepted, groups, right)
    won = np.bincount(groups[accepted], weights=wins[accepted], minlength=count)
    against = np.where(accepted, wrong[groups], right[groups])
    of_right, of_wrong = (_distinct(groups[side], clusters[side], count) for side in (accepted, ~accepted))
    with np.errstate(invalid="ignore", divide="ignore"):
        areas = won / pairs
        moved = (wins - areas[groups] * against) / pairs[groups]
    spread = _spread(np.nan_to_num(moved), groups, clusters, count)
    least = pairs * (right + wrong) / 16.0
    sides = np.minimum(of_right, of_wrong)
    with np.errstate(invalid="ignore", divide="ignore"):
        worth = _worth(areas, spread, least / pairs**2, sides)
    low, high = _interval(areas, worth, sides)
    both = (pairs > 0)[groups]
    total = float(pairs.sum())
    if not total:
        nothing = Estimate(value=None, low=None, high=None, n=0, method="no group has cases of both kinds")
        return GroupedAuc(
            right=right,
            wrong=wrong,
            auc=areas,
            low=low,
            high=high,
            worth=worth,
            sides=sides,
            overall=nothing,
            influence=np.zeros(scores.size),
        )
    value = float(won.sum()) / total
    influence = np.where(both, (wins - value * against) / total, 0.0)
    smaller = np.array([min(np.unique(clusters[both & side]).size for side in (accepted, ~accepted))])
    one = np.array([value])
    variance = _spread(influence[both], np.zeros(int(both.sum()), dtype=np.int64), clusters[both], 1)
    ends = _interval(one, _worth(one, variance, np.array([float(least.sum()) / total**2]), smaller), smaller)
    defined = not np.isnan(ends[0][0])
    overall = Estimate(
        value=value,
        low=float(ends[0][0]) if defined else None,
        high=float(ends[1][0]) if defined else None,
        n=int(both.sum()),
        method=AUC_METHOD if defined else f"fewer than {LEAST_OF_SIDE} clusters of one kind, no interval",
    )
    return GroupedAuc(
        right=right,
        wrong=wrong,
        auc=areas,
        low=low,
        high=high,
        worth=worth,
        sides=sides,
        overall=overall,
        influence=influence,
    )


def _wins(scores: Floats, accepted: NDArray[np.bool_], groups: NDArray[np.integer], right: Ints) -> Floats:
    """With how many cases of the other kind in its group each case is ordered right, ties counted half."""
    wins = np.zeros(scores.size)
    if not scores.size:
        return wins
    order = np.lexsort((scores, groups))
    group, value, good = groups[order], scores[order], accepted[order]
    fresh = np.append(True, (group[1:] != group[:-1]) | (value[1:] != value[:-1]))
    starts = np.flatnonzero(fresh)
    tied = np.cumsum(fresh) - 1
    of_group = group[starts]
    first = np.append(True, of_group[1:] != of_group[:-1])
    run = np.cumsum(first) - 1
    below = []
    for kind in (good, ~good):
        inside = np.add.reduceat(kind.astype(np.float64), starts)
        before = np.cumsum(inside) - inside
        below.append(before - before[first][run] + inside / 2.0)
    wins[order] = np.where(good, below[1][tied], right[group] - below[0][tied])
    return wins


def _spread(influence: Floats, groups: NDArray[np.integer], clusters: NDArray[np.integer], count: int) -> Floats:
    """The variance of a mean whose cases have so much influence, counting clusters; NaN with one cluster."""
    span = int(clusters.max()) + 1 if clusters.size else 1
    pairs, block = np.unique(groups.astype(np.int64) * span + clusters, return_inverse=True)
    totals = np.bincount(block, weights=influence, minlength=pairs.size)
    cluster_counts = np.bincount(pairs // span, minlength=count)
    squares = np.bincount(pairs // span, weights=totals**2, minlength=count)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(squares * cluster_counts / (cluster_counts - 1), dtype=np.float64)


def _worth(area: Floats, variance: Floats, least: Floats, cluster_counts: Ints) -> Floats:
    """How many independent cases the pairs are worth: those whose share has the variance of the area.

    Args:
        area: Shape (groups,).
        variance: Of the area.
        least: The variance of a score of two values that tells nothing; the effective size is taken no larger than it
            leaves.
        cluster_counts: Clusters of the smaller side.
    """
    bent = area * (1.0 - area)
    with np.errstate(invalid="ignore", divide="ignore"):
        worth = np.where(bent > 0.0, np.minimum(bent / variance, 0.25 / least), cluster_counts)
    return np.where(np.isnan(area), np.nan, worth)


def _interval(area: Floats, worth: Floats, cluster_counts: Ints) -> tuple[Floats, Floats]:
    """Wilson's interval at the number of independent cases that the pairs are worth.

    Args:
        area: Shape (groups,).
        worth: As `_worth` has it.
        cluster_counts: Clusters of the smaller side.
    """
    few = (Z95 / special.stdtrit(np.maximum(cluster_counts - 1, 1), 0.975)) ** 2
    with np.errstate(invalid="ignore", divide="ignore"):
        bent = area * (1.0 - area)
        size = worth * few
        centre = (area + Z95**2 / (2 * size)) / (1 + Z95**2 / size)
        half = Z95 * np.sqrt(bent / size + Z95**2 / (4 * size**2)) / (1 + Z95**2 / size)
    enough = cluster_counts >= LEAST_OF_SIDE
    low = np.where(enough, np.clip(centre - half, 0.0, area), np.nan)
    high = np.where(enough, np.clip(centre + half, area, 1.0), np.nan)
    return low, high


def _distinct(groups: NDArray[np.integer], clusters: NDArray[np.integer], count: int) -> Ints:
    """Clusters of each group."""
    span = int(clusters.max()) + 1 if clusters.size else 1
    keys = np.sort(groups.astype(np.int64) * span + clusters)
    first = np.append(True, keys[1:] != keys[:-1])[: keys.size]
    return np.bincount(keys[first] // span, minlength=count).astype(np.int64)
