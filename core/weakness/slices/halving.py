"""Two halves of the cases: one to find slices in, one to test them on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.weakness.table import Bools, Ints

ROOM = 2**62
"""Keys of strata stay below it."""


def discovery_half(clusters: Ints, attributes: Sequence[Ints], seed: int) -> Bools:
    """Puts whole clusters into the one half or the other, such that the halves are alike.

    Clusters are ordered by size (doublings) and by the levels of their first case, attributes of few levels first;
    of each two neighbours chance sends one to either half. The scores play no part: halves that are alike in attributes
    and scores at once would repeat in one half what chance did in the other, and the test there would prove nothing.

    Args:
        clusters: Of each case, whole numbers from 0, shape (n,).
        attributes: Codes of each attribute, -1 for none, each of shape (n,).
        seed: Of the draw; the same seed makes the same halves.

    Returns:
        Which cases are in the half to search, shape (n,).

    >>> half = discovery_half(np.repeat(np.arange(8), 3), [np.repeat([0, 1], 12)], seed=1)
    >>> int(half.sum()), int(half[:12].sum()), sorted(set(half.reshape(8, 3).sum(axis=1).tolist()))
    (12, 6, [0, 3])
    """
    if not clusters.size:
        return np.zeros(0, dtype=np.bool_)
    sizes = np.bincount(clusters)
    there = np.flatnonzero(sizes)
    first = np.zeros(sizes.size, dtype=np.int64)
    # Written from the end, so that the first case of a cluster stays.
    first[clusters[::-1]] = np.arange(clusters.size)[::-1]
    key = np.log2(sizes[there]).astype(np.int64)
    for codes in sorted(attributes, key=lambda codes: int(codes.max())):
        levels = int(codes.max()) + 2
        if (int(key.max()) + 1) * levels >= ROOM:
            break
        key = key * levels + codes[first[there]] + 1
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(there.size)
    order = there[shuffled[np.argsort(key[shuffled], kind="stable")]]
    coins = generator.random((order.size + 1) // 2) < 0.5
    chosen = np.zeros(sizes.size, dtype=np.bool_)
    chosen[order[0::2]] = coins
    chosen[order[1::2]] = ~coins[: order.size // 2]
    return np.asarray(chosen[clusters], dtype=np.bool_)
