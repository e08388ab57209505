"""Figures of agreement: each is a value, or the reason why the table of labels gives none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate, Proportion
from core.stats import (
    FleissKappa,
    Level,
    Weights,
    fleiss_kappa,
    krippendorff_alpha,
    mean_pairwise_kappa,
    weighted_kappa,
    wilson,
)
from core.stats.ranks.rank_correlation import rank_correlation

Floats = npt.NDArray[np.float64]

LEAST_SHARED = 2
LEAST_RANKED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """How kappas are computed and resampled."""

    weights: Weights
    seed: int
    resamples: int

    def kappa(self, first: Floats, second: Floats, nothing: str) -> Estimate:
        """Weighted kappa; no value but the reason given where fewer than two cases are shared."""
        shared = int((~(np.isnan(first) | np.isnan(second))).sum())
        if shared < LEAST_SHARED:
            return no_value(shared, nothing if not shared else "a single case is shared")
        return weighted_kappa(first, second, weights=self.weights, seed=self.seed, resamples=self.resamples)

    def mean_kappa(self, table: Floats, of: Sequence[tuple[int, int]] | None, nothing: str) -> Estimate:
        """The mean of pairwise kappas; no value but the reason given where no pair shares a case."""
        try:
            return mean_pairwise_kappa(table, weights=self.weights, of=of, seed=self.seed, resamples=self.resamples)
        except InsufficientData:
            return no_value(0, nothing)


def no_value(n: int, reason: str) -> Estimate:
    """An estimate without a value, with the reason as its method."""
    return Estimate(value=None, low=None, high=None, n=n, method=reason)


def alpha_of(table: Floats, level: Level, draw: Draws) -> Estimate:
    """Krippendorff's alpha of a table, shape (raters, cases)."""
    labelled = ~np.isnan(table)
    shared = int((labelled.sum(axis=0) >= 2).sum())
    if shared < LEAST_SHARED:
        return no_value(shared, _too_little(int(labelled.any(axis=1).sum()), shared))
    return krippendorff_alpha(table, level=level, seed=draw.seed, resamples=draw.resamples)


def _too_little(raters: int, shared: int) -> str:
    if raters == 0:
        return "there is no label"
    if raters == 1:
        return "only one rater labelled"
    return "a single case has labels of two raters" if shared else "no case has labels of two raters"


def fleiss_of(table: Floats, draw: Draws) -> FleissKappa:
    """Fleiss' kappa of a table, shape (raters, cases)."""
    labelled = ~np.isnan(table)
    shared = int((labelled.sum(axis=0) >= 2).sum())
    if shared < LEAST_SHARED:
        reason = _too_little(int(labelled.any(axis=1).sum()), shared)
        return FleissKappa(estimate=no_value(shared, reason), raters=0, left_out=int(labelled.any(axis=0).sum()))
    return fleiss_kappa(table, seed=draw.seed, resamples=draw.resamples)


def rank_with_rest(table: Floats) -> Estimate:
    """Spearman of each label with the mean of the others on its case; the labels of a case stay together."""
    others = means_of_others(table)
    rows, cases = np.nonzero(~(np.isnan(table) | np.isnan(others)))
    return rank_correlation_of(table[rows, cases], others[rows, cases], cases)


def rank_correlation_of(labels: Floats, others: Floats, cases: npt.NDArray[np.int64]) -> Estimate:
    """Spearman of labels with those of others, shape (labels,); labels of one case stay together."""
    if labels.size < LEAST_RANKED:
        return no_value(int(labels.size), "fewer than 3 labels are on cases with another rater's label")
    return rank_correlation(labels, others, cases)


def means_of_others(table: Floats) -> Floats:
    """For each label the mean of the other raters' labels of the case, NaN where there is none; shape as the table."""
    labelled = ~np.isnan(table)
    n_others = labelled.sum(axis=0) - labelled
    total = np.nansum(table, axis=0) - np.nan_to_num(table)
    return np.asarray(np.divide(total, n_others, out=np.full(table.shape, np.nan), where=n_others > 0))


def same_labels(first: Floats, second: Floats) -> Proportion:
    """Places where two arrays have the same label, of those where both have one."""
    both = ~(np.isnan(first) | np.isnan(second))
    return wilson(int((first[both] == second[both]).sum()), int(both.sum()))
