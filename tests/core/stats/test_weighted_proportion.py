"""Shares of a population from cases drawn with different chances."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.stats.agreement.clustered_kappa import clustered_kappa
from core.stats.intervals import clustered_proportion
from core.stats.weighted_proportion import weighted_proportion


def test_each_case_counts_one_over_its_chance():
    # Of 10 cases drawn with a chance of 1 two are right, of 10 drawn with 0.1 eight: (2 + 80) / (10 + 100).
    outcomes = [True] * 2 + [False] * 8 + [True] * 8 + [False] * 2
    found = weighted_proportion(outcomes, range(20), [1.0] * 10 + [10.0] * 10)
    assert found.value == pytest.approx(82 / 110)
    assert (found.num, found.den, found.clusters) == (10, 20, 20)
    assert found.low < 82 / 110 < found.high
    assert found.as_json()["value"] == pytest.approx(82 / 110)


@pytest.mark.slow
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=40), st.sampled_from([0.1, 1.0, 7.0]))
@settings(max_examples=200, deadline=None)
def test_equal_weights_change_nothing(cases, weight):
    outcomes, clusters = zip(*cases, strict=True)
    assert weighted_proportion(outcomes, clusters, [weight] * len(cases)) == clustered_proportion(outcomes, clusters)


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.floats(0.5, 50)), min_size=1, max_size=40),
    st.floats(0.1, 10),
)
@settings(max_examples=200, deadline=None)
def test_the_interval_holds_the_share_and_the_unit_of_weights_does_not_count(cases, unit):
    outcomes, clusters, weights = (np.array(one) for one in zip(*cases, strict=True))
    found = weighted_proportion(outcomes, clusters, weights)
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    again = weighted_proportion(outcomes, clusters, weights * unit)
    assert (again.value, again.low, again.high) == pytest.approx((found.value, found.low, found.high))


def test_nothing_to_divide_by_and_bad_weights():
    assert weighted_proportion([], [], []).value is None
    for weights in ([0.0, 1.0], [np.nan, 1.0], [1.0]):
        with pytest.raises(InvalidInput):
            weighted_proportion([True, False], [0, 1], weights)


def test_kappa_counts_weights():
    # By weight: both yes 3, only the first 1, only the second 1, neither 3, so kappa = 2 (9 - 1) / (16 + 16).
    first, second = [True, True, False, False], [True, False, True, False]
    assert clustered_kappa(first, second, range(4), weights=[3, 1, 1, 3]).value == pytest.approx(0.5)
    assert clustered_kappa(first, second, range(4)).value == 0.0
    with pytest.raises(InvalidInput):
        clustered_kappa(first, second, range(4), weights=[1.0])


@pytest.mark.statistical
def test_it_covers_where_doubtful_cases_are_drawn_more_often():
    generator = np.random.default_rng(5)
    covered, n = 0, 200
    for _ in range(n):
        clusters = np.repeat(np.arange(200), 4)
        luck = generator.normal(size=200)[clusters]
        doubtful = generator.random(clusters.size) < 0.3
        right = 0.6 * luck + 0.8 * generator.normal(size=clusters.size) > np.where(doubtful, 0.3, -1.0)
        chance = np.where(doubtful, 0.5, 0.1)
        drawn = generator.random(clusters.size) < chance
        found = weighted_proportion(right[drawn], clusters[drawn], 1 / chance[drawn])
        covered += found.low <= right.mean() <= found.high
    # Of 200 draws of 0.95, 179 or fewer come once in five hundred.
    assert covered >= 180
