"""Normalised match: case, punctuation, articles and blanks do not count; digits do."""

import pytest

from core.domain.status import Status
from core.metrics import Models, Sample, find_metric, score_samples
from tests.support.models.scripted_encoder import score_of


def score(answer, *references, **fields):
    return score_of("normalised_match", Sample(case_id="c", answer=answer, references=references, **fields), {})


@pytest.mark.parametrize(
    ("answer", "reference", "value"),
    [
        ("the Harbour Street branch!", "Harbour Street Branch", 1.0),
        ("A fee", "the fee", 1.0),
        ("4.5", "45", 0.0),
        ("-5", "5", 0.0),
        ("5 %", "5%", 1.0),
        ("cafe\u0301", "CAF\u00c9", 1.0),
        ("The", "the", 1.0),
        ("The", "A", 0.0),
        ("...", "...", 1.0),
        ("...", "-", 0.0),
        ("🎉", "🎉!", 1.0),
        ("東京。", "東京", 1.0),
        ("Harbour Street branch, Basel", "Harbour Street branch", 0.0),
    ],
)
def test_normal_forms_are_compared(answer, reference, value):
    assert score(answer, reference).value == value


def test_the_articles_are_those_of_the_language():
    sample = Sample(case_id="c", answer="Die Filiale", references=("Filiale",))
    metric = find_metric("normalised_match")
    values = {
        language: next(iter(score_samples([sample], [metric], Models(language=language))))[0].value
        for language in ("en", "de")
    }
    assert values == {"en": 0.0, "de": 1.0}


def test_the_matching_reference_is_named():
    assert score("bo chen", "Ann Lee", "Bo Chen.").detail == {"reference": 1}


def test_an_empty_answer_matches_nothing():
    # SQuAD's script finds "" and "The" equal, because nothing of either is left.
    assert score("", "The").value == 0.0


def test_what_is_missing_has_no_value():
    assert score(None, "Ann Lee").status is Status.MISSING_INPUT
    assert score("Ann Lee").status is Status.MISSING_INPUT
