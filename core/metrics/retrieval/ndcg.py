"""Whether the relevant ones come first, with a discount that falls slowly."""

from __future__ import annotations

from collections.abc import Iterable
from math import log2

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="ndcg",
    title="nDCG",
    unit="share of the best possible gain",
    question="How close is the order of the retrieved {one}s to the best possible one?",
    equation=(
        "nDCG = sum over hits of 1 / log2(r + 1), divided by the sum of 1 / log2(i + 1) for i = 1 .. |G|; "
        "at k, hits within the first k and i up to min(|G|, k)"
    ),
    source=(
        "Järvelin and Kekäläinen (2002) with gain 1 for each relevant {one}, discount log2(rank + 1); trec_eval's ndcg "
        "and ndcg_cut."
    ),
    empty="0: no gain.",
)
def ndcg(ranking: Ranking) -> float:
    """Discounted gain of the hits over that of the best order of the same length.

    >>> round(ndcg(Ranking(hits=(1, 3), retrieved=3, relevant=4)), 4)
    0.5856
    """
    best = ranking.relevant if ranking.cut is None else min(ranking.relevant, ranking.cut)
    return _gain(ranking.hits) / _gain(range(1, best + 1))


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / log2(rank + 1) for rank in ranks)
