"""Intervals, resampling, permutation, multiplicity and agreement against closed forms and worked examples."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from core.domain.errors import InsufficientData, InvalidInput
from core.stats import (
    Exchange,
    cluster_bootstrap,
    clustered_proportion,
    cohen_kappa,
    exchange_permutation,
    holm,
    paired_permutation,
    unpaired_permutation,
    wilson,
)


def test_wilson_against_the_published_example() -> None:
    # Newcombe (1998), table I: 81 of 263 gives .2553 to .3662, 15 of 148 .0624 to .1605, 0 of 20 0 to .1611.
    for num, den, low, high in [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]:
        found = wilson(num, den)
        assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_wilson_without_cases_and_with_impossible_ones() -> None:
    assert wilson(0, 0).value is None
    assert wilson(0, 0).low is None
    for num, den in [(3, 2), (-1, 2)]:
        with pytest.raises(InvalidInput, match="is not a share"):
            wilson(num, den)


@pytest.mark.slow
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), max_size=40))
def test_a_clustered_interval_holds_its_share(cases: list[tuple[bool, int]]) -> None:
    outcomes, clusters = [one for one, _ in cases], [cluster for _, cluster in cases]
    found = clustered_proportion(outcomes, clusters)
    if not cases:
        assert found.value is None
        assert found.clusters == 0
        return
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert 0.0 <= found.low <= found.value <= found.high <= 1.0
    assert found.low < found.high
    backwards = clustered_proportion(outcomes[::-1], [9 - cluster for cluster in clusters[::-1]])
    assert backwards == found, "neither order nor labels matter"
    opposite = clustered_proportion([not one for one in outcomes], clusters)
    assert opposite.high == pytest.approx(1 - found.low)


def test_clusters_of_one_are_independent_cases() -> None:
    found, plain = clustered_proportion([True, False, True], [7, 8, 9]), wilson(2, 3)
    assert (found.low, found.high, found.clusters) == (plain.low, plain.high, 3)


def test_cases_that_always_agree_count_once() -> None:
    # At a share of 1 with four clusters of three the interval is that of 4 of 4, not of 12 of 12.
    found = clustered_proportion([True] * 12, np.repeat(range(4), 3))
    assert found.low == pytest.approx(wilson(4, 4).low)
    one = clustered_proportion([True, True, False], [0, 0, 0])
    assert one.clusters == 1
    assert (one.high or 0) - (one.low or 0) > 0.8, "one cluster is one observation"


def test_more_agreement_widens_the_interval() -> None:
    clusters = np.repeat(range(20), 3)
    alike = clustered_proportion(np.repeat([True, False] * 10, 3), clusters)
    mixed = clustered_proportion(np.tile([True, False, True, False, True, False], 10), clusters)
    assert (alike.num, mixed.num) == (30, 30)
    assert (alike.high or 0) - (alike.low or 0) > 1.5 * ((mixed.high or 0) - (mixed.low or 0))


def test_outcomes_need_their_labels() -> None:
    with pytest.raises(InvalidInput, match="2 outcomes come with 1"):
        clustered_proportion([True, False], [1])


def test_bootstrap_of_means_and_differences() -> None:
    values = [0.0, 1 / 3, 2 / 3, 1.0, 0.0, 1 / 3, 0.0, 1.0]
    one = cluster_bootstrap(values, seed=3)
    assert one == cluster_bootstrap(values, seed=3), "the same seed"
    assert one.value == pytest.approx(sum(values) / 8)
    mirrored = cluster_bootstrap([-value for value in values], seed=3)
    assert mirrored.low == pytest.approx(-(one.high or 0), abs=0.05)
    two = cluster_bootstrap(values, other=[value / 2 for value in values])
    assert two.value == pytest.approx(sum(values) / 16)
    assert two.n == 16
    assert two.low is not None
    assert two.low >= -1.0


def test_equal_values_have_an_interval_all_the_same() -> None:
    for size in (6, 20, 150):
        found = cluster_bootstrap([0.0] * size)
        assert found.low is not None
        assert found.high is not None
        assert found.low < 0 < found.high
    assert cluster_bootstrap([1.0] * 8).high == 1.0
    assert cluster_bootstrap([1.0] * 8, other=[0.0] * 8).value == 1.0
    assert cluster_bootstrap([0.0] * 8, other=[0.0] * 8).value == 0.0


def test_an_extreme_skew_does_not_break_the_correction() -> None:
    found = cluster_bootstrap([0.0] * 400 + [1.0], seed=1)
    assert found.low is not None
    assert found.high is not None
    assert -0.02 < found.low < 1 / 401 < found.high < 0.05


@pytest.mark.parametrize(
    "call",
    [
        lambda: cluster_bootstrap([0.5] * 5),
        lambda: cluster_bootstrap([0.5] * 9, other=[0.5]),
        lambda: paired_permutation([0.5] * 5),
        lambda: unpaired_permutation([0.5] * 9, [0.5] * 5),
        lambda: cohen_kappa([], []),
    ],
)
def test_too_little_data_is_an_error_and_not_a_number(call: object) -> None:
    with pytest.raises(InsufficientData):
        call()  # type: ignore[operator]


@pytest.mark.slow
@given(st.lists(st.sampled_from([-1.0, -2 / 3, -0.5, -1 / 3, 0.0, 1 / 3, 0.5, 1.0]), min_size=6, max_size=9))
def test_the_convolution_is_the_enumeration(values: list[float]) -> None:
    sums = [
        abs(sum(s * v for s, v in zip(signs, values, strict=True))) for signs in product((1, -1), repeat=len(values))
    ]
    expected = sum(one >= abs(sum(values)) - 1e-9 for one in sums) / len(sums)
    assert paired_permutation(values).p_value == pytest.approx(expected)


def test_drawn_flips_where_there_is_no_grid() -> None:
    values = np.random.default_rng(0).normal(0.4, 1.0, 40)
    drawn = paired_permutation(values, seed=1)
    assert "drawn" in drawn.method
    # close to the t test, which for 40 normal values is nearly exact
    statistic = values.mean() / (values.std(ddof=1) / 40**0.5)
    assert drawn.p_value == pytest.approx(2 * special.stdtr(39, -abs(statistic)), abs=0.01)
    assert paired_permutation(values * 1e-4, seed=1).p_value == pytest.approx(drawn.p_value, abs=0.01)
    assert paired_permutation([0.0] * 6).p_value == 1.0
    assert paired_permutation([1.0] * 10_000, draws=999).p_value == pytest.approx(1 / 1_000)


def test_exchanges_inside_clusters_of_unequal_size() -> None:
    # One case of a against two of b, one success among the three: a has it once in three, +1, else -1/2.
    kind = Exchange(np.array([1.0, -0.5]), np.array([1 / 3, 2 / 3]), 6)
    found = exchange_permutation(6.0, [kind], draws=99_999)
    assert found.p_value == pytest.approx((1 / 3) ** 6, abs=5e-4), "the sum -3 is nearer to the expected 0"
    assert found.n == 6


def test_unpaired_exact_and_drawn_agree() -> None:
    first, second = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.2], [0.4, 0.9, 0.5, 0.8, 0.7, 1.0]
    exact = unpaired_permutation(first, second)
    assert "exact" in exact.method
    wide = unpaired_permutation(first * 2, second * 2, draws=4_999)
    assert "drawn" in wide.method
    assert wide.p_value < exact.p_value < 0.05
    assert unpaired_permutation(second, first).p_value == pytest.approx(exact.p_value)
    assert unpaired_permutation([0.5] * 6, [0.5] * 6).p_value == 1.0
    # 2 of the C(12, 6) = 924 divisions tell all zeros from all ones.
    assert unpaired_permutation([0.0] * 6, [1.0] * 6).p_value == pytest.approx(2 / 924)


def test_unlike_clusters_need_both_tests() -> None:
    ones, few = [0.0] * 11 + [1.0], [0.1] * 12
    assert unpaired_permutation(ones, few, alike=False).p_value >= unpaired_permutation(ones, few).p_value
    apart = unpaired_permutation([0.0] * 30, [1.0] * 30, alike=False)
    assert apart.p_value < 0.001
    assert "Welch" in unpaired_permutation([0.0] * 6, [1.0] * 6, alike=False).method


def test_holm() -> None:
    assert holm([]) == ()
    assert holm([None, None]) == (None, None)
    assert holm([0.2, 0.9]) == (0.4, 0.9)
    assert holm([0.01, 0.011, 0.5]) == pytest.approx((0.03, 0.03, 0.5)), "never falls below an earlier one"
    with pytest.raises(InvalidInput, match=r"1\.5 is not a p-value"):
        holm([1.5])


def test_kappa_against_a_worked_example() -> None:
    # 20 both yes, 5 and 10 differ, 15 both no: p_o = .7, p_e = .5 * .6 + .5 * .4 = .5, kappa = .4.
    first = ["y"] * 25 + ["n"] * 25
    second = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    found = cohen_kappa(first, second)
    assert found.value == pytest.approx(0.4)
    # Fleiss, Cohen and Everitt by hand: margins .5/.5 and .6/.4, so that 1 - (row + column)(1 - kappa) is
    # 1 - 1.1 * .6 for yes and 1 - .9 * .6 for no; the unlike cells hold .1 (.6 + .5) and .2 (.4 + .5).
    yes, no = 0.4 * (1 - 1.1 * 0.6) ** 2, 0.3 * (1 - 0.9 * 0.6) ** 2
    unlike = 0.36 * (0.1 * (0.6 + 0.5) ** 2 + 0.2 * (0.4 + 0.5) ** 2)
    error = ((yes + no + unlike - (0.4 - 0.5 * 0.6) ** 2) / (50 * 0.25)) ** 0.5
    assert found.low == pytest.approx(0.4 - 1.959964 * error, abs=1e-6)


def test_kappa_without_variation_or_with_missing_labels() -> None:
    assert cohen_kappa(["y"] * 5, ["y"] * 5).value is None
    assert cohen_kappa("yn", "ny").value == -1.0
    with pytest.raises(InvalidInput, match="labelled 1 items"):
        cohen_kappa(["y"], ["y", "n"])
