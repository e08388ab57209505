"""Where on a map are scores worse? A scan of overlapping neighbourhoods with p-values adjusted for all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from core.weakness.table import Bools, Floats, Ints

MOST_SPOTS = 600
"""The largest number of centres of neighbourhoods; on a map of more places, a random sample of them."""
SHUFFLED_UP_TO = 20_000
"""Units up to which each permutation is drawn independently."""
FLAT = 1e-2
"""Skewness below which a sum counts as symmetric: the correction would only lose digits."""
TIED = 1e-4
"""Statistics this near count as equal, so that rounding never makes a p-value smaller."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scan:
    """Neighbourhoods of a map and how much worse each is than the rest.

    Attributes:
        spot: The spot of each unit, shape (units,).
        members: Which spots each neighbourhood holds, shape (neighbourhoods, spots).
        statistic: Standardised shortfall of its units, positive is worse, shape (neighbourhoods,).
        p_adjusted: The chance that the worst neighbourhood of the whole map is as bad as this one if it does not matter
            where a unit lies, shape (neighbourhoods,).
    """

    spot: Ints
    members: Bools
    statistic: Floats
    p_adjusted: Floats


def scan(places: Floats, values: Floats, *, least: int, permutations: int, seed: int) -> Scan:
    r"""Compares the units around each spot with all others, at every size from `least` to a third of the map.

    A neighbourhood holds the spots nearest to its centre, so many that they have 1, 2, 4 ... times `least` units; units
    at one spot stay together. With N values :math:`z` of mean 0 and variance :math:`\sigma^2`, the statistic of n units
    is :math:`-\sum z / \sqrt{n (1 - n/N) \sigma^2 N / (N - 1)}`, the standardised sum of a sample without replacement,
    brought to the normal scale by its skewness (Wilson and Hilferty 1931): where few fail, small neighbourhoods would
    else have the longest tails and hide the larger ones.

    The p-value of a neighbourhood is the share of permutations of the values in which the largest statistic of the map
    is at least as large (Westfall and Young 1993; scan statistics: Kulldorff 1997), so that the chance of any false
    alarm on the map is at most the level, however the neighbourhoods overlap.

    On more than 20,000 units the permutations are the rotations of one random order, drawn at random: a group, so that
    the level holds as well (Hemerik and Goeman 2018).

    Args:
        places: Of the units, shape (units, 2), finite.
        values: Shape (units,), finite, higher is better.
        least: Fewest units of a neighbourhood.
        permutations: How many.
        seed: Of the permutations and of the spots.

    Returns:
        The scan; without a neighbourhood where there are fewer than 3 times `least` units, all values are equal, or one
        spot holds more than half of them.
    """
    generator = np.random.default_rng(seed)
    centres, spot = _spots(places, generator)
    units = np.bincount(spot, minlength=len(centres))
    members, size = _neighbourhoods(centres, units, least)
    centred = values - values.mean() if values.size else values
    spread = float(np.sqrt((centred**2).mean())) if values.size else 0.0
    if not size.size or spread <= TIED * max(float(np.abs(values).max()), TIED):
        nothing = np.empty(0)
        return Scan(spot=spot, members=members[:0], statistic=nothing, p_adjusted=nothing)
    total = values.size
    inside = members.astype(np.float32)
    scale = spread * np.sqrt(size * (1.0 - size / total) * total / (total - 1))
    skew = _skew(centred, spread, size)
    sums = np.bincount(spot, weights=centred, minlength=len(centres)).astype(np.float32)
    statistic = _standard(inside @ sums[:, None], scale, skew)[:, 0].astype(np.float64)
    shuffled = _shuffled(centred.astype(np.float32), spot, permutations, generator)
    worst = np.sort(_standard(inside @ shuffled, scale, skew).max(axis=0))
    as_bad = (permutations - np.searchsorted(worst, statistic - TIED)).astype(np.float64)
    p_adjusted = (1.0 + as_bad) / (1.0 + permutations)
    return Scan(spot=spot, members=members, statistic=statistic, p_adjusted=p_adjusted)


def _skew(centred: Floats, spread: float, size: Ints) -> Floats:
    """Skewness of the shortfall of so many values drawn without replacement (Wishart 1952)."""
    total, share = centred.size, size / centred.size
    third = float((centred**3).mean())
    cubes = size * (1.0 - share) * (1.0 - 2.0 * share) * third * total**2 / ((total - 1) * (total - 2))
    variance = size * (1.0 - share) * spread**2 * total / (total - 1)
    return np.asarray(-cubes / variance**1.5, dtype=np.float64)


def _standard(sums: NDArray[np.float32], scale: Floats, skew: Floats) -> NDArray[np.float32]:
    """Sums of neighbourhoods as shortfalls on the normal scale, in their place."""
    sums /= -scale.astype(np.float32)[:, None]
    flat = np.abs(skew) < FLAT
    plain = sums[flat]
    half = (np.where(flat, 1.0, skew) / 2.0).astype(np.float32)[:, None]
    sums *= half
    sums += 1.0
    np.cbrt(sums, out=sums)
    sums -= 1.0
    sums *= 3.0 / half
    sums += half / 3.0
    sums[flat] = plain
    return sums


def _spots(places: Floats, generator: np.random.Generator) -> tuple[Floats, Ints]:
    """Places that neighbourhoods are drawn around, and the one each unit is at."""
    flat = places[:, 0] + 1j * places[:, 1]
    distinct, spot = np.unique(flat, return_inverse=True)
    centres = np.column_stack([distinct.real, distinct.imag])
    if len(centres) <= MOST_SPOTS:
        return centres, spot.astype(np.int64)
    centres = centres[np.sort(generator.choice(len(centres), MOST_SPOTS, replace=False))]
    return centres, np.asarray(cKDTree(centres).query(places)[1], dtype=np.int64)


def _neighbourhoods(centres: Floats, units: NDArray[np.intp], least: int) -> tuple[Bools, Ints]:
    """Which spots each neighbourhood holds, (neighbourhoods, spots), and how many units."""
    total = int(units.sum())
    order = np.argsort(cdist(centres, centres), axis=1, kind="stable") if len(centres) else np.empty((0, 0), np.int64)
    rank = np.argsort(order, axis=1, kind="stable")
    units_within = np.cumsum(units[order], axis=1) if len(centres) else order
    members, sizes = [np.empty((0, len(centres)), dtype=bool)], [np.empty(0, dtype=np.int64)]
    before = np.full(len(centres), -1)
    size = least
    while 3 * size <= total:
        last_rank = (units_within < size).sum(axis=1)
        # A spot of many units is a neighbourhood of several sizes at once; it is looked at once.
        fresh = last_rank > before
        count = units_within[np.arange(len(centres)), last_rank]
        fresh &= 2 * count <= total
        members.append((rank <= last_rank[:, None])[fresh])
        sizes.append(count[fresh].astype(np.int64))
        before = np.maximum(before, last_rank)
        size *= 2
    return np.concatenate(members), np.concatenate(sizes)


def _shuffled(
    values: NDArray[np.float32], spot: Ints, permutations: int, generator: np.random.Generator
) -> NDArray[np.float32]:
    """Sums of the values of each spot after permuting them, shape (spots, permutations)."""
    order = np.argsort(spot, kind="stable")
    starts = np.flatnonzero(np.diff(spot[order], prepend=-1))
    sums = np.empty((starts.size, permutations), dtype=np.float32)
    if values.size <= SHUFFLED_UP_TO:
        for number in range(permutations):
            sums[:, number] = np.add.reduceat(generator.permutation(values), starts)
        return sums
    seat = generator.permutation(values.size)
    twice = np.concatenate([values, values])
    for number, turn in enumerate(generator.choice(values.size - 1, permutations, replace=False) + 1):
        sums[:, number] = np.add.reduceat(twice[seat + turn], starts)
    return sums
