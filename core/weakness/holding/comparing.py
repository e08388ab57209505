"""Does a score separate correct from incorrect inside slices, or only through differences between slices?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.stats import benjamini_hochberg
from core.stats.ranks.auc import LEAST_OF_SIDE, GroupedAuc, grouped_auc
from core.stats.ranks.equal_areas import equal_areas
from core.weakness.holding.deciding import decided
from core.weakness.holding.records import Holding, LevelHolding
from core.weakness.table import Attribute, Bools, CaseTable, Floats, Ints


def score_within(
    score: ArrayLike, verdict: ArrayLike, clusters: ArrayLike, attribute: Attribute, *, higher_is_better: bool = True
) -> Holding:
    """Compares how well a score separates correct from incorrect over all cases and among cases of one level.

    Where corpora that differ in the share of correct answers also differ in the level of a score, the score correlates
    with correctness over all cases, although inside each corpus it may carry no information (Simpson's paradox). And
    where it separates well in one corpus, it may separate nothing in another, although it does so on average.

    Args:
        score: Of each case, NaN where there is none; shape (n,).
        verdict: 1 for right, 0 for wrong, NaN where not judged; shape (n,).
        clusters: What each case belongs to, whole numbers from 0; shape (n,).
        attribute: The attribute whose levels divide the cases.
        higher_is_better: The direction of the score.

    Raises:
        InvalidInput: The arrays differ in length, or a verdict is neither right nor wrong.
    """
    scores, verdicts = np.asarray(score, dtype=np.float64), np.asarray(verdict, dtype=np.float64)
    groups = np.asarray(clusters, dtype=np.int64)
    if not scores.shape == verdicts.shape == groups.shape == attribute.codes.shape or scores.ndim != 1:
        raise InvalidInput("Scores, verdicts, clusters and levels differ in number.", "Give one of each a case.")
    judged = ~np.isnan(scores) & ~np.isnan(verdicts)
    if not np.isin(verdicts[judged], (0.0, 1.0)).all():
        raise InvalidInput("A verdict is neither right nor wrong.", "Give 1 for right and 0 for wrong.")
    included = judged & (attribute.codes >= 0)
    oriented = scores[included] if higher_is_better else -scores[included]
    right, level, cluster = verdicts[included] == 1.0, attribute.codes[included], groups[included]
    pooled = grouped_auc(oriented, right, np.zeros(right.size, dtype=np.int64), cluster, 1)
    inside = grouped_auc(oriented, right, level, cluster, len(attribute.levels))
    lost = _lost(pooled, inside, right, level, cluster)
    share = _share(pooled.overall, lost)
    levels = _levels(attribute, inside)
    equality = equal_areas(inside)
    pairs = float(pooled.right[0] * pooled.wrong[0])
    return decided(
        Holding(
            attribute=attribute.name,
            right=int(pooled.right[0]),
            wrong=int(pooled.wrong[0]),
            outside=int((judged & ~included).sum()),
            unscored=int((~judged).sum()),
            pooled=pooled.overall,
            within=inside.overall,
            lost=lost,
            share=share,
            pairs_inside=float((inside.right * inside.wrong).sum()) / pairs if pairs else 0.0,
            levels=levels,
            equality=equality,
            p_adjusted=equality.p_value,
        )
    )


def scores_within(table: CaseTable, verdict: Floats, names: Sequence[str]) -> tuple[Holding, ...]:
    """Each of several attributes, the p-values of equal areas adjusted over them by Benjamini and Hochberg.

    Args:
        table: The cases with a score that is no verdict, as it is, without a threshold.
        verdict: 1 for right, 0 for wrong, NaN where not judged; shape (n,).
        names: The attributes.

    Raises:
        InvalidInput: The arrays differ in length, or a verdict is neither right nor wrong.
    """
    score = table.score
    holdings = [
        score_within(
            score.values, verdict, table.clusters, table.attribute(name), higher_is_better=score.higher_is_better
        )
        for name in names
    ]
    tested = [place for place, holding in enumerate(holdings) if holding.equality.p_value is not None]
    adjusted = benjamini_hochberg([holdings[place].equality.p_value or 0.0 for place in tested])
    for place, p_value in zip(tested, adjusted.tolist(), strict=True):
        holdings[place] = decided(replace(holdings[place], p_adjusted=float(p_value)))
    return tuple(holdings)


def _lost(pooled: GroupedAuc, inside: GroupedAuc, right: Bools, level: Ints, cluster: Ints) -> Estimate:
    """The difference of both areas; cases affect both, so the interval is that of their differences."""
    pooled_area, inner_area = pooled.overall, inside.overall
    if pooled_area.value is None or inner_area.value is None:
        return Estimate(value=None, low=None, high=None, n=pooled_area.n, method=inner_area.method)
    value = pooled_area.value - inner_area.value
    if pooled_area.low is None or inner_area.low is None:
        return Estimate(value=value, low=None, high=None, n=pooled_area.n, method=inner_area.method)
    totals = np.bincount(np.unique(cluster, return_inverse=True)[1], weights=pooled.influence - inside.influence)
    count = totals.size
    error = float(np.sqrt(count / (count - 1) * np.square(totals).sum()))
    side = min(np.unique(cluster[right]).size, np.unique(cluster[~right]).size)
    reach = float(special.stdtrit(side - 1, 0.975)) * error
    return Estimate(
        value=value,
        low=max(value - reach, -1.0),
        high=min(value + reach, 1.0),
        n=pooled_area.n,
        method="difference of two areas, cluster-robust t 95%",
    )


def _share(pooled: Estimate, lost: Estimate) -> float | None:
    if pooled.value is None or lost.value is None or pooled.value <= 0.5:
        return None
    return lost.value / (pooled.value - 0.5)


def _levels(attribute: Attribute, inside: GroupedAuc) -> tuple[LevelHolding, ...]:
    holdings = []
    for number in np.flatnonzero(inside.right + inside.wrong).tolist():
        right, wrong = int(inside.right[number]), int(inside.wrong[number])
        value, low, high = (float(column[number]) for column in (inside.auc, inside.low, inside.high))
        if not right or not wrong:
            method = f"all cases are {'right' if right else 'wrong'}"
        elif np.isnan(low):
            method = f"fewer than {LEAST_OF_SIDE} clusters of one kind, no interval"
        else:
            method = inside.overall.method
        holdings.append(
            LevelHolding(
                level=attribute.levels[number],
                right=right,
                wrong=wrong,
                auc=Estimate(
                    value=_or_none(value), low=_or_none(low), high=_or_none(high), n=right + wrong, method=method
                ),
            )
        )
    return tuple(holdings)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
