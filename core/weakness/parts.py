"""The figures of every part of a map, and which parts are weak."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.stats import benjamini_hochberg, grouped_means
from core.weakness.blocks import Blocks, blocks_of
from core.weakness.options import WeaknessOptions
from core.weakness.table import Bools, Floats, Ints, ScoreColumn
from core.weakness.testing import lower_tails


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parts:
    """Figures of the parts of a map; arrays of shape (parts,), NaN where there is no such figure.

    Attributes:
        n: Cases.
        scored: Cases with a score.
        clusters: Clusters with a score.
        mean: Of the scored cases.
        low: Lower end of its 95% interval, over clusters.
        high: Upper end.
        rest: Mean of all scored cases outside the part.
        effect: How much worse than the rest, positive is worse, in units of the score.
        p_value: One-sided, of no difference from the rest; NaN where a part was not tested.
        p_adjusted: After Benjamini and Hochberg over the parts tested.
        weak: Shown at the false discovery rate and at least the least effect.
        small: Shown at the false discovery rate, and less than the least effect.
    """

    n: Ints
    scored: Ints
    clusters: Ints
    mean: Floats
    low: Floats
    high: Floats
    rest: Floats
    effect: Floats
    p_value: Floats
    p_adjusted: Floats
    weak: Bools
    small: Bools


def parts_of(
    score: ScoreColumn, codes: Ints, clusters: Ints, count: int, options: WeaknessOptions
) -> tuple[Parts, Blocks]:
    """The figures of parts of the cases, and the blocks they were tested with.

    A part is compared with all other cases that lie in some part; those in none (code -1) are left out. Cases without a
    score are counted and have no other effect: they make no part weak and none good.

    Args:
        score: Of each case.
        codes: The part of each case, -1 for none, shape (n,).
        clusters: Of each case, whole numbers from 0, shape (n,).
        count: Number of parts.
        options: What counts as weak.
    """
    n = np.bincount(codes[codes >= 0], minlength=count).astype(np.int64)
    scored_cases = (codes >= 0) & ~np.isnan(score.values)
    values, parts, groups = score.values[scored_cases], codes[scored_cases], clusters[scored_cases]
    means = grouped_means(values, parts, groups, count, low=score.low, high=score.high)
    sums = np.bincount(parts, weights=values, minlength=count)
    blocks = blocks_of(score.sign * values, parts, groups)
    with np.errstate(invalid="ignore", divide="ignore"):
        rest = (sums.sum() - sums) / (values.size - means.n)
    effect = score.sign * (rest - means.mean)
    p_value, blocks_in_part = lower_tails(blocks, count)
    p_value[(blocks_in_part < options.least) | (blocks.part.size - blocks_in_part < options.least)] = np.nan
    adjusted = benjamini_hochberg(p_value)
    with np.errstate(invalid="ignore"):
        significant = (adjusted <= options.q) & (effect > 0.0)
        enough = effect >= least_effect(score, options) - 1e-12
    parts_figures = Parts(
        n=n,
        scored=means.n,
        clusters=means.clusters,
        mean=means.mean,
        low=means.low,
        high=means.high,
        rest=rest,
        effect=effect,
        p_value=p_value,
        p_adjusted=adjusted,
        weak=significant & enough,
        small=significant & ~enough,
    )
    return parts_figures, blocks


def least_effect(score: ScoreColumn, options: WeaknessOptions) -> float:
    """The least effect in units of the score: of its standard deviation where it has no bounds."""
    if score.low is not None and score.high is not None:
        return options.min_effect * (score.high - score.low)
    values = score.values[~np.isnan(score.values)]
    return options.min_effect * float(values.std()) if values.size else options.min_effect
