"""The effect of calibration on a score: figures before and after, on the same cases."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.calibration.probability.quality import (
    bins_for,
    brier_score,
    expected_calibration_error,
    interval_of,
    log_loss,
)
from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate
from core.stats.resampling import resampled_cases

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure of probabilities before and after they were calibrated, on the same cases.

    Attributes:
        name: ``ece``, ``brier`` or ``log_loss``; lower is better in all of them.
        change: After less before, both on the same resamples; below 0 is a gain.
    """

    name: str
    before: Estimate
    after: Estimate
    change: Estimate


def before_and_after(
    before: ArrayLike,
    after: ArrayLike,
    accepted: ArrayLike,
    clusters: ArrayLike,
    *,
    seed: int = 0,
    resamples: int = 500,
) -> tuple[Figure, ...]:
    """Calibration error, Brier score and log loss of two probabilities of acceptance, and their change.

    All three are taken on the same resamples of the clusters. The calibration error of few cases is larger than the
    true one, since few cases a bin are never level, and that of a resample is larger still: percentiles never reach
    down to that of a calibrated score. Its interval is the hull of the percentiles and of those reflected at the
    estimate (the basic bootstrap), and begins at 0 where labels drawn by the probabilities themselves, alike in a
    cluster, give as large an error in more than 2.5 of 100 draws.

    Args:
        before: Of acceptance, shape (n,).
        after: Of acceptance, calibrated, shape (n,).
        accepted: Whether people accepted, shape (n,).
        clusters: What each case belongs to, shape (n,); fewer than six give no interval.
        seed: For the draws.
        resamples: How many.

    Raises:
        InsufficientData: There is no case.

    Reference:
        B. Efron and R. Tibshirani (1993), An introduction to the bootstrap, chapter 13. J. Broecker and L. Smith
        (2007), Increasing the reliability of reliability diagrams (consistency resampling).
    """
    uncalibrated, calibrated = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    truth = np.asarray(accepted).astype(np.int64)
    if not truth.size:
        raise InsufficientData(1, 0, "labelled cases to test on")
    bins = bins_for(truth.size)

    def calibration_error(chance: Floats, labels: NDArray[np.int64]) -> float:
        return expected_calibration_error(chance, labels, bins=bins)

    figures = {"ece": calibration_error, "brier": brier_score, "log_loss": log_loss}
    resampled = resampled_cases(
        lambda some: [
            (figure(uncalibrated[some], truth[some]), figure(calibrated[some], truth[some]))
            for figure in figures.values()
        ],
        clusters,
        draws=resamples,
        seed=seed,
    ).reshape(-1, len(figures), 2)
    changes = []
    for place, (name, figure) in enumerate(figures.items()):
        values = figure(uncalibrated, truth), figure(calibrated, truth)
        draws = resampled[:, place]
        hull = name == "ece"
        before_, after_ = (
            interval_of(value, column, truth.size, hull=hull, least=0.0)
            for value, column in zip(values, draws.T, strict=True)
        )
        if hull and resampled.size:
            before_, after_ = (
                _from_nothing(estimate, chance, clusters, bins, seed, resamples)
                for estimate, chance in ((before_, uncalibrated), (after_, calibrated))
            )
        change = interval_of(values[1] - values[0], draws[:, 1] - draws[:, 0], truth.size, hull=hull)
        changes.append(Figure(name=name, before=before_, after=after_, change=change))
    return tuple(changes)


def _from_nothing(
    estimate: Estimate, chance: Floats, clusters: ArrayLike, bins: int, seed: int, resamples: int
) -> Estimate:
    """The interval of a calibration error down to 0, where a calibrated score may have that error by chance."""
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    generator = np.random.default_rng(seed)
    errors = [
        expected_calibration_error(chance, generator.random(int(groups.max()) + 1)[groups] < chance, bins=bins)
        for _ in range(resamples)
    ]
    if estimate.value is None or estimate.value > float(np.quantile(errors, 0.975)):
        return estimate
    return replace(estimate, low=0.0)
