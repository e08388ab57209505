"""Cases of one cluster in one part of the map as one observation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.weakness.table import Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blocks:
    """Observations: the cases that share a part and a cluster; arrays of shape (blocks,).

    Attributes:
        part: Which part of the map, ascending.
        size: Cases.
        mean: Of their values.
        weight: How many independent cases the block is worth, 1 to `size`.
        alike: Share of the variance that cases of one block have in common, in [0, 1].
        noise: Standard deviation of one case around the mean of its part.
    """

    part: Ints
    size: Ints
    mean: Floats
    weight: Floats
    alike: float
    noise: float

    def worth(self, parts: int) -> Floats:
        """How many independent cases each part is worth, shape (parts,)."""
        return np.bincount(self.part, weights=self.weight, minlength=parts).astype(np.float64)


def blocks_of(values: Floats, parts: Ints, clusters: Ints) -> Blocks:
    r"""Combines the cases of a cluster that lie in the same part.

    A block of m cases is worth :math:`m / (1 + (m - 1) \rho)` independent ones, with the intraclass correlation
    :math:`\rho` of the analysis of variance, blocks within parts and cases within blocks. Where each block has one
    case, :math:`\rho` plays no part and is 0.

    Args:
        values: Shape (n,), finite.
        parts: Shape (n,), whole numbers from 0.
        clusters: Shape (n,), whole numbers from 0.
    """
    if not values.size:
        none, nothing = np.empty(0, dtype=np.int64), np.empty(0)
        return Blocks(part=none, size=none, mean=nothing, weight=nothing, alike=0.0, noise=0.0)
    span = int(clusters.max()) + 1
    pairs, place, size = np.unique(parts * span + clusters, return_inverse=True, return_counts=True)
    part = pairs // span
    mean = np.bincount(place, weights=values) / size
    blocks_in_part = np.bincount(part)
    of_part = np.bincount(part, weights=mean * size) / np.maximum(np.bincount(part, weights=size), 1)
    between = float((size * (mean - of_part[part]) ** 2).sum())
    within = float(((values - mean[place]) ** 2).sum())
    degrees = size.size - int((blocks_in_part > 0).sum())
    total = max(values.size - int((blocks_in_part > 0).sum()), 1)
    noise = float(np.sqrt((between + within) / total))
    alike = _alike(between, within, size, part, degrees)
    return Blocks(part=part, size=size, mean=mean, weight=size / (1.0 + (size - 1.0) * alike), alike=alike, noise=noise)


def _alike(between: float, within: float, size: Ints, part: Ints, degrees: int) -> float:
    """The intraclass correlation; 1 where nothing differs within blocks but between them."""
    inside = int(size.sum()) - size.size
    if inside == 0 or degrees < 1:
        return 0.0 if inside == 0 else 1.0
    sizes = np.bincount(part, weights=size)
    squares = np.bincount(part, weights=size.astype(np.float64) ** 2)
    occupied = sizes > 0
    typical = float(size.sum() - (squares[occupied] / sizes[occupied]).sum()) / degrees
    across, inner = between / degrees, within / inside
    spread = across + (typical - 1.0) * inner
    return min(max((across - inner) / spread, 0.0), 1.0) if spread > 0.0 else 1.0
