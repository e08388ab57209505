"""Numbers to ordered levels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.weakness.binning import Binning, bin_numbers, with_level

WORDS = ("word", "words")


def held(attribute):
    """Cases of each level."""
    return np.bincount(attribute.codes[attribute.codes >= 0], minlength=len(attribute.levels)).tolist()


def test_quantiles_of_different_numbers_have_equally_many_cases():
    found = bin_numbers("score", np.arange(1, 101) / 100)
    assert found.levels == ("0.01 to 0.25", "0.25 to 0.5", "0.5 to 0.75", "0.75 to 1")
    assert (held(found), found.ordered, found.name) == ([25] * 4, True, "score")


def test_whole_numbers_are_named_by_the_first_and_last_of_a_level():
    found = bin_numbers("length", np.array([1, 3, 8, 9, 12, 16, 17, 20, 33.0]), Binning(bins=3), units=WORDS)
    assert found.levels == ("1 to 8 words", "9 to 16 words", "17 to 33 words")


def test_few_whole_numbers_are_levels_by_themselves_in_their_order():
    found = bin_numbers("passages", np.array([10, 1, 2, 2, 1]), units=("passage", "passages"))
    assert (found.levels, found.codes.tolist()) == (("1 passage", "2 passages", "10 passages"), [2, 0, 1, 1, 0])


def test_equal_numbers_share_a_level_so_that_repeated_ones_make_fewer():
    mostly_none = bin_numbers("hits", np.array([0] * 90 + [*range(1, 11)]))
    assert (mostly_none.levels, held(mostly_none)) == (("0", "1 to 10"), [90, 10])
    mostly_full = bin_numbers("share", np.array([1.0] * 90 + [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9]))
    assert (mostly_full.levels, held(mostly_full)) == (("0.1 to 0.9", "1"), [10, 90])


def test_a_constant_is_one_level_and_nothing_is_none():
    assert bin_numbers("share", np.full(9, 0.5)).levels == ("0.5",)
    nothing = bin_numbers("share", np.full(3, np.nan))
    assert (nothing.levels, nothing.codes.tolist()) == ((), [-1, -1, -1])
    assert bin_numbers("share", np.empty(0)).codes.size == 0


def test_a_case_without_a_number_has_no_level():
    found = bin_numbers("share", np.array([0.25, np.nan, 0.75, np.inf]), Binning(bins=2))
    assert (found.levels, found.codes.tolist()) == (("0.25", "0.75"), [0, -1, 1, -1])


def test_numbers_that_are_near_are_told_apart_by_their_names():
    found = bin_numbers("share", np.array([0.50001, 0.50002, 0.50003, 0.50004]), Binning(bins=2))
    assert found.levels == ("0.50001 to 0.50002", "0.50002 to 0.50004")


def test_edges_belong_to_the_level_they_end_and_levels_may_be_empty():
    shares = bin_numbers("share", np.array([0.1, 0.25, 0.26, 0.9]), Binning(kind="edges", edges=(0.25, 0.5, 0.75)))
    assert shares.levels == ("0.25 or less", "0.25 to 0.5", "0.5 to 0.75", "more than 0.75")
    assert held(shares) == [2, 1, 0, 1]


def test_edges_between_whole_numbers_are_named_by_whole_numbers():
    found = bin_numbers("length", np.array([1, 2, 8, 9, 40]), Binning(kind="edges", edges=(1, 8.5)), units=WORDS)
    assert found.levels == ("1 word or less", "2 to 8 words", "9 words or more")
    assert found.codes.tolist() == [0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("given", "message", "remedy"),
    [
        ({"kind": "edges"}, "No edge is given", "at least one number"),
        ({"kind": "edges", "edges": (8.0, 4.0)}, "The edge 4 comes after 8", "ascending order"),
        ({"kind": "edges", "edges": (8.0, 8.0)}, "The edge 8 comes after 8", "ascending order"),
        ({"kind": "edges", "edges": (0.5, float("nan"))}, "The edge nan is not a number", "finite"),
        ({"kind": "edges", "edges": tuple(range(20))}, "20 edges are given", "19 at most"),
        ({"bins": 1}, "number of bins is 1", "2 to 20"),
        ({"bins": 21}, "number of bins is 21", "2 to 20"),
        ({"kind": "width"}, "'width'", "quantile or edges"),
    ],
)
def test_what_cannot_be_done_names_the_edge_and_the_remedy(given, message, remedy):
    with pytest.raises(InvalidInput, match=message) as caught:
        Binning(**given)
    assert remedy in caught.value.hint


def test_one_more_level_for_cases_without_a_number():
    ranks = bin_numbers("rank", np.array([1, np.nan, 3, np.nan]))
    found = with_level(ranks, np.array([False, True, False, False]), "not retrieved")
    assert (found.levels, found.codes.tolist()) == (("1", "3", "not retrieved"), [0, 2, 1, -1])
    assert with_level(ranks, np.zeros(4, dtype=bool), "not retrieved") is ranks


NUMBERS = st.lists(
    st.one_of(st.floats(-1e6, 1e6, allow_nan=False), st.integers(-9, 9).map(float), st.just(float("nan"))),
    min_size=1,
    max_size=80,
)


@pytest.mark.slow
@given(NUMBERS, st.integers(2, 20))
def test_levels_follow_the_numbers_and_none_is_empty(numbers, bins):
    values = np.array(numbers)
    found = bin_numbers("x", values, Binning(bins=bins))
    there = np.isfinite(values)
    assert ((found.codes >= 0) == there).all()
    assert len(set(found.levels)) == len(found.levels)
    assert all(count > 0 for count in held(found))
    order = np.argsort(values[there], kind="stable")
    assert (np.diff(found.codes[there][order]) >= 0).all()
    for value in np.unique(values[there]):
        assert np.unique(found.codes[values == value]).size == 1


@given(NUMBERS, st.lists(st.integers(-20, 20), min_size=1, max_size=6, unique=True))
def test_a_number_lies_at_or_below_the_edge_of_its_level(numbers, edges):
    values, edges = np.array(numbers), tuple(sorted(float(edge) for edge in edges))
    found = bin_numbers("x", values, Binning(kind="edges", edges=edges))
    if not np.isfinite(values).any():
        return
    assert len(found.levels) == len(edges) + 1
    assert len(set(found.levels)) == len(found.levels)
    for value, code in zip(values.tolist(), found.codes.tolist(), strict=True):
        if np.isfinite(value):
            assert code == sum(value > edge for edge in edges)
