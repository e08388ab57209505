"""Whether labelled cases look like the others."""

import math

import numpy as np
import pytest
from scipy import stats

from core.calibration.populations import compare_populations


def test_the_distance_is_that_of_kolmogorov_and_smirnov():
    generator = np.random.default_rng(0)
    for scores in (generator.random(120), generator.integers(0, 5, 120)):
        side = generator.random(120) < 0.3
        found = compare_populations(scores, side, range(120))
        peer = stats.ks_2samp(np.asarray(scores)[side], np.asarray(scores)[~side])
        assert found.distance == pytest.approx(peer.statistic)
        if np.unique(scores).size == 120:  # with ties theirs is too large
            assert found.p_value == pytest.approx(peer.pvalue, abs=0.06)
        assert (found.labelled, found.rest) == (int(side.sum()), int((~side).sum()))


def test_a_shifted_sample_is_found_with_its_size():
    scores = np.concatenate([np.linspace(0, 1, 100), np.linspace(0.5, 1.5, 100)])
    found = compare_populations(scores, np.arange(200) >= 100, range(200))
    assert (found.distance, found.p_value) == (pytest.approx(0.5, abs=0.01), 0.001)
    assert found.shift == pytest.approx(0.5 / scores.std())


def test_unscored_cases_are_left_out_and_one_side_is_nothing():
    scores = np.array([0.1, np.nan, 0.3, 0.4])
    assert compare_populations(scores, [True, True, False, False], range(4)).labelled == 1
    assert compare_populations(scores, [True] * 4, range(4)) is None
    assert compare_populations(scores, [False, True, False, False], range(4)) is None


def test_equal_scores_do_not_differ():
    found = compare_populations(np.ones(50), np.arange(50) < 10, range(50))
    assert (found.distance, found.p_value, found.shift) == (0.0, 1.0, 0.0)


@pytest.mark.statistical
@pytest.mark.parametrize("by_cluster", [True, False])
def test_the_test_keeps_its_level_when_cases_share_sources(by_cluster):
    """300 draws from sources of five alike cases, by source or by case: at most 5% of p-values are below .05."""
    generator = np.random.default_rng(1)
    clusters = np.repeat(np.arange(40), 5)
    rejected = naive = 0
    for seed in range(300):
        scores = np.repeat(generator.normal(size=40), 5) + generator.normal(0, 0.2, 200)
        side = np.repeat(generator.random(40) < 0.3, 5) if by_cluster else generator.random(200) < 0.3
        found = compare_populations(scores, side, clusters, seed=seed, draws=199)
        rejected += found.p_value <= 0.05
        naive += compare_populations(scores, side, range(200), seed=seed, draws=199).p_value <= 0.05
    assert rejected / 300 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 300)
    assert not by_cluster or naive / 300 > 0.2
