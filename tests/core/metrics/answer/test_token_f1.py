"""Token F1: words shared with the nearest reference, as often as both have them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.status import Status
from core.metrics import Sample
from tests.support.models.scripted_encoder import score_of


def score(answer, *references, **fields):
    return score_of("token_f1", Sample(case_id="c", answer=answer, references=references, **fields), {})


def test_the_f1_of_shared_words():
    # Answer: branch opened in 2014 in basel (6 words, articles out); reference: it opened in 2014 (4 words).
    # Shared: opened, in (once), 2014 = 3. P = 3/6, R = 3/4, F = 2 * (3/8) / (5/4) = 0.6.
    found = score("The branch opened in 2014 in Basel.", "It opened in 2014.")
    assert found.value == pytest.approx(0.6)
    assert found.detail == {"reference": 0, "parts": {"precision": 0.5, "recall": 0.75}}


def test_the_nearest_reference_counts_and_is_named():
    found = score("Ann Lee", "Bo Chen", "Ann Marie Lee", "Ann", "")
    # Ann Marie Lee: P = 1, R = 2/3, F = 0.8. Ann: P = 1/2, R = 1, F = 2/3.
    assert found.value == pytest.approx(0.8)
    assert found.detail["reference"] == 1


def test_of_equally_near_references_the_first_is_named():
    assert score("Ann Lee", "Ann Bo", "Bo Lee").detail["reference"] == 0


@pytest.mark.parametrize("text", ["Ann Lee manages it.", "The", "...", "🎉", "東京支店", "Привет"])
def test_identical_texts_are_perfect(text):
    assert score(text, text).value == 1.0


def test_scripts_without_blanks_are_compared_by_the_character():
    # Shared 東 and 京 of 2 and of 4 characters: P = 1, R = 1/2, F = 2/3.
    assert score("東京", "東京支店").value == pytest.approx(2 / 3)


def test_an_empty_answer_shares_nothing():
    found = score("  ", "Ann Lee")
    assert found.value == 0.0
    assert found.detail["rule"] == "empty answer"


def test_what_is_missing_has_no_value():
    assert score(None, "Ann Lee").status is Status.MISSING_INPUT
    assert score("Ann Lee").status is Status.MISSING_INPUT


WORDS = st.lists(st.sampled_from(["ann", "lee", "bo", "fee", "2014", "branch"]), min_size=1, max_size=8).map(" ".join)


@pytest.mark.slow
@given(WORDS, st.lists(WORDS, min_size=1, max_size=4))
def test_another_reference_never_lowers_it_and_their_order_does_not_matter(answer, references):
    found = score(answer, *references).value
    assert 0.0 <= found <= 1.0
    assert score(answer, *reversed(references)).value == pytest.approx(found)
    assert score(answer, *references, "bo bo").value >= found - 1e-12
    assert score(answer, *references, answer).value == 1.0
