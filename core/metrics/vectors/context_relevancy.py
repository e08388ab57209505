"""Context relevancy: whether the retrieved passages address every sentence of the question (HCAT 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from core.metrics.comparison.similarity import match_score
from core.metrics.comparison.weights import asked_words, shares
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

EDGES: dict[Edge, str] = {
    "empty contexts": "0 where it is known that nothing was retrieved, since nothing addresses any sentence of the "
    "question; no value where it is not known what was retrieved.",
    "one sentence": "A question of one sentence has the similarity of its best match; mean, weighted mean and minimum "
    "are then the same.",
    "identical texts": "1 where every sentence of the question stands in the passages word for word.",
    "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
    "other scripts": "Scored like any text; how good the match is depends on the languages the encoder knows.",
    "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
}
NEEDS = (Need.QUESTION, Need.CONTEXTS, Need.ENCODER)

MEAN = MetricSpec(
    name="context_relevancy",
    title="Context relevancy",
    family=Family.CONTEXT,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="How well do the retrieved passages address the question, sentence by sentence?",
    equation="(1/m) sum_i max_j Sim(q_i, c_j), with question sentences q_1..q_m, sentences c_1..c_n of all retrieved "
    "passages and Sim the cosine of their vectors.",
    source="HCAT 3.1, the plain average. As in the paper the answer plays no part.",
    version=2,
    edges=EDGES,
)
WEIGHTED = MetricSpec(
    name="context_relevancy_weighted",
    title="Context relevancy, weighted",
    family=Family.CONTEXT,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="How well do the retrieved passages address what the question really asks, courtesies aside?",
    equation="sum_i w_i max_j Sim(q_i, c_j) with w_i = (1 + t_i) / sum_l (1 + t_l), where t_i is the number of "
    "distinct words of q_i that are neither function words nor words of requests (please, tell, know). "
    "w_i >= 0, sum_i w_i = 1.",
    source="HCAT 3.1, the weighted average. The paper leaves the weights open. Ours follow what a sentence asks about, "
    "because a greeting needs no passage; the 1 keeps every sentence in. Other weights: weighted_context_relevancy.",
    version=2,
    edges={
        **EDGES,
        "other scripts": "Scored like any text. In scripts without blanks each character counts as a word of the "
        "weight; the lists of function words and words of requests are English.",
        "emoji": "A sentence of emoji only asks about no word: its weight is that of 1 against 1 + t of the others.",
    },
)
LEAST = MetricSpec(
    name="context_relevancy_min",
    title="Context relevancy, minimum",
    family=Family.CONTEXT,
    unit="cosine similarity",
    low=-1.0,
    needs=NEEDS,
    question="How well is the least addressed sentence of the question addressed, and which one is it?",
    equation="min_i max_j Sim(q_i, c_j); the sentence with the minimum is named, the first of equals.",
    source="HCAT 3.1, the minimax score, for questions all of whose aspects must be addressed.",
    version=2,
    edges=EDGES,
)


@metric(MEAN)
def context_relevancy(prepared: Prepared) -> Outcome:
    """The mean over question sentences of the best match in the passages (HCAT 3.1)."""
    return match_score(prepared, Part.QUESTION, Part.CONTEXTS)


@metric(WEIGHTED)
def context_relevancy_weighted(prepared: Prepared) -> Outcome:
    """The mean over question sentences, weighted by how many words they ask about (HCAT 3.1)."""
    sizes = [asked_words(sentence.text) for sentence in prepared.sentences(Part.QUESTION)]
    return weighted_context_relevancy(prepared, shares(sizes))


@metric(LEAST)
def context_relevancy_min(prepared: Prepared) -> Outcome:
    """The best match of the least addressed question sentence (HCAT 3.1)."""
    return match_score(prepared, Part.QUESTION, Part.CONTEXTS, least=True)


def weighted_context_relevancy(prepared: Prepared, weights: Sequence[float]) -> Outcome:
    """Context relevancy with weights of one's own: sum_i w_i max_j Sim(q_i, c_j) (HCAT 3.1).

    Args:
        prepared: The sample; question and contexts must be encoded.
        weights: One for each question sentence in order, from 0 on, with sum 1.

    Raises:
        InvalidInput: The weights do not fit.
    """
    return match_score(prepared, Part.QUESTION, Part.CONTEXTS, weights=weights)
