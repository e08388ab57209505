"""Metrics of a run beside each other: how they are spread, how they go together, where they disagree most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from core.domain.estimates import Estimate
from core.metrics.direction import lower_is_better
from core.runs.scores.edits import score_range
from core.runs.scores.summary import ScoreMatrix
from core.stats.ranks.rank_correlation import midranks, rank_correlation

BINS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """A histogram of one metric.

    Attributes:
        edges: Ends of the bins, one more than `counts`.
        counts: Cases in each bin; a value on an inner edge belongs to the bin above it.
        n: Cases with a value.
        of: Cases of the run.
        low: Least possible value, None where there is no bound.
        high: Greatest possible value, None where there is no bound.
    """

    name: str
    edges: tuple[float, ...]
    counts: tuple[int, ...]
    n: int
    of: int
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Two metrics of a run.

    Attributes:
        estimate: Spearman's rank correlation with its interval, and the cases where both are scored; its value is None
            where there is none, with the reason as its method.
        clusters: Filled SQL queries among those cases.
    """

    a: str
    b: str
    estimate: Estimate
    clusters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlations:
    """Every pair of some metrics.

    Attributes:
        names: The metrics.
        pairs: By the two names, the one that comes first in `names` first.
    """

    names: tuple[str, ...]
    pairs: Mapping[tuple[str, str], Correlation]

    def of(self, a: str, b: str) -> Correlation:
        """The correlation of two metrics, in whatever order."""
        return self.pairs[a, b] if (a, b) in self.pairs else self.pairs[b, a]


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A case that two metrics see differently.

    Attributes:
        a: Value of the first metric.
        b: Value of the second metric.
        a_rank: Its rank among the cases both scored, 0 the worst and 1 the best; equal values share their mean rank.
        b_rank: The same for the second metric.
        difference: `a_rank` minus `b_rank`.
    """

    case_id: str
    a: float
    b: float
    a_rank: float
    b_rank: float
    difference: float


def distribution(matrix: ScoreMatrix, name: str, bins: int = BINS) -> Distribution:
    """How the values of a metric are spread over its range, or over what was seen where it has no bound.

    Raises:
        InvalidInput: The matrix does not have the metric.
    """
    column = matrix.column(name)
    values = column[~np.isnan(column)]
    low, high = score_range(name)
    seen_low, seen_high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    start, end = seen_low if low is None else low, seen_high if high is None else high
    if end <= start:
        end = start + 1.0
    counts, edges = np.histogram(values, bins=bins, range=(min(start, seen_low), max(end, seen_high)))
    return Distribution(
        name=name,
        edges=tuple(edges.tolist()),
        counts=tuple(counts.tolist()),
        n=int(values.size),
        of=len(matrix.case_ids),
        low=low,
        high=high,
    )


def correlations(matrix: ScoreMatrix) -> Correlations:
    """Spearman's rank correlation of every pair of metrics, each over the cases where both are scored.

    The interval counts clusters, see :func:`core.stats.ranks.rank_correlation.rank_correlation`.
    """
    coefficients = {}
    for first, second in combinations(range(len(matrix.names)), 2):
        a, b = matrix.values[:, first], matrix.values[:, second]
        both = ~(np.isnan(a) | np.isnan(b))
        clusters = matrix.clusters[both]
        names = matrix.names[first], matrix.names[second]
        coefficients[names] = Correlation(
            a=names[0],
            b=names[1],
            estimate=rank_correlation(a[both], b[both], clusters),
            clusters=int(np.unique(clusters).size),
        )
    return Correlations(names=matrix.names, pairs=coefficients)


def disagreements(matrix: ScoreMatrix, a: str, b: str, n: int = 20) -> tuple[Disagreement, ...]:
    """The cases where two metrics disagree most, the greatest difference of ranks first.

    Ranks go in the direction that is better for each metric, so that a distance and a similarity can be compared.
    Equal differences keep the order of the test set.

    Args:
        matrix: With both metrics; the verdict may be one of them.
        a: The one metric.
        b: The other metric.
        n: The most to return.

    Returns:
        The cases; none where fewer than two cases have both.

    Raises:
        InvalidInput: The matrix does not have a metric.
    """
    first, second = matrix.column(a), matrix.column(b)
    both = np.flatnonzero(~(np.isnan(first) | np.isnan(second)))
    if both.size < 2:
        return ()
    a_ranks, b_ranks = _scaled(a, first[both]), _scaled(b, second[both])
    difference = a_ranks - b_ranks
    order = np.argsort(-np.abs(difference), kind="stable")[:n]
    return tuple(
        Disagreement(
            case_id=matrix.case_ids[both[place]],
            a=float(first[both[place]]),
            b=float(second[both[place]]),
            a_rank=float(a_ranks[place]),
            b_rank=float(b_ranks[place]),
            difference=float(difference[place]),
        )
        for place in order
    )


def _scaled(name: str, values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    better = -values if lower_is_better(name) else values
    return np.asarray((midranks(better) - 1.0) / (values.size - 1), dtype=np.float64)
