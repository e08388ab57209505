"""A draw of a fixed number of cases with unequal chances that are exact."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

CERTAIN = 1.0 - 1e-9
"""A chance from here on is 1."""


def capped(sizes: Floats, number: int) -> Floats:
    """Chances in proportion to sizes that sum to a number, none above 1; a size of 0 keeps the chance 0.

    >>> capped(np.array([8.0, 1.0, 1.0, 0.0]), 2).tolist()
    [1.0, 0.5, 0.5, 0.0]
    """
    able = sizes > 0.0
    if number >= int(able.sum()):
        return able.astype(np.float64)
    chances = np.zeros(sizes.shape)
    open_ = able.copy()
    remaining = float(number)
    while True:
        chances[open_] = remaining * sizes[open_] / sizes[open_].sum()
        over = open_ & (chances >= CERTAIN)
        if not over.any():
            return chances
        chances[over] = 1.0
        open_ &= ~over
        remaining = number - float((able & ~open_).sum())


def systematic(chances: Floats, strata: Sequence[str], rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Draws as many cases as the chances sum to, each with exactly its chance, and evenly over strata.

    Cases are laid end to end, by stratum and in random order within it, each as long as its chance; points one apart
    from a random start hit them. No case is longer than 1, so none is hit twice.

    Args:
        chances: Shape (n,), from 0 to 1, with a whole sum.
        strata: Of each case.
        rng: For the order and the start.

    Returns:
        Which cases are drawn, shape (n,).

    Reference:
        W. G. Madow (1949), On the theory of systematic sampling, II.

    >>> systematic(np.array([1.0, 0.5, 0.5, 0.0]), ["", "", "", ""], np.random.default_rng(0)).sum()
    np.int64(2)
    """
    selected = np.asarray(chances >= CERTAIN)
    shuffled = rng.permutation(len(chances))
    _, number = np.unique(np.asarray(strata, dtype=str), return_inverse=True)
    order = shuffled[np.argsort(number[shuffled], kind="stable")]
    order = order[(chances[order] > 0.0) & ~selected[order]]
    count = round(float(chances[order].sum()))
    start = float(rng.random())
    if count:
        ends = np.cumsum(chances[order])
        ends *= count / ends[-1]
        hit = np.searchsorted(ends, start + np.arange(count), side="right")
        selected[order[np.minimum(hit, len(order) - 1)]] = True
    return selected
