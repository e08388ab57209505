"""Kappa of two yes-or-no judges over clusters."""

import numpy as np
import pytest

from core.domain.errors import InsufficientData, InvalidInput
from core.stats.agreement.clustered_kappa import clustered_kappa
from core.stats.agreement.cohen import cohen_kappa


def test_it_is_cohens_kappa():
    rng = np.random.default_rng(3)
    one = rng.random(60) < 0.6
    two = np.where(rng.random(60) < 0.8, one, ~one)
    found = clustered_kappa(one, two, range(60))
    known = cohen_kappa(one.tolist(), two.tolist())
    assert found.value == pytest.approx(known.value)
    # Each case its own cluster: the bootstrap and the large-sample interval say much the same.
    assert found.low == pytest.approx(known.low, abs=0.06)
    assert found.high == pytest.approx(known.high, abs=0.06)


def test_few_large_clusters_say_less_than_many_small_ones():
    rng = np.random.default_rng(4)
    two = rng.random(120) < 0.5
    one = np.where(np.arange(120) // 12 % 2 == 0, two, ~two)  # right in every other cluster of twelve
    wide = clustered_kappa(one, two, np.arange(120) // 12)
    narrow = clustered_kappa(one, two, np.arange(120))
    assert wide.value == narrow.value
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def test_edges():
    assert clustered_kappa([1, 1], [1, 1], [0, 1]).value is None
    few = clustered_kappa([1, 0, 1], [1, 0, 0], [0, 1, 2])
    assert few.value is not None
    assert few.low is None
    with pytest.raises(InsufficientData):
        clustered_kappa([], [], [])
    with pytest.raises(InvalidInput):
        clustered_kappa([1], [1, 0], [0, 1])
