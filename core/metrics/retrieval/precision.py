"""Which share of what was retrieved is relevant."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="precision",
    title="Precision",
    unit="share of retrieved {one}s",
    question="Which share of the retrieved {one}s should have been retrieved?",
    equation="P = |H| / n, with the hits H among the n distinct retrieved {one}s; at k, among the first k of them",
    source=(
        'Cohere, "Deep Dive Into RAG Evaluation", compute_precision. Differs from trec_eval\'s P_k, which divides by k '
        "even where fewer than k were retrieved; the two agree where at least k were."
    ),
    empty="Not applicable: a share of nothing is no value.",
)
def precision(ranking: Ranking) -> float | None:
    """Precision, hits over distinct retrieved; None where nothing was retrieved.

    >>> precision(Ranking(hits=(1, 3), retrieved=3, relevant=4))
    0.6666666666666666
    """
    return len(ranking.hits) / ranking.retrieved if ranking.retrieved else None
