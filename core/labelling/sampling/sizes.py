"""Sizes of cases in a targeted draw, to which chances are proportional: uncertainty, disagreement, coverage."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.stats.ranks.rank_correlation import midranks

Floats = npt.NDArray[np.float64]

NEAR = 0.1
"""At this distance from the threshold a case has half the size of one at the threshold."""


def uncertainty_sizes(values: Floats, threshold: float, *, probability: bool) -> Floats:
    r"""Cases near a threshold, :math:`1 / (1 + (d / 0.1)^2)`; every scored case has a size above 0.

    The distance d is that of probabilities, or for any other score that of its ranks: the share of the scored cases
    that lie between the case and the threshold, so that the unit of the metric does not matter.

    Args:
        values: A probability or a score each, NaN for none, shape (n,).
        threshold: In the unit of the values.
        probability: Whether values are probabilities.

    Returns:
        Shape (n,), 0 where there is no value.

    >>> uncertainty_sizes(np.array([0.5, 0.4, float("nan")]), 0.5, probability=True).round(3).tolist()
    [1.0, 0.5, 0.0]
    """
    scored = ~np.isnan(values)
    sizes = np.zeros(values.shape)
    if not scored.any():
        return sizes
    scores = values[scored]
    if probability:
        distance = scores - threshold
    else:
        at = ((scores < threshold).sum() + (scores == threshold).sum() / 2.0) / scores.size
        distance = (midranks(scores) - 0.5) / scores.size - at
    sizes[scored] = 1.0 / (1.0 + np.square(distance / NEAR))
    return sizes


def disagreement_sizes(scores: Floats, lower: Sequence[bool]) -> Floats:
    """Cases on which metrics differ: the squared distance between a case's highest and lowest rank, each in 0 to 1.

    Args:
        scores: Shape (n, metrics), NaN for none.
        lower: For each metric, whether lower is better; ranks then go the other way.

    Returns:
        Shape (n,), 0 where fewer than two metrics have a value.

    >>> disagreement_sizes(np.array([[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]), [False, False]).tolist()
    [1.0, 0.0, 1.0]
    """
    ranks = np.full(scores.shape, np.nan)
    for column, turned in enumerate(lower):
        values = scores[:, column]
        scored = ~np.isnan(values)
        if scored.sum() >= 2:
            turned_values = -values[scored] if turned else values[scored]
            ranks[scored, column] = (midranks(turned_values) - 1.0) / (turned_values.size - 1.0)
    several = (~np.isnan(ranks)).sum(axis=1) >= 2
    sizes = np.zeros(len(scores))
    if several.any():
        sizes[several] = np.square(np.nanmax(ranks[several], axis=1) - np.nanmin(ranks[several], axis=1))
    return sizes


def score_strata(values: Floats, bins: int, name: str, topics: Sequence[str] | None) -> tuple[str, ...]:
    """The stratum of each case: a part of the score's range, equally wide, and its topic.

    Args:
        values: A score each, NaN for none, shape (n,).
        bins: Parts of the range from the lowest to the highest score.
        name: Of the score.
        topics: Of each case, None where topics do not matter.

    Returns:
        Names such as ``groundedness 0.2 to 0.4, loans``; empty where there is no value.

    >>> score_strata(np.array([0.0, 0.2, 1.0, float("nan")]), 2, "recall", None)
    ('recall 0 to 0.5', 'recall 0 to 0.5', 'recall 0.5 to 1', '')
    """
    scored = ~np.isnan(values)
    if not scored.any():
        return ("",) * values.size
    low, high = float(values[scored].min()), float(values[scored].max())
    count = bins if high > low else 1
    edges = np.linspace(low, high, count + 1)
    names = [f"{name} {edges[place]:.3g} to {edges[place + 1]:.3g}" for place in range(count)]
    parts = np.minimum(np.searchsorted(edges, values, side="right") - 1, count - 1).tolist()
    labels = [names[part] if has_score else "" for part, has_score in zip(parts, scored.tolist(), strict=True)]
    if topics is None:
        return tuple(labels)
    return tuple(f"{label}, {topic}" if label and topic else label for label, topic in zip(labels, topics, strict=True))


def coverage_sizes(strata: Sequence[str]) -> Floats:
    """Every stratum equally, however many cases it has; 0 where there is none.

    >>> coverage_sizes(["a", "a", "b", ""]).tolist()
    [0.5, 0.5, 1.0, 0.0]
    """
    names, index, counts = np.unique(np.asarray(strata, dtype=str), return_inverse=True, return_counts=True)
    return np.asarray(np.where(names[index] == "", 0.0, 1.0 / counts[index]), dtype=np.float64)
