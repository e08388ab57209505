"""Batches keep to their budget, windows and cut words lose nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders.batches import batches, cut_words, windows


@given(st.lists(st.integers(0, 50)), st.integers(1, 100))
def test_every_place_is_in_one_batch_within_the_budget(lengths, budget):
    made = list(batches(lengths, budget))
    assert sorted(place for batch in made for place in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[place] for place in batch) <= budget


@pytest.mark.slow
@given(st.lists(st.sampled_from(["a", "bc", " ", "def", "\n"]), max_size=60), st.integers(1, 9))
def test_windows_make_up_the_text_and_hold_no_more_than_fits(pieces, capacity):
    text = "".join(pieces)
    offsets = [(place, place + 1) for place, character in enumerate(text) if not character.isspace()]
    made = windows(text, offsets, capacity)
    assert "".join(made) == text
    assert all(len("".join(window.split())) <= capacity for window in made)


def test_a_window_ends_before_a_word():
    text = "aa bb cc dd"
    assert windows(text, [(0, 2), (3, 5), (6, 7), (7, 8), (9, 11)], 3) == ["aa bb ", "cc dd"]


def test_a_word_that_is_too_long_is_cut_inside():
    assert windows("abcdef", [(place, place + 1) for place in range(6)], 4) == ["abcd", "ef"]


def test_tokens_that_share_a_character_stay_together():
    # One character of four tokens, twice: no window can hold less than a character.
    assert windows("😀😀", [(0, 1)] * 4 + [(1, 2)] * 4, 3) == ["😀", "😀"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("short words only", "short words only"),
        ("x" * 8, "x" * 8),
        ("x" * 9, "xx xx xx xx x"),
        ("http://a-b.c/d?e=f&g", "http://a-b.c/d?e=f&g"),
        # Eight Korean syllables become up to 24 letters when they are taken apart.
        ("가각간갇갈감갑값", "가각 간갇 갈감 갑값"),
    ],
)
def test_only_words_that_are_too_long_are_cut(text, expected):
    assert cut_words(text, 8) == expected
