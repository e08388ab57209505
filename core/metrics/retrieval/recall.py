"""Which share of what is relevant was retrieved."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="recall",
    title="Recall",
    unit="share of relevant {one}s",
    question="Which share of the {one}s that hold the answer was retrieved?",
    equation="R = |H| / |G|, with the hits H among the retrieved {one}s (at k, the first k) and all relevant {one}s G",
    source=(
        'Cohere, "Deep Dive Into RAG Evaluation", compute_recall; trec_eval\'s recall_k. At k the denominator stays '
        "all relevant {one}s, so it cannot reach 1 where there are more than k."
    ),
    empty="0: nothing that is relevant was found.",
)
def recall(ranking: Ranking) -> float:
    """Recall, hits over all relevant ones.

    >>> recall(Ranking(hits=(1, 3), retrieved=3, relevant=4))
    0.5
    """
    return len(ranking.hits) / ranking.relevant
