"""Fleiss' kappa."""

import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as peer

from core.domain.errors import InsufficientData
from core.stats import fleiss_kappa

NAN = float("nan")

# J. L. Fleiss (1971): the table of 10 cases by 14 raters and 5 levels that textbooks repeat; kappa .210.
TEXTBOOK = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


def test_the_textbook_table():
    ratings = np.array([np.repeat(np.arange(5), counts) for counts in TEXTBOOK], dtype=float).T
    found = fleiss_kappa(ratings, resamples=200)
    assert found.estimate.value == pytest.approx(0.210, abs=0.0005)
    assert (found.raters, found.left_out, found.estimate.n) == (14, 0, 10)
    assert found.estimate.low < 0.210 < found.estimate.high


def test_a_hand_computed_kappa():
    # Cases aab, aab, bbb, aaa of three raters: P = (1/3 + 1/3 + 1 + 1) / 4 = 2/3; p_a = 7/12, P_e = (49 + 25) / 144.
    found = fleiss_kappa([[0, 0, 1, 0], [0, 0, 1, 0], [1, 1, 1, 0]])
    expected = 74 / 144
    assert found.estimate.value == pytest.approx((2 / 3 - expected) / (1 - expected))
    assert (found.estimate.low, found.estimate.high) == (None, None)
    assert "too few cases" in found.estimate.method


def test_it_agrees_with_statsmodels():
    generator = np.random.default_rng(1)
    for _ in range(30):
        ratings = generator.integers(0, 4, (generator.integers(2, 6), 25)).astype(float)
        table, _ = aggregate_raters(ratings.T)
        assert fleiss_kappa(ratings, resamples=2).estimate.value == pytest.approx(peer(table))


def test_cases_with_another_number_of_labels_are_left_out_and_counted():
    whole = [[1, 1, 2, 2, 1, 2, 1], [1, 1, 2, 1, 1, 2, 1], [1, 2, 2, 1, 1, 2, 2]]
    alone = fleiss_kappa(whole, resamples=50)
    # One case of two labels, one of a single label, one of none.
    wider = np.column_stack([np.array(whole, dtype=float), [1, 2, NAN], [1, NAN, NAN], [NAN] * 3])
    found = fleiss_kappa(wider, resamples=50)
    assert found.estimate == alone.estimate
    assert (found.raters, found.left_out) == (3, 2)


def test_the_larger_of_two_equally_frequent_numbers_counts():
    found = fleiss_kappa([[1, 2, 1, 2], [1, 2, 2, 2], [NAN, NAN, 1, 2]])
    assert (found.raters, found.left_out, found.estimate.n) == (3, 2, 2)


def test_one_level_throughout_has_no_kappa():
    found = fleiss_kappa([[3] * 8, [3] * 8]).estimate
    assert (found.value, found.low, found.high, found.n) == (None, None, None, 8)
    assert found.method == "every label is the same"


@pytest.mark.parametrize("ratings", [[[1, 2, NAN], [NAN, NAN, 1]], [[1, 2, 3]], [[]], []])
def test_nothing_labelled_twice_is_too_little(ratings):
    with pytest.raises(InsufficientData, match="two labels"):
        fleiss_kappa(ratings)


def test_the_same_seed_gives_the_same_interval():
    ratings = np.random.default_rng(2).integers(0, 3, (3, 20)).astype(float)
    assert fleiss_kappa(ratings, seed=4, resamples=99) == fleiss_kappa(ratings, seed=4, resamples=99)
    assert fleiss_kappa(ratings, seed=4, resamples=99) != fleiss_kappa(ratings, seed=5, resamples=99)


@pytest.mark.statistical
def test_the_interval_covers():
    """300 samples of 60 cases from a population of known kappa; two Monte Carlo errors below 95% are 2.5 points."""
    generator = np.random.default_rng(3)

    def labels(cases):
        truth = generator.integers(0, 3, cases)
        return np.where(generator.random((3, cases)) < 0.4, generator.integers(0, 3, (3, cases)), truth).astype(float)

    kappa = fleiss_kappa(labels(200_000), resamples=2).estimate.value
    found = [fleiss_kappa(labels(60), seed=seed, resamples=500).estimate for seed in range(300)]
    assert np.mean([one.low <= kappa <= one.high for one in found]) >= 0.95 - 0.035
