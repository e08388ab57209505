"""The smallest change that a paired comparison could have shown."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from core.stats.resampling import LEAST_CLUSTERS

POWER = 0.8
LEVEL = 0.05


def smallest_detectable(
    differences: ArrayLike, *, comparisons: int = 1, power: float = POWER, level: float = LEVEL, span: float = 1.0
) -> float | None:
    r"""The mean change that a test of these paired differences would find with a given power.

    The change is the d that solves

    .. math:: d = (t_{1 - \alpha / 2m} + t_{power}) \sqrt{\frac{s^2 + d (span - d)}{G}},

    but at least k span / G, with G clusters, m comparisons, the standard deviation s of the clusters' differences, to
    which one more as far above zero as the farthest is added and one as far below (`span` where none differs), and the
    fewest clusters k that all have to change in one direction before flipping their signs can reach the level,
    2 / 2^k <= alpha / m. The second term under the root is the spread of the change itself, which comes as verdicts
    that flip by `span` in some clusters and not at all in others.

    Args:
        differences: One per cluster, shape (G,).
        comparisons: Tests that are adjusted for together; each is taken to need level / m, as Holm's first does.
        power: The chance of finding it, in (0.5, 1).
        level: Of the test, two-sided.
        span: The largest difference possible.

    Returns:
        The change, above 0; None with fewer than six clusters, or where even the largest change would not be found.

    Reference:
        J. Cohen (1988), Statistical power analysis for the behavioral sciences, chapter 2.

    >>> values = [0.0] * 90 + [1.0] * 5 + [-1.0] * 5
    >>> round(smallest_detectable(values), 3), smallest_detectable([0.0] * 5) is None
    (0.138, True)
    """
    values = np.asarray(differences, dtype=np.float64)
    count = int(values.size)
    if count < LEAST_CLUSTERS:
        return None
    strict = level / max(comparisons, 1)
    farthest = float(np.abs(values).max()) or span
    steadied = np.append(values, (farthest, -farthest))
    spread = float(steadied.std(ddof=1))
    quantiles = float(special.stdtrit(count - 1, 1.0 - strict / 2.0)) + float(special.stdtrit(count - 1, power))
    fewest = math.ceil(1.0 - math.log2(strict))
    square = quantiles**2 / count
    # d^2 (1 + square) - square * span * d - square * spread^2 = 0
    half = square * span / 2.0
    solved = (half + math.sqrt(half**2 + (1.0 + square) * square * spread**2)) / (1.0 + square)
    change = max(solved, fewest * span / count)
    return change if change <= span else None


def smallest_detectable_between(
    first: ArrayLike, second: ArrayLike, *, comparisons: int = 1, power: float = POWER, level: float = LEVEL
) -> float | None:
    r"""The difference of two means that a test of unpaired clusters would find with a given power.

    .. math:: d = (t_{1 - \alpha / 2m} + t_{power}) \sqrt{\frac{s_1^2}{G_1} + \frac{s_2^2}{G_2}},

    with the degrees of freedom of the smaller side, so that it is rather too large than too small. As above each side's
    spread is taken with one cluster more at either end of the values of both, so that no side has none.

    Args:
        first: One share per cluster, shape (G1,).
        second: Those of the other side, shape (G2,).
        comparisons: Tests that are adjusted for together.
        power: The chance of finding it, in (0.5, 1).
        level: Of the test, two-sided.

    Returns:
        The difference, above 0; None with fewer than six clusters on a side, or where not even a difference of 1 would
        be found.

    >>> sides = [0.0] * 30 + [1.0] * 30
    >>> round(smallest_detectable_between(sides, sides), 2), smallest_detectable_between(sides, [1.0] * 5) is None
    (0.26, True)
    """
    sides = [np.asarray(side, dtype=np.float64) for side in (first, second)]
    fewest = min(side.size for side in sides)
    if fewest < LEAST_CLUSTERS:
        return None
    values = np.concatenate(sides)
    low, high = (float(values.min()), float(values.max())) if np.ptp(values) else (0.0, 1.0)
    variance = sum(float(np.append(side, (low, high)).var(ddof=1)) / side.size for side in sides)
    strict = level / max(comparisons, 1)
    quantiles = float(special.stdtrit(fewest - 1, 1.0 - strict / 2.0)) + float(special.stdtrit(fewest - 1, power))
    change = quantiles * math.sqrt(variance)
    return change if change <= 1.0 else None
