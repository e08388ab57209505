"""Shared words: normal forms, tokens, F1 with multiplicity, the longest common subsequence."""

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.comparison.overlap import (
    answer_tokens,
    bag_overlap,
    longest_common_subsequence,
    normalise,
    rouge_tokens,
    sequence_overlap,
)

LETTERS = st.lists(st.sampled_from("abcde"), max_size=30)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=80)


def squad_normal(text):
    """The normal form of SQuAD from its description: lower case, no punctuation, no articles, single blanks."""
    text = "".join(mark for mark in text.lower() if mark not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def squad_f1(answer, reference):
    said, known = squad_normal(answer).split(), squad_normal(reference).split()
    same = sum((Counter(said) & Counter(known)).values())
    if not same:
        return 0.0
    precision, recall = same / len(said), same / len(known)
    return 2 * precision * recall / (precision + recall)


def table_lcs(first, second):
    """The textbook table, one cell at a time."""
    row = [0] * (len(second) + 1)
    for token in first:
        above = row[:]
        for place, other in enumerate(second):
            row[place + 1] = above[place] + 1 if token == other else max(above[place + 1], row[place])
    return row[-1]


@pytest.mark.parametrize(
    ("text", "language", "normal"),
    [
        ("The Harbour Street Branch.", "en", "harbour street branch"),
        ("  a   fee of 5 %\n", "en", "fee of 5"),
        ("4.5", "en", "4.5"),
        ("$1,250.00!", "en", "1,250.00"),
        ("-5", "en", "-5"),
        ("\u22125", "en", "-5"),
        ("well-known", "en", "wellknown"),
        ("2014-05-03", "en", "2014-05-03"),
        ("\ufb01nance \uff11\uff12", "en", "finance 12"),
        ("O\u2019Brien\u2019s", "en", "obriens"),
        ("STRASSE Straße", "de", "strasse strasse"),
        ("Die Filiale in der Stadt", "de", "filiale in stadt"),
        ("Die Filiale", "en", "die filiale"),
        ("L'agence de l\u2019avenue", "fr", "agence de avenue"),
        ("The", "en", "the"),
        ("...", "en", "..."),
        ("🎉", "en", "🎉"),
        ("「東京」。", "ja", "東京"),
        ("", "en", ""),
    ],
)
def test_normal_forms(text, language, normal):
    assert normalise(text, language) == normal


@given(st.text(max_size=60))
def test_a_normal_form_never_fails_and_a_text_equals_itself_in_any_case(text):
    assert normalise(text) == normalise(f"  {text}\n")
    # Only a blank text has nothing left.
    assert bool(normalise(text)) == bool(" ".join(text.split()))


@given(ASCII, ASCII)
def test_token_f1_is_that_of_squad_where_no_mark_touches_a_digit(answer, reference):
    if any(re.search(r"\d", text) or not squad_normal(text) for text in (answer, reference)):
        return
    assert bag_overlap(answer_tokens(answer), answer_tokens(reference)).f1 == pytest.approx(squad_f1(answer, reference))


def test_tokens_of_several_scripts():
    assert answer_tokens("The 東京 branch") == ["東", "京", "branch"]
    assert rouge_tokens("สวัสดี") == ["ส", "วั", "ส", "ดี"]
    assert rouge_tokens("Cafe\u0301 snake_case") == ["café", "snake", "case"]
    assert rouge_tokens("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert rouge_tokens("Привет, мир!") == ["привет", "мир"]
    assert rouge_tokens("--- 🎉") == ["-", "-", "-", "🎉"]
    assert rouge_tokens(" ") == []


def test_shared_words_count_as_often_as_both_have_them():
    # a: min(2, 1) = 1, b: min(1, 2) = 1, so 2 shared of 3 and of 4: P = 2/3, R = 1/2, F = 2 * (1/3) / (7/6) = 4/7.
    found = bag_overlap(["a", "a", "b"], ["a", "b", "b", "c"])
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), 0.5)
    assert found.f1 == pytest.approx(4 / 7)


@given(LETTERS, LETTERS)
def test_f1_lies_in_its_range_and_does_not_care_which_side_is_which(first, second):
    for overlap in (bag_overlap, sequence_overlap):
        found = overlap(first, second)
        assert 0.0 <= found.f1 <= 1.0
        assert found.f1 == pytest.approx(overlap(second, first).f1)
    assert sequence_overlap(first, second).f1 <= bag_overlap(first, second).f1 + 1e-12


@pytest.mark.slow
@given(LETTERS.filter(bool))
def test_a_text_shares_all_with_itself_and_nothing_with_another_alphabet(tokens):
    for overlap in (bag_overlap, sequence_overlap):
        assert overlap(tokens, tokens).f1 == 1.0
        assert overlap(tokens, [token.upper() for token in tokens]).f1 == 0.0
        assert overlap(tokens, []).f1 == overlap([], tokens).f1 == overlap([], []).f1 == 0.0


@given(LETTERS, LETTERS)
def test_the_bit_parallel_subsequence_is_that_of_the_table(first, second):
    assert longest_common_subsequence(first, second) == table_lcs(first, second)


def test_the_subsequence_of_two_thousand_by_two_thousand_tokens():
    # How long it takes is measured in bench/bench_long_inputs.py.
    first = [str(place * 7919 % 293) for place in range(2000)]
    second = [str(place * 104729 % 293) for place in range(2000)]
    assert longest_common_subsequence(first, second) == longest_common_subsequence(second, first)
    assert 0 < longest_common_subsequence(first, second) < 2000
    assert longest_common_subsequence(first, first) == 2000
