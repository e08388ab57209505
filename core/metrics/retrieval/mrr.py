"""How early the first relevant one comes."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="mrr",
    title="Reciprocal rank",
    unit="1 / rank",
    question="How early does the first {one} come that holds the answer?",
    equation="RR = 1 / r_1 with the rank r_1 of the first hit, 0 without a hit (at k, without a hit in the first k)",
    source="Voorhees (1999), trec_eval's recip_rank. The mean over cases is the mean reciprocal rank (MRR).",
    empty="0: there is no first hit.",
)
def mrr(ranking: Ranking) -> float:
    """One over the rank of the first hit; 0 without one.

    >>> mrr(Ranking(hits=(2, 3), retrieved=3, relevant=4))
    0.5
    """
    return 1 / ranking.hits[0] if ranking.hits else 0.0
