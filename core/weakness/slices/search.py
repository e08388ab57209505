"""Every conjunction of attribute levels with enough cases, set against the rest: the search on the discovery half."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.weakness.blocks import blocks_of
from core.weakness.slices.fields import clusters_of
from core.weakness.table import Bools, Floats, Ints

STANDS_OUT = 1.645
"""Standard errors by which a slice must be worse than the rest to be looked at further."""
CLEARLY = 1.282
"""Standard errors by which a slice must be worse than what a simpler one has besides it."""
TRIPLE_ATTRIBUTES = 22
"""The largest number of attributes combined in threes, the most informative ones: 1,540 combinations."""


class Half:
    """The scores of one half, higher is better, and the sampling error of their means.

    Args:
        values: Shape (n,), finite.
        clusters: Shape (n,), whole numbers from 0.
    """

    def __init__(self, values: Floats, clusters: Ints) -> None:
        self.values, self.clusters = values, clusters
        blocks = blocks_of(values, np.zeros(values.size, dtype=np.int64), clusters)
        self.alike, self.noise = blocks.alike, blocks.noise
        self.n, self.total, self.held = values.size, float(values.sum()), blocks.size.size

    @property
    def alone(self) -> bool:
        """Whether each case is its own cluster."""
        return self.held == self.n

    def standing(
        self, n: Ints, total: Floats, clusters: Ints, outside: Ints, overall: float | None = None
    ) -> tuple[Floats, Floats]:
        """How much worse slices are than all other cases, and the same in standard errors.

        Args:
            n: Cases of each slice.
            total: Sum of their scores.
            clusters: Clusters with a case in it.
            outside: Clusters with a case outside it.
            overall: Sum of all scores, where it is not that of the half.
        """
        rest = self.n - n
        every = self.total if overall is None else overall
        with np.errstate(invalid="ignore", divide="ignore"):
            effect = (every - total) / rest - total / n
            error = self.noise * np.sqrt(1.0 / self.worth(n, clusters) + 1.0 / self.worth(rest, outside))
            return effect, effect / error

    def worth(self, n: Ints, clusters: Ints) -> Floats:
        """How many independent cases so many cases of so many clusters are worth."""
        return np.asarray(n / (1.0 + (n / np.maximum(clusters, 1) - 1.0) * self.alike), dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells:
    """The cells of some attributes that have enough cases.

    Attributes:
        attributes: By number.
        place: The cell of each case, -1 for none; shape (n,).
        levels: Of each cell, shape (cells, attributes).
        n: Cases, shape (cells,).
        total: Sum of their scores, shape (cells,).
    """

    attributes: tuple[int, ...]
    place: Ints
    levels: Ints
    n: Ints
    total: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidate:
    """A slice that stands out.

    Attributes:
        conditions: Number of the attribute and number of its level.
        n: Cases.
        total: Sum of their scores.
        clusters: Clusters with a case in it.
        outside: Clusters with a case outside it.
        effect: How much worse than all other cases.
        standing: The same in standard errors.
    """

    conditions: tuple[tuple[int, int], ...]
    n: int
    total: float
    clusters: int
    outside: int
    effect: float
    standing: float


def search(
    half: Half, attributes: Sequence[Ints], *, depth: int, least: int, least_effect: float, most: int
) -> tuple[tuple[Candidate, ...], int]:
    """Searches all conjunctions of up to three levels that have enough cases.

    A conjunction is left out where a simpler one explains it: where the cases that the simpler one has besides are not
    clearly better. It can have enough cases only where each simpler one has, so the others are never counted.

    Args:
        half: The scores.
        attributes: Level of each case by number, -1 for none; each of shape (n,).
        depth: Greatest number of conditions, 1 to 3.
        least: Clusters of a slice, and outside it.
        least_effect: How much worse than the rest it must be.
        most: How many candidates to return.

    Returns:
        Those that stand out most, first; and how many conjunctions had enough cases.
    """
    candidates: list[Candidate] = []
    keep = _Screen(half, least, least_effect)
    every = np.zeros(half.n, dtype=np.int64)
    nothing = Cells(
        attributes=(),
        place=every,
        levels=np.empty((1, 0), dtype=np.int64),
        n=np.array([half.n]),
        total=np.array([half.total]),
    )
    singles = [_cells(half, nothing, number, codes, None, every >= 0, least) for number, codes in enumerate(attributes)]
    tried = sum(single.n.size for single in singles)
    for single in singles:
        candidates += keep.candidates(single, [])
    pairs: dict[tuple[int, int], Cells] = {}
    for a, b in combinations(range(len(singles)), 2) if depth > 1 else ():
        cells = _cells(half, singles[a], b, singles[b].place, singles[b].levels[:, 0], every >= 0, least)
        pairs[a, b] = cells
        tried += cells.n.size
        candidates += keep.candidates(cells, [singles[a], singles[b]])
    for a, b, c in combinations(_telling(candidates, len(singles)), 3) if depth > 2 else ():
        cells_ab, cells_ac, cells_bc = pairs[a, b], pairs[a, c], pairs[b, c]
        if not (cells_ab.n.size and cells_ac.n.size and cells_bc.n.size):
            continue
        inside = (cells_ac.place >= 0) & (cells_bc.place >= 0)
        cells = _cells(half, cells_ab, c, singles[c].place, singles[c].levels[:, 0], inside, least)
        tried += cells.n.size
        candidates += keep.candidates(cells, [cells_ab, cells_ac, cells_bc])
    candidates.sort(key=lambda item: (-item.standing, len(item.conditions), item.conditions))
    return tuple(candidates[:most]), tried


def _telling(candidates: list[Candidate], count: int) -> list[int]:
    """The attributes that are combined in threes, in their order."""
    best = np.zeros(count)
    for candidate in candidates:
        for attribute, _ in candidate.conditions:
            best[attribute] = max(best[attribute], candidate.standing)
    return sorted(np.argsort(-best, kind="stable")[:TRIPLE_ATTRIBUTES].tolist())


def _cells(
    half: Half, base: Cells, attribute: int, codes: Ints, names: Ints | None, inside: Bools, least: int
) -> Cells:
    """The cells of `base` divided by one more attribute; `names` gives the level of each code."""
    rows = np.flatnonzero(inside & (base.place >= 0) & (codes >= 0))
    place = np.full(half.n, -1, dtype=np.int64)
    if not rows.size:
        none = np.empty((0, len(base.attributes) + 1), dtype=np.int64)
        return Cells(
            attributes=(*base.attributes, attribute), place=place, levels=none, n=none[:, 0], total=np.empty(0)
        )
    inner = codes[rows]
    width = int(inner.max()) + 1
    digits = base.place[rows] * width + inner
    number, span = digits, base.n.size * width
    if span > 8 * rows.size + 1024:
        keys, number = np.unique(digits, return_inverse=True)
        span = keys.size
    else:
        keys = np.arange(span)
    n = np.bincount(number, minlength=span)
    enough = np.flatnonzero(n >= least)
    lookup = np.full(span, -1, dtype=np.int64)
    lookup[enough] = np.arange(enough.size)
    place[rows] = lookup[number]
    total = np.bincount(number, weights=half.values[rows], minlength=span)[enough].astype(np.float64)
    outer, level = keys[enough] // width, keys[enough] % width
    levels = np.column_stack([base.levels[outer], level if names is None else names[level]]).astype(np.int64)
    return Cells(attributes=(*base.attributes, attribute), place=place, levels=levels, n=n[enough], total=total)


class _Screen:
    """Which cells stand out from the rest and from every simpler slice."""

    def __init__(self, half: Half, least: int, least_effect: float) -> None:
        self._half, self._least, self._least_effect = half, least, least_effect

    def candidates(self, cells: Cells, parents: list[Cells]) -> list[Candidate]:
        half = self._half
        if not cells.n.size or half.noise == 0.0:
            return []
        # No slice can stand out further than where each case is its own cluster.
        effect, standing = half.standing(cells.n, cells.total, cells.n, half.n - cells.n)
        standing_out = np.flatnonzero((effect >= self._least_effect - 1e-12) & (standing >= STANDS_OUT))
        if not standing_out.size:
            return []
        clusters, outside = self._clusters(cells, standing_out)
        n, total = cells.n[standing_out], cells.total[standing_out]
        effect, standing = half.standing(n, total, clusters, outside)
        passing = (standing >= STANDS_OUT) & (clusters >= self._least) & (outside >= self._least)
        if parents:
            # Any case of a cell tells which simpler cells it lies in.
            case = np.zeros(cells.n.size, dtype=np.int64)
            rows = np.flatnonzero(cells.place >= 0)
            case[cells.place[rows]] = rows
            for parent in parents:
                passing &= self._clearly_worse(n, total, clusters, parent, parent.place[case[standing_out]])
        return [
            Candidate(
                conditions=tuple(zip(cells.attributes, cells.levels[standing_out[at]].tolist(), strict=True)),
                n=int(n[at]),
                total=float(total[at]),
                clusters=int(clusters[at]),
                outside=int(outside[at]),
                effect=float(effect[at]),
                standing=float(standing[at]),
            )
            for at in np.flatnonzero(passing).tolist()
        ]

    def _clusters(self, cells: Cells, selected: Ints) -> tuple[Ints, Ints]:
        """Clusters inside and outside of some cells."""
        half = self._half
        if half.alone:
            return cells.n[selected], half.n - cells.n[selected]
        lookup = np.full(cells.n.size + 1, -1, dtype=np.int64)
        lookup[selected] = np.arange(selected.size)
        return clusters_of(lookup[cells.place], half.clusters, selected.size)

    def _clearly_worse(self, n: Ints, total: Floats, clusters: Ints, parent: Cells, at: Ints) -> Bools:
        """Whether slices are clearly worse than the other cases of a simpler one."""
        half = self._half
        besides = parent.n[at] - n
        with np.errstate(invalid="ignore", divide="ignore"):
            gap = (parent.total[at] - total) / besides - total / n
            worth = half.worth(n, clusters)
            error = half.noise * np.sqrt(1.0 / worth + n / worth / besides)
            return np.asarray((besides > 0) & (gap >= CLEARLY * error), dtype=np.bool_)
