"""Split conformal prediction: the quantile, the sets, and what they promise."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mapie.classification import SplitConformalClassifier
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin

from core.calibration import POOLED, conformalise, conformity, finite_quantile
from core.domain.errors import InsufficientData, InvalidInput


class Passthrough(ClassifierMixin, BaseEstimator):
    """A classifier whose features are the probabilities, so that MAPIE sees exactly ours."""

    def __init__(self, levels=2):
        self.levels = levels
        self.classes_ = np.arange(levels)

    def __sklearn_is_fitted__(self):
        return True

    def fit(self, x, y):
        return self

    def predict_proba(self, x):
        return np.asarray(x)

    def predict(self, x):
        return np.asarray(x).argmax(axis=1)


def distributions(generator, n, levels=2):
    return generator.dirichlet(np.ones(levels), n)


def drawn(generator, probabilities):
    return (probabilities.cumsum(axis=1) > generator.random((len(probabilities), 1))).argmax(axis=1)


@pytest.mark.parametrize(
    ("n", "alpha", "k"),
    [
        (9, 0.1, 9),
        (8, 0.1, 9),
        (19, 0.05, 19),
        (99, 0.01, 99),
        (98, 0.01, 99),
        (10, 0.1, 10),
        (100, 0.1, 91),
        (4, 0.5, 3),
    ],
)
def test_the_rank_of_the_quantile(n, alpha, k):
    # k = ceil((n + 1)(1 - alpha)), for example ceil(101 * .9) = ceil(90.9) = 91
    found = finite_quantile(np.arange(1, n + 1), alpha)
    assert found.k == k
    assert found.value == (k if k <= n else math.inf)
    assert found.too_few == (k > n)


def test_the_quantile_is_never_between_two_scores():
    scores = np.random.default_rng(0).random(57)
    assert all(finite_quantile(scores, alpha).value in scores for alpha in (0.05, 0.1, 0.2, 0.33))


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, float("nan")])
def test_an_impossible_alpha_is_refused(alpha):
    with pytest.raises(InvalidInput, match="alpha"):
        finite_quantile([0.5], alpha)


def test_a_hand_computed_set():
    # True-label scores 1 - P: .1 .2 .3 .4 .5 .6 .7 .8 .9; alpha .5: k = ceil(10 * .5) = 5, q = .5.
    probabilities = [[1 - p, p] for p in (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)]
    rule = conformalise(probabilities, [1] * 9, alpha=0.5)
    assert rule.quantile().value == pytest.approx(0.5)
    # 1 - P(0) = .9 > .5 and 1 - P(1) = .1: {1}; both .5, ties included: {0, 1}; then {0}.
    assert rule.sets([[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]]).tolist() == [[False, True], [True, True], [True, False]]


def test_a_set_may_be_empty():
    rule = conformalise([[0.0, 1.0]] * 20, [1] * 20, alpha=0.1)
    assert rule.sets([[0.5, 0.5]]).tolist() == [[False, False]]


def test_too_few_labels_promise_by_naming_every_label():
    rule = conformalise([[0.3, 0.7]] * 5, [1] * 5, alpha=0.1)
    assert rule.quantile().too_few
    assert rule.sets([[0.99, 0.01]]).all()


def test_aps_counts_what_is_more_probable():
    # .5 .3 .2: the scores are .5, .8, 1; a tie gets the larger sum, whatever the order of the columns.
    assert conformity([[0.3, 0.5, 0.2]], "aps").tolist() == [pytest.approx([0.8, 0.5, 1.0])]
    assert conformity([[0.25, 0.25, 0.5]], "aps").tolist() == [pytest.approx([1.0, 1.0, 0.5])]


@pytest.mark.parametrize("rows", [[[0.5, 0.6]], [[float("nan"), 1.0]], [0.5, 0.5]])
def test_rows_that_are_no_distribution_are_refused(rows):
    with pytest.raises(InvalidInput, match="sum to 1"):
        conformity(rows)


def test_labels_without_a_level_are_refused():
    with pytest.raises(InvalidInput, match="levels"):
        conformalise([[0.5, 0.5]], [2], alpha=0.1)
    with pytest.raises(InsufficientData):
        conformalise(np.empty((0, 2)), [], alpha=0.1)


@pytest.mark.parametrize("levels", [2, 4])
def test_lac_sets_are_those_of_mapie(levels):
    generator = np.random.default_rng(levels)
    known, new = distributions(generator, 150, levels), distributions(generator, 80, levels)
    labels = drawn(generator, known)
    peer = SplitConformalClassifier(Passthrough(levels), confidence_level=0.9, conformity_score="lac", prefit=True)
    _, expected = peer.conformalize(known, labels).predict_set(new)
    assert (conformalise(known, labels, alpha=0.1).sets(new) == expected[:, :, 0]).all()


def test_a_group_with_enough_labels_has_its_own_quantile():
    probabilities = [[0.1, 0.9]] * 20 + [[0.6, 0.4]] * 20 + [[0.5, 0.5]] * 3
    groups = ["easy"] * 20 + ["hard"] * 20 + ["rare"] * 3
    rule = conformalise(probabilities, [1] * 43, alpha=0.1, groups=groups)
    assert rule.quantile("easy").value == pytest.approx(0.1)
    assert rule.quantile("hard").value == pytest.approx(0.6)
    assert rule.quantile("rare") is rule.quantile("never seen") is rule.quantile(POOLED)
    assert rule.sets([[0.4, 0.6]] * 2, ["easy", "hard"]).tolist() == [[False, False], [True, True]]


def test_cases_of_one_source_promise_what_sources_can():
    # Nine copies of each of nine sources: 81 of them have the mass 81 / 9 / 10 = .9; eight sources promise nothing.
    scores = np.repeat(np.arange(9.0), 9)
    found = finite_quantile(scores, 0.1, np.repeat(np.arange(9), 9))
    assert (found.value, found.k, found.n, found.clusters) == (8.0, 81, 81, 9)
    assert finite_quantile(scores, 0.1).k == 74  # ceil(82 * .9)
    assert finite_quantile(scores[:72], 0.1, np.repeat(np.arange(8), 9)).too_few
    assert not finite_quantile(scores[:72], 0.1).too_few


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.sampled_from([0.05, 0.1, 0.3]))
def test_cases_that_stand_alone_have_the_plain_quantile(scores, alpha):
    plain = finite_quantile(scores, alpha)
    assert finite_quantile(scores, alpha, range(len(scores))) == plain
    assert finite_quantile(scores, alpha, [0] * len(scores)).k >= plain.k


def test_a_group_may_not_be_called_all():
    with pytest.raises(InvalidInput, match="called"):
        conformalise([[0.5, 0.5]], [1], alpha=0.1, groups=[POOLED])


@pytest.mark.slow
@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=60), st.sampled_from([0.05, 0.1, 0.3]), st.randoms())
def test_neither_the_order_of_cases_matters_nor_does_a_smaller_alpha_shrink_a_set(shares, alpha, random):
    rows = [[1 - share, share] for share in shares]
    labels = [int(share > 0.5) for share in shares]
    rule = conformalise(rows, labels, alpha=alpha)
    order = list(range(len(rows)))
    random.shuffle(order)
    again = conformalise([rows[place] for place in order], [labels[place] for place in order], alpha=alpha)
    assert again.quantile() == rule.quantile()
    wider = conformalise(rows, labels, alpha=alpha / 2)
    assert (wider.sets(rows) | ~rule.sets(rows)).all()


@pytest.mark.statistical
@pytest.mark.parametrize("method", ["lac", "aps"])
@pytest.mark.parametrize(("n", "alpha"), [(30, 0.1), (100, 0.1), (100, 0.2), (300, 0.05)])
def test_coverage_of_continuous_scores_lies_in_its_beta_binomial_band(n, alpha, method):
    """400 fresh calibrations, one new case each: binomial around the exact expectation k / (n + 1)."""
    generator = np.random.default_rng(n)
    runs, covered = 400, 0
    for _ in range(runs):
        rows = distributions(generator, n + 1, 3)
        labels = drawn(generator, rows)
        rule = conformalise(rows[:n], labels[:n], alpha=alpha, method=method)
        covered += bool(rule.sets(rows[n:])[0, labels[n]])
    expected = finite_quantile(np.zeros(n), alpha).k / (n + 1)
    low, high = stats.binom.ppf([0.001, 0.999], runs, expected)
    # Unrandomised APS may cover more than it promises, never less.
    assert low <= covered <= (runs if method == "aps" else high)


@pytest.mark.statistical
def test_tied_scores_cover_at_least_what_is_promised():
    generator = np.random.default_rng(3)
    covered = 0
    for _ in range(400):
        share = generator.choice([0.2, 0.5, 0.8], 61)
        rows = np.stack([1 - share, share], axis=1)
        labels = drawn(generator, rows)
        covered += bool(conformalise(rows[:60], labels[:60], alpha=0.1).sets(rows[60:])[0, labels[60]])
    assert covered >= stats.binom.ppf(0.001, 400, 0.9)


@pytest.mark.statistical
def test_every_group_is_covered_where_the_pooled_rule_fails_one():
    """Two groups, one of which the model is wrong about: only its own quantile keeps the promise there."""
    generator = np.random.default_rng(6)
    hits = {"pooled": [], "own": []}
    for _ in range(300):
        share = generator.uniform(0.5, 1.0, 401)
        hard = np.arange(401) % 4 == 0
        truth = generator.random(401) < np.where(hard, 1 - share, share)
        rows, labels = np.stack([1 - share, share], axis=1), truth.astype(int)
        groups = np.where(hard, "hard", "easy").tolist()
        pooled = conformalise(rows[:400], labels[:400], alpha=0.1)
        own = conformalise(rows[:400], labels[:400], alpha=0.1, groups=groups[:400])
        hits["pooled"].append(pooled.sets(rows[400:])[0, labels[400]])
        hits["own"].append(own.sets(rows[400:], groups[400:])[0, labels[400]])
    assert np.mean(hits["own"]) >= 0.9 - 2 * math.sqrt(0.09 / 300)
    assert np.mean(hits["pooled"]) < 0.8


@pytest.mark.statistical
def test_new_sources_are_covered_where_cases_share_them():
    """Twelve sources of five alike cases: the 55th of 60 scores lies in the 11th source, 11/13 = .846 of new ones."""
    generator = np.random.default_rng(8)
    runs, hits = 2_000, {True: 0, False: 0}
    sources = np.repeat(np.arange(12), 5)
    for _ in range(runs):
        scores, new = np.repeat(generator.random(12), 5), generator.random()
        for known in hits:
            hits[known] += new <= finite_quantile(scores, 0.1, sources if known else None).value
    error = math.sqrt(0.09 / runs)
    assert hits[True] / runs >= 0.9 - 2 * error
    assert hits[False] / runs == pytest.approx(11 / 13, abs=3 * error + 0.001)
