"""Embedding similarity: pooled answer against the nearest pooled reference."""

import pytest

from core.domain.status import Status
from core.metrics.evidence import read_sentences
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import Script

NAME = "embedding_similarity"


def test_the_cosine_of_the_pooled_texts():
    # a = ((1,0) + (0,1)) / 2 = (0.5, 0.5); r = (1,0). cos = 0.5 / sqrt(0.5) = sqrt(0.5).
    # Its sentences have cosines 1 and 0 with r: mean 0.5, divided by |a| = sqrt(0.5), is the same.
    found = Script(answer=[(1, 0), (0, 1)], references=[[(1, 0)]]).score(NAME)
    assert found.value == pytest.approx(0.5**0.5, abs=1e-7)
    rows = read_sentences(found.detail)
    assert [row.value for row in rows] == [1.0, 0.0]
    assert {(row.of, row.best_of) for row in rows} == {(Part.ANSWER, Part.REFERENCE)}
    assert found.detail["worst"] == 1


def test_the_best_reference_counts_and_is_named():
    # Cosines of (1,0) with (0,1), (3,4)/5 and (4,3)/5: 0, 0.6, 0.8. The last one is the third.
    found = Script(answer=[(1, 0)], references=[[(0, 1)], [(3, 4)], [(4, 3)]]).score(NAME)
    assert (found.value, found.detail["reference"]) == (pytest.approx(0.8, abs=1e-7), 2)
    assert read_sentences(found.detail)[0].best == (2, 0, 31)


def test_of_equal_references_the_first_is_named():
    assert Script(answer=[(1, 0)], references=[[(3, 4)], [(3, 4)]]).score(NAME).detail["reference"] == 0


def test_the_best_match_is_one_of_the_named_reference():
    # Pooled, the first reference (1,0)+(0,1) has cosine sqrt(0.5) with (1,0), the second 0.8; the sentence nearest to
    # the answer is in the first, but the second is the one that counts.
    found = Script(answer=[(1, 0)], references=[[(1, 0), (0, 1)], [(4, 3)]]).score(NAME)
    assert found.detail["reference"] == 1
    assert read_sentences(found.detail)[0].best[0] == 1


def test_the_same_sentences_are_perfect_in_any_order():
    vectors = [(0.3, 0.1, 0.9), (0.5, -0.4, 0.2), (0.1, 0.8, 0.1)]
    assert Script(answer=vectors, references=[vectors[::-1]]).score(NAME).value == pytest.approx(1.0, abs=1e-12)


def test_vectors_that_cancel_each_other_out_have_no_direction():
    assert Script(answer=[(1, 0), (-1, 0)], references=[[(1, 0)]]).score(NAME).value == 0.0


def test_an_empty_answer_says_nothing_of_the_reference():
    found = Script(answer=(), references=[[(1, 0)]]).score(NAME)
    assert (found.value, found.detail["rule"]) == (0.0, "empty answer")


@pytest.mark.parametrize("changes", [{"answer": None}, {"references": ()}, {"references": [(), ()]}])
def test_what_is_missing_is_a_reason(changes):
    found = Script(**{"answer": [(1, 0)], "references": [[(1, 0)]], **changes}).score(NAME)
    assert (found.value, found.status) == (None, Status.MISSING_INPUT)


def test_a_blank_reference_is_passed_over():
    found = Script(answer=[(1, 0)], references=[(), [(3, 4)]]).score(NAME)
    assert (found.value, found.detail["reference"]) == (pytest.approx(0.6, abs=1e-7), 1)


def test_an_abstention_is_computed_and_marked():
    found = Script(answer=[(3, 4)], references=[[(1, 0)]], abstained=True).score(NAME)
    assert (found.value, found.detail["abstained"]) == (pytest.approx(0.6, abs=1e-7), True)


def test_passages_play_no_part():
    for contexts in (None, (), [[(0, 1)]]):
        found = Script(answer=[(3, 4)], references=[[(1, 0)]], contexts=contexts).score(NAME)
        assert found.value == pytest.approx(0.6, abs=1e-7)
