"""Weak slices that are weak only because of another one: named, but not told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.weakness.slices.search import CLEARLY, Half
from core.weakness.table import Bools


def explained(half: Half, slices: Sequence[Bools]) -> tuple[int | None, ...]:
    """Which other slice explains each one, None where it stands by itself.

    The slice that stands out most comes first. Each further one that shares cases with those before it is explained
    unless its own cases, without theirs, are clearly worse than the rest, or it is clearly worse than the cases that
    the one it shares most with has besides. In the end a slice that holds narrower ones is explained where what is left
    of it without them is not clearly worse.

    Args:
        half: The scores, higher is better.
        slices: Which cases each holds, shape (n,).
    """
    order = sorted(range(len(slices)), key=lambda at: -_gap(half, slices[at], ~slices[at]))
    kept: list[int] = []
    by: list[int | None] = [None] * len(slices)
    for at in order:
        mine = slices[at]
        shared = [int((mine & slices[other]).sum()) for other in kept]
        if sum(shared):
            nearest = kept[int(np.argmax(shared))]
            known = _union([slices[other] for other in kept])
            own = _gap(half, mine & ~known, ~mine & ~known) >= CLEARLY
            deeper = _gap(half, mine, slices[nearest] & ~mine) >= CLEARLY
            if not own and not deeper:
                by[at] = nearest
                continue
        kept.append(at)
    for at in sorted(kept, key=lambda at: -int(slices[at].sum())):
        within = [other for other in kept if other != at and by[other] is None and _lies_in(slices[other], slices[at])]
        if within and _gap(half, slices[at] & ~_union([slices[one] for one in within]), ~slices[at]) < CLEARLY:
            by[at] = max(within, key=lambda other: int(slices[other].sum()))
    return tuple(by)


def _gap(half: Half, worse: Bools, better: Bools) -> float:
    """By how many standard errors the one set of cases is worse than the other; minus infinity where one is empty."""
    if not worse.any() or not better.any():
        return -np.inf
    means = [float(half.values[one].mean()) for one in (worse, better)]
    held = [int(one.sum()) if half.alone else int(np.unique(half.clusters[one]).size) for one in (worse, better)]
    worth = half.worth(np.array([worse.sum(), better.sum()]), np.array(held))
    error = half.noise * float(np.sqrt((1.0 / worth).sum()))
    return (means[1] - means[0]) / error if error > 0.0 else -np.inf


def _union(slices: Sequence[Bools]) -> Bools:
    return np.asarray(np.logical_or.reduce(slices), dtype=np.bool_)


def _lies_in(inner: Bools, outer: Bools) -> bool:
    """Whether one slice lies in another, larger one, but for a few cases."""
    held = int(inner.sum())
    return held < int(outer.sum()) and int((inner & outer).sum()) >= 0.95 * held
