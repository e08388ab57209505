"""What holds for the similarity metrics whatever the sentences mean."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import cosine_similarity

from core.metrics import find_metric
from core.metrics.evidence import read_plan, read_sentences
from tests.support.models.scripted_encoder import Script

CONTEXT = ("context_relevancy", "context_relevancy_weighted", "context_relevancy_min")
GROUNDED = ("groundedness", "groundedness_weighted")
COMPLETE = ("completeness", "completeness_weighted")
DISTANT = ("wasserstein", "wasserstein_average")
RELEVANT = ("answer_relevancy", "answer_relevancy_weighted")
RETRIEVED = ("sentence_recall", "sentence_precision")
EVERY = (*CONTEXT, *GROUNDED, *COMPLETE, *DISTANT, *RELEVANT, *RETRIEVED, "embedding_similarity")

VECTOR = st.tuples(*[st.integers(-3, 3)] * 3).filter(any)
SENTENCES = st.lists(VECTOR, min_size=1, max_size=4)
SLOWLY = settings(max_examples=25, deadline=None)
QUICKLY = settings(max_examples=50, deadline=None)


@pytest.mark.slow
@SLOWLY
@given(SENTENCES, SENTENCES, st.lists(SENTENCES, min_size=1, max_size=3), st.lists(SENTENCES, max_size=2))
def test_every_value_keeps_its_range(question, answer, contexts, references):
    script = Script(question=question, answer=answer, contexts=contexts, references=references)
    for name in EVERY:
        found, spec = script.score(name), find_metric(name).spec
        if found.value is not None:
            assert spec.low <= found.value <= spec.high, name
            assert "worst" not in found.detail or found.detail["worst"] < len(found.detail["sentences"])


@pytest.mark.slow
@SLOWLY
@given(SENTENCES, SENTENCES, SENTENCES, SENTENCES, st.randoms())
def test_the_order_of_sentences_does_not_matter(question, answer, context, reference, random):
    def mixed(vectors):
        return random.sample(vectors, len(vectors))

    before = Script(question=question, answer=answer, contexts=[context], references=[reference])
    after = Script(
        question=mixed(question), answer=mixed(answer), contexts=[mixed(context)], references=[mixed(reference)]
    )
    for name in EVERY:
        assert after.score(name).value == pytest.approx(before.score(name).value, abs=1e-9), name


@pytest.mark.slow
@QUICKLY
@given(SENTENCES, SENTENCES, SENTENCES, VECTOR)
def test_one_more_retrieved_sentence_never_lowers_support(question, answer, context, more):
    before = Script(question=question, answer=answer, contexts=[context])
    after = Script(question=question, answer=answer, contexts=[context, [more]])
    for name in (*CONTEXT, *GROUNDED, "sentence_recall"):
        assert after.score(name).value >= before.score(name).value - 1e-12, name


@pytest.mark.slow
@QUICKLY
@given(SENTENCES, SENTENCES, SENTENCES, VECTOR)
def test_one_more_answer_sentence_never_lowers_completeness(question, answer, context, more):
    before = Script(question=question, answer=answer, contexts=[context])
    after = Script(question=question, answer=[*answer, more], contexts=[context])
    for name in COMPLETE:
        assert after.score(name).value >= before.score(name).value - 1e-12, name


@pytest.mark.slow
@QUICKLY
@given(SENTENCES)
def test_identical_texts_are_perfect(vectors):
    script = Script(question=vectors, answer=vectors, contexts=[vectors], references=[vectors])
    for name in (*CONTEXT, *GROUNDED, *COMPLETE, *RELEVANT, *RETRIEVED):
        assert script.score(name).value == pytest.approx(1.0, abs=1e-12), name
    assert script.score("wasserstein").value == pytest.approx(0.0, abs=1e-12)
    unit = np.array(vectors) / np.linalg.norm(vectors, axis=1, keepdims=True)
    if np.linalg.norm(unit.mean(axis=0)) > 1e-6:
        assert script.score("embedding_similarity").value == pytest.approx(1.0, abs=1e-9)


@pytest.mark.slow
@QUICKLY
@given(SENTENCES, SENTENCES)
def test_the_exact_distance_is_symmetric_and_never_above_the_average(one, other):
    there, back = Script(answer=one, contexts=[other]), Script(answer=other, contexts=[one])
    exact = there.score("wasserstein").value
    assert exact <= there.score("wasserstein_average").value + 1e-12
    assert back.score("wasserstein").value == pytest.approx(exact, abs=1e-9)
    assert back.score("wasserstein_average").value == pytest.approx(there.score("wasserstein_average").value, abs=1e-12)


@QUICKLY
@given(SENTENCES, SENTENCES)
def test_the_plan_moves_each_sentence_once(answer, context):
    plan = read_plan(Script(answer=answer, contexts=[context]).score("wasserstein").detail)
    for places, size in (([flow.source for flow in plan], len(context)), ([flow.to for flow in plan], len(answer))):
        sums = {}
        for place, flow in zip(places, plan, strict=True):
            sums[place] = sums.get(place, 0.0) + flow.mass
        assert list(sums.values()) == pytest.approx([1 / size] * size, abs=1e-7)
    assert len(plan) <= len(answer) + len(context) - 1


@QUICKLY
@given(SENTENCES, SENTENCES)
def test_minimum_mean_and_weighted_mean_stand_in_order(question, context):
    script = Script(question=question, contexts=[context])
    least, mean, weighted = (script.score(name).value for name in (CONTEXT[2], CONTEXT[0], CONTEXT[1]))
    most = max(row.value for row in read_sentences(script.score(CONTEXT[0]).detail))
    assert least - 1e-12 <= mean <= most + 1e-6
    assert least - 1e-12 <= weighted <= most + 1e-6


@pytest.mark.parametrize("seed", range(3))
def test_the_values_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    question, answer, context = (rng.normal(size=(size, 32)).astype(np.float32) for size in (3, 6, 40))
    script = Script(question=question.tolist(), answer=answer.tolist(), contexts=[context.tolist()])
    grounded = cosine_similarity(answer.astype(float), context.astype(float))
    relevance = cosine_similarity(context.astype(float), question.astype(float)).max(axis=1).clip(min=0)
    for name, expected in {
        "groundedness": grounded.max(axis=1).mean(),
        "completeness": grounded.max(axis=0).mean(),
        "completeness_weighted": (relevance / relevance.sum()) @ grounded.max(axis=0),
        "wasserstein_average": (1 - grounded).mean(),
        "answer_relevancy": cosine_similarity(answer.astype(float), question.astype(float)).max(axis=1).mean(),
        "context_relevancy": cosine_similarity(question.astype(float), context.astype(float)).max(axis=1).mean(),
    }.items():
        # the encoder's vectors have single precision
        assert script.score(name).value == pytest.approx(expected, abs=1e-7), name
    assert script.score("groundedness").detail["worst"] == int(grounded.max(axis=1).argmin())
