"""Groundedness by similarity: mean and length-weighted mean over the answer's sentences."""

import pytest

from core.domain.results.responses import Context
from core.domain.status import Status
from core.metrics import Sample
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script, score_of

NAMES = ("groundedness", "groundedness_weighted")

# Answer (1,0), (0,1), (-1,0); passages (4,3)/5 and (0,1): best matches 0.8, 1.0, and max(-0.8, 0) = 0.
THREE = Script(answer=[(1, 0), (0, 1), (-1, 0)], contexts=[[(4, 3)], [(0, 1)]])


def test_the_mean_of_the_best_matches():
    # (0.8 + 1.0 + 0.0) / 3 = 0.6
    assert THREE.score("groundedness").value == pytest.approx(0.6, abs=1e-7)


def test_the_least_grounded_sentence_is_named():
    found = THREE.score("groundedness")
    assert found.detail["worst"] == 2
    rows = read_sentences(found.detail)
    assert words_at(THREE.sample, Part.ANSWER, rows[2].at) == "Answer sentence 2 is here."
    assert [row.value for row in rows] == [0.8, 1.0, 0.0]
    assert [row.best for row in rows] == [(0, 0, 29), (1, 0, 29), (1, 0, 29)]


def test_of_equally_bad_sentences_the_first_is_named():
    assert Script(answer=[(1, 0), (1, 0)], contexts=[[(0, 1)]]).score("groundedness").detail["worst"] == 0


def test_numbers_are_rounded_as_evidence_only():
    found = Script(answer=[(1, 0)], contexts=[[(1, 2)]]).score("groundedness")
    # 1 / sqrt(5) = 0.4472135955
    assert found.value == pytest.approx(0.4472135955, abs=1e-7)
    assert found.value != 0.447214
    assert read_sentences(found.detail)[0].value == 0.447214


def test_a_short_closing_phrase_weighs_less():
    # 6 words with best match 1.0 and 2 words with best match 0.0: weights 3/4 and 1/4, so 3/4. The plain mean: 1/2.
    answered = Sample(
        case_id="c",
        answer="The Basel branch opened in 2014. Best regards.",
        contexts=(Context(document_id="d", text="The Basel branch opened in 2014."),),
    )
    vectors = {"The Basel branch opened in 2014.": (1, 0), "Best regards.": (0, 1)}
    assert score_of("groundedness", answered, vectors).value == pytest.approx(0.5, abs=1e-7)
    found = score_of("groundedness_weighted", answered, vectors)
    assert found.value == pytest.approx(0.75, abs=1e-7)
    assert [row.weight for row in read_sentences(found.detail)] == [0.75, 0.25]
    assert found.detail["worst"] == 1


@pytest.mark.parametrize("name", NAMES)
def test_nothing_retrieved_supports_nothing(name):
    found = Script(answer=[(1, 0)], contexts=()).score(name)
    assert (found.value, found.detail["rule"]) == (0.0, "nothing retrieved")


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_answer_is_not_applicable(name):
    for contexts in ([[(1, 0)]], ()):
        found = Script(answer=(), contexts=contexts).score(name)
        assert (found.value, found.status) == (None, Status.NOT_APPLICABLE)
        assert found.detail == {"reason": "The answer is empty.", "rule": "empty answer"}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("changes", [{"contexts": None}, {"answer": None, "error": "HTTP 500"}])
def test_what_is_missing_is_a_reason(name, changes):
    found = Script(**{"answer": [(1, 0)], "contexts": [[(1, 0)]], **changes}).score(name)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


@pytest.mark.parametrize("name", NAMES)
def test_an_abstention_is_computed_and_marked(name):
    found = Script(answer=[(1, 0)], contexts=[[(3, 4)]], abstained=True).score(name)
    assert found.value == pytest.approx(0.6, abs=1e-7)
    assert found.detail["abstained"] is True
    assert "abstained" not in Script(answer=[(1, 0)], contexts=[[(3, 4)]], abstained=False).score(name).detail


@pytest.mark.parametrize("name", NAMES)
def test_a_copied_answer_is_perfect(name):
    vectors = [(0.1, 0.2, 0.3), (-0.7, 0.1, 0.5), (0.3, 0.3, -0.9)]
    assert Script(answer=vectors, contexts=[vectors]).score(name).value == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_the_opposite_is_the_worst(name):
    assert Script(answer=[(1, 0)], contexts=[[(-1, 0)]]).score(name).value == pytest.approx(-1.0, abs=1e-12)
