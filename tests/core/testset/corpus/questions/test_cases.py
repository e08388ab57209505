"""Approved questions as test cases."""

from __future__ import annotations

import pytest

from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.domain.testset.questions import QuestionKind, Support
from core.metrics.samples.sample import answerable
from core.testset.corpus.questions.cases import question_cases


def draft(**change):
    fields = {
        "id": "q_1",
        "batch_id": "b",
        "kind": QuestionKind.SIMPLE,
        "text": "What is the fee?",
        "reference": "£72",
        "support": (Support(chunk_id="c1", document_id="d1", start=0, end=3, text="£72"),),
        "made_by": "property",
        "topic": 2,
        "status": DraftStatus.APPROVED,
    }
    return QuestionDraft(**{**fields, **change})


def case(**change):
    return question_cases([draft(**change)], {2: "Cards"}, {"d1": "Juniper card"})[0]


def test_a_case_carries_what_it_can_be_sliced_by():
    made = case(value="2025")
    assert made.case_id == "q_1"
    assert made.reference_answers == ("£72",)
    assert (made.gold_document_ids, made.gold_chunk_ids) == (("d1",), ("c1",))
    assert made.attributes == {
        "topic": "Cards",
        "type": "Simple",
        "answerable": "yes",
        "difficulty": "one passage",
        "length": "1 to 8 words",
        "made_by": "property",
        "document": "Juniper card",
        "stratum": "2025",
    }


def test_questions_on_one_passage_are_one_group():
    other = Support(chunk_id="c2", document_id="d1", start=0, end=3, text="£36")
    assert case(id="q_2").group_id == case().group_id
    assert case(support=(other,)).group_id != case().group_id


def test_a_question_no_document_answers_says_so():
    made = case(kind=QuestionKind.OUT_OF_SCOPE, reference="", support=(), near_chunk_id="c1")
    assert (made.reference_answers, made.gold_document_ids) == ((), ())
    assert answerable(made) is False
    assert made.attributes["difficulty"] == "no passage"
    assert made.group_id == case().group_id  # it was led away from that passage
    far = [case(id=name, kind=QuestionKind.OUT_OF_SCOPE, reference="", support=()) for name in ("q_3", "q_4")]
    assert far[0].group_id != far[1].group_id


def test_two_passages_and_a_topic_without_a_name():
    second = Support(chunk_id="c2", document_id="d2", start=0, end=3, text="£36")
    made = case(kind=QuestionKind.MULTI_HOP, support=(draft().support[0], second), topic=5)
    assert made.attributes["difficulty"] == "two passages"
    assert made.attributes["topic"] == "Topic 5"
    assert made.gold_chunk_ids == ("c1", "c2")


@pytest.mark.parametrize(("n", "band"), [(8, "1 to 8 words"), (9, "9 to 16 words"), (17, "17 words or more")])
def test_lengths_are_banded(n, band):
    assert case(text="word " * n).attributes["length"] == band
