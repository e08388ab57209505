"""Clusters drawn anew: what is drawn, in blocks or at once, and the interval from it."""

import numpy as np
import pytest

from core.stats import resampling
from core.stats.folds import balanced_folds
from core.stats.resampling import bootstrap_interval, case_counts, percentiles, resampled, resampled_cases

CLUSTERS = np.repeat(np.arange(8), 3)


def test_as_many_clusters_are_drawn_as_there_are():
    drawn = np.concatenate(list(case_counts(CLUSTERS, 50, seed=1)))
    assert drawn.shape == (50, 24)
    assert (drawn.sum(axis=1) == 24).all()
    assert (np.ptp(drawn.reshape(50, 8, 3), axis=2) == 0).all(), "the cases of a cluster go together"


def test_blocks_do_not_change_what_is_drawn(monkeypatch):
    whole = np.concatenate(list(case_counts(CLUSTERS, 50, seed=1)))
    monkeypatch.setattr(resampling, "CELLS", 7 * CLUSTERS.size)
    blocks = list(case_counts(CLUSTERS, 50, seed=1))
    assert [len(block) for block in blocks] == [7] * 7 + [1]
    assert (np.concatenate(blocks) == whole).all()


def test_alike_clusters_are_drawn_as_their_kind():
    share = resampled(lambda counts: counts[:, 1] / 10, [6, 4], draws=4_000, seed=0)
    assert share.mean() == pytest.approx(0.4, abs=0.01)
    assert share.std() == pytest.approx((0.4 * 0.6 / 10) ** 0.5, rel=0.05)


def test_places_of_too_few_clusters_are_not_drawn():
    assert resampled_cases(len, np.arange(5), draws=9, seed=0).size == 0
    assert resampled_cases(len, CLUSTERS, draws=9, seed=0).tolist() == [24.0] * 9


def test_undefined_draws_are_left_out():
    assert percentiles(np.array([np.nan, 2.0, 2.0])) == (2.0, 2.0)
    assert percentiles(np.array([np.nan])) == (None, None)


def test_an_interval_holds_its_value_lies_in_its_range_and_widens_with_comparisons():
    drawn = np.random.default_rng(0).normal(0.5, 0.2, 2_000)
    one = bootstrap_interval(0.5, drawn, CLUSTERS, least=0.0, most=1.0)
    four = bootstrap_interval(0.5, drawn, CLUSTERS, compared=4)
    assert 0.0 <= one.low < 0.5 < one.high <= 1.0
    assert four.low < one.low
    assert one.high < four.high
    assert bootstrap_interval(2.0, drawn, CLUSTERS).high == 2.0
    few = bootstrap_interval(0.5, drawn, np.arange(5))
    assert (few.value, few.low, few.high) == (0.5, None, None)


def test_folds_keep_clusters_whole_and_spread_their_means():
    values = np.repeat([0.0, 1.0], 12)
    fold = balanced_folds(values, CLUSTERS, 4, np.random.default_rng(0))
    assert (np.ptp(fold.reshape(8, 3), axis=1) == 0).all()
    assert [values[fold == place].mean() for place in range(4)] == [0.5] * 4
