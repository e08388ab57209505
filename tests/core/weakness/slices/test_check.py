"""Slices on the half they were not found in."""

import numpy as np
import pytest
from scipy import stats

from core.domain.estimates import Estimate
from core.weakness.slices.check import check, difference
from core.weakness.table import ScoreColumn

SCORE = ScoreColumn(name="s", values=np.empty(0))


def test_the_p_value_of_right_and_wrong_is_the_mid_p_of_fishers_test():
    values = np.concatenate([np.repeat([1.0, 0.0], (12, 8)), np.repeat([1.0, 0.0], (90, 10))])
    part = np.arange(120) < 20
    (found,) = check(SCORE, values, np.arange(120), [part])
    exact = stats.fisher_exact([[12, 8], [90, 10]], alternative="less")[1]
    assert found.p_value == pytest.approx(exact - stats.hypergeom.pmf(12, 120, 102, 20) / 2)
    assert (found.mean.value, found.rest.value, found.mean.n, found.rest.n) == (0.6, 0.9, 20, 100)


def test_the_interval_is_that_of_newcombe():
    # Newcombe (1998), method 10, example (a): 56/70 - 48/80 = 0.2, 0.0524 to 0.3339.
    values = np.concatenate([np.repeat([1.0, 0.0], (48, 32)), np.repeat([1.0, 0.0], (56, 14))])
    (found,) = check(SCORE, values, np.arange(150), [np.arange(150) < 80])
    assert found.effect.value == pytest.approx(0.2)
    assert found.effect.low == pytest.approx(0.0524, abs=5e-5)
    assert found.effect.high == pytest.approx(0.3339, abs=5e-5)
    assert found.effect.n == 80


def test_cases_of_a_cluster_do_not_count_apart():
    generator = np.random.default_rng(30)
    values = generator.random(40).repeat(5)
    part = np.arange(200) < 50
    (alone,) = check(SCORE, values, np.arange(200), [part])
    (together,) = check(SCORE, values, np.repeat(np.arange(40), 5), [part])
    assert together.effect.value == pytest.approx(alone.effect.value)
    assert together.effect.high - together.effect.low > 1.5 * (alone.effect.high - alone.effect.low)


def test_less_is_better():
    mean, rest = (Estimate(value=0.4, low=0.3, high=0.6, n=9), Estimate(value=0.1, low=0.05, high=0.12, n=90))
    worse = difference(rest, mean, -1.0)
    assert worse.value == pytest.approx(0.3)
    assert worse.low == pytest.approx(0.3 - np.hypot(0.1, 0.02))
    assert worse.high == pytest.approx(0.3 + np.hypot(0.2, 0.05))


def test_no_interval_from_one_that_has_none():
    none = Estimate(value=None, low=None, high=None, n=0)
    point = Estimate(value=0.5, low=None, high=None, n=1)
    rest = Estimate(value=0.8, low=0.7, high=0.9, n=50)
    assert difference(rest, none, 1.0).value is None
    assert difference(rest, point, 1.0).value == pytest.approx(0.3)
    assert difference(rest, point, 1.0).low is None
