"""The mean of scores, with an interval over clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.domain.errors import InsufficientData
from core.stats import clustered_mean, clustered_proportion

SHARES = st.lists(st.floats(0.0, 1.0, width=16), min_size=2, max_size=60)


def test_a_hand_computed_interval():
    # Values .2 .4 .6 .8 in four clusters: mean .5, totals -.3 -.1 .1 .3, widest .3, steadied by +.3 and -.3.
    # Sum of squares .09+.01+.01+.09+.09+.09 = .38; 6 clusters stand for 4 * 6/4 = 6 cases;
    # spread = sqrt(6/5 * .38) / 6 = .112546; t(.975, 3) = 3.182446; reach .358173.
    found = clustered_mean([0.2, 0.4, 0.6, 0.8], ["a", "b", "c", "d"], low=0.0, high=1.0)
    assert found.value == pytest.approx(0.5)
    assert found.low == pytest.approx(0.5 - 0.358173, abs=1e-5)
    assert found.high == pytest.approx(0.5 + 0.358173, abs=1e-5)
    assert found.n == 4


def test_many_independent_cases_agree_with_student():
    values = np.random.default_rng(1).normal(3.0, 2.0, 2_000)
    found = clustered_mean(values, np.arange(2_000))
    low, high = stats.t.interval(0.95, 1_999, loc=values.mean(), scale=stats.sem(values))
    assert found.low == pytest.approx(low, abs=0.003)
    assert found.high == pytest.approx(high, abs=0.003)


def test_copies_of_a_case_add_no_knowledge():
    values = np.random.default_rng(2).random(30)
    once = clustered_mean(values, np.arange(30), low=0.0, high=1.0)
    tenfold = clustered_mean(np.repeat(values, 10), np.repeat(np.arange(30), 10), low=0.0, high=1.0)
    assert (tenfold.low, tenfold.high) == pytest.approx((once.low, once.high))
    assert tenfold.n == 300


def test_shares_get_the_interval_of_a_proportion():
    found = clustered_mean([1, 1, 0, 1], [1, 2, 3, 4], low=0.0, high=1.0)
    share = clustered_proportion([True, True, False, True], [0, 1, 2, 3])
    assert (found.value, found.low, found.high, found.method) == (share.value, share.low, share.high, share.method)


def test_equal_values_do_not_claim_to_know_the_mean():
    found = clustered_mean([0.9] * 8, range(8), low=0.0, high=1.0)
    assert found.low < 0.85
    assert found.high > 0.95


def test_one_cluster_has_no_interval():
    found = clustered_mean([0.4, 0.6], ["a", "a"], low=0.0, high=1.0)
    assert (found.value, found.low, found.high) == (0.5, None, None)


def test_no_value_is_no_mean():
    with pytest.raises(InsufficientData):
        clustered_mean([], [])


@pytest.mark.parametrize(("values", "clusters"), [([float("nan")], [1]), ([1.0, 2.0], [1])])
def test_what_is_no_score_is_refused(values, clusters):
    with pytest.raises(ValueError, match=r"finite|clusters"):
        clustered_mean(values, clusters)


@given(SHARES)
def test_the_interval_holds_the_mean_within_the_range(values):
    found = clustered_mean(values, np.arange(len(values)) // 2, low=0.0, high=1.0)
    if found.low is not None:
        assert 0.0 <= found.low <= found.value + 1e-12
        assert found.value - 1e-12 <= found.high <= 1.0


@pytest.mark.statistical
@pytest.mark.parametrize("clusters", [10, 30, 120])
def test_the_interval_covers_a_skewed_mean(clusters):
    """400 draws of skewed scores, three alike a cluster; two Monte Carlo errors at 95% are 2.2 points."""
    generator = np.random.default_rng(clusters)
    covered = 0
    for _ in range(400):
        values = np.repeat(generator.beta(8.0, 1.2, clusters), 3)
        found = clustered_mean(values, np.repeat(np.arange(clusters), 3), low=0.0, high=1.0)
        covered += found.low <= 8.0 / 9.2 <= found.high
    assert covered / 400 >= 0.95 - 0.022
