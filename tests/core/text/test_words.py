"""Words of one family meet; others do not."""

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text import words
from core.text.words import contains_phrase, content_words, fold, stem


def test_examples_in_the_documentation():
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    "family",
    [
        ("opening", "opened", "opens", "open"),
        ("manager", "managers", "manages", "managed", "led", "run", "running"),
        ("location", "located", "city", "place"),
        ("branch", "branches"),
        ("salary", "salaries", "wage"),
        ("start", "initiated", "commenced", "began"),
        ("number", "numbers"),
        ("category", "categories"),
    ],
)
def test_one_family(family):
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("office", "officer"), ("director", "manager"), ("address", "dress"), ("number", "numb"), ("custom", "customer")],
)
def test_two_families(one, other):
    assert stem(one) != stem(other)


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@pytest.mark.slow
@given(
    st.text(st.characters(categories=("L", "Nd", "Zs", "P")), max_size=20), st.text(max_size=10), st.text(max_size=10)
)
def test_a_phrase_between_blanks_is_found(phrase, before, after):
    if fold(phrase):
        assert contains_phrase(fold(f"{before} {phrase} {after}"), phrase)


def test_a_phrase_is_not_found_inside_longer_words():
    assert not contains_phrase("annex of joanne", "anne")
    assert contains_phrase("joanne and anne.", "anne")
    assert not contains_phrase("anything", "")


def test_padding_is_kept_where_there_is_nothing_else():
    assert content_words("Please give the details") == ("please", "give", "details")
