"""Whether anything relevant was retrieved."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="hit",
    title="Hit",
    unit="1 or 0",
    question="Was at least one {one} retrieved that holds the answer?",
    equation="1 where |H| >= 1, else 0; at k, H are the hits among the first k distinct {one}s",
    source="trec_eval's success_k; its mean over cases is the hit rate.",
    empty="0: nothing that is relevant was found.",
)
def hit(ranking: Ranking) -> float:
    """1 where there is a hit, else 0.

    >>> hit(Ranking(hits=(), retrieved=3, relevant=4))
    0.0
    """
    return 1.0 if ranking.hits else 0.0
