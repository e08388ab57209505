"""The halves of the slice finder."""

import numpy as np

from core.weakness.slices.halving import discovery_half


def test_no_cluster_is_cut_and_the_seed_decides():
    generator = np.random.default_rng(0)
    clusters = generator.integers(0, 60, 400)
    codes = generator.integers(-1, 4, 400)
    half = discovery_half(clusters, [codes], seed=3)
    assert all(np.ptp(half[clusters == one].astype(int)) == 0 for one in np.unique(clusters))
    assert np.array_equal(half, discovery_half(clusters, [codes], seed=3))
    assert not np.array_equal(half, discovery_half(clusters, [codes], seed=4))


def test_levels_of_the_attributes_of_fewest_levels_are_halved_evenly():
    generator = np.random.default_rng(1)
    few, many = generator.integers(0, 3, 120), generator.integers(0, 40, 120)
    for seed in range(20):
        half = discovery_half(np.arange(120), [many, few], seed=seed)
        assert half.sum() == 60
        # Of two neighbours one goes to either half, so a level can be off by the one pair at either of its ends.
        for level in range(3):
            assert abs(half[few == level].sum() - (~half[few == level]).sum()) <= 2


def test_large_clusters_are_shared_out():
    clusters = np.concatenate([np.repeat(np.arange(4), 25), np.arange(4, 44)])
    for seed in range(10):
        assert discovery_half(clusters, [], seed=seed).sum() == 70


def test_an_odd_number_and_none():
    assert discovery_half(np.arange(7), [], seed=0).sum() in (3, 4)
    assert discovery_half(np.empty(0, dtype=np.int64), [], seed=0).size == 0


def test_many_attributes_of_many_levels():
    generator = np.random.default_rng(2)
    attributes = [generator.integers(0, 5_000, 300) for _ in range(12)]
    assert discovery_half(np.arange(300), attributes, seed=0).sum() == 150
