"""Two halves of the cases: one to find slices in, one to test them on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.weakness.table import Bools, Ints

ROOM = 2**62
"""Keys of strata stay below it."""


def discovery_half(clusters: Ints, attributes: Sequence[Ints], seed: int) -> Bools:
    """Assigns whole clusters to two halves with similar attributes.

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
    present = np.flatnonzero(sizes)
    first_cases = np.zeros(sizes.size, dtype=np.int64)
    # Written from the end, so that the first case of a cluster stays.
    first_cases[clusters[::-1]] = np.arange(clusters.size)[::-1]
    key = np.log2(sizes[present]).astype(np.int64)
    for codes in sorted(attributes, key=lambda codes: int(codes.max())):
        levels = int(codes.max()) + 2
        if (int(key.max()) + 1) * levels >= ROOM:
            break
        key = key * levels + codes[first_cases[present]] + 1
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(present.size)
    order = present[shuffled[np.argsort(key[shuffled], kind="stable")]]
    coins = generator.random((order.size + 1) // 2) < 0.5
    in_discovery = np.zeros(sizes.size, dtype=np.bool_)
    in_discovery[order[0::2]] = coins
    in_discovery[order[1::2]] = ~coins[: order.size // 2]
    return np.asarray(in_discovery[clusters], dtype=np.bool_)
