"""Answer relevancy: whether every sentence of the answer is about the question (HCAT 3.4)."""

from __future__ import annotations

from core.metrics.comparison.similarity import match_score
from core.metrics.comparison.weights import length_in_words, shares
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

EDGES: dict[Edge, str] = {
    "empty answer": "No value: an answer without a sentence is about nothing, and a mean over nothing is no value.",
    "empty contexts": "Plays no part: only question and answer are compared.",
    "abstention": "Computed like any answer and marked as an abstention; an answer that repeats the question before it "
    "says that it does not know is similar to the question.",
    "one sentence": "An answer of one sentence has the similarity of the question sentence that is nearest to it.",
    "identical texts": "1 where the answer repeats the question word for word: the score says whether the answer keeps "
    "to the subject, not whether it answers.",
    "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
    "other scripts": "Scored like any text; how good the match is depends on the languages the encoder knows.",
    "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
}
NEEDS = (Need.QUESTION, Need.ANSWER, Need.ENCODER)

MEAN = MetricSpec(
    name="answer_relevancy",
    title="Answer relevancy",
    family=Family.RELEVANCY,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="Is every sentence of the answer about the question?",
    equation="(1/k) sum_i max_j Sim(a_i, q_j), with answer sentences a_1..a_k, question sentences q_1..q_m and Sim the "
    "cosine of their vectors.",
    source="HCAT 3.4, the simple average.",
    version=2,
    edges=EDGES,
)
WEIGHTED = MetricSpec(
    name="answer_relevancy_weighted",
    title="Answer relevancy, weighted by length",
    family=Family.RELEVANCY,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="How much of the answer's wording is about the question?",
    equation="sum_i w_i max_j Sim(a_i, q_j) with w_i = words(a_i) / sum_l words(a_l), words counted at least 1. "
    "w_i >= 0, sum_i w_i = 1.",
    source="HCAT 3.4, the weighted average. The paper leaves the weights open; ours are the lengths, so that a short "
    "courtesy at the end weighs less than what was asked for.",
    version=2,
    edges={
        **EDGES,
        "other scripts": "Scored like any text; in scripts without blanks each character weighs as much as a word.",
        "emoji": "A sentence of emoji only is a sentence of one word.",
    },
)


@metric(MEAN)
def answer_relevancy(prepared: Prepared) -> Outcome:
    """The mean over answer sentences of the best match in the question (HCAT 3.4)."""
    return match_score(prepared, Part.ANSWER, Part.QUESTION)


@metric(WEIGHTED)
def answer_relevancy_weighted(prepared: Prepared) -> Outcome:
    """The mean over answer sentences, weighted by their length in words (HCAT 3.4)."""
    weights = shares([length_in_words(sentence.text) for sentence in prepared.sentences(Part.ANSWER)])
    return match_score(prepared, Part.ANSWER, Part.QUESTION, weights=weights)
