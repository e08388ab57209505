"""The mathematics of NLI scores: distances, probabilities, the choice of windows and pieces."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.results.responses import Context
from core.encoders.classifiers.nli import NliHead
from core.metrics.comparison.entailment import (
    boundary_distance,
    distance,
    no_contradiction,
    no_distance,
    probabilities,
    readings,
    sigmoid,
)
from core.metrics.prepared import Prepared
from core.metrics.samples.sample import Sample
from core.text.sentences import split_sentences
from tests.support.models.tiny_nli import OverlapNli

# |w_ent| = |(3, 4)| = 5; |w_ent - w_con| = |(3, 4) - (0, 0)| = 5; |w_ent - w_neutral| = |(3, 4) - (3, 2)| = 2.
HEAD = NliHead(
    labels=("contradiction", "entailment", "neutral"),
    entailment=1,
    contradiction=0,
    weights=np.array([[0, 0], [3, 4], [3, 2]], dtype=np.float32),
)


def test_the_papers_distance():
    assert distance([[9, 2, 7], [0, -1, 0]], HEAD).tolist() == [2 / 5, -1 / 5]
    assert sigmoid([0.4, -0.2]) == pytest.approx([1 / (1 + np.exp(-0.4)), 1 / (1 + np.exp(0.2))])


def test_the_distance_to_the_real_boundary():
    # Strongest other: contradiction, (2 - 9) / 5; neutral, (2 - 7) / 2; decided for entailment, (8 - 7) / 2.
    assert boundary_distance([[9, 2, 7], [0, 2, 7], [0, 8, 7]], HEAD).tolist() == [-7 / 5, -5 / 2, 1 / 2]


def test_on_three_classes_z_is_0_off_the_boundary():
    logits = [[5.0, 1.0, 0.0]]
    assert distance(logits, HEAD)[0] > 0  # "grounded" by the paper's rule
    assert boundary_distance(logits, HEAD)[0] < 0  # while the model says contradiction
    assert probabilities(logits)[0].argmax() == 0


def test_probabilities_are_a_softmax():
    # e^0 : e^ln2 : e^ln5 = 1 : 2 : 5
    assert probabilities([[0, np.log(2), np.log(5)]])[0] == pytest.approx([1 / 8, 2 / 8, 5 / 8])
    assert probabilities([[1000, 0, -1000]])[0] == pytest.approx([1, 0, 0])


def test_with_two_classes_both_borders_are_one():
    head = NliHead(
        labels=("entailment", "not_entailment"),
        entailment=0,
        contradiction=None,
        weights=np.array([[1, 2], [-2, -2]], dtype=np.float32),
    )
    # (3 - 1) / |(3, 4)|
    assert boundary_distance([[3, 1]], head).tolist() == [2 / 5]
    assert no_contradiction(head)
    assert not no_contradiction(HEAD)


@pytest.mark.parametrize(
    "weights",
    [None, [[0, 0], [0, 0], [1, 0]], [[3, 4], [3, 4], [0, 0]]],
)
def test_a_head_without_a_boundary_has_a_reason(weights):
    head = NliHead(
        labels=HEAD.labels,
        entailment=1,
        contradiction=0,
        weights=None if weights is None else np.array(weights, dtype=np.float32),
    )
    assert "NLI model" in no_distance(head)
    assert no_distance(HEAD) == ""


# Whole and half numbers, so that a shift is exact and makes no ties of its own.
logit = st.integers(-100, 100).map(lambda number: number / 2)
rows = st.lists(st.lists(logit, min_size=3, max_size=3), min_size=1, max_size=6)


@pytest.mark.slow
@given(rows=rows, shift=st.integers(-20, 20))
def test_what_all_logits_share_changes_neither_border_nor_probability(rows, shift):
    moved = np.array(rows) + shift
    assert boundary_distance(moved, HEAD) == pytest.approx(boundary_distance(rows, HEAD), abs=1e-9)
    assert probabilities(moved) == pytest.approx(probabilities(rows), abs=1e-9)


@given(rows=rows, order=st.permutations([0, 1, 2]))
def test_the_order_of_labels_does_not_matter(rows, order):
    other = NliHead(
        labels=tuple(HEAD.labels[place] for place in order),
        entailment=order.index(1),
        contradiction=order.index(0),
        weights=HEAD.weights[order],
    )
    moved = np.array(rows)[:, order]
    assert distance(moved, other).tolist() == distance(rows, HEAD).tolist()
    shares = probabilities(moved)[:, [other.entailment, other.contradiction]]
    assert shares == pytest.approx(probabilities(rows)[:, [1, 0]])
    tied = any(row[0] == row[2] for row in rows)  # then either border may be the one that is told
    assert tied or boundary_distance(moved, other).tolist() == boundary_distance(rows, HEAD).tolist()


@given(rows=rows)
def test_ranges_and_agreement(rows):
    shares = probabilities(rows)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert ((sigmoid(distance(rows, HEAD)) >= 0) & (sigmoid(distance(rows, HEAD)) <= 1)).all()
    decided = shares[:, 1] > shares[:, [0, 2]].max(axis=1) + 1e-9
    assert (boundary_distance(rows, HEAD)[decided] > 0).all()


@given(values=st.lists(st.floats(-700, 700), min_size=2))
def test_the_logistic_function_rises_and_is_symmetric(values):
    made = sigmoid(sorted(values))
    assert (np.diff(made) >= 0).all()
    assert sigmoid(values) + sigmoid([-value for value in values]) == pytest.approx(1)


def prepared(answer, *texts, capacity=1000):
    contexts = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(texts))
    nli = OverlapNli(capacity)
    return Prepared(Sample(case_id="c", answer=answer, contexts=contexts), split_sentences, nli=nli), nli


def test_the_premise_is_the_whole_context_where_it_fits():
    one, nli = prepared("It opened. It lends.", "The bank opened. It lends money.", "Rates rose.")
    found = readings(one)
    whole = "The bank opened. It lends money. Rates rose."
    assert nli.pairs == [(whole, "It opened."), (whole, "It lends.")]
    assert [read.logits.shape for read in found] == [(1, 3), (1, 3)]
    assert readings(one) is found  # asked once a sample
    assert len(nli.pairs) == 2


def test_a_window_leaves_room_for_the_hypothesis():
    # Seven tokens: three for "The bank lends.", so four for a premise; "Rates." leaves six.
    one, nli = prepared("The bank lends. Rates.", "Aa bb. Cc dd. Ee ff.", capacity=7)
    assert [read.windows[0].text for read in readings(one)] == ["Aa bb. Cc dd.", "Aa bb. Cc dd. Ee ff."]
    assert nli.pairs == [
        ("Aa bb. Cc dd.", "The bank lends."),
        ("Ee ff.", "The bank lends."),
        ("Aa bb. Cc dd. Ee ff.", "Rates."),
    ]
    assert all(nli.tokens(premise) + nli.tokens(said) <= 7 for premise, said in nli.pairs)


def test_a_long_hypothesis_is_cut_only_where_the_context_needs_the_room():
    # Ten tokens: nine of the answer and one of the context fit as they are.
    one, _ = prepared("a b c d e f g h i.", "x.", capacity=10)
    assert [read.text for read in readings(one)] == ["a b c d e f g h i."]
    # With three of the context the answer may have seven, in pieces at word borders.
    one, _ = prepared("a b c d e f g h i.", "x y z.", capacity=10)
    assert [read.text for read in readings(one)] == ["a b c d e f g", "h i."]
    # With a long context it may have half.
    one, _ = prepared("a b c d e f g h i.", "x y z. " * 5, capacity=10)
    assert [read.text for read in readings(one)] == ["a b c d e", "f g h i."]
    assert {read.sentence for read in readings(one)} == {0}
