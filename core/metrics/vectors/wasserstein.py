"""Completeness as a distance of two distributions: from the passages' sentences to the answer's (HCAT 3.3.2)."""

from __future__ import annotations

from core.metrics.comparison.similarity import (
    DIGITS,
    abstention,
    distances,
    flows,
    lowest_place,
    no_sentences,
    transport,
)
from core.metrics.comparison.weights import mean
from core.metrics.evidence import SentenceScore, plan_json, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, Measured, MetricSpec, Need, Outcome, Unscored

EDGES: dict[Edge, str] = {
    "empty answer": "No value: an answer without a sentence is no distribution.",
    "empty contexts": "No value where it is known that nothing was retrieved: there is nothing to move.",
    "abstention": "Computed like any answer and marked as an abstention; it is far from most passages.",
    "one sentence": "With one sentence on a side everything goes to it or comes from it: the mean distance.",
    "identical texts": "0: every sentence stays where it is.",
    "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
    "other scripts": "Scored like any text; how near two sentences are depends on the languages the encoder knows.",
    "emoji": "A sentence of emoji only is a sentence and is moved like any other.",
}
NEEDS = (Need.ANSWER, Need.CONTEXTS, Need.ENCODER)

EXACT = MetricSpec(
    name="wasserstein",
    title="Wasserstein distance",
    family=Family.COMPLETENESS,
    unit="cosine distance",
    low=0.0,
    high=2.0,
    better="lower",
    needs=NEEDS,
    question="How far must the content of the retrieved passages be moved to become the content of the answer?",
    equation="min over plans g >= 0 of sum_ij g_ij (1 - Sim(c_i, a_j)), where the flows out of each context sentence "
    "add up to 1/n and those into each answer sentence to 1/k. The best plan is the evidence: which "
    "sentence goes where.",
    source="HCAT 3.3.2, the optimal transport, with the cosine distance (the paper allows the Euclidean one too). "
    "Solved exactly by a network simplex. The cosine distance is no metric: the triangle inequality does not hold.",
    version=2,
    edges=EDGES,
)
AVERAGE = MetricSpec(
    name="wasserstein_average",
    title="Wasserstein distance, average",
    family=Family.COMPLETENESS,
    unit="cosine distance",
    low=0.0,
    high=2.0,
    better="lower",
    needs=NEEDS,
    question="How far apart are the sentences of the retrieved passages and of the answer on average?",
    equation="(1/(n k)) sum_ij (1 - Sim(c_i, a_j)).",
    source="HCAT 3.3.2, the simplified average. It is the cost of moving every context sentence to every answer "
    "sentence alike, hence an upper bound of the exact distance, not an estimate of it.",
    version=2,
    edges={
        **EDGES,
        "one sentence": "With one sentence on a side it equals the exact distance.",
        "identical texts": "Above 0 for texts of several different sentences, since each is also compared with the "
        "others: this metric has no perfect value. 0 for one sentence against itself.",
    },
)


@metric(EXACT)
def wasserstein(prepared: Prepared) -> Outcome:
    """The exact transport cost between context and answer sentences, with its plan (HCAT 3.3.2)."""
    if (missing := _missing(prepared)) is not None:
        return missing
    cost = distances(prepared.similarity(Part.CONTEXTS, Part.ANSWER))
    flow = transport(cost)
    plan = plan_json(flows(prepared, Part.CONTEXTS, Part.ANSWER, flow, cost))
    return Measured(value=flow.cost, detail={"plan": plan, **abstention(prepared, Part.ANSWER)})


@metric(AVERAGE)
def wasserstein_average(prepared: Prepared) -> Outcome:
    """The mean of all distances between context and answer sentences, an upper bound of the exact cost (HCAT 3.3.2)."""
    if (missing := _missing(prepared)) is not None:
        return missing
    cost = distances(prepared.similarity(Part.CONTEXTS, Part.ANSWER))
    answer = prepared.sentences(Part.ANSWER)
    means = cost.mean(axis=1)
    rows = [
        SentenceScore(of=Part.CONTEXTS, at=sentence.at, value=value, best=answer[near].at, best_of=Part.ANSWER)
        for sentence, value, near in zip(
            prepared.sentences(Part.CONTEXTS),
            means.round(DIGITS).tolist(),
            cost.round(9).argmin(axis=1).tolist(),
            strict=True,
        )
    ]
    return Measured(
        value=mean(cost.ravel().tolist()),
        detail={"sentences": sentences_json(rows), "worst": lowest_place(-means), **abstention(prepared, Part.ANSWER)},
    )


def _missing(prepared: Prepared) -> Unscored | None:
    return next(
        (no_sentences(prepared, part) for part in (Part.ANSWER, Part.CONTEXTS) if not prepared.sentences(part)), None
    )
