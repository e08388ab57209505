"""Answer relevancy: mean and length-weighted mean over the answer's sentences."""

import pytest

from core.domain.status import Status
from core.metrics import Sample
from core.metrics.evidence import read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script, score_of

NAMES = ("answer_relevancy", "answer_relevancy_weighted")


def test_the_mean_of_the_best_matches():
    # Question (1,0) and (0,1). Answer (3,4)/5: max(0.6, 0.8) = 0.8. Answer (-1,0): max(-1, 0) = 0. Mean 0.4.
    found = Script(question=[(1, 0), (0, 1)], answer=[(3, 4), (-1, 0)]).score("answer_relevancy")
    assert found.value == pytest.approx(0.4, abs=1e-7)
    one, other = read_sentences(found.detail)
    assert (one.of, one.value, one.best, one.best_of) == (Part.ANSWER, 0.8, (0, 29, 57), Part.QUESTION)
    assert (other.value, found.detail["worst"]) == (0.0, 1)


def test_a_short_courtesy_weighs_less():
    # 5 words with 1.0 and 3 words with 0.0: 5/8. The plain mean is 1/2.
    answered = Sample(case_id="c", question="Who manages it?", answer="Jane Doe has managed it. Hope this helps.")
    vectors = {"Who manages it?": (1, 0), "Jane Doe has managed it.": (1, 0), "Hope this helps.": (0, 1)}
    assert score_of("answer_relevancy", answered, vectors).value == pytest.approx(0.5, abs=1e-7)
    found = score_of("answer_relevancy_weighted", answered, vectors)
    assert found.value == pytest.approx(0.625, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [0.625, 0.375]


@pytest.mark.parametrize("name", NAMES)
def test_the_passages_play_no_part(name):
    for contexts in (None, (), [[(0, 1)]]):
        assert Script(question=[(1, 0)], answer=[(3, 4)], contexts=contexts).score(name).value == pytest.approx(
            0.6, abs=1e-7
        )


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_answer_is_not_applicable(name):
    found = Script(question=[(1, 0)], answer=()).score(name)
    assert (found.value, found.status, found.detail["rule"]) == (None, Status.NOT_APPLICABLE, "empty answer")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("changes", [{"question": ()}, {"answer": None}])
def test_what_is_missing_is_a_reason(name, changes):
    found = Script(**{"question": [(1, 0)], "answer": [(1, 0)], **changes}).score(name)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


@pytest.mark.parametrize("name", NAMES)
def test_an_abstention_is_computed_and_marked(name):
    found = Script(question=[(1, 0)], answer=[(3, 4)], abstained=True).score(name)
    assert (found.value, found.detail["abstained"]) == (pytest.approx(0.6, abs=1e-7), True)


@pytest.mark.parametrize("name", NAMES)
def test_a_repeated_question_is_perfectly_relevant(name):
    vectors = [(0.3, 0.1, 0.9), (0.5, -0.4, 0.2)]
    assert Script(question=vectors, answer=vectors).score(name).value == pytest.approx(1.0, abs=1e-12)
