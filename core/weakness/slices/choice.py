"""The choice of slices to test among many overlapping ones: those that add to the slices chosen before."""

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
    """Chooses the slice that stands out most, sets its cases to the level of all others, and repeats.

    That removes its effect from other slices: related slices with more conditions, and those with fewer that are low
    only because they contain it, no longer stand out.

    Args:
        half: The scores.
        attributes: Level of each case by number; each of shape (n,).
        candidates: What the search found.
        most: How many to take.
        least_effect: How much worse than the rest a slice must be, without the effect of the slices chosen before.
        usable: Whether a slice can be tested.

    Returns:
        In the order they were taken.
    """
    if not candidates:
        return ()
    masks = _packed(attributes, candidates, half.n)
    n = np.array([candidate.n for candidate in candidates])
    clusters = np.array([candidate.clusters for candidate in candidates])
    outside = np.array([candidate.outside for candidate in candidates])
    depth = np.array([len(candidate.conditions) for candidate in candidates])
    totals, overall = np.array([candidate.total for candidate in candidates]), half.total
    available, enough = np.ones(n.size, dtype=np.bool_), STANDS_OUT
    selected: list[Candidate] = []
    while len(selected) < most:
        effect, standing = half.standing(n, totals, clusters, outside, overall)
        able = available & (effect >= least_effect - 1e-12) & (standing >= enough)
        if not able.any():
            break
        best = int(np.argmax(np.where(able, standing - SIMPLER * depth, -np.inf)))
        twins = np.flatnonzero(able & _alike(masks, n, best))
        best = int(min(twins, key=lambda at: (depth[at], -standing[at], at)))
        if not usable(candidates[best]):
            available[best] = False
            continue
        available &= ~_alike(masks, n, best)
        if not selected:
            enough = max(STANDS_OUT, min(STRONG, float(standing[best]) / 2.0))
        selected.append(candidates[best])
        lift = (overall - totals[best]) / (half.n - n[best]) - totals[best] / n[best]
        totals = totals + _shared(masks, best) * lift
        overall += float(n[best] * lift)
    return tuple(selected)


def inside(attributes: Sequence[Ints], candidate: Candidate) -> Bools:
    """Which cases a slice holds, shape (n,)."""
    (attribute, level), *further = candidate.conditions
    mask: Bools = attributes[attribute] == level
    for attribute, level in further:
        mask &= attributes[attribute] == level
    return mask


def _packed(attributes: Sequence[Ints], candidates: Sequence[Candidate], n: int) -> NDArray[np.uint64]:
    """The cases of each slice as bits, shape (candidates, n / 64)."""
    bits = np.zeros((len(candidates), -(-n // 64) * 8), dtype=np.uint8)
    for at, candidate in enumerate(candidates):
        packed = np.packbits(inside(attributes, candidate))
        bits[at, : packed.size] = packed
    return bits.view(np.uint64)


def _shared(masks: NDArray[np.uint64], at: int) -> Ints:
    """How many cases each slice shares with one of them."""
    return np.asarray(np.bitwise_count(masks & masks[at]).sum(axis=1, dtype=np.int64))


def _alike(masks: NDArray[np.uint64], n: Ints, at: int) -> Bools:
    shared = _shared(masks, at)
    return np.asarray(shared > ALIKE * (n + n[at] - shared), dtype=np.bool_)
