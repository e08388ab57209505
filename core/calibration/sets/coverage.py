"""What the number of conformal labels says about coverage, and how many a close promise takes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from core.calibration.splits import least_conformal
from core.domain.errors import InvalidInput

MOST_CONFORMAL = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageBudget:
    """Labels of a conformal part for a promise that holds closely.

    Attributes:
        alpha: The share of sets that may miss.
        below: How far the coverage may stay below 1 - alpha.
        confidence: How sure that is.
        conformal: Labels of the conformal part.
        labels: Labels drawn at random in all, given the share of the conformal part.
    """

    alpha: float
    below: float
    confidence: float
    conformal: int
    labels: int


def coverage_band(n: int, alpha: float, *, tested: int | None = None, confidence: float = 0.95) -> tuple[float, float]:
    """Where the coverage of a calibration with n labels lies.

    The coverage of a fixed calibration is beta distributed with k and n + 1 - k, the share of a test part of `tested`
    cases beta-binomial; for continuous scores, and with ties no lower.

    Args:
        n: Labels of the conformal part.
        alpha: The share of sets that may miss.
        tested: Cases of the test part; None for the coverage itself.
        confidence: Of the band, both sides together.

    Raises:
        InvalidInput: n is too small for alpha, or alpha is no share.

    Reference:
        V. Vovk (2012), Conditional validity of inductive conformal predictors.

    >>> low, high = coverage_band(1_000, 0.1)
    >>> round(low, 3), round(high, 3)
    (0.881, 0.918)
    """
    least = least_conformal(alpha)
    if n < least:
        raise InvalidInput(f"{n} labels cannot promise {100 * (1 - alpha):g}%.", f"It takes {least}.")
    k = math.ceil(round((n + 1) * (1.0 - alpha), 9))
    tail = (1.0 - confidence) / 2.0
    if tested is None:
        low, high = special.betaincinv(k, n + 1 - k, [tail, 1.0 - tail])
        return float(low), float(high)
    hits = np.arange(tested + 1)
    ways = special.gammaln(tested + 1) - special.gammaln(hits + 1) - special.gammaln(tested - hits + 1)
    mass = np.exp(ways + special.betaln(hits + k, tested - hits + n + 1 - k) - special.betaln(k, n + 1 - k))
    low, high = np.searchsorted(np.cumsum(mass), [tail, 1.0 - tail])
    return float(low) / tested, min(float(high), tested) / tested


def labels_for_coverage(
    alpha: float, *, below: float, confidence: float = 0.95, conformal_share: float = 0.3
) -> CoverageBudget:
    """How many labels make sure that a calibration's coverage is not further below its promise.

    Args:
        alpha: The share of sets that may miss.
        below: How far the coverage may stay below 1 - alpha, such as 0.05.
        confidence: How sure that must be.
        conformal_share: Share of the random labels that go to the conformal part.

    Raises:
        InvalidInput: A number is out of range, or more than 20,000 labels would be needed.

    >>> labels_for_coverage(0.1, below=0.05).conformal
    110
    """
    if not 0.0 < below < 1.0 - alpha or not 0.0 < confidence < 1.0 or not 0.0 < conformal_share <= 1.0:
        raise InvalidInput(f"below is {below}, confidence {confidence}.", "Give shares above 0, such as 0.05 and 0.95.")
    sizes = np.arange(least_conformal(alpha), MOST_CONFORMAL + 1)
    ranks = np.ceil(np.round((sizes + 1) * (1.0 - alpha), 9))
    ends = special.betaincinv(ranks, sizes + 1 - ranks, 1.0 - confidence)
    # Since k is a whole number the end goes up and down: the size from which on it stays.
    short = np.flatnonzero(ends < 1.0 - alpha - below)
    place = int(short[-1]) + 1 if short.size else 0
    if place >= sizes.size:
        raise InvalidInput(f"{below} below takes more than {MOST_CONFORMAL:,} labels.", "Allow more.")
    n = int(sizes[place])
    return CoverageBudget(
        alpha=alpha, below=below, confidence=confidence, conformal=n, labels=math.ceil(n / conformal_share)
    )
