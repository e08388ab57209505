"""Means, weights and the rules that give a sentence its weight."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import InvalidInput
from core.metrics.comparison.weights import asked_words, length_in_words, mean, shares, weighted_mean

VALUES = st.lists(st.floats(-1.0, 1.0), min_size=1, max_size=12)


def test_a_mean_is_summed_without_rounding():
    assert mean([0.1] * 10) == 0.1
    assert mean([1.0, 1e-17, -1.0]) == 1e-17 / 3


def test_a_mean_over_nothing_is_no_value():
    with pytest.raises(ValueError, match="over nothing"):
        mean([])


def test_a_weighted_mean_by_hand():
    # 0.2 x 1.0 + 0.3 x 0.5 + 0.5 x -0.2 = 0.2 + 0.15 - 0.1 = 0.25
    assert weighted_mean([1.0, 0.5, -0.2], [0.2, 0.3, 0.5]) == pytest.approx(0.25, abs=1e-15)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1.0], "1 weights for 2 sentences"),
        ([0.5, 0.25, 0.25], "3 weights for 2 sentences"),
        ([1.5, -0.5], "-0.5"),
        ([math.nan, 1.0], "nan"),
        ([math.inf, 0.0], "inf"),
        ([0.5, 0.4], "add up to 0.9, not to 1"),
        ([0.0, 0.0], "add up to 0, not to 1"),
    ],
)
def test_weights_that_do_not_fit_are_refused(weights, said):
    with pytest.raises(InvalidInput, match=said):
        weighted_mean([1.0, 0.5], weights)


def test_no_values_have_no_weighted_mean():
    with pytest.raises(InvalidInput, match="0 weights for 0 sentences"):
        weighted_mean([], [])


@given(VALUES, st.data())
def test_a_weighted_mean_lies_among_its_values_and_equal_weights_are_the_mean(values, data):
    sizes = data.draw(st.lists(st.integers(0, 50), min_size=len(values), max_size=len(values)))
    assert min(values) <= weighted_mean(values, shares(sizes)) <= max(values)
    assert weighted_mean(values, shares([1] * len(values))) == pytest.approx(mean(values), abs=1e-12)


@given(st.lists(st.floats(0.0, 1e6), max_size=20))
def test_shares_add_up_to_one(sizes):
    found = shares(sizes)
    assert len(found) == len(sizes)
    assert all(share >= 0.0 for share in found)
    assert not sizes or math.fsum(found) == pytest.approx(1.0, abs=1e-12)


def test_sizes_of_zero_share_alike():
    assert shares([0, 0, 0, 0]) == (0.25,) * 4
    assert shares([]) == ()
    assert shares([0, 2]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Rates rose by 2.5 percent.", 5),
        ("Rates rose, 1,200 times.", 4),
        ("🎉🎉", 1),
        ("...", 1),
        ("利率上升。", 4),
        ("أسعار الفائدة ارتفعت.", 3),
        ("UBS 利率 rose", 4),
        # a vowel mark above a letter is no letter of its own
        ("อัตรา", 4),
    ],
)
def test_the_length_of_a_sentence(text, words):
    assert length_in_words(text) == words


@pytest.mark.parametrize(
    ("text", "size"),
    [
        # manager, basel, branch and the one that keeps every sentence in
        ("Who is the manager of the Basel branch?", 4),
        ("The branch, the branch?", 2),
        ("Could you please tell me?", 1),
        ("Thank you very much for your kind help.", 1),
        ("🙂", 1),
        ("利率", 3),
    ],
)
def test_what_a_question_sentence_asks_about(text, size):
    assert asked_words(text) == size
