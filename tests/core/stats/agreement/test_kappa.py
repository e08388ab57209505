"""Weighted kappa and its mean over pairs of raters."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from core.domain.errors import InsufficientData, InvalidInput
from core.stats import cohen_kappa, mean_pairwise_kappa, weighted_kappa

NAN = float("nan")
PEERS = {"none": None, "linear": "linear", "quadratic": "quadratic"}


@pytest.mark.parametrize(
    ("weights", "kappa"),
    [
        # Pairs 11 12 22 33 33 32; rows 2 1 3, columns 1 3 2. Unlike by chance: 1 - (2*1 + 1*3 + 3*2)/36 = 25/36.
        ("none", 1 - (2 / 6) / (25 / 36)),
        # Distances by chance: 2*(3*1 + 2*2) + 1*(1 + 2) + 3*(1*2 + 3*1) = 32.
        ("linear", 1 - (2 / 6) / (32 / 36)),
        # Squares by chance: 2*(3*1 + 2*4) + 1*(1 + 2) + 3*(1*4 + 3*1) = 46.
        ("quadratic", 1 - (2 / 6) / (46 / 36)),
    ],
)
def test_hand_computed(weights, kappa):
    found = weighted_kappa([1, 1, 2, 3, 3, 3], [1, 2, 2, 3, 3, 2], weights=weights, resamples=100)
    assert found.value == pytest.approx(kappa)
    assert found.n == 6
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize("weights", PEERS)
def test_it_agrees_with_scikit_learn_and_statsmodels(weights):
    generator = np.random.default_rng(1)
    for _ in range(30):
        one, two = generator.integers(0, 4, (2, 40))
        found = weighted_kappa(one, two, weights=weights, resamples=2).value
        assert found == pytest.approx(cohen_kappa_score(one, two, weights=PEERS[weights], labels=range(4)))
        table = np.zeros((4, 4))
        np.add.at(table, (one, two), 1)
        assert found == pytest.approx(cohens_kappa(table, wt=PEERS[weights], return_results=False))


def test_without_weights_it_is_cohens_kappa():
    one, two = np.random.default_rng(2).integers(0, 3, (2, 200))
    ours, large_sample = weighted_kappa(one, two), cohen_kappa(one.tolist(), two.tolist())
    assert ours.value == pytest.approx(large_sample.value)
    # The bootstrap and the large-sample standard error agree about the width.
    assert ours.high - ours.low == pytest.approx(large_sample.high - large_sample.low, rel=0.1)


def test_a_level_that_nobody_uses_still_counts_as_a_step():
    # 1 and 4 are three apart whether or not anybody says 2 or 3; by ranks of the used levels they would be neighbours.
    one, two = [1, 1, 4, 5], [1, 4, 4, 5]
    # Differences 0 3 0 0; by chance: 2*(0+2*3+4) + (3+0+1) + (4+2*1+0) = 30.
    assert weighted_kappa(one, two, weights="linear").value == pytest.approx(1 - (3 / 4) / (30 / 16))


def test_missing_labels_are_left_out():
    found = weighted_kappa([1, NAN, 2, 1], [1, 2, 2, NAN])
    assert (found.value, found.n) == (1.0, 2)
    assert found.low is None
    assert "too few cases" in found.method


def test_one_label_throughout_has_no_kappa():
    found = weighted_kappa([2] * 9, [2] * 9, weights="quadratic")
    assert (found.value, found.low, found.high, found.n, found.method) == (
        None,
        None,
        None,
        9,
        "every label is the same",
    )


def test_one_constant_rater_agrees_by_chance_only():
    assert weighted_kappa([1] * 8, [1, 2] * 4).value == pytest.approx(0.0)


def test_raters_who_share_no_case():
    with pytest.raises(InsufficientData, match="both raters"):
        weighted_kappa([1, NAN], [NAN, 2])


def test_lists_of_different_length():
    with pytest.raises(InvalidInput, match="2 labels"):
        weighted_kappa([1, 2], [1])


def test_the_mean_is_weighted_by_shared_cases():
    # a and b share eight cases and agree fully (kappa 1); b and c share four: labels 1 1 2 2 against 1 2 2 1 (kappa 0).
    a = [1, 1, 2, 2, 1, 2, 1, 2, NAN, NAN, NAN, NAN]
    b = [1, 1, 2, 2, 1, 2, 1, 2, 1, 1, 2, 2]
    c = [NAN] * 8 + [1, 2, 2, 1]
    found = mean_pairwise_kappa([a, b, c], resamples=200)
    assert found.value == pytest.approx((8 * 1.0 + 4 * 0.0) / 12)
    assert found.n == 12
    assert found.low < found.value < found.high


def test_with_equal_overlap_it_is_lights_kappa():
    ratings = np.random.default_rng(5).integers(0, 3, (4, 30)).astype(float)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    light = np.mean([cohen_kappa_score(ratings[i], ratings[j]) for i, j in pairs])
    assert mean_pairwise_kappa(ratings, resamples=10).value == pytest.approx(light)
    only = mean_pairwise_kappa(ratings, of=[(0, 1), (0, 2)], resamples=10).value
    assert only == pytest.approx(np.mean([cohen_kappa_score(ratings[0], ratings[i]) for i in (1, 2)]))


def test_a_pair_without_a_kappa_is_left_out_of_the_mean():
    same, other = [1] * 6, [1, 2, 1, 2, 1, 2]
    assert mean_pairwise_kappa([same, same, other], resamples=20).value == pytest.approx(0.0)
    assert mean_pairwise_kappa([same, same], resamples=20).value is None


def test_no_pair_that_shares_a_case():
    with pytest.raises(InsufficientData):
        mean_pairwise_kappa([[1, NAN], [NAN, 1]])


@pytest.mark.statistical
@pytest.mark.parametrize("weights", ["none", "quadratic"])
def test_the_interval_covers(weights):
    """300 samples of 80 cases from a population of known kappa; two Monte Carlo errors below 95% are 2.5 points."""
    generator = np.random.default_rng(6)

    def labels(cases):
        truth = generator.integers(1, 5, cases)
        return np.where(generator.random((2, cases)) < 0.4, generator.integers(1, 5, (2, cases)), truth)

    kappa = weighted_kappa(*labels(200_000), weights=weights, resamples=2).value
    found = [weighted_kappa(*labels(80), weights=weights, seed=seed, resamples=500) for seed in range(300)]
    assert np.mean([one.low <= kappa <= one.high for one in found]) >= 0.95 - 0.035
