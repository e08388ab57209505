"""The permutation test of parts in closed form, against exact tests and against permutations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.weakness.blocks import Blocks, blocks_of
from core.weakness.testing import lower_tails

DRAWS = 200_000


def shares(values: list[float], parts: list[int], clusters: list[int] | None = None) -> Blocks:
    return blocks_of(np.array(values), np.array(parts), np.array(clusters or range(len(values))))


def permuted(blocks: Blocks, part: int) -> float:
    """P(S < s) + P(S = s) / 2 by dealing the blocks at random."""
    z = np.sqrt(blocks.weight) * (blocks.mean - (blocks.weight * blocks.mean).sum() / blocks.weight.sum())
    inside = blocks.part == part
    draw = np.random.default_rng(0)
    below = 0.0
    for _ in range(20):
        order = np.argsort(draw.random((DRAWS // 20, z.size)), axis=1)[:, : int(inside.sum())]
        off = z[order].sum(axis=1) - z[inside].sum()
        below += float((off < -1e-9).sum() + (np.abs(off) <= 1e-9).sum() / 2)
    return below / DRAWS


def test_independent_yes_and_no_give_the_mid_p_of_fishers_test() -> None:
    values = [1.0, 0.0, 0.0, 0.0] + [1.0] * 18 + [0.0] * 2
    blocks = shares(values, [0] * 4 + [1] * 20)
    found, held = lower_tails(blocks, 3)
    for part, table in ((0, [[1, 3], [18, 2]]), (1, [[18, 2], [1, 3]])):
        exact = stats.fisher_exact(table, alternative="less").pvalue
        just_so = stats.hypergeom.pmf(table[0][0], 24, 19, sum(table[0]))
        assert found[part] == pytest.approx(exact - just_so / 2)
    assert held.tolist() == [4, 20, 0]
    assert np.isnan(found[2])


@pytest.mark.statistical
@pytest.mark.parametrize("skew", [0.3, 1.0, 4.0])
def test_real_scores_have_the_chance_that_permutations_have(skew: float) -> None:
    draw = np.random.default_rng(5)
    values = draw.beta(4.0 * skew, 1.0, 120)
    parts = np.repeat(np.arange(4), [12, 36, 36, 36])
    values[:12] -= 0.12
    blocks = blocks_of(values, parts, np.arange(120))
    found, _ = lower_tails(blocks, 4)
    for part in range(2):
        expected = permuted(blocks, part)
        assert found[part] == pytest.approx(expected, rel=0.15, abs=3e-4)


def test_blocks_on_a_grid_have_the_chance_that_permutations_have() -> None:
    draw = np.random.default_rng(6)
    values = draw.choice([0.0, 0.5, 1.0], 90, p=[0.1, 0.15, 0.75])
    parts = np.repeat(np.arange(3), 30)
    values[:30] = draw.choice([0.0, 0.5, 1.0], 30, p=[0.3, 0.2, 0.5])
    blocks = blocks_of(values, parts, np.arange(90))
    found, _ = lower_tails(blocks, 3)
    assert found[0] == pytest.approx(permuted(blocks, 0), rel=0.2, abs=3e-4)


def test_the_order_of_cases_and_the_numbers_of_clusters_play_no_part() -> None:
    draw = np.random.default_rng(7)
    values, parts, clusters = draw.random(200), draw.integers(0, 5, 200), draw.integers(0, 60, 200)
    found, _ = lower_tails(blocks_of(values, parts, clusters), 5)
    order = draw.permutation(200)
    names = draw.permutation(60)
    again, _ = lower_tails(blocks_of(values[order], parts[order], names[clusters[order]]), 5)
    assert np.allclose(found, again)


def test_scores_that_are_all_the_same_show_nothing() -> None:
    found, _ = lower_tails(shares([0.7] * 20, [0] * 10 + [1] * 10), 2)
    assert found.tolist() == [1.0, 1.0]


def test_a_part_that_holds_everything_has_nothing_to_be_compared_with() -> None:
    found, held = lower_tails(shares([0.0, 1.0, 1.0], [0, 0, 0]), 1)
    assert np.isnan(found).all()
    assert held.tolist() == [3]


def test_no_case_is_no_test() -> None:
    found, held = lower_tails(shares([], []), 2)
    assert np.isnan(found).all()
    assert held.tolist() == [0, 0]


def test_answers_of_a_fact_that_are_all_alike_count_once() -> None:
    blocks = shares([0.0] * 6 + [1.0] * 6 + [1.0] * 6, [0] * 6 + [1] * 12, [0] * 6 + [1] * 6 + [2] * 6)
    assert blocks.alike == 1.0
    assert blocks.weight.tolist() == [1.0, 1.0, 1.0]
    assert blocks.size.tolist() == [6, 6, 6]


def test_answers_of_a_fact_that_differ_as_much_as_others_count_each() -> None:
    draw = np.random.default_rng(8)
    blocks = blocks_of(draw.random(3000), np.repeat([0, 1], 1500), np.arange(3000) // 3)
    assert blocks.alike < 0.05
    assert blocks.weight.mean() == pytest.approx(3.0, rel=0.1)


def test_a_cluster_in_two_parts_is_a_block_in_each() -> None:
    blocks = shares([1.0, 0.0, 1.0, 0.0], [0, 1, 0, 1], [0, 0, 1, 1])
    assert blocks.part.tolist() == [0, 0, 1, 1]
    assert blocks.mean.tolist() == [1.0, 1.0, 0.0, 0.0]
