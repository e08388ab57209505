"""Exact match: character for character, best of several references."""

import pytest

from core.domain.status import Status
from core.metrics import Sample
from tests.support.models.scripted_encoder import score_of


def score(answer, *references, **fields):
    return score_of("exact_match", Sample(case_id="c", answer=answer, references=references, **fields), {})


@pytest.mark.parametrize(
    ("answer", "reference", "value"),
    [
        ("Ann Lee", "Ann Lee", 1.0),
        (" Ann Lee\n", "Ann Lee", 1.0),
        ("ann lee", "Ann Lee", 0.0),
        ("Ann Lee.", "Ann Lee", 0.0),
        ("Ann  Lee", "Ann Lee", 0.0),
        ("東京", "東京", 1.0),
        ("🎉", "🎉", 1.0),
        ("cafe\u0301", "caf\u00e9", 0.0),
    ],
)
def test_only_the_same_characters_match(answer, reference, value):
    assert score(answer, reference).value == value


def test_the_matching_reference_is_named_and_the_first_where_none_matches():
    assert score("Bo Chen", "Ann Lee", "Bo Chen").detail == {"reference": 1}
    assert score("Cy Dun", "Ann Lee", "Bo Chen").detail == {"reference": 0}
    assert score("Bo Chen", " ", "Bo Chen").detail == {"reference": 1}


def test_an_empty_answer_is_no_reference():
    found = score("  ", "Ann Lee", "")
    assert found.value == 0.0
    assert found.detail["rule"] == "empty answer"


def test_what_is_missing_has_no_value():
    assert score(None, "Ann Lee", error="HTTP 500").status is Status.MISSING_INPUT
    assert score("Ann Lee").status is Status.MISSING_INPUT
    assert score("Ann Lee", " ").status is Status.MISSING_INPUT


def test_an_abstention_is_compared_and_marked():
    found = score("I do not know.", "I do not know.")
    assert found.value == 1.0
    assert found.detail["abstained"] is True
