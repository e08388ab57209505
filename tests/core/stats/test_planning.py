"""Plans against closed forms and tables; tests/statistical/test_planning.py holds what they promise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.stats.planning import (
    Grouping,
    grouping_of,
    groups_for_change,
    groups_for_width,
    groups_to_pass,
    half_width,
    power_to_pass,
)


@pytest.mark.parametrize(
    ("share", "wanted", "cases"),
    # n of Wilson's interval: half = z sqrt(p q / n + z^2 / 4 n^2) / (1 + z^2 / n), solved for n by hand at p = 0.5,
    # where half = z / 2 sqrt(n + z^2): n = z^2 (1 / 4 half^2 - 1), so 92.2, 380.3 and 2397.1
    [(0.5, 0.1, 93), (0.5, 0.05, 381), (0.5, 0.02, 2398)],
)
def test_a_width_needs_what_wilson_says(share, wanted, cases):
    plan = groups_for_width(share, wanted)
    assert plan.groups == plan.cases == cases
    assert half_width(share, cases, Grouping()) <= wanted < half_width(share, cases - 1, Grouping())


@pytest.mark.parametrize(
    ("difference", "changing", "power", "cases"),
    # (1.959964 sqrt(c) + z sqrt(c - d^2))^2 / d^2 with z = 0.841621 (0.8) or 1.281552 (0.9)
    [(0.1, 0.2, 0.8, 155), (0.05, 0.1, 0.8, 312), (0.2, 0.3, 0.9, 75), (0.1, 0.1, 0.8, 77)],
)
def test_a_change_needs_what_mcnemars_test_needs(difference, changing, power, cases):
    assert groups_for_change(difference, changing, power).groups == cases


def test_a_pass_needs_the_fewest_successes_whose_bound_reaches_the_threshold():
    # Of 100 at most 3 may be wrong: Wilson of 96/100 begins at 0.9016 and of 95/100 at 0.8882.
    # P(Binomial(100, 0.97) >= 96) = 0.818
    assert power_to_pass(0.97, 0.9, 100, Grouping()) == pytest.approx(0.8179, abs=5e-4)
    assert power_to_pass(1.0, 0.9, 34, Grouping()) == 0.0  # 34/34 begins at 0.8985
    assert power_to_pass(1.0, 0.9, 35, Grouping()) == 1.0  # 35/35 begins at 0.9011


def test_wordings_of_one_fact_are_worth_less_than_facts():
    alone, alike = groups_for_width(0.8, 0.05), groups_for_width(0.8, 0.05, Grouping(size=4, likeness=0.5))
    same = groups_for_width(0.8, 0.05, Grouping(size=4, likeness=1.0))
    assert Grouping(size=4, likeness=0.5).design_effect == 2.5
    assert alike.groups < alone.groups < alike.cases
    assert alone.groups <= same.groups <= alone.groups + 4  # a wording more says nothing, but for Student's quantile


def test_how_alike_cases_of_a_group_are_is_read_from_outcomes():
    assert grouping_of([1, 0, 1], [0, 1, 2]) == Grouping(size=1.0, likeness=0.0)
    assert grouping_of([1, 1, 0, 0], [0, 0, 1, 1]) == Grouping(size=2.0, likeness=1.0)
    assert grouping_of([1, 0, 1, 0], [0, 0, 1, 1]).likeness == 0.0
    assert grouping_of([1, 1, 1, 1], [0, 0, 1, 1]).likeness == 1.0  # all alike: nothing is known, so the worst
    assert grouping_of([1, 0, 0, 0], [0, 0, 0, 1]).size == pytest.approx((9 + 1) / 4)


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (lambda: groups_for_width(1.2, 0.05), "1.2 is no expected share"),
        (lambda: groups_for_width(0.5, 0.0), "0 is no half-width"),
        (lambda: groups_for_width(0.5, 0.0001), "More than 1,000,000 groups"),
        (lambda: groups_to_pass(0.9, 0.9), "cannot be shown to be above 0.9"),
        (lambda: groups_to_pass(0.95, 0.9, 1.0), "1 is no power"),
        (lambda: groups_for_change(0.0, 0.1), "0 is no difference"),
        (lambda: groups_for_change(0.2, 0.1), "as many cases that change"),
    ],
    ids=["share", "width", "tiny", "threshold", "power", "difference", "changing"],
)
def test_what_cannot_be_planned_is_refused(plan, message):
    with pytest.raises(InvalidInput, match=message):
        plan()


@given(st.floats(0.02, 0.98), st.floats(0.02, 0.3), st.integers(1, 8), st.floats(0.0, 1.0))
def test_a_narrower_interval_never_needs_fewer_groups(share, wanted, size, likeness):
    grouping = Grouping(size=size, likeness=likeness)
    narrow, wide = groups_for_width(share, wanted / 2, grouping), groups_for_width(share, wanted, grouping)
    assert narrow.groups >= wide.groups
    assert wide.reached <= wanted
