"""How good probabilities are."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from core.calibration.probability.quality import (
    bins_for,
    brier_score,
    expected_calibration_error,
    log_loss,
    reliability,
)
from core.domain.errors import InsufficientData

SHARES = st.lists(st.tuples(st.floats(0.0, 1.0, width=16), st.booleans()), min_size=1, max_size=60)


def drawn(n=500, seed=0):
    generator = np.random.default_rng(seed)
    chance = generator.random(n)
    return chance, (generator.random(n) < chance).astype(int)


def test_a_hand_computed_calibration_error():
    # Two bins of three: mean .2 against 1/3, mean .8 against 2/3: (3 * .1333 + 3 * .1333) / 6.
    found = expected_calibration_error([0.1, 0.2, 0.3, 0.7, 0.8, 0.9], [0, 0, 1, 1, 0, 1], bins=2)
    assert found == pytest.approx(2 / 15)


def test_equal_probabilities_share_a_bin():
    assert expected_calibration_error([0.5] * 10, [0, 1] * 5) == pytest.approx(0.0)
    (only,) = reliability([0.5] * 10, [0, 1] * 5, range(10))
    assert (only.low, only.high, only.share.num, only.share.den) == (0.5, 0.5, 5, 10)


def test_scores_are_those_of_scikit_learn():
    chance, truth = drawn()
    assert brier_score(chance, truth) == pytest.approx(metrics.brier_score_loss(truth, chance))
    assert log_loss(chance, truth) == pytest.approx(metrics.log_loss(truth, chance))
    table = np.random.default_rng(1).dirichlet(np.ones(4), 200)
    labels = np.random.default_rng(2).integers(0, 4, 200)
    assert log_loss(table, labels) == pytest.approx(metrics.log_loss(labels, table, labels=range(4)))
    assert brier_score(table, labels) == pytest.approx(
        np.mean([metrics.brier_score_loss(labels == level, table[:, level]) for level in range(4)]) * 4
    )


def test_an_impossible_label_is_dear_and_not_endless():
    assert 20 < log_loss([0.0], [1]) < 30


@pytest.mark.slow
@given(SHARES)
def test_figures_stay_in_their_range(pairs):
    chance, truth = zip(*pairs, strict=True)
    assert 0.0 <= expected_calibration_error(chance, truth) <= 1.0
    assert 0.0 <= brier_score(chance, truth) <= 1.0
    assert log_loss(chance, truth) >= 0.0


@pytest.mark.slow
@given(SHARES)
def test_every_case_is_in_one_bin(pairs):
    chance, truth = zip(*pairs, strict=True)
    bins = reliability(chance, truth, range(len(chance)))
    assert sum(one.share.den for one in bins) == len(chance)
    assert all(one.low <= one.mean + 1e-9 and one.mean <= one.high + 1e-9 for one in bins)
    assert all(before.high < after.low for before, after in pairwise(bins))


def test_no_case_is_no_figure():
    for figure in (expected_calibration_error, brier_score, log_loss):
        with pytest.raises(InsufficientData):
            figure([], [])


@pytest.mark.parametrize(("n", "bins"), [(1, 2), (20, 2), (55, 5), (100, 10), (5_000, 10)])
def test_bins_hold_ten_cases(n, bins):
    assert bins_for(n) == bins
