"""The search over conjunctions, against a plain count."""

from itertools import combinations, product

import numpy as np
import pytest

from core.weakness.slices import search as slice_search
from core.weakness.slices.search import Half, search


def plain(values, codes, depth, least):
    """Every conjunction with enough cases, one by one."""
    found = {}
    for k in range(1, depth + 1):
        for chosen in combinations(range(len(codes)), k):
            for levels in product(*(range(codes[at].max() + 1) for at in chosen)):
                mask = np.logical_and.reduce([codes[at] == level for at, level in zip(chosen, levels, strict=True)])
                if mask.sum() >= least:
                    effect = values[~mask].mean() - values[mask].mean() if (~mask).any() else np.nan
                    found[tuple(zip(chosen, levels, strict=True))] = (int(mask.sum()), effect)
    return found


@pytest.mark.parametrize("levels", [(2, 3, 4, 2), (30, 3, 25, 2)])
def test_counts_and_effects_are_those_of_a_plain_count(levels):
    generator = np.random.default_rng(4)
    codes = [generator.integers(-1, level, 300) for level in levels]
    values = generator.random(300) - 0.6 * ((codes[1] == 0) & (codes[3] == 1))
    half = Half(values, np.arange(300))
    expected = plain(values, codes, 3, 6)
    found, tried = search(half, codes, depth=3, least=6, least_effect=0.05, most=1_000)
    assert tried == len(expected)
    assert ((1, 0), (3, 1)) in {one.conditions for one in found}
    for one in found:
        n, effect = expected[one.conditions]
        assert (one.n, one.clusters) == (n, n)
        assert one.effect == pytest.approx(effect)
        assert one.effect >= 0.05
    assert [one.standing for one in found] == sorted((one.standing for one in found), reverse=True)


def test_a_simpler_slice_explains_its_children():
    generator = np.random.default_rng(5)
    codes = [generator.integers(0, 3, 3_000) for _ in range(4)]
    values = generator.random(3_000) - 0.5 * (codes[0] == 1)
    found, _ = search(Half(values, np.arange(3_000)), codes, depth=3, least=8, least_effect=0.1, most=1_000)
    assert found[0].conditions == ((0, 1),)
    children = [one for one in found if (0, 1) in one.conditions]
    # 12 pairs and triples of 54 would do by chance what one in ten does, and a triple has three parents.
    assert len(children) <= 8


def test_a_child_that_holds_all_its_parent_has_is_the_parent():
    codes = [np.repeat([0, 1], 50), np.repeat([0, 1, 2], (50, 25, 25))]
    values = np.repeat([0.2, 0.8], 50) + np.tile([0.0, 0.1], 50)
    found, _ = search(Half(values, np.arange(100)), codes, depth=2, least=5, least_effect=0.1, most=10)
    assert ((0, 0), (1, 0)) not in {one.conditions for one in found}


def test_clusters_and_not_cases_are_counted():
    codes = [np.repeat([0, 1], (60, 140))]
    values = np.tile([0.2, 0.8], 100) - 0.3 * (codes[0] == 0)
    clusters = np.concatenate([np.repeat(np.arange(6), 10), np.arange(6, 146)])
    half = Half(values, clusters)
    assert not half.alone
    assert search(half, codes, depth=1, least=7, least_effect=0.1, most=10)[0] == ()
    (found,), _ = search(half, codes, depth=1, least=6, least_effect=0.1, most=10)
    assert (found.n, found.clusters) == (60, 6)


def test_cases_that_are_alike_within_clusters_stand_out_less():
    generator = np.random.default_rng(6)
    codes = [np.repeat([0, 1], 200)]
    luck = generator.normal(size=40).repeat(10)
    values = luck - 0.8 * (codes[0] == 0)
    apart = search(Half(values, np.arange(400)), codes, depth=1, least=2, least_effect=0.1, most=1)[0]
    alike = search(Half(values, np.repeat(np.arange(40), 10)), codes, depth=1, least=2, least_effect=0.1, most=1)[0]
    assert not alike or alike[0].standing < apart[0].standing / 2


def test_of_many_attributes_only_the_most_telling_are_combined_in_threes():
    generator = np.random.default_rng(7)
    codes = [generator.integers(0, 2, 400) for _ in range(slice_search.TRIPLE_ATTRIBUTES + 3)]
    half = Half(generator.random(400) - 0.5 * (codes[-1] == 1), np.arange(400))
    found, tried = search(half, codes, depth=3, least=20, least_effect=0.0, most=10_000)
    used = {at for one in found if len(one.conditions) == 3 for at, _ in one.conditions}
    assert len(used) <= slice_search.TRIPLE_ATTRIBUTES
    count = len(codes)
    assert tried <= 2 * count + 4 * count * (count - 1) / 2 + 8 * 1_540


def test_nothing_to_search():
    half = Half(np.array([0.0, 1.0]), np.arange(2))
    assert search(half, [], depth=3, least=1, least_effect=0.1, most=5) == ((), 0)
    assert search(half, [np.array([-1, -1])], depth=3, least=1, least_effect=0.1, most=5) == ((), 0)
