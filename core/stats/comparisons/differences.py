"""Differences of two means from samples that do not pair, with the interval of their two intervals."""

from __future__ import annotations

import math

from core.domain.estimates import Estimate

RECOVERED = "from both 95% intervals (MOVER)"


def difference_of(first: Estimate, second: Estimate) -> Estimate:
    r"""The second mean less the first, with a 95% interval recovered from theirs.

    .. math:: d \pm \sqrt{(u_2 - m_2)^2 + (m_1 - l_1)^2}

    and the other way round for the lower end. It keeps what each interval knows of skewness and clusters; where the two
    samples share clusters that move together it is a little too wide.

    Args:
        first: With its interval.
        second: With its interval.

    Returns:
        The difference with the smaller n; no interval where one of both has none, no value where one has none.

    Reference:
        G. Y. Zou and A. Donner (2008), Construction of confidence limits about effect measures: a general approach. For
        Wilson's intervals it is Newcombe's hybrid score interval (1998, method 10).

    >>> from core.stats import wilson
    >>> def estimate(num, den):
    ...     share = wilson(num, den)
    ...     return Estimate(value=share.value, low=share.low, high=share.high, n=den)
    >>> change = difference_of(estimate(48, 80), estimate(56, 70))  # Newcombe (1998), table II: 0.0524 to 0.3339
    >>> round(change.low, 4), round(change.high, 4)
    (0.0524, 0.3339)
    """
    n = min(first.n, second.n)
    if first.value is None or second.value is None:
        return Estimate(value=None, low=None, high=None, n=n, method="one of both has no value")
    value = second.value - first.value
    if None in (first.low, first.high, second.low, second.high):
        return Estimate(value=value, low=None, high=None, n=n, method="one of both has no interval")
    down = math.hypot(second.value - (second.low or 0.0), (first.high or 0.0) - first.value)
    up = math.hypot((second.high or 0.0) - second.value, first.value - (first.low or 0.0))
    return Estimate(value=value, low=value - down, high=value + up, n=n, method=RECOVERED)
