"""What the number of conformal labels says about coverage."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from core.calibration.splits import least_conformal
from core.domain.errors import InvalidInput


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
        raise InvalidInput(f"{n} labels cannot promise {100 * (1 - alpha):g}%.", f"Give at least {least}.")
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
