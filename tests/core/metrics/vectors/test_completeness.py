"""Completeness by similarity: mean and relevance-weighted mean over the passages' sentences."""

import pytest

from core.domain.status import Status
from core.metrics.evidence import read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script

NAMES = ("completeness", "completeness_weighted")


def test_the_mean_over_all_retrieved_sentences():
    # Passages (1,0), (3,4)/5, (0,1); answer (1,0): 1.0, 0.6, 0.0. Mean 1.6 / 3.
    found = Script(answer=[(1, 0)], contexts=[[(1, 0), (3, 4)], [(0, 1)]]).score("completeness")
    assert found.value == pytest.approx(1.6 / 3, abs=1e-7)
    rows = read_sentences(found.detail)
    assert [row.of for row in rows] == [Part.CONTEXTS] * 3
    assert [row.at for row in rows] == [(0, 0, 29), (0, 30, 59), (1, 0, 29)]
    assert [row.value for row in rows] == [1.0, 0.6, 0.0]
    assert {row.best_of for row in rows} == {Part.ANSWER}
    assert found.detail["worst"] == 2


def test_a_concise_answer_is_punished_without_weights_and_not_with_them():
    # The question (1,0,0) is about the first sentence only: relevance 1, 0 and max(0, -0.6) = 0, so the weights are
    # 1, 0, 0 and the score is 1.0. Without weights: (1 + 0 + max cos((-3,4,0)/5, (1,0,0)) = -0.6) / 3 = 0.4 / 3.
    said = Script(question=[(1, 0, 0)], answer=[(1, 0, 0)], contexts=[[(1, 0, 0), (0, 1, 0), (-3, 4, 0)]])
    assert said.score("completeness").value == pytest.approx(0.4 / 3, abs=1e-7)
    found = said.score("completeness_weighted")
    assert found.value == pytest.approx(1.0, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [1.0, 0.0, 0.0]


def test_the_weights_are_the_relevance_to_the_nearest_question_sentence():
    # Question (1,0) and (0,1). Passages (3,4)/5 and (1,0): relevance max(0.6, 0.8) = 0.8 and 1.0; weights 4/9, 5/9.
    # Answer (0,1): 0.8 and 0.0. Score 4/9 x 0.8 = 3.2/9.
    found = Script(question=[(1, 0), (0, 1)], answer=[(0, 1)], contexts=[[(3, 4)], [(1, 0)]]).score(
        "completeness_weighted"
    )
    assert found.value == pytest.approx(3.2 / 9, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [0.444444, 0.555556]


def test_where_no_sentence_is_relevant_all_weigh_the_same():
    # Relevance 0 and max(0, -1) = 0: weights 1/2; matches 1.0 and 0.0.
    found = Script(question=[(1, 0)], answer=[(0, 1)], contexts=[[(0, 1), (-1, 0)]]).score("completeness_weighted")
    assert found.value == pytest.approx(0.5, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [0.5, 0.5]


@pytest.mark.parametrize("name", NAMES)
def test_there_is_nothing_to_cover_where_nothing_was_retrieved(name):
    found = Script(question=[(1, 0)], answer=[(1, 0)], contexts=()).score(name)
    assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "nothing retrieved")


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_answer_is_not_applicable(name):
    for contexts in ([[(1, 0)]], ()):
        found = Script(question=[(1, 0)], answer=(), contexts=contexts).score(name)
        assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "empty answer")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("changes", [{"contexts": None}, {"answer": None}])
def test_what_is_missing_is_a_reason(name, changes):
    found = Script(**{"question": [(1, 0)], "answer": [(1, 0)], "contexts": [[(1, 0)]], **changes}).score(name)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


def test_only_the_weights_need_the_question():
    said = Script(answer=[(1, 0)], contexts=[[(1, 0)]])
    assert said.score("completeness").value == pytest.approx(1.0, abs=1e-12)
    assert said.score("completeness_weighted").status is Status.MISSING_INPUT


@pytest.mark.parametrize("name", NAMES)
def test_an_abstention_is_computed_and_marked(name):
    found = Script(question=[(1, 0)], answer=[(3, 4)], contexts=[[(1, 0)]], abstained=True).score(name)
    assert (found.value, found.detail["abstained"]) == (pytest.approx(0.6, abs=1e-7), True)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_that_repeats_everything_is_complete(name):
    vectors = [(0.3, 0.1, 0.9), (0.5, -0.4, 0.2), (0.1, 0.8, 0.1)]
    found = Script(question=[(1, 1, 1)], answer=vectors, contexts=[vectors[:2], vectors[2:]]).score(name)
    assert found.value == pytest.approx(1.0, abs=1e-12)


def test_hundreds_of_sentences_are_all_kept():
    found = Script(answer=[(1, 0)], contexts=[[(1, 0)] * 250, [(0, 1)] * 250]).score("completeness")
    assert len(read_sentences(found.detail)) == 500
    assert found.value == pytest.approx(0.5, abs=1e-9)
