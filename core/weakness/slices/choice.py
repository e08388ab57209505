"""Which of many overlapping slices to carry to the test: those that say something the ones before them do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from core.weakness.slices.search import STANDS_OUT, Candidate, Half
from core.weakness.table import Bools, Ints

ALIKE = 0.8
"""Slices that share more of their cases (Jaccard) are one; the one of fewest conditions stays."""
SIMPLER = 0.25
"""Standard errors by which a slice must stand out further for each condition that it has more."""
STRONG = 3.0
"""A slice is carried if it stands out so far, or half as far as the strongest."""


def choose(
    half: Half,
    attributes: Sequence[Ints],
    candidates: Sequence[Candidate],
    *,
    most: int,
    least_effect: float,
    usable: Callable[[Candidate], bool],
) -> tuple[Candidate, ...]:
    """Takes the slice that stands out most, sets its cases to the level of all others, and looks again.

    What a slice owes to one that was taken is gone then: its relatives of more conditions, and those of fewer that are
    low only because they hold it, no longer stand out.

    Args:
        half: The scores.
        attributes: Level of each case by number; each of shape (n,).
        candidates: What the search found.
        most: How many to take.
        least_effect: How much worse than the rest a slice must be, besides what it owes to those before it.
        usable: Whether a slice can be tested.

    Returns:
        In the order they were taken.
    """
    if not candidates:
        return ()
    masks = _packed(attributes, candidates, half.n)
    n = np.array([one.n for one in candidates])
    clusters = np.array([one.clusters for one in candidates])
    outside = np.array([one.outside for one in candidates])
    depth = np.array([len(one.conditions) for one in candidates])
    totals, overall = np.array([one.total for one in candidates]), half.total
    left, enough = np.ones(n.size, dtype=np.bool_), STANDS_OUT
    taken: list[Candidate] = []
    while len(taken) < most:
        effect, standing = half.standing(n, totals, clusters, outside, overall)
        able = left & (effect >= least_effect - 1e-12) & (standing >= enough)
        if not able.any():
            break
        best = int(np.argmax(np.where(able, standing - SIMPLER * depth, -np.inf)))
        twins = np.flatnonzero(able & _alike(masks, n, best))
        best = int(min(twins, key=lambda at: (depth[at], -standing[at], at)))
        if not usable(candidates[best]):
            left[best] = False
            continue
        left &= ~_alike(masks, n, best)
        if not taken:
            enough = max(STANDS_OUT, min(STRONG, float(standing[best]) / 2.0))
        taken.append(candidates[best])
        lift = (overall - totals[best]) / (half.n - n[best]) - totals[best] / n[best]
        totals = totals + _shared(masks, best) * lift
        overall += float(n[best] * lift)
    return tuple(taken)


def inside(attributes: Sequence[Ints], one: Candidate) -> Bools:
    """Which cases a slice holds, shape (n,)."""
    (attribute, level), *others = one.conditions
    mask: Bools = attributes[attribute] == level
    for attribute, level in others:
        mask &= attributes[attribute] == level
    return mask


def _packed(attributes: Sequence[Ints], candidates: Sequence[Candidate], n: int) -> NDArray[np.uint64]:
    """The cases of each slice as bits, shape (candidates, n / 64)."""
    bits = np.zeros((len(candidates), -(-n // 64) * 8), dtype=np.uint8)
    for at, one in enumerate(candidates):
        packed = np.packbits(inside(attributes, one))
        bits[at, : packed.size] = packed
    return bits.view(np.uint64)


def _shared(masks: NDArray[np.uint64], at: int) -> Ints:
    """How many cases each slice shares with one of them."""
    return np.asarray(np.bitwise_count(masks & masks[at]).sum(axis=1, dtype=np.int64))


def _alike(masks: NDArray[np.uint64], n: Ints, at: int) -> Bools:
    shared = _shared(masks, at)
    return np.asarray(shared > ALIKE * (n + n[at] - shared), dtype=np.bool_)
