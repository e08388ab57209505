"""Precision and recall in one number."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="f1",
    title="Retrieval F1",
    unit="harmonic mean of two shares",
    question="Were the right {one}s retrieved, and only those?",
    equation="F1 = 2 P R / (P + R) = 2 |H| / (n + |G|), with n distinct retrieved {one}s (at k, at most k)",
    source=(
        "van Rijsbergen's F with equal weights, trec_eval's set_F. Written as one fraction it is also defined where "
        "nothing was retrieved."
    ),
    empty="0: 2 x 0 / (0 + |G|).",
)
def f1(ranking: Ranking) -> float:
    """Harmonic mean of precision and recall, as one fraction.

    >>> f1(Ranking(hits=(1, 3), retrieved=3, relevant=4))
    0.5714285714285714
    """
    return 2 * len(ranking.hits) / (ranking.retrieved + ranking.relevant)
