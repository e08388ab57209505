"""Coverage of a calibration of some size."""

import math

import numpy as np
import pytest
from scipy import stats

from core.calibration.sets.coverage import coverage_band
from core.domain.errors import InvalidInput


def test_the_band_of_coverage_is_that_of_the_order_statistic():
    """The coverage of one calibration is the k-th of n uniforms."""
    generator = np.random.default_rng(5)
    coverages = np.sort(generator.random((20_000, 99)), axis=1)[:, 89]  # k = ceil(100 * .9) = 90
    low, high = coverage_band(99, 0.1)
    assert ((coverages >= low) & (coverages <= high)).mean() == pytest.approx(0.95, abs=0.006)
    for n, tested in ((99, 50), (9, 1), (40, 300)):
        k = math.ceil(round((n + 1) * 0.9, 9))
        peer = stats.betabinom.ppf([0.025, 0.975], tested, k, n + 1 - k) / tested
        assert coverage_band(n, 0.1, tested=tested) == pytest.approx(tuple(peer))
    narrow, wide = coverage_band(99, 0.1), coverage_band(99, 0.1, tested=50)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    with pytest.raises(InvalidInput, match="Give at least 9"):
        coverage_band(8, 0.1)


def test_the_promise_is_not_rounded_up_to_one():
    with pytest.raises(InvalidInput, match=r"120 labels cannot promise 99\.9%"):
        coverage_band(120, 0.001)
