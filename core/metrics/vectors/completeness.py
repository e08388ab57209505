"""Completeness by similarity: whether the answer says what the passages have to say (HCAT 3.3.1)."""

from __future__ import annotations

from core.metrics.comparison.similarity import best_matches, match_score, no_sentences
from core.metrics.comparison.weights import shares
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

EDGES: dict[Edge, str] = {
    "empty answer": "No value: an answer without a sentence has nothing to compare.",
    "empty contexts": "No value where it is known that nothing was retrieved: there is nothing to cover, and a mean "
    "over nothing is no value.",
    "abstention": "Computed like any answer and marked as an abstention; it covers little.",
    "one sentence": "Passages of one sentence have the similarity of the answer sentence that is nearest to it.",
    "identical texts": "1 where every sentence of the passages stands in the answer word for word.",
    "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
    "other scripts": "Scored like any text; how good the match is depends on the languages the encoder knows.",
    "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
}

MEAN = MetricSpec(
    name="completeness",
    title="Completeness",
    family=Family.COMPLETENESS,
    unit="cosine similarity",
    low=-1.0,
    needs=(Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    question="How much of what the retrieved passages say does the answer say too?",
    equation="(1/n) sum_i max_j Sim(c_i, a_j), with sentences c_1..c_n of all retrieved passages, answer sentences "
    "a_1..a_k and Sim the cosine of their vectors.",
    source="HCAT 3.3.1, the simple average. It counts every retrieved sentence, asked for or not, so it punishes every "
    "concise answer; the weighted version does not.",
    version=2,
    edges=EDGES,
)
WEIGHTED = MetricSpec(
    name="completeness_weighted",
    title="Completeness, weighted by relevance",
    family=Family.COMPLETENESS,
    unit="cosine similarity",
    low=-1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    question="How much of what the retrieved passages say about the question does the answer say too?",
    equation="sum_i w_i max_j Sim(c_i, a_j) with w_i = r_i / sum_l r_l and r_i = max(0, max_j Sim(c_i, q_j)), the "
    "relevance of the context sentence to the question sentences q_1..q_m. Where every r_i is 0 the weights are equal. "
    "w_i >= 0, sum_i w_i = 1.",
    source="HCAT 3.3.1, the weighted average. The paper leaves the weights open; ours are the relevance to the "
    "question, because an answer need not repeat what nobody asked.",
    version=2,
    edges={
        **EDGES,
        "identical texts": "1 where every sentence of the passages with a weight above 0 stands in the answer word for "
        "word.",
    },
)


@metric(MEAN)
def completeness(prepared: Prepared) -> Outcome:
    """The mean over context sentences of the best match in the answer (HCAT 3.3.1)."""
    if not prepared.sentences(Part.ANSWER):
        return no_sentences(prepared, Part.ANSWER)
    return match_score(prepared, Part.CONTEXTS, Part.ANSWER)


@metric(WEIGHTED)
def completeness_weighted(prepared: Prepared) -> Outcome:
    """The mean over context sentences, weighted by their relevance to the question (HCAT 3.3.1)."""
    if not prepared.sentences(Part.ANSWER):
        return no_sentences(prepared, Part.ANSWER)
    return match_score(prepared, Part.CONTEXTS, Part.ANSWER, weights=relevance_weights(prepared))


def relevance_weights(prepared: Prepared) -> tuple[float, ...]:
    """w_i in proportion to max(0, max_j Sim(c_i, q_j)) for each context sentence; equal where all are 0.

    Args:
        prepared: The sample; question and contexts must be encoded.
    """
    relevance = best_matches(prepared, Part.CONTEXTS, Part.QUESTION).values
    return shares([max(0.0, value) for value in relevance])
