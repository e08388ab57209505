"""The area under the ROC curve."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from core.stats.ranks.auc import auc, grouped_auc


def test_auc_is_that_of_scikit_learn():
    generator = np.random.default_rng(1)
    for _ in range(5):
        score, good = generator.integers(0, 8, 60), generator.random(60) < 0.4
        assert auc(score, good) == pytest.approx(roc_auc_score(good, score))


def grouped(scores, good, groups=None, clusters=None):
    scores, good = np.asarray(scores, dtype=float), np.asarray(good, dtype=bool)
    groups = np.zeros(scores.size, dtype=int) if groups is None else groups
    clusters = np.arange(scores.size) if clusters is None else clusters
    return grouped_auc(scores, good, groups, clusters, int(groups.max()) + 1)


def test_groups_are_those_of_scikit_learn():
    generator = np.random.default_rng(2)
    scores, good, groups = generator.integers(0, 9, 300), generator.random(300) < 0.4, generator.integers(0, 6, 300)
    found = grouped(scores, good, groups)
    for number in range(6):
        inside = groups == number
        assert found.auc[number] == pytest.approx(roc_auc_score(good[inside], scores[inside]))
    assert found.overall.value == pytest.approx(np.average(found.auc, weights=found.right * found.wrong))
    assert found.influence.sum() == pytest.approx(0.0)


def test_the_variance_is_that_of_delong():
    generator = np.random.default_rng(3)
    good = np.arange(200) < 80
    scores = generator.normal(size=200) + good
    found = grouped(scores, good)
    # DeLong, DeLong and Clarke-Pearson (1988): S10 / m + S01 / l, with divisors m - 1 and l - 1.
    above = (scores[good][:, None] > scores[~good]).astype(float)
    variance = above.mean(axis=1).var(ddof=1) / 80 + above.mean(axis=0).var(ddof=1) / 120
    own = float((found.influence**2).sum()) * 200 / 199
    assert own == pytest.approx(variance, rel=0.02)


def test_one_case_of_each_kind_copied_into_a_cluster_is_worth_one():
    generator = np.random.default_rng(4)
    good = np.arange(60) < 30
    scores = generator.normal(size=60) + good
    one = grouped(scores, good)
    four = grouped(np.repeat(scores, 4), np.repeat(good, 4), clusters=np.repeat(np.arange(60), 4))
    assert four.low[0] == pytest.approx(one.low[0], abs=0.01)
    assert four.high[0] == pytest.approx(one.high[0], abs=0.01)


def test_one_kind_only_and_none():
    found = grouped([0.1, 0.2, 0.3], [True, True, True])
    assert np.isnan(found.auc[0])
    assert (found.overall.value, found.overall.n) == (None, 0)
    none = grouped_auc(np.empty(0), np.empty(0, dtype=bool), np.empty(0, dtype=int), np.empty(0, dtype=int), 2)
    assert none.right.tolist() == [0, 0]
    assert none.overall.value is None
