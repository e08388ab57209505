"""Best matches, distances and optimal transport."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn.metrics.pairwise import cosine_distances, euclidean_distances

from core.metrics import Unscored, find_metric
from core.metrics.comparison.similarity import LEAST_MASS, best_matches, distances, flows, transport
from core.metrics.prepared import Part, Prepared, Vectors
from core.text.sentences import split_sentences
from tests.support.models.scripted_encoder import Script, ScriptedEncoder

COSTS = st.integers(1, 6).flatmap(
    lambda n: st.integers(1, 6).flatmap(
        lambda k: st.lists(st.lists(st.floats(0.0, 2.0), min_size=k, max_size=k), min_size=n, max_size=n)
    )
)


def prepared_of(script):
    encoder = ScriptedEncoder(script.vectors)
    texts = list(script.vectors)
    return Prepared(script.sample, split_sentences, Vectors(texts, encoder.encode(texts)))


def unit_rows(seed, n, d=16):
    rows = np.random.default_rng(seed).normal(size=(n, d))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_the_best_match_and_where_it_is():
    # Cosines of (1,0) with (0,1), (3,4)/5 and (0,-1) are 0, 0.6 and 0; of (0,-1) they are -1, -0.8 and 1.
    found = best_matches(
        prepared_of(Script(answer=[(1, 0), (0, -1)], contexts=[[(0, 1)], [(3, 4), (0, -1)]])),
        Part.ANSWER,
        Part.CONTEXTS,
    )
    assert found.values == pytest.approx((0.6, 1.0), abs=1e-7)
    assert found.best == (1, 2)


def test_of_equal_matches_the_first_counts():
    found = best_matches(prepared_of(Script(answer=[(1, 1)], contexts=[[(1, 0), (0, 1)]])), Part.ANSWER, Part.CONTEXTS)
    assert found.best == (0,)


def test_a_maximum_over_nothing_is_no_support():
    found = best_matches(prepared_of(Script(answer=[(1, 0), (0, 1)])), Part.ANSWER, Part.CONTEXTS)
    assert (found.values, found.best) == ((0.0, 0.0), (-1, -1))


def test_a_sentence_beside_itself_is_exactly_one():
    vectors = [tuple(row) for row in unit_rows(1, 40, 384)]
    prepared = prepared_of(Script(answer=vectors, contexts=[vectors]))
    assert best_matches(prepared, Part.ANSWER, Part.CONTEXTS).values == pytest.approx([1.0] * 40, abs=1e-15)
    assert prepared.similarity(Part.ANSWER, Part.CONTEXTS).max() <= 1.0


def test_vectors_that_are_not_quite_unit_still_give_cosines():
    prepared = Prepared(
        Script(answer=[(1, 0)], contexts=[[(1, 0)]]).sample,
        split_sentences,
        Vectors(
            ["Answer sentence 0 is here.", "Passage 0 sentence 0 is here."],
            np.array([[1.004, 0.0], [0.996, 0.0]], dtype=np.float32),
        ),
    )
    assert best_matches(prepared, Part.ANSWER, Part.CONTEXTS).values == (1.0,)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("context_relevancy", "There is no sentence in the question."),
        ("groundedness", "There is no sentence in the answer."),
        ("answer_relevancy_weighted", "There is no sentence in the answer."),
        ("completeness", "There is no sentence in the answer."),
        ("wasserstein", "There is no sentence in the answer."),
        ("embedding_similarity", "There is no sentence in the reference answers."),
        ("sentence_recall", "There is neither a reference answer nor a question that says what is wanted."),
        ("sentence_precision", "There is neither a reference answer nor a question that says what is wanted."),
    ],
)
def test_texts_in_which_no_sentence_is_found_have_a_reason(name, reason):
    script = Script(question=[(1, 0)], answer=[(1, 0)], contexts=[[(1, 0)]], references=[[(1, 0)]])
    found = find_metric(name).measure(Prepared(script.sample, lambda text: ()))
    assert isinstance(found, Unscored)
    assert found.reason == reason


def test_passages_in_which_no_sentence_is_found_support_nothing_and_say_so():
    def split(text):
        return () if text.startswith("Passage") else split_sentences(text)

    script = Script(question=[(1, 0)], answer=[(1, 0)], contexts=[[(1, 0)]])
    prepared = Prepared(script.sample, split)
    found = find_metric("groundedness").measure(prepared)
    assert (found.value, found.detail["rule"]) == (0.0, "no sentence")
    assert find_metric("completeness").measure(prepared).detail == {"rule": "no sentence"}


def test_distances_by_hand():
    assert distances([[1.0, 0.6], [0.0, -1.0]]).tolist() == [[0.0, 0.4], [1.0, 2.0]]
    # sqrt(2 - 2 x 0.68) = sqrt(0.64) = 0.8
    assert distances([[1.0, 0.68, -1.0]], "euclidean") == pytest.approx(np.array([[0.0, 0.8, 2.0]]), abs=1e-15)
    assert distances([[1.0000001, -1.0000001]]).tolist() == [[0.0, 2.0]]


def test_distances_are_those_of_scikit_learn():
    one, other = unit_rows(2, 7), unit_rows(3, 5)
    assert distances(one @ other.T) == pytest.approx(cosine_distances(one, other), abs=1e-12)
    assert distances(one @ other.T, "euclidean") == pytest.approx(euclidean_distances(one, other), abs=1e-7)


def test_transport_by_hand():
    # Rows hold 1/3 each, columns 1/2. Row 0 goes to column 0 (cost 0), row 2 to column 1 (cost 0); row 1 fills both
    # with 1/6 each: 1/6 x 0.5 + 1/6 x 0.2 = 0.7/6.
    found = transport([[0.0, 1.0], [0.5, 0.2], [1.0, 0.0]])
    assert found.cost == pytest.approx(0.7 / 6, abs=1e-15)
    assert found.plan == pytest.approx(np.array([[1 / 3, 0], [1 / 6, 1 / 6], [0, 1 / 3]]), abs=1e-15)


def test_transport_with_one_sentence_on_a_side_is_the_mean():
    assert transport([[0.1, 0.2, 0.6]]).cost == pytest.approx(0.3, abs=1e-15)
    assert transport([[0.1], [0.2], [0.6]]).cost == pytest.approx(0.3, abs=1e-15)
    assert transport([[0.25]]).cost == 0.25


@pytest.mark.parametrize("cost", [np.zeros((0, 3)), np.zeros((3, 0)), [0.5]])
def test_transport_needs_both_sides(cost):
    with pytest.raises(ValueError, match="both sides"):
        transport(cost)


@pytest.mark.slow
@given(COSTS)
def test_transport_is_the_linear_programme(cost):
    matrix = np.array(cost)
    n, k = matrix.shape
    rows = np.kron(np.eye(n), np.ones(k))
    columns = np.kron(np.ones(n), np.eye(k))
    solved = linprog(
        matrix.ravel(),
        A_eq=np.vstack([rows, columns]),
        b_eq=np.concatenate([np.full(n, 1 / n), np.full(k, 1 / k)]),
        method="highs",
        # As exact as it can be: by default it does not tell costs below 1e-7 from none.
        options={"dual_feasibility_tolerance": 1e-10, "primal_feasibility_tolerance": 1e-10},
    )
    assert transport(matrix).cost == pytest.approx(solved.fun, abs=1e-9)


@pytest.mark.slow
@given(COSTS)
def test_a_plan_moves_everything_and_costs_no_more_than_moving_all_alike(cost):
    matrix = np.array(cost)
    n, k = matrix.shape
    found = transport(matrix)
    assert (found.plan >= 0.0).all()
    assert found.plan.sum(axis=1) == pytest.approx(np.full(n, 1 / n), abs=1e-12)
    assert found.plan.sum(axis=0) == pytest.approx(np.full(k, 1 / k), abs=1e-12)
    assert matrix.min() - 1e-12 <= found.cost <= matrix.mean() + 1e-12
    assert transport(matrix.T).cost == pytest.approx(found.cost, abs=1e-12)


def test_a_large_transport_is_still_solved_exactly():
    # Equal sides: the identity costs nothing, whatever else there is.
    cost = distances(unit_rows(4, 400, 8) @ unit_rows(4, 400, 8).T)
    assert transport(cost).cost == pytest.approx(0.0, abs=1e-12)


def test_flows_name_the_places_of_both_sentences():
    script = Script(answer=[(1, 0), (0, 1)], contexts=[[(1, 0)], [(0, 1)]])
    prepared = prepared_of(script)
    cost = distances(prepared.similarity(Part.CONTEXTS, Part.ANSWER))
    one, other = flows(prepared, Part.CONTEXTS, Part.ANSWER, transport(cost), cost)
    assert (one.source, one.to, one.mass, one.cost) == ((0, 0, 29), (0, 0, 26), 0.5, 0.0)
    assert (other.source, other.to) == ((1, 0, 29), (0, 27, 53))
    assert min(one.mass, other.mass) > LEAST_MASS
