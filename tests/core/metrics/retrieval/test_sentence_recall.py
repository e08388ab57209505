"""Sentence recall: the share of wanted sentences that the passages hold."""

import pytest

from core.domain.status import Status
from core.metrics.evidence import read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script

NAME = "sentence_recall"


def test_the_share_of_reference_sentences_found():
    # Reference (1,0,0), (0,1,0), (0,0,1); passages (3,4,0)/5 and (0,0,1): best matches 0.6, 0.8, 1.0. All reach 0.5.
    # A fourth, (-1,0,0), has max(-0.6, 0) = 0: 3 of 4.
    found = Script(
        references=[[(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0)]], contexts=[[(3, 4, 0)], [(0, 0, 1)]]
    ).score(NAME)
    assert found.value == 0.75
    assert [row.value for row in read_sentences(found.detail)] == [0.6, 0.8, 1.0, 0.0]
    assert (found.detail["threshold"], found.detail["wanted"], found.detail["worst"]) == (0.5, "reference", 3)


@pytest.mark.parametrize(("vector", "share"), [((1, 1, 1, 1), 1.0), ((1, 1, 1, 1.01), 0.0)])
def test_the_threshold_itself_counts_as_found(vector, share):
    # cos((1,0,0,0), (1,1,1,1)) = 1 / sqrt(4) = 0.5; with 1.01 it is 1 / sqrt(4.0201) = 0.4987.
    assert Script(references=[[(1, 0, 0, 0)]], contexts=[[vector]]).score(NAME).value == share


def test_the_best_of_several_references_counts():
    # First reference 1 of 2, second 1 of 1.
    found = Script(references=[[(1, 0), (0, 1)], [(1, 0)]], contexts=[[(1, 0)]]).score(NAME)
    assert (found.value, found.detail["reference"]) == (1.0, 1)
    assert [row.at[0] for row in read_sentences(found.detail)] == [1]


def test_of_equal_shares_the_nearer_reference_counts_then_the_first():
    # Both 1 of 1, with similarity 0.6 and 0.8.
    found = Script(references=[[(3, 4)], [(4, 3)]], contexts=[[(1, 0)]]).score(NAME)
    assert found.detail["reference"] == 1
    assert Script(references=[[(4, 3)], [(4, 3)]], contexts=[[(1, 0)]]).score(NAME).detail["reference"] == 0


def test_without_a_reference_the_question_is_wanted():
    # Question (1,0) and (0,1), passage (1,0): 1 of 2.
    found = Script(question=[(1, 0), (0, 1)], contexts=[[(1, 0)]]).score(NAME)
    assert (found.value, found.detail["wanted"]) == (0.5, "question")
    assert "reference" not in found.detail
    assert {row.of for row in read_sentences(found.detail)} == {Part.QUESTION}


def test_with_a_reference_the_question_plays_no_part():
    assert Script(question=[(0, 1)], references=[[(1, 0)]], contexts=[[(1, 0)]]).score(NAME).value == 1.0


def test_nothing_retrieved_finds_nothing():
    found = Script(references=[[(1, 0)]], contexts=()).score(NAME)
    assert (found.value, found.detail["rule"]) == (0.0, "nothing retrieved")


@pytest.mark.parametrize("changes", [{"contexts": None}, {"references": ()}, {"references": [()]}])
def test_what_is_missing_is_a_reason(changes):
    found = Script(**{"references": [[(1, 0)]], "contexts": [[(1, 0)]], **changes}).score(NAME)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


def test_identical_texts_are_found_entirely():
    vectors = [(0.3, 0.1, 0.9), (0.5, -0.4, 0.2)]
    assert Script(references=[vectors], contexts=[vectors]).score(NAME).value == 1.0


def test_the_answer_plays_no_part():
    assert Script(references=[[(1, 0)]], contexts=[[(1, 0)]], answer=None, error="HTTP 500").score(NAME).value == 1.0
