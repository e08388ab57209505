"""Average precision: whether the relevant ones come first, over all relevant ones or over those retrieved."""

from __future__ import annotations

from core.metrics.retrieval.ranking import Ranking, ranking_metric


@ranking_metric(
    name="map",
    title="Average precision",
    unit="mean of precisions",
    question="Were all {one}s that hold the answer retrieved, and first?",
    equation=(
        "AP = (1 / |G|) sum over hits of P@r, with P@r the precision of the first r retrieved and all relevant {one}s "
        "G; at k only hits within the first k are summed and |G| stays whole"
    ),
    source=(
        "trec_eval's map and map_cut_k (AP@k in ir-measures), which divide by all relevant ones also at k, not by "
        "min(|G|, k); so at k it cannot reach 1 where more than k are relevant. The mean over cases is MAP."
    ),
    empty="0: nothing that is relevant was found.",
)
def average_precision(ranking: Ranking) -> float:
    """Average precision over all relevant ones.

    >>> average_precision(Ranking(hits=(1, 3), retrieved=3, relevant=4)) == (1 / 1 + 2 / 3) / 4
    True
    """
    return _precisions(ranking) / ranking.relevant


@ranking_metric(
    name="map_retrieved",
    title="Average precision of the retrieved",
    unit="mean of precisions",
    question="Do the retrieved {one}s that hold the answer come before the others?",
    equation=(
        "(1 / |H|) sum over hits of P@r, with P@r the precision of the first r retrieved and the hits H (at k, those "
        "within the first k); 0 without a hit"
    ),
    source=(
        'Cohere, "Deep Dive Into RAG Evaluation", compute_mean_average_precision: divided by the relevant {one}s that '
        "were retrieved, so what was missed costs nothing. Ours is 0 without a hit, where the notebook's is not a "
        "number, and counts a repeated {one} once."
    ),
    empty="0: nothing that is relevant was found.",
)
def average_precision_of_retrieved(ranking: Ranking) -> float:
    """Average precision over the retrieved relevant ones; 0 where there is none.

    >>> average_precision_of_retrieved(Ranking(hits=(1, 3), retrieved=3, relevant=4)) == (1 / 1 + 2 / 3) / 2
    True
    """
    return _precisions(ranking) / len(ranking.hits) if ranking.hits else 0.0


def _precisions(ranking: Ranking) -> float:
    return sum(place / rank for place, rank in enumerate(ranking.hits, start=1))
