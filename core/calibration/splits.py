"""Labelled cases in three parts: one to fit, one to conformalise, one to test; clusters stay together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.domain.errors import InsufficientData, InvalidInput

SHARES = (0.4, 0.3, 0.3)
LEAST_FIT = 10
"""The smallest number of labels to fit a probability model."""


class SplitPart(StrEnum):
    """What a labelled case is used for."""

    FIT = "fit"
    CONFORMAL = "conformal"
    TEST = "test"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Split:
    """The part of each labelled case.

    Attributes:
        parts: Values of `SplitPart`, shape (n,).
        weights: Weights that correct for the split in the fit part, shape (n,): a case of the random share is in the
            fit part with the chance of its share, a targeted case always.
        targeted: Targeted cases in the fit part.
        needed: The smallest number of random labels for which every part is large enough for the promise.
    """

    parts: NDArray[np.str_]
    weights: NDArray[np.float64]
    targeted: int
    needed: int

    def of(self, part: SplitPart) -> NDArray[np.bool_]:
        """Which cases are in a part, shape (n,)."""
        return np.asarray(self.parts == part.value)

    def count(self, part: SplitPart) -> int:
        """How many cases are in a part."""
        return int(self.of(part).sum())


def least_conformal(alpha: float) -> int:
    """The smallest number of labels that can promise 1 - alpha: ceil((n + 1)(1 - alpha)) <= n.

    >>> least_conformal(0.1), least_conformal(0.05), least_conformal(0.01)
    (9, 19, 99)
    """
    if not 0.0 < alpha < 1.0:
        raise InvalidInput(f"alpha is {alpha}.", "Give a share of misses between 0 and 1, such as 0.1.")
    return math.ceil(round(1.0 / alpha, 9)) - 1


def labels_needed(alpha: float, shares: tuple[float, float, float] = SHARES) -> int:
    """The smallest number of labels drawn at random for which the three parts are large enough.

    >>> labels_needed(0.1), labels_needed(0.05)
    (30, 64)
    """
    fit, conformal, test = _checked(shares)
    return max(
        math.ceil(round(least / share, 9))
        for least, share in ((LEAST_FIT, fit), (least_conformal(alpha), conformal), (1, test))
    )


def split_parts(
    clusters: ArrayLike,
    *,
    random: ArrayLike | None = None,
    shares: tuple[float, float, float] = SHARES,
    seed: int = 0,
    alpha: float = 0.1,
) -> Split:
    """Deals labelled cases to three parts, whole clusters at a time.

    The conformal and the test part come from the random share alone: cases that were chosen because their score is
    doubtful are not exchangeable with the others. Clusters with a random case are dealt in random order; their targeted
    cases are used only where the cluster came into the fit part, since keeping such clusters out of the other parts
    would be a choice by score again. Clusters without a random case all serve the fit.

    Args:
        clusters: What each labelled case belongs to, shape (n,); any labels.
        random: Whether a case was drawn at random, shape (n,); all by default.
        shares: Of the random share to fit, to conformalise, to test.
        seed: Of the order; the same cases with the same seed come into the same parts, in whatever order they stand.
        alpha: The promise, for the count that is needed.

    Raises:
        InsufficientData: A part would stay empty, or the fit part would have fewer than ten cases.
        InvalidInput: The shares are not three positive numbers, or shapes differ.
    """
    fit, conformal, _ = _checked(shares)
    names = np.asarray(clusters)
    at_random = np.ones(names.shape, dtype=bool) if random is None else np.asarray(random, dtype=bool)
    if names.ndim != 1 or at_random.shape != names.shape:
        raise InvalidInput(f"{names.shape} clusters and {at_random.shape} draw flags.", "Give one of each a case.")
    needed = labels_needed(alpha, shares)
    if not names.size:
        raise _too_few(needed, 0)
    _, index = np.unique(names, return_inverse=True)
    sizes = np.bincount(index, weights=at_random.astype(float))
    order = np.random.default_rng(seed).permutation(sizes.size)
    order = order[sizes[order] > 0.0]
    # A cluster belongs to the part in which the middle of its cases lies.
    middle = np.cumsum(sizes[order]) - sizes[order] / 2.0
    ends = np.cumsum([fit, conformal]) * sizes.sum()
    place = np.zeros(sizes.size, dtype=np.intp)
    place[order] = np.searchsorted(ends, middle, side="right")
    part_names = np.array([SplitPart.FIT.value, SplitPart.CONFORMAL.value, SplitPart.TEST.value])
    parts = part_names[place][index].astype("<U9")
    parts[~at_random & (place[index] > 0)] = SplitPart.UNUSED.value
    in_fit = parts == SplitPart.FIT.value
    fit_share = float(sizes[(place == 0)].sum() / sizes.sum()) if sizes.sum() else 1.0
    split = Split(
        parts=parts,
        weights=np.where(sizes[index] > 0.0, 1.0 / fit_share if fit_share else 1.0, 1.0),
        targeted=int((in_fit & ~at_random).sum()),
        needed=needed,
    )
    if (
        split.count(SplitPart.FIT) < LEAST_FIT
        or not split.count(SplitPart.CONFORMAL)
        or not split.count(SplitPart.TEST)
    ):
        raise _too_few(needed, int(at_random.sum()))
    return split


def _too_few(needed: int, have: int) -> InsufficientData:
    error = InsufficientData(needed, have, "labelled cases drawn at random to fit, to conformalise and to test")
    error.hint = f"Label {max(needed - have, 1):,} more cases drawn at random, or choose a larger alpha."
    return error


def _checked(shares: tuple[float, float, float]) -> tuple[float, float, float]:
    numbers = tuple(float(share) for share in shares)
    if len(numbers) != 3 or not all(math.isfinite(share) and share > 0.0 for share in numbers):
        raise InvalidInput(
            f"The shares are {', '.join(str(share) for share in shares)}.", "Give three above 0: 0.4,0.3,0.3."
        )
    total = sum(numbers)
    return numbers[0] / total, numbers[1] / total, numbers[2] / total
