"""Reciprocal rank fusion: one ranking out of several, by ranks alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import fsum
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

K = 60
"""The constant of the paper; larger ones give the top of each ranking less weight."""


def fuse(rankings: Sequence[Sequence[Item]], *, k: int = K) -> list[tuple[Item, float]]:
    r"""Items by their fused score, best first.

    .. math:: \mathrm{RRF}(d) = \sum_r \frac{1}{k + \mathrm{rank}_r(d)}

    over the rankings that have the item; ranks count from 1. Items of equal score keep the order in which the rankings
    name them first, the first ranking before the second. The order of the rankings changes no score, to the last bit.

    Args:
        rankings: Each best first, without repetition.
        k: The constant.

    Reference:
        G. Cormack, C. Clarke and S. Buettcher (2009), Reciprocal rank fusion outperforms Condorcet and individual rank
        learning methods.

    >>> [(name, round(score, 5)) for name, score in fuse([["a", "b"], ["b", "c"]])]
    [('b', 0.03252), ('a', 0.01639), ('c', 0.01613)]
    """
    parts: defaultdict[Item, list[float]] = defaultdict(list)
    for ranking in rankings:
        for rank, item in enumerate(ranking, start=1):
            parts[item].append(1.0 / (k + rank))
    # Rounded once: equal ranks in another order must tie.
    return sorted(((item, fsum(shares)) for item, shares in parts.items()), key=lambda fused: -fused[1])
