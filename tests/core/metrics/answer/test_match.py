"""Match: the match judge's verdict as a number."""

import pytest

from core.domain.status import Status
from core.judging.match import judge_match
from core.judging.quotations import as_written
from core.metrics import Sample, Unscored
from core.metrics.answer.match import match
from core.metrics.prepared import Prepared
from core.text.sentences import split_sentences
from tests.support.models.scripted_encoder import score_of


def score(answer, *references, question="What was the revenue?"):
    sample = Sample(case_id="c", question=question, answer=answer, references=references)
    return score_of("match", sample, {})


@pytest.mark.parametrize(
    ("answer", "references", "value", "rule", "place"),
    [
        ("Revenue was 1.25 million.", ("1,250,000",), 1.0, "number", 0),
        ("Revenue was 1.35 million.", ("1,250,000",), 0.0, "other value", 0),
        ("It was 7 million.", ("1,250,000", "7,000,000"), 1.0, "number", 1),
        ("I could not find this in the documents.", ("1,250,000",), 0.0, "abstained", 0),
        ("1,250,000", ("", "1,250,000"), 1.0, "exact", 1),
        ("🎉", ("🎉",), 1.0, "exact", 0),
        ("", ("1,250,000",), 0.0, "abstained", 0),
    ],
)
def test_the_verdict_with_its_rule(answer, references, value, rule, place):
    found = score(answer, *references)
    judged = judge_match("What was the revenue?", references, answer)
    assert (found.value, found.detail["rule"], found.detail["reference"]) == (value, rule, place)
    quoting = as_written(judged.reason, answer, *references)
    assert (found.detail["rule"], found.detail["reason"]) == (judged.rule, quoting)


def test_an_abstention_is_marked():
    assert score("I do not know.", "1,250,000").detail["abstained"] is True
    assert score("I do not know.", "not stated").value == 1.0
    assert "abstained" not in score("1,250,000", "1,250,000").detail


def test_what_is_missing_has_no_value():
    assert score(None, "1,250,000").status is Status.MISSING_INPUT
    assert score("1,250,000").status is Status.MISSING_INPUT


def test_what_the_judge_does_not_judge_keeps_its_reason():
    found = match(Prepared(Sample(case_id="c", answer="1,250,000"), split_sentences))
    assert isinstance(found, Unscored)
    assert found.status is Status.NOT_JUDGED
    assert found.reason == "The case has no reference answer to compare with."
    assert found.detail["rule"] == "no reference"
