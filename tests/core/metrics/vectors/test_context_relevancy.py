"""Context relevancy: mean, weighted mean and minimum over the question's sentences."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.responses import Context
from core.domain.status import Status
from core.metrics import Sample
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part, Prepared, Vectors
from core.metrics.vectors.context_relevancy import weighted_context_relevancy
from core.text.sentences import split_sentences
from tests.support.models.scripted_encoder import Script, ScriptedEncoder, score_of

NAMES = ("context_relevancy", "context_relevancy_weighted", "context_relevancy_min")

# Question (1,0) and (0,1); passages (3,4)/5, then (1,0): best matches 1.0 (passage 2) and 0.8 (passage 1).
TWO = Script(question=[(1, 0), (0, 1)], contexts=[[(3, 4)], [(1, 0)]])


def test_the_mean_of_the_best_matches():
    # The mean of 1.0 and 0.8.
    assert TWO.score("context_relevancy").value == pytest.approx(0.9, abs=1e-7)


def test_the_minimum_names_the_least_addressed_sentence():
    found = TWO.score("context_relevancy_min")
    assert found.value == pytest.approx(0.8, abs=1e-7)
    assert found.detail["worst"] == 1
    assert words_at(TWO.sample, Part.QUESTION, read_sentences(found.detail)[1].at) == "Question sentence 1 is here."


def test_the_evidence_names_each_sentence_and_its_best_match():
    one, other = read_sentences(TWO.score("context_relevancy").detail)
    assert (one.of, one.value, one.best, one.best_of) == (Part.QUESTION, 1.0, (1, 0, 29), Part.CONTEXTS)
    assert (other.value, other.best, other.weight) == (0.8, (0, 0, 29), None)


def test_a_courtesy_weighs_less():
    # "Thank you." asks about nothing: 1 + 0. "Who manages the Basel branch?" asks about manages, basel, branch: 1 + 3.
    # Weights 1/5 and 4/5; best matches 0.0 and 1.0: 4/5. The plain mean is 1/2.
    asked = Sample(
        case_id="c",
        question="Who manages the Basel branch? Thank you.",
        contexts=(Context(document_id="d", text="Jane manages it."),),
    )
    vectors = {"Who manages the Basel branch?": (1, 0), "Thank you.": (0, 1), "Jane manages it.": (1, 0)}
    assert score_of("context_relevancy", asked, vectors).value == pytest.approx(0.5, abs=1e-7)
    found = score_of("context_relevancy_weighted", asked, vectors)
    assert found.value == pytest.approx(0.8, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [0.8, 0.2]


def test_weights_of_ones_own():
    vectors = dict(TWO.vectors)
    texts = list(vectors)
    prepared = Prepared(TWO.sample, split_sentences, Vectors(texts, ScriptedEncoder(vectors).encode(texts)))
    # 0.25 x 1.0 + 0.75 x 0.8
    assert weighted_context_relevancy(prepared, [0.25, 0.75]).value == pytest.approx(0.85, abs=1e-7)
    with pytest.raises(InvalidInput, match="add up to 2"):
        weighted_context_relevancy(prepared, [1.0, 1.0])
    with pytest.raises(InvalidInput, match="1 weights for 2 sentences"):
        weighted_context_relevancy(prepared, [1.0])


@pytest.mark.parametrize("name", NAMES)
def test_nothing_retrieved_addresses_nothing(name):
    found = Script(question=[(1, 0), (0, 1)], contexts=()).score(name)
    assert (found.value, found.detail["rule"], found.detail["worst"]) == (0.0, "nothing retrieved", 0)
    assert [row.best for row in read_sentences(found.detail)] == [None, None]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("changes", "status"),
    [({"contexts": None}, Status.MISSING_INPUT), ({"question": ()}, Status.MISSING_INPUT)],
)
def test_what_is_missing_is_a_reason(name, changes, status):
    found = Script(**{"question": [(1, 0)], "contexts": [[(1, 0)]], **changes}).score(name)
    assert (found.value, found.status) == (None, status)


@pytest.mark.parametrize("name", NAMES)
def test_one_sentence_needs_no_averaging(name):
    # cos((1,0), (3,4)/5) = 0.6
    assert Script(question=[(1, 0)], contexts=[[(0, 1), (3, 4)]]).score(name).value == pytest.approx(0.6, abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_a_question_that_stands_in_a_passage_is_fully_addressed(name):
    said = Script(question=[(0.3, 0.7), (0.2, -0.5)], contexts=[[(1, 1)], [(0.3, 0.7), (0.2, -0.5)]])
    assert said.score(name).value == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_plays_no_part(name):
    asked = Script(question=[(1, 0)], contexts=[[(1, 1)]], answer=None, error="HTTP 500")
    silent = Script(question=[(1, 0)], contexts=[[(1, 1)]], answer=[(0, 1)], abstained=True)
    assert asked.score(name).value == silent.score(name).value == pytest.approx(0.5**0.5, abs=1e-7)
    assert "abstained" not in silent.score(name).detail
