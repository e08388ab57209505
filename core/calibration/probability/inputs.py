"""The arguments of a calibration as arrays that fit each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InvalidInput

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Inputs:
    """The arguments as arrays that fit each other."""

    def __init__(
        self,
        scores: ArrayLike,
        labels: ArrayLike,
        levels: int,
        accept_from: int,
        names: Sequence[str] | None,
        clusters: ArrayLike | None,
        random: ArrayLike | None,
        weights: ArrayLike | None,
        groups: Sequence[str] | None,
    ) -> None:
        self.table, self.truth = score_table(scores), np.asarray(labels, dtype=np.float64)
        n, width = self.table.shape
        self.names = tuple(names) if names else tuple(f"score {place + 1}" for place in range(width))
        self.clusters = np.arange(n) if clusters is None else np.asarray(clusters)
        self.random = np.ones(n, dtype=bool) if random is None else np.asarray(random, dtype=bool)
        self.weights = np.ones(n) if weights is None else np.asarray(weights, dtype=np.float64)
        self.groups = None if groups is None else [str(group) for group in groups]
        sizes = {self.truth.shape, self.clusters.shape, self.random.shape, self.weights.shape}
        if sizes != {(n,)} or (self.groups is not None and len(self.groups) != n) or len(self.names) != width:
            raise InvalidInput(
                "Scores, labels, clusters, weights and groups differ in number.", "Give one of each a case."
            )
        if levels < 2 or not 1 <= accept_from < levels:
            raise InvalidInput(
                f"There are {levels} levels, accepted from level {accept_from} on.",
                "Give at least two levels, with at least one on either side.",
            )
        self.labelled = ~np.isnan(self.truth)
        self.scored = np.isfinite(self.table).all(axis=1)
        label_values = self.truth[self.labelled]
        if not np.isin(label_values, np.arange(levels)).all():
            raise InvalidInput(
                f"A label is not one of the levels 0 to {levels - 1}.",
                "Give whole levels; a mean of raters becomes accepted or not accepted first.",
            )
        label_weights = self.weights[self.labelled]
        if not np.isfinite(label_weights).all() or (label_weights <= 0.0).any():
            raise InvalidInput("A weight is not a number above 0.", "Give one over the chance to be labelled a case.")


def score_table(scores: ArrayLike) -> Floats:
    """Scores as a table, one row a case.

    Raises:
        InvalidInput: There is no score.
    """
    table = np.asarray(scores, dtype=np.float64)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2 or not table.shape[1]:
        raise InvalidInput("There is no score.", "Give at least one score a case.")
    return table


def as_probability(all_scores: Floats, table: Floats, fit: Bools) -> tuple[Floats, str]:
    """The score read as a probability, before calibration, and how."""
    low, high = all_scores.min(axis=0), all_scores.max(axis=0)
    bounded = (low >= 0.0) & (high <= 1.0)
    lowest, highest = table[fit].min(axis=0), table[fit].max(axis=0)
    span = np.where(highest > lowest, highest - lowest, 1.0)
    columns = np.where(bounded, table, np.clip((table - lowest) / span, 0.0, 1.0))
    description = (
        "the score itself, which lies between 0 and 1"
        if bounded.all()
        else "the score with its range in the fit part brought to 0 to 1"
        if not bounded.any()
        else "scores between 0 and 1 themselves, the others with their range in the fit part brought to 0 to 1"
    )
    return columns.mean(axis=1), description if table.shape[1] == 1 else f"the mean of the scores: {description}"
