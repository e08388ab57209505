"""Does a score separate correct from incorrect inside slices, or only through differences between slices?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from core.domain.errors import InvalidInput
from core.domain.estimates import Estimate
from core.stats.auc import LEAST_OF_SIDE, GroupedAuc, grouped_auc
from core.weakness.table import Attribute, Bools, Ints

HoldingVerdict = Literal["holds", "comes from differences between levels", "no better than chance", "too few"]
HOLDS: HoldingVerdict = "holds"
LEVELS: HoldingVerdict = "comes from differences between levels"
CHANCE: HoldingVerdict = "no better than chance"
FEW: HoldingVerdict = "too few"

MOST = 0.5
"""The largest share of the pooled AUC's excess over one half that may be lost inside the levels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelHolding:
    """One level of an attribute.

    Attributes:
        level: Its name.
        right: Cases that are right, with a score.
        wrong: Cases that are wrong, with a score.
        auc: Chance that a right one scores above a wrong one of this level; no value where one of both is missing.
    """

    level: str
    right: int
    wrong: int
    auc: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """A score against the verdict, over all cases and inside the levels of an attribute.

    Attributes:
        attribute: Its name.
        right: Cases that are right, with a score and a level.
        wrong: The same of those that are wrong.
        outside: Cases with score and verdict that lack the attribute; they are in no figure.
        unscored: Cases without score or verdict; they are in no figure.
        pooled: The AUC over all pairs of a right and a wrong case.
        within: The AUC over the pairs of one level only, the mean of the levels weighted by their pairs.
        lost: The pooled AUC less that within the levels.
        share: That as a share of the pooled AUC's excess over one half; None without an excess.
        pairs_inside: Share of all pairs that lie in one level.
        levels: Those that have a case, in the order of the attribute.
        verdict: "holds" inside the levels; "comes from differences between levels", all or most of it; "no better than
            chance" either way; or "too few" cases to decide.
        sentence: The same in plain words.
    """

    attribute: str
    right: int
    wrong: int
    outside: int
    unscored: int
    pooled: Estimate
    within: Estimate
    lost: Estimate
    share: float | None
    pairs_inside: float
    levels: tuple[LevelHolding, ...]
    verdict: HoldingVerdict
    sentence: str


def score_within(
    score: ArrayLike, verdict: ArrayLike, clusters: ArrayLike, attribute: Attribute, *, higher_is_better: bool = True
) -> Holding:
    """Compares how well a score separates correct from incorrect over all cases and among cases of one level.

    Where corpora that differ in the share of correct answers also differ in the level of a score, the score correlates
    with correctness over all cases, although inside each corpus it may carry no information (Simpson's paradox).

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
    # With one level there is no comparison inside levels.
    result = _verdict(pooled.overall, inside.overall, lost, share) if len(levels) > 1 else FEW
    pairs = float(pooled.right[0] * pooled.wrong[0])
    return Holding(
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
        verdict=result,
        sentence=_sentence(attribute.name, result, pooled.overall, inside.overall, len(levels)),
    )


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


def _verdict(pooled: Estimate, within: Estimate, lost: Estimate, share: float | None) -> HoldingVerdict:
    if pooled.low is None or within.low is None or lost.low is None:
        return FEW
    between = lost.low > 0.0 and share is not None and share >= MOST
    if within.low > 0.5:
        return LEVELS if between else HOLDS
    if pooled.low > 0.5:
        return LEVELS if between else FEW
    return CHANCE


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


def _sentence(name: str, verdict: HoldingVerdict, pooled: Estimate, within: Estimate, levels: int) -> str:
    """The verdict with its figures."""
    if pooled.value is None:
        return "There are no cases with a score both among the right and among the wrong ones."
    if within.value is None:
        return f"No level of {name} has both right and wrong cases, so the score cannot be assessed inside the levels."
    if levels == 1:
        return f"All cases have one level of {name}: inside it the figures are those of all cases."
    figures = f"AUC {_figure(within)} inside the levels of {name}, {_figure(pooled)} over all cases"
    if verdict == FEW:
        return f"There are too few cases to decide whether the score holds: {figures}."
    if verdict == CHANCE:
        return f"The score is not shown to separate right from wrong: {figures}."
    if verdict == HOLDS:
        return f"The score separates right from wrong inside the levels too: {figures}."
    part = "Most of the score's discrimination" if within.low is not None and within.low > 0.5 else "The discrimination"
    return f"{part} comes from differences between levels: {figures}."


def _figure(area: Estimate) -> str:
    if area.low is None or area.high is None:
        return f"{area.value:.2f}"
    return f"{area.value:.2f} [{area.low:.2f}, {area.high:.2f}]"
