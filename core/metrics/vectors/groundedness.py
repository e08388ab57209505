"""Groundedness by similarity: whether the passages support every sentence of the answer (HCAT 3.2.1)."""

from __future__ import annotations

from core.metrics.comparison.similarity import match_score
from core.metrics.comparison.weights import length_in_words, shares
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

EDGES: dict[Edge, str] = {
    "empty answer": "No value: an answer without a sentence claims nothing, and a mean over nothing is no value.",
    "empty contexts": "0 where it is known that nothing was retrieved, since nothing supports any sentence; no value "
    "where it is not known what was retrieved.",
    "abstention": "Computed like any answer and marked as an abstention; its sentences rarely stand in a passage, so "
    "the number is low without anything being invented.",
    "one sentence": "An answer of one sentence has the similarity of its best match.",
    "identical texts": "1 where every sentence of the answer stands in the passages word for word.",
    "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
    "other scripts": "Scored like any text; how good the match is depends on the languages the encoder knows.",
    "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
}
NEEDS = (Need.ANSWER, Need.CONTEXTS, Need.ENCODER)

MEAN = MetricSpec(
    name="groundedness",
    title="Groundedness",
    family=Family.GROUNDEDNESS,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="Is every sentence of the answer supported by some sentence of the retrieved passages?",
    equation="(1/k) sum_i max_j Sim(a_i, c_j), with answer sentences a_1..a_k, sentences c_1..c_n of all retrieved "
    "passages and Sim the cosine of their vectors. The least grounded sentence is argmin_i max_j Sim(a_i, c_j), the "
    "first of equals.",
    source="HCAT 3.2.1. Similar is not the same as supported: a wrong number in a copied sentence still scores high. "
    "Faithfulness sees it where the number occurs nowhere in the passages, not where it is that of something else; the "
    "NLI metrics are as good as their model.",
    version=2,
    edges=EDGES,
)
WEIGHTED = MetricSpec(
    name="groundedness_weighted",
    title="Groundedness, weighted by length",
    family=Family.GROUNDEDNESS,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="How much of the answer's wording stands in sentences that the retrieved passages support?",
    equation="sum_i w_i max_j Sim(a_i, c_j) with w_i = words(a_i) / sum_l words(a_l), words counted at least 1. "
    "w_i >= 0, sum_i w_i = 1.",
    source="HCAT 3.2.1 with weights, which the paper gives for the other scores (3.1, 3.4): a short closing phrase "
    "then weighs less than a long claim.",
    version=2,
    edges={
        **EDGES,
        "other scripts": "Scored like any text; in scripts without blanks each character weighs as much as a word.",
        "emoji": "A sentence of emoji only is a sentence of one word.",
    },
)


@metric(MEAN)
def groundedness(prepared: Prepared) -> Outcome:
    """The mean over answer sentences of the best match in the passages (HCAT 3.2.1)."""
    return match_score(prepared, Part.ANSWER, Part.CONTEXTS)


@metric(WEIGHTED)
def groundedness_weighted(prepared: Prepared) -> Outcome:
    """The mean over answer sentences, weighted by their length in words."""
    weights = shares([length_in_words(sentence.text) for sentence in prepared.sentences(Part.ANSWER)])
    return match_score(prepared, Part.ANSWER, Part.CONTEXTS, weights=weights)
