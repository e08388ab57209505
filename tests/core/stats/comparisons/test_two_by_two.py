"""Two properties of the same units: Fisher's exact test and the odds ratio, by hand and against scipy."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact as reference

from core.domain.errors import InvalidInput
from core.stats.comparisons.two_by_two import fisher_exact, odds_ratio

COUNT = st.integers(min_value=0, max_value=40)


def test_the_tea_tasting_table_by_hand():
    # Ways with margins 4, 4: 1, 16, 36, 16, 1 of 70; as unlikely as 3 right: 16 + 16 + 1 + 1 = 34 of 70.
    assert fisher_exact(3, 1, 1, 3) == pytest.approx(34 / 70)
    assert fisher_exact(4, 0, 0, 4) == pytest.approx(2 / 70)


@given(COUNT, COUNT, COUNT, COUNT)
def test_it_agrees_with_scipy(a, b, c, d):
    assert fisher_exact(a, b, c, d) == pytest.approx(reference([[a, b], [c, d]]).pvalue, rel=1e-6)


def test_thousands_of_units_that_all_coincide_are_no_float_too_many():
    assert fisher_exact(2_500, 0, 0, 2_500) < 1e-300
    assert fisher_exact(1_300, 1_200, 1_200, 1_300) == pytest.approx(0.005102947932644741)  # scipy
    assert fisher_exact(0, 2_500, 2_500, 0) < 1e-300


@given(COUNT, COUNT, COUNT, COUNT)
def test_turning_the_table_changes_nothing(a, b, c, d):
    assert fisher_exact(a, b, c, d) == pytest.approx(fisher_exact(a, c, b, d), rel=1e-9)


def test_the_odds_ratio_by_hand():
    found = odds_ratio(3, 1, 1, 3)
    # 3.5 * 3.5 / (1.5 * 1.5) = 5.444; half width 1.96 * sqrt(2/3.5 + 2/1.5) = 2.705.
    assert found.value == pytest.approx(3.5 * 3.5 / 1.5**2)
    assert math.log(found.high / found.value) == pytest.approx(1.959964 * math.sqrt(2 / 3.5 + 2 / 1.5), rel=1e-6)
    assert found.low < 1 < found.high
    assert found.n == 8


def test_an_empty_cell_still_gives_a_figure_and_an_empty_margin_none():
    assert odds_ratio(7, 0, 3, 17).value == pytest.approx(7.5 * 17.5 / (0.5 * 3.5))
    assert odds_ratio(0, 0, 3, 17).value is None
    assert odds_ratio(5, 4, 0, 0).value is None
    assert fisher_exact(0, 0, 3, 17) == 1.0


def test_a_negative_count_is_refused():
    with pytest.raises(InvalidInput, match="holds -1"):
        fisher_exact(1, -1, 0, 0)
