"""Sentence precision: the share of retrieved sentences that serve a wanted one."""

import pytest

from core.domain.status import Status
from core.metrics.evidence import read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script

NAME = "sentence_precision"


def test_the_share_of_retrieved_sentences_that_serve():
    # Passages (1,0), (3,4)/5, (0,1), (-1,0) against the reference (1,0): 1.0, 0.6, 0, -1. Two of four reach 0.5.
    found = Script(references=[[(1, 0)]], contexts=[[(1, 0), (3, 4)], [(0, 1), (-1, 0)]]).score(NAME)
    assert found.value == 0.5
    rows = read_sentences(found.detail)
    assert [row.value for row in rows] == [1.0, 0.6, 0.0, -1.0]
    assert {(row.of, row.best_of) for row in rows} == {(Part.CONTEXTS, Part.REFERENCE)}
    assert (found.detail["threshold"], found.detail["worst"]) == (0.5, 3)


def test_serving_any_reference_counts():
    found = Script(references=[[(1, 0)], [(0, 1)]], contexts=[[(1, 0), (0, 1)]]).score(NAME)
    assert found.value == 1.0
    assert [row.best[0] for row in read_sentences(found.detail)] == [0, 1]


def test_without_a_reference_the_question_is_wanted():
    found = Script(question=[(1, 0)], contexts=[[(1, 0), (0, 1)]]).score(NAME)
    assert (found.value, found.detail["wanted"]) == (0.5, "question")


def test_a_share_of_nothing_is_no_value():
    found = Script(references=[[(1, 0)]], contexts=()).score(NAME)
    assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "nothing retrieved")


@pytest.mark.parametrize("changes", [{"contexts": None}, {"references": ()}])
def test_what_is_missing_is_a_reason(changes):
    found = Script(**{"references": [[(1, 0)]], "contexts": [[(1, 0)]], **changes}).score(NAME)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


@pytest.mark.parametrize(("vector", "share"), [((1, 0), 1.0), ((0, 1), 0.0)])
def test_one_retrieved_sentence_serves_or_does_not(vector, share):
    assert Script(references=[[(1, 0)]], contexts=[[vector]]).score(NAME).value == share


def test_identical_texts_serve_entirely():
    vectors = [(0.3, 0.1, 0.9), (0.5, -0.4, 0.2)]
    assert Script(references=[vectors], contexts=[vectors]).score(NAME).value == 1.0
