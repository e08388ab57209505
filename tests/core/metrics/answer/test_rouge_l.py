"""ROUGE-L: golden numbers of the paper, the package rouge-score, other scripts."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.status import Status
from core.metrics import Sample
from tests.support.models.scripted_encoder import score_of
from tests.support.shared_data import shared


@cache
def package():
    """Of rouge-score, which loads nltk: every worker would wait for it if this file did so when it is imported."""
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(["rougeL"], use_stemmer=False)


def score(answer, *references, **fields):
    return score_of("rouge_l", Sample(case_id="c", answer=answer, references=references, **fields), {})


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        # Lin 2004, 3.1: reference "police killed the gunman". Common: police the gunman = 3 of 4 and of 4 words.
        ("police kill the gunman", 0.75),
        # Common: the gunman (or police) = 2 of 4 and of 4 words, though all words but one are the same.
        ("the gunman kill police", 0.5),
    ],
)
def test_the_examples_of_the_paper(answer, value):
    assert score(answer, "police killed the gunman").value == pytest.approx(value)


def test_precision_and_recall_are_shown():
    # Common: ann lee = 2 of 2 and of 5 words: P = 1, R = 0.4, F = 0.8 / 1.4 = 4/7.
    found = score("Ann Lee", "The manager is Ann Lee.")
    assert found.value == pytest.approx(4 / 7)
    assert found.detail == {"reference": 0, "parts": {"precision": 1.0, "recall": 0.4}}


def test_the_nearest_reference_counts_and_is_named():
    assert score("Ann Lee", "Bo Chen", "", "Ann Lee").detail["reference"] == 2


@pytest.mark.slow
def test_real_answers_have_the_value_of_the_package_where_they_are_ascii():
    data = json.loads(shared("mtrag/reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    targets = {task["task_id"]: task["targets"][0]["text"] for task in data["tasks"]}
    pairs = [(row["model_response"], targets[row["task_id"]]) for row in data["evaluations"]]
    ascii_pairs = [(answer, target) for answer, target in pairs if (answer + target).isascii()][:150]
    assert len(ascii_pairs) == 150
    for answer, target in ascii_pairs:
        theirs = package().score(target, answer)["rougeL"].fmeasure
        assert score(answer, target).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.slow
@given(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=60), st.sampled_from(["a b c", "The 4.50 EUR"])
)
def test_ascii_text_has_the_value_of_the_package(answer, reference):
    # The package has no token for a text without letters and digits; ours takes its characters.
    if any(character.isalnum() for character in answer):
        theirs = package().score(reference, answer)["rougeL"].fmeasure
        assert score(answer, reference).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("text", ["東京支店", "Привет, мир", "สวัสดี", "افتتح فرع بازل", "🎉", "..."])
def test_other_scripts_are_scored_where_the_package_finds_nothing(text):
    assert package().score(text, text)["rougeL"].fmeasure == 0.0
    assert score(text, text).value == 1.0


def test_letters_with_accents_are_letters():
    # The package reads "z", "rich" and "m", "nchen": no token in common. Ours: one of two and of two words is.
    assert score("Filiale Zürich", "Filiale München").value == 0.5
    assert score("Zürich", "rich").value == 0.0
    assert package().score("rich", "Zürich")["rougeL"].fmeasure > 0.0


def test_an_empty_answer_has_nothing_in_common():
    found = score("", "Ann Lee")
    assert found.value == 0.0
    assert found.detail["rule"] == "empty answer"


def test_what_is_missing_has_no_value():
    assert score(None, "Ann Lee").status is Status.MISSING_INPUT
    assert score("Ann Lee").status is Status.MISSING_INPUT
