"""Slices that are weak only because of another one: reported with the slice that explains them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.weakness.slices.search import CLEARLY, Half
from core.weakness.table import Bools


def explained(half: Half, slices: Sequence[Bools]) -> tuple[int | None, ...]:
    """Which other slice explains each one, None where none does.

    The slice that stands out most comes first. Each further one that shares cases with those before it is explained
    unless its own cases, without theirs, are clearly worse than the rest, or it is clearly worse than the cases that
    the one it shares most with has besides. In the end a slice that holds narrower ones is explained where what is left
    of it without them is not clearly worse.

    Args:
        half: The scores, higher is better.
        slices: Which cases each holds, shape (n,).
    """
    order = sorted(range(len(slices)), key=lambda at: -_gap(half, slices[at], ~slices[at]))
    selected: list[int] = []
    explained_by: list[int | None] = [None] * len(slices)
    for at in order:
        mine = slices[at]
        shared = [int((mine & slices[earlier]).sum()) for earlier in selected]
        if sum(shared):
            nearest = selected[int(np.argmax(shared))]
            covered = _union([slices[earlier] for earlier in selected])
            stands_alone = _gap(half, mine & ~covered, ~mine & ~covered) >= CLEARLY
            deeper = _gap(half, mine, slices[nearest] & ~mine) >= CLEARLY
            if not stands_alone and not deeper:
                explained_by[at] = nearest
                continue
        selected.append(at)
    for at in sorted(selected, key=lambda at: -int(slices[at].sum())):
        within = [
            earlier
            for earlier in selected
            if earlier != at and explained_by[earlier] is None and _lies_in(slices[earlier], slices[at])
        ]
        if within and _gap(half, slices[at] & ~_union([slices[inner] for inner in within]), ~slices[at]) < CLEARLY:
            explained_by[at] = max(within, key=lambda earlier: int(slices[earlier].sum()))
    return tuple(explained_by)


def _gap(half: Half, worse: Bools, better: Bools) -> float:
    """By how many standard errors the one set of cases is worse than the other; minus infinity where one is empty."""
    if not worse.any() or not better.any():
        return -np.inf
    means = [float(half.values[cases].mean()) for cases in (worse, better)]
    clusters_in = [
        int(cases.sum()) if half.alone else int(np.unique(half.clusters[cases]).size) for cases in (worse, better)
    ]
    worth = half.worth(np.array([worse.sum(), better.sum()]), np.array(clusters_in))
    error = half.noise * float(np.sqrt((1.0 / worth).sum()))
    return (means[1] - means[0]) / error if error > 0.0 else -np.inf


def _union(slices: Sequence[Bools]) -> Bools:
    return np.asarray(np.logical_or.reduce(slices), dtype=np.bool_)


def _lies_in(inner: Bools, outer: Bools) -> bool:
    """Whether one slice lies in another, larger one, but for a few cases."""
    size = int(inner.sum())
    return size < int(outer.sum()) and int((inner & outer).sum()) >= 0.95 * size
