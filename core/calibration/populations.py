"""Whether two sets of cases have the same distribution of a score, when cases share sources."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.stats.comparisons.permutation import permuted_blocks

Floats = NDArray[np.float64]

DRAWS = 999


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationCheck:
    """The scores of the labelled random cases against those of the others.

    Attributes:
        name: Of the score.
        distance: Largest gap of the two distribution functions (Kolmogorov and Smirnov's), 0 to 1.
        p_value: Share of exchanges of clusters with as large a gap.
        shift: Mean of the labelled less that of the others, in standard deviations of all; 0 where all are equal.
        labelled: Labelled random cases with a score.
        rest: Other cases with a score.
        clusters: Clusters, a cluster with cases on both sides counted on each.
    """

    name: str
    distance: float
    p_value: float
    shift: float
    labelled: int
    rest: int
    clusters: int
    method: str = ""


def compare_populations(
    scores: ArrayLike,
    labelled: ArrayLike,
    clusters: ArrayLike,
    *,
    name: str = "score",
    seed: int = 0,
    draws: int = DRAWS,
) -> PopulationCheck | None:
    """Tests whether the scores of labelled cases are distributed as those of the others, by exchanging whole clusters.

    The cases of a cluster on one side move together, so cases that share a source count as one. Where a cluster has
    cases on both sides, which resemble each other, the test is conservative.

    Args:
        scores: One a case, shape (n,); NaN where there is none: such cases are left out.
        labelled: Whether the case is on the first side, shape (n,).
        clusters: What each case belongs to, shape (n,).
        name: Of the score.
        seed: Of the exchanges.
        draws: How many; the observed division counts as one of them.

    Returns:
        The comparison; None where a side has no case.

    Reference:
        J. Romano (1989), Bootstrap and randomization tests of some nonparametric hypotheses.
    """
    values = np.asarray(scores, dtype=np.float64)
    there = np.isfinite(values)
    values, side = values[there], np.asarray(labelled, dtype=bool)[there]
    if not side.any() or side.all():
        return None
    _, groups = np.unique(np.asarray(clusters)[there], return_inverse=True)
    _, units = np.unique(groups * 2 + side, return_inverse=True)
    order = np.argsort(values, kind="stable")
    values, side, units = values[order], side[order], units[order]
    last = np.append(np.diff(values) > 0.0, True)
    count = int(units.max()) + 1
    first = np.zeros(count, dtype=bool)
    first[units] = side
    observed = float(_gaps(side[None, :], last)[0])
    blocks = permuted_blocks(first, draws, seed, values.size)
    extreme = sum(int((_gaps(sides[:, units], last) >= observed - 1e-12).sum()) for sides in blocks)
    spread = float(values.std())
    return PopulationCheck(
        name=name,
        distance=observed,
        p_value=(extreme + 1) / (draws + 1),
        shift=float(values[side].mean() - values[~side].mean()) / spread if spread > 0.0 else 0.0,
        labelled=int(side.sum()),
        rest=int((~side).sum()),
        clusters=count,
        method=f"Kolmogorov-Smirnov distance, {draws:,} exchanges of clusters",
    )


def _gaps(sides: NDArray[np.bool_], last: NDArray[np.bool_]) -> Floats:
    """The largest gap of the two distribution functions for each row of sides, (draws,)."""
    ones = np.cumsum(sides, axis=1, dtype=np.float64)
    upto = np.arange(1, sides.shape[1] + 1, dtype=np.float64)
    total = ones[:, -1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = np.abs(ones / total - (upto - ones) / (sides.shape[1] - total))
    return np.asarray(np.where(np.isfinite(gaps), gaps, 0.0)[:, last].max(axis=1))
