"""Spearman's correlation over clusters: the value, the interval, what has none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from core.stats.ranks.rank_correlation import (
    CONSTANT,
    FEW_CLUSTERS,
    METHOD,
    PERFECT,
    TOO_FEW,
    clustered_spearman,
    midranks,
    rank_correlation,
)

VALUES = st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=40)


@given(VALUES)
def test_midranks_are_those_of_scipy(pairs):
    values = [pair[0] for pair in pairs]
    np.testing.assert_allclose(midranks(values), rankdata(values))


@pytest.mark.slow
@given(VALUES)
def test_the_value_is_that_of_scipy_whatever_the_ties(pairs):
    first, second = zip(*pairs, strict=True)
    found = rank_correlation(first, second, range(len(pairs)))
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert (found.value, found.method) == (None, CONSTANT)
        return
    assert found.value == pytest.approx(spearmanr(first, second).statistic, abs=1e-12)
    if found.low is not None:
        assert -1.0 <= found.low <= found.value <= found.high <= 1.0


@pytest.mark.slow
@given(VALUES, st.randoms())
def test_neither_order_nor_scale_matters(pairs, draw):
    first, second = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    order = list(range(len(pairs)))
    draw.shuffle(order)
    before = rank_correlation(first, second, range(len(pairs)))
    after = rank_correlation(np.exp(first[order]), second[order] * 2 - 7, order)
    assert after.n == before.n
    for name in ("value", "low", "high"):
        assert getattr(after, name) == pytest.approx(getattr(before, name), abs=1e-9)


def test_what_has_no_value_or_no_interval():
    assert rank_correlation([1], [1], [1]).method == TOO_FEW
    assert rank_correlation([1, 2, 3], [5, 5, 5], [1, 2, 3]).method == CONSTANT
    perfect = rank_correlation(range(9), range(9, 0, -1), range(9))
    assert (perfect.value, perfect.low, perfect.method) == (-1.0, None, PERFECT)
    few = rank_correlation([1, 2, 3, 4], [1, 3, 2, 4], [1, 1, 2, 2])
    # Differences of ranks 0, 1, 1, 0: one less 6 times 2 over 4 times 15.
    assert (few.value, few.low, few.method) == (pytest.approx(0.8), None, FEW_CLUSTERS)
    with pytest.raises(ValueError, match="clusters"):
        rank_correlation([1, 2], [1, 2], [1])


def test_copies_of_a_case_tell_nothing_new():
    draw = np.random.default_rng(0)
    first = draw.normal(size=40)
    second = first + draw.normal(size=40)
    once = rank_correlation(first, second, range(40))
    thrice = rank_correlation(np.repeat(first, 3), np.repeat(second, 3), np.repeat(range(40), 3))
    assert thrice.high - thrice.low == pytest.approx(once.high - once.low, rel=1e-6)
    believed = rank_correlation(np.repeat(first, 3), np.repeat(second, 3), range(120))
    assert believed.high - believed.low < 0.7 * (once.high - once.low)


def test_the_interval_is_about_that_of_a_bootstrap_over_clusters():
    draw = np.random.default_rng(1)
    shared = draw.normal(size=(80, 2)).repeat(3, axis=0) + draw.normal(size=(240, 2))
    first, second = shared[:, 0], shared[:, 0] * 0.5 + shared[:, 1]
    clusters = np.repeat(range(80), 3)
    analytic = rank_correlation(first, second, clusters)
    drawn = clustered_spearman(first, second, clusters)
    assert analytic.value == pytest.approx(drawn.value)
    assert analytic.method == METHOD
    assert 0.9 < (analytic.high - analytic.low) / (drawn.high - drawn.low) < 1.25


@pytest.mark.statistical
@pytest.mark.parametrize(("groups", "each", "tied"), [(12, 2, False), (40, 3, False), (40, 3, True)])
def test_the_interval_covers_the_truth(groups, each, tied):
    """1,000 draws of clusters whose cases are alike; 0.93 is 95% less three standard errors of the simulation."""
    draw = np.random.default_rng(7)

    def sample(count):
        shared = draw.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=count).repeat(each, axis=0)
        own = draw.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], size=count * each)
        both = shared + own
        return both[:, 0], both[:, 1] > -1.0 if tied else both[:, 1]

    truth = rank_correlation(*sample(100_000), np.arange(100_000 * each)).value
    clusters = np.repeat(range(groups), each)
    covered = 0
    for _ in range(1_000):
        found = rank_correlation(*sample(groups), clusters)
        covered += found.low is None or found.low <= truth <= found.high
    assert covered >= 930
