"""The attributes that a slice search can use, and those that split the cases in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.weakness.table import NO_LEVEL, Attribute, Bools, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fields:
    """The attributes that are searched.

    Attributes:
        attributes: One for each way of splitting the cases.
        codes: Their levels for the scored cases; -1 too where a level has too few clusters; each of shape (scored,).
        twins: Of each, the other attributes that split all cases in the same way.
        left_out: Names of the others, and why.
    """

    attributes: tuple[Attribute, ...]
    codes: tuple[Ints, ...]
    twins: tuple[tuple[Attribute, ...], ...]
    left_out: tuple[tuple[str, str], ...]

    def same_as(self, number: int, level: int) -> tuple[tuple[str, str], ...]:
        """The names that the twins of an attribute have for one of its levels."""
        case = int(np.argmax(self.attributes[number].codes == level))
        twin_codes = ((twin, int(twin.codes[case])) for twin in self.twins[number])
        return tuple((twin.name, twin.levels[code] if code >= 0 else "none") for twin, code in twin_codes)


def searchable(attributes: Sequence[Attribute], scored: Bools, clusters: Ints, discovery: Bools, least: int) -> Fields:
    """Leaves out attributes in which no slice can be found.

    Args:
        attributes: Of all cases.
        scored: Which cases have a score, shape (n,).
        clusters: Of the scored cases, shape (scored,).
        discovery: Which of the scored cases are in the half to search, shape (scored,).
        least: Clusters that a level needs in each half, and outside it.
    """
    left_out: list[tuple[str, str]] = []
    groups: dict[bytes, list[Attribute]] = {}
    for attribute in attributes:
        codes = attribute.codes[scored]
        if not (codes >= 0).any():
            left_out.append((attribute.name, "no case with a score has it"))
        elif (codes == codes[0]).all():
            left_out.append((attribute.name, f"all cases with a score have one level, {attribute.levels[codes[0]]}"))
        else:
            groups.setdefault(_partition(attribute.codes), []).append(attribute)
    groups_used: list[list[Attribute]] = []
    codes_used: list[Ints] = []
    for twins in groups.values():
        codes = twins[0].codes[scored]
        frequent = _frequent(codes, clusters, discovery, len(twins[0].levels), least)
        if frequent.any():
            groups_used.append(twins)
            codes_used.append(np.where(frequent[codes], codes, NO_LEVEL))
        else:
            reason = f"no level has {least} groups of cases with a score in each half, and as many outside it"
            left_out += [(twin.name, reason) for twin in twins]
    return Fields(
        attributes=tuple(twins[0] for twins in groups_used),
        codes=tuple(codes_used),
        twins=tuple(tuple(twins[1:]) for twins in groups_used),
        left_out=tuple(left_out),
    )


def _partition(codes: Ints) -> bytes:
    """Equal for codes that split the cases in the same way, whatever the numbers of the levels."""
    first_cases = np.zeros(int(codes.max()) + 2, dtype=np.int64)
    # Written from the end, so that the first case of each level stays.
    first_cases[codes[::-1]] = np.arange(codes.size)[::-1]
    return first_cases[codes].tobytes()


def _frequent(codes: Ints, clusters: Ints, discovery: Bools, levels: int, least: int) -> Bools:
    """Which levels can be searched and tested, shape (levels + 1,); the last one, of cases that have none, never."""
    allowed = np.zeros(levels + 1, dtype=np.bool_)
    allowed[:levels] = True
    for half in (discovery, ~discovery):
        inside, outside = clusters_of(codes[half], clusters[half], levels)
        allowed[:levels] &= (inside >= least) & (outside >= least)
    return allowed


def clusters_of(places: Ints, clusters: Ints, count: int) -> tuple[Ints, Ints]:
    """How many clusters have a case in each of some parts, and how many one outside it; many have both.

    Args:
        places: The part of each case, -1 for none; shape (n,).
        clusters: Shape (n,), whole numbers from 0.
        count: Number of parts.

    >>> clusters_of(np.array([0, 0, 0, 1, -1]), np.array([0, 0, 1, 1, 2]), 2)
    (array([2, 1]), array([2, 3]))
    """
    sizes = np.bincount(clusters)
    rows = np.flatnonzero(places >= 0)
    keys = np.sort(places[rows] * sizes.size + clusters[rows])
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    cases_in_part = np.diff(np.append(starts, keys.size))
    part, cluster = np.divmod(keys[starts], max(sizes.size, 1))
    inside = np.bincount(part, minlength=count).astype(np.int64)
    entirely_inside = np.bincount(part[cases_in_part == sizes[cluster]], minlength=count)
    return inside, np.asarray(int((sizes > 0).sum()) - entirely_inside, dtype=np.int64)
