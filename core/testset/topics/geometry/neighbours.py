"""The nearest neighbours of unit vectors, by matrix products.

UMAP's own search compiles for 17 s in each process before it starts; a product of blocks is there at once, is exact,
and gives the same neighbours in every process. Beyond 20,000 vectors each is compared with the nearest cells only.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int32]

EXACT_UP_TO = 20_000
"""Vectors up to which every pair is compared; beyond, the time of all pairs outgrows everything else."""
BLOCK = 512
ROUNDS = 4
"""Of moving the centres of cells; more hardly change who the neighbours are."""
SEEN = 2_500
"""Vectors at least that each is compared with where there are cells."""


def nearest(vectors: Floats, k: int, *, seed: int = 0, exact_up_to: int = EXACT_UP_TO) -> tuple[Places, Floats]:
    """The k nearest of each vector by cosine distance, itself first.

    Args:
        vectors: (n, d), of unit length.
        k: Neighbours wanted, itself included, at most n.
        seed: Where the centres of cells start.
        exact_up_to: More vectors than this are compared by cells.

    Returns:
        Places and distances, (n, k) each, nearest first; distances are in [0, 2].
    """
    n = len(vectors)
    if n <= exact_up_to:
        return _among(vectors, np.arange(n), np.arange(n), k)
    indices, distances = np.empty((n, k), dtype=np.int32), np.empty((n, k), dtype=np.float32)
    for members, candidates in _cells(vectors, max(SEEN, k), seed):
        indices[members], distances[members] = _among(vectors, members, candidates, k)
    return indices, distances


def _among(
    vectors: Floats, queries: npt.NDArray[np.intp], candidates: npt.NDArray[np.intp], k: int
) -> tuple[Places, Floats]:
    """The k nearest of some vectors among candidates, which are in rising order and hold each of them."""
    candidate_vectors = vectors if len(candidates) == len(vectors) else vectors[candidates]
    own = np.searchsorted(candidates, queries)
    indices, distances = np.empty((len(queries), k), dtype=np.int32), np.empty((len(queries), k), dtype=np.float32)
    for start in range(0, len(queries), BLOCK):
        rows = slice(start, start + BLOCK)
        similar = vectors[queries[rows]] @ candidate_vectors.T
        similar[np.arange(len(similar)), own[rows]] = 3.0  # itself first, before any equal one
        best = np.argpartition(similar, -k, axis=1)[:, -k:]
        best.sort(axis=1)  # equal ones in the order of their places
        similarities = np.take_along_axis(similar, best, axis=1)
        order = np.argsort(-similarities, axis=1, kind="stable")
        indices[rows] = candidates[np.take_along_axis(best, order, axis=1)]
        distances[rows] = np.clip(1.0 - np.take_along_axis(similarities, order, axis=1), 0.0, 2.0)
    return indices, distances


def _cells(vectors: Floats, per_cell: int, seed: int) -> list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]]:
    """The vectors in cells around centres: the members of each, and those of the nearest cells, `per_cell` at least."""
    n = len(vectors)
    centres = vectors[np.random.default_rng(seed).choice(n, size=int(np.sqrt(n)), replace=False)]
    for _ in range(ROUNDS):
        cell = _nearest_centre(vectors, centres)
        centres = _means(vectors, cell, centres)
    cell = _nearest_centre(vectors, centres)
    members = [np.flatnonzero(cell == number) for number in range(len(centres))]
    sizes = np.array([len(cell) for cell in members])
    cells = []
    for number, own in enumerate(members):
        if not len(own):
            continue
        order = np.argsort(-(centres @ centres[number]), kind="stable")
        order = np.concatenate(([number], order[order != number]))
        enough = int(np.searchsorted(np.cumsum(sizes[order]), per_cell)) + 1
        near = order[: max(enough, 4)]
        cells.append((own, np.sort(np.concatenate([members[place] for place in near]))))
    return cells


def _nearest_centre(vectors: Floats, centres: Floats) -> npt.NDArray[np.intp]:
    blocks = range(0, len(vectors), 8 * BLOCK)
    return np.concatenate([np.argmax(vectors[at : at + 8 * BLOCK] @ centres.T, axis=1) for at in blocks])


def _means(vectors: Floats, cell: npt.NDArray[np.intp], before: Floats) -> Floats:
    """Unit means of the cells; an empty one keeps its centre."""
    order = np.argsort(cell, kind="stable")
    sizes = np.bincount(cell, minlength=len(before))
    filled = np.flatnonzero(sizes)
    starts = (np.cumsum(sizes) - sizes)[filled]
    sums = np.add.reduceat(vectors[order], starts, axis=0)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    centres = before.copy()
    centres[filled] = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), before[filled])
    return centres
