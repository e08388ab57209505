"""Reciprocal rank fusion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.targets.searching.fusion import fuse

RANKINGS = st.lists(st.lists(st.sampled_from("abcdefgh"), unique=True), max_size=4)


def test_hand_computed_scores():
    # b: 1/(60+2) + 1/(60+1), a: 1/61, c: 1/62
    found = fuse([["a", "b"], ["b", "c"]])
    assert found == [("b", pytest.approx(1 / 62 + 1 / 61)), ("a", pytest.approx(1 / 61)), ("c", pytest.approx(1 / 62))]


def test_the_constant_decides_between_one_first_place_and_two_later_ones():
    rankings = [["x", "z", "y"], ["z2", "w", "y"]]
    assert fuse(rankings, k=0)[0][0] == "x"  # 1/1 against 1/3 + 1/3
    assert fuse(rankings, k=60)[0][0] == "y"  # 1/61 against 2/63


def test_equal_scores_keep_the_order_of_the_first_ranking():
    assert [name for name, _ in fuse([["a", "b"], ["b", "a"]])] == ["a", "b"]
    assert fuse([]) == fuse([[]]) == []


@pytest.mark.slow
@given(RANKINGS, st.randoms())
def test_the_order_of_the_rankings_changes_no_score(rankings, random):
    shuffled = random.sample(rankings, len(rankings))
    assert dict(fuse(shuffled)) == dict(fuse(rankings))


@pytest.mark.slow
@given(RANKINGS)
def test_everything_that_was_ranked_is_there_once_and_in_order(rankings):
    found = fuse(rankings)
    assert sorted(name for name, _ in found) == sorted({name for ranking in rankings for name in ranking})
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


@given(st.lists(st.sampled_from("abcdefgh"), unique=True), st.integers(1, 3))
def test_rankings_that_agree_are_kept(ranking, copies):
    assert [name for name, _ in fuse([ranking] * copies)] == ranking
