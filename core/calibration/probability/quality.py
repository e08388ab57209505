"""How good probabilities are: calibration error, Brier score, log loss, and the reliability diagram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData
from core.domain.estimates import Estimate, Proportion
from core.stats import LEAST_CLUSTERS, clustered_proportion

Floats = NDArray[np.float64]

BINS = 10
SURE = 1e-12
"""The smallest probability in a log loss, so that a label with probability 0 does not make it infinite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReliabilityBin:
    """Cases with about the same probability.

    Attributes:
        low: Least probability of the bin's range.
        high: Greatest one.
        mean: Mean probability of its cases.
        share: How many of them were accepted by people.
    """

    low: float
    high: float
    mean: float
    share: Proportion


def expected_calibration_error(probabilities: ArrayLike, accepted: ArrayLike, *, bins: int = BINS) -> float:
    r"""The mean distance of probability and truth over bins of equal numbers of cases.

    .. math:: \mathrm{ECE} = \sum_b \frac{n_b}{n} \left| \bar p_b - \bar y_b \right|

    Bins hold equal numbers of cases, not equal ranges: scores cluster at one end, and a bin of two cases carries no
    information.
    Cases of equal probability stay together. Even a perfect model has an ECE above 0 on few cases.

    Args:
        probabilities: Of acceptance, shape (n,).
        accepted: Whether people accepted, shape (n,).
        bins: At most so many.

    Raises:
        InsufficientData: There is no case.

    Reference:
        M. P. Naeini, G. Cooper and M. Hauskrecht (2015), Obtaining well calibrated probabilities using Bayesian
        binning.

    >>> round(expected_calibration_error([0.2, 0.2, 0.8, 0.8], [0, 0, 1, 1], bins=2), 3)
    0.2
    """
    chance, truth = _arrays(probabilities, accepted)
    numbers = _bins(chance, bins)
    counts = np.bincount(numbers)
    gaps = np.abs(np.bincount(numbers, weights=chance) - np.bincount(numbers, weights=truth))
    return float(gaps.sum() / counts.sum())


def brier_score(probabilities: ArrayLike, labels: ArrayLike) -> float:
    r"""The mean squared distance of probabilities and truth.

    For two levels :math:`\frac1n \sum_i (p_i - y_i)^2` with p that of acceptance; for several the sum over levels.

    >>> brier_score([0.8, 0.4], [1, 0])
    0.1
    """
    table = np.asarray(probabilities, dtype=np.float64)
    if table.ndim == 1:
        chance, truth = _arrays(table, labels)
        return float(round(np.square(chance - truth).mean(), 15))
    hot = np.eye(table.shape[1])[np.asarray(labels, dtype=int)]
    return float(np.square(table - hot).sum(axis=1).mean())


def log_loss(probabilities: ArrayLike, labels: ArrayLike) -> float:
    r"""The mean of :math:`-\log P(y_i \mid x_i)`, in nats.

    >>> round(log_loss([0.5, 0.5], [1, 0]), 4)
    0.6931
    """
    table = np.asarray(probabilities, dtype=np.float64)
    table = np.stack([1.0 - table, table], axis=1) if table.ndim == 1 else table
    if not len(table):
        raise InsufficientData(1, 0, "labelled cases")
    chance = table[np.arange(len(table)), np.asarray(labels, dtype=int)]
    return float(-np.log(np.maximum(chance, SURE)).mean())


def reliability(
    probabilities: ArrayLike, accepted: ArrayLike, clusters: ArrayLike, *, bins: int = BINS
) -> tuple[ReliabilityBin, ...]:
    """The bins of a reliability diagram, each with the share of accepted cases and its interval.

    Args:
        probabilities: Of acceptance, shape (n,).
        accepted: Whether people accepted, shape (n,).
        clusters: What each case belongs to, shape (n,).
        bins: At most so many, of about equal numbers of cases.
    """
    chance, truth = _arrays(probabilities, accepted)
    _, groups = np.unique(np.asarray(clusters), return_inverse=True)
    numbers = _bins(chance, bins)
    diagram = []
    for number in range(int(numbers.max()) + 1):
        members = numbers == number
        diagram.append(
            ReliabilityBin(
                low=float(chance[members].min()),
                high=float(chance[members].max()),
                mean=float(chance[members].mean()),
                share=clustered_proportion(truth[members] == 1.0, groups[members]),
            )
        )
    return tuple(diagram)


def bins_for(n: int) -> int:
    """Bins for n cases: ten cases a bin, at least two bins and at most ten."""
    return min(max(n // 10, 2), BINS)


def interval_of(value: float, draws: ArrayLike, n: int, *, hull: bool = False, least: float = -np.inf) -> Estimate:
    """The estimate with its interval, whose ends hold the value."""
    samples = np.asarray(draws, dtype=np.float64)
    if not samples.size:
        return Estimate(value=value, low=None, high=None, n=n, method=f"fewer than {LEAST_CLUSTERS} clusters")
    low, high = np.quantile(samples, [0.025, 0.975])
    method = "cluster bootstrap 95%"
    if hull:
        low, high = min(low, 2.0 * value - high), max(high, 2.0 * value - low)
        method = "cluster bootstrap, basic and percentile 95%"
    return Estimate(
        value=value, low=max(min(float(low), value), least), high=max(float(high), value), n=n, method=method
    )


def _arrays(probabilities: ArrayLike, accepted: ArrayLike) -> tuple[Floats, Floats]:
    chance, truth = np.asarray(probabilities, dtype=np.float64), np.asarray(accepted, dtype=np.float64)
    if not chance.size:
        raise InsufficientData(1, 0, "labelled cases")
    if chance.shape != truth.shape:
        raise ValueError(f"{chance.shape} probabilities and {truth.shape} labels")
    return chance, truth


def _bins(chance: Floats, bins: int) -> NDArray[np.intp]:
    """The number of each case's bin; equal probabilities share one."""
    order = np.argsort(chance, kind="stable")
    places = np.empty(chance.size, dtype=np.intp)
    places[order] = np.arange(chance.size) * min(bins, chance.size) // chance.size
    _, value_index = np.unique(chance, return_inverse=True)
    first_bin = np.full(int(value_index.max()) + 1, bins, dtype=np.intp)
    np.minimum.at(first_bin, value_index, places)
    _, numbers = np.unique(first_bin[value_index], return_inverse=True)
    return np.asarray(numbers, dtype=np.intp)
