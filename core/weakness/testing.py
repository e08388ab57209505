"""Is a part worse than the rest? A permutation test of each part of a map, in closed form."""

from __future__ import annotations

import numpy as np

from core.weakness.blocks import Blocks
from core.weakness.table import Floats, Ints

NEXT_TO = 1e-9
"""Values this near count as equal."""


def lower_tails(blocks: Blocks, count: int) -> tuple[Floats, Ints]:
    r"""The chance of each part to be as low as it is if parts were dealt to the blocks at random.

    Each block is brought to one scale, :math:`z_b = \sqrt{w_b}(\bar y_b - \bar y)` with its worth :math:`w_b`, so that
    large and small blocks can stand for each other. The statistic of a part is the sum of its :math:`z_b`; under the
    null hypothesis it is the sum of a sample without replacement from all of them. Where z takes two values that sum is
    hypergeometric (Fisher's test) and the chance is its mid-p: that of less, and half of that of exactly so much.
    Else the distribution is Pearson's type III with the exact mean, variance and skewness of that sample (Mielke and
    Berry 2007), which gives the mid-p where z lies on a grid. A plain p-value of so few counts is well above what it
    promises, and an adjustment over many of them loses the more (Heller and Gur 2011); simulations hold the rate of
    false discoveries all the same (tests/statistical/test_weakness_statistics.py).

    Blocks of one cluster in different parts are treated as independent. They resemble each other, so the difference of
    a part from the rest varies less than assumed: the test is conservative.

    Args:
        blocks: Of the scored cases, higher is better.
        count: Number of parts.

    Returns:
        The chance for each part, shape (count,), NaN where it has no block or all; and how many blocks it has.
    """
    blocks_in_part = np.bincount(blocks.part, minlength=count).astype(np.int64)
    total = blocks.part.size
    tails = np.full(count, np.nan)
    tested = (blocks_in_part > 0) & (blocks_in_part < total)
    if not tested.any():
        return tails, blocks_in_part
    overall = float((blocks.weight * blocks.mean).sum() / blocks.weight.sum())
    z = np.sqrt(blocks.weight) * (blocks.mean - overall)
    distinct = np.unique(np.round(z / max(float(np.abs(z).max()), NEXT_TO) / NEXT_TO))
    if distinct.size == 1:
        tails[tested] = 1.0
        return tails, blocks_in_part
    if distinct.size == 2:
        good = z > z.mean()
        inside = np.bincount(blocks.part, weights=good, minlength=count).astype(np.int64)
        from scipy import stats

        # Many parts are alike in both counts, and the distribution is slow.
        kinds, kind = np.unique(np.stack([inside[tested], blocks_in_part[tested]]), axis=1, return_inverse=True)
        arguments = (kinds[0], total, int(good.sum()), kinds[1])
        tails[tested] = (stats.hypergeom.cdf(*arguments) - 0.5 * stats.hypergeom.pmf(*arguments))[kind.ravel()]
        return tails, blocks_in_part
    sums = np.bincount(blocks.part, weights=z, minlength=count).astype(np.float64)
    tails[tested] = _pearson(z, sums[tested], blocks_in_part[tested])
    return tails, blocks_in_part


def _pearson(z: Floats, sums: Floats, sizes: Ints) -> Floats:
    """P(S < s) + P(S = s) / 2 of the sum of a sample without replacement."""
    from scipy import stats

    total = z.size
    centred = z - z.mean()
    second, third = float((centred**2).mean()), float((centred**3).mean())
    share = sizes / total
    # Moments of a sum without replacement: k2 and k3 of a finite population (Wishart 1952).
    variance = sizes * (1.0 - share) * second * total / (total - 1)
    skew = np.zeros(sizes.size)
    if total > 2:
        cubes = sizes * (1.0 - share) * (1.0 - 2.0 * share) * third * total**2 / ((total - 1) * (total - 2))
        skew = cubes / variance**1.5
    standing = (sums - sizes * z.mean()) / np.sqrt(variance)
    return np.asarray(stats.pearson3.cdf(standing, skew), dtype=np.float64)
