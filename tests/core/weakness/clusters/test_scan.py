"""The scan of a map: neighbourhoods, ties, permutations."""

import numpy as np
import pytest

from core.weakness.clusters import scan as module
from core.weakness.clusters.scan import scan


def line(n):
    return np.column_stack([np.arange(n, dtype=float), np.zeros(n)])


def found(places, values, least=4, permutations=99, seed=0):
    return scan(places, np.asarray(values, dtype=float), least=least, permutations=permutations, seed=seed)


def test_the_worst_stretch_of_a_line_is_the_failing_one():
    values = np.ones(60)
    values[20:28] = 0
    scanned = found(line(60), values)
    worst = scanned.members[scanned.statistic.argmax()]
    assert np.flatnonzero(worst).tolist() == list(range(20, 28))
    assert scanned.p_adjusted.min() == 1 / 100


def test_the_statistic_of_even_values_is_the_standardised_sum():
    # Half are 1 and half are 0: no skewness. Eight zeros of 40: 8 * 0.5 / sqrt(8 * (1 - 8/40) * 0.25 * 40/39).
    values = np.tile([0.0, 1.0], 20)
    values[:8], values[8:16] = 0, 1
    scanned = found(line(40), values, least=8)
    assert scanned.statistic.max() == pytest.approx(4 / np.sqrt(8 * 0.8 * 0.25 * 40 / 39), rel=1e-3)


def test_neighbourhoods_have_from_the_least_to_a_third_of_the_units():
    scanned = found(line(50), np.arange(50) % 2)
    sizes = scanned.members.sum(axis=1)
    assert set(sizes.tolist()) == {4, 8, 16}


def test_units_at_one_spot_stay_together():
    places = np.repeat(line(6), 10, axis=0)
    scanned = found(places, np.arange(60) % 2)
    assert scanned.members.shape[1] == 6
    assert scanned.spot.tolist() == np.repeat(np.arange(6), 10).tolist()


def test_a_spot_with_more_than_half_of_all_is_no_neighbourhood():
    scanned = found(np.zeros((40, 2)), np.arange(40) % 2)
    assert scanned.statistic.size == 0


@pytest.mark.parametrize("n", [0, 1, 11])
def test_too_few_units_have_no_neighbourhood(n):
    assert found(line(n), np.arange(n) % 2).statistic.size == 0


def test_equal_values_have_nothing_to_compare():
    assert found(line(60), np.full(60, 0.3)).statistic.size == 0


def test_the_same_seed_gives_the_same_scan():
    generator = np.random.default_rng(3)
    places, values = generator.normal(size=(900, 2)), generator.random(900)
    first, second = found(places, values, seed=4), found(places, values, seed=4)
    assert np.array_equal(first.p_adjusted, second.p_adjusted)
    assert first.members.shape[1] == module.MOST_SPOTS


def test_rotations_of_a_large_map_tell_what_permutations_tell():
    generator = np.random.default_rng(5)
    places = generator.normal(size=(module.SHUFFLED_UP_TO + 1, 2))
    values = (generator.random(len(places)) < 0.8).astype(float)
    large, fewer = found(places, values, least=64), found(places[:-1], values[:-1], least=64)
    assert large.p_adjusted.min() > 0.05
    assert fewer.p_adjusted.min() > 0.05
    near = np.argsort((places**2).sum(axis=1))[:300]
    values[near] = generator.random(300) < 0.4
    assert found(places, values, least=64).p_adjusted.min() == 0.01
