"""Vectors in few dimensions: principal components, or UMAP (McInnes et al., 2018).

UMAP's graph is computed here in arrays, its layout by umap-learn on one thread. Its own fit would compile the graph's
functions for five seconds in each process; the graph is equal (a test holds it against ``fuzzy_simplicial_set``). The
layout starts from the principal components, where umap-learn starts from a spectral embedding: as good a start
(Kobak & Linderman, 2021), and the same on every run.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from core.testset.topics.geometry.neighbours import Floats, Places

if TYPE_CHECKING:
    from scipy.sparse import coo_matrix

BISECTIONS = 64
MOST_EPOCHS = 200
FEWEST_EPOCHS = 75
MANY = 20_000
"""Points from which the fewest epochs are enough, since the layout starts from the principal components: the groups of
20,000 points in 60 blobs that nearly touch were found as well as with 200 (adjusted Rand index 0.997 to 0.999)."""
WIDTH = 10.0
"""Half the width of where a layout starts, as in umap-learn."""
MAP_DISTANCE = 0.1
"""How near points of the map may come; 0 in the reduced space, where groups should be dense."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Which points belong near each other, and how strongly, in (0, 1]; each pair stands there both ways."""

    heads: Places
    tails: Places
    weights: Floats
    points: int


def components(vectors: npt.NDArray[np.floating], dimensions: int) -> Floats:
    """Principal components, (n, dimensions); the largest part of each axis is positive, so that signs are fixed.

    Where there are fewer axes than asked for, the others are 0.
    """
    centred = np.asarray(vectors, dtype=np.float64)
    centred = centred - centred.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axes = axes[:, ::-1][:, :dimensions]
    axes = axes * np.where(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])] < 0, -1.0, 1.0)
    projected = np.zeros((len(centred), dimensions), dtype=np.float32)
    projected[:, : axes.shape[1]] = centred @ axes
    return projected


def graph_of(indices: Places, distances: Floats) -> Graph:
    """UMAP's fuzzy graph of nearest neighbours.

    Args:
        indices: (n, k), nearest first, itself included.
        distances: (n, k).
    """
    from scipy.sparse import coo_matrix

    n, k = indices.shape
    rho, sigma = _scales(distances.astype(np.float64))
    beyond = distances - rho[:, None]
    weights = np.where(beyond <= 0, 1.0, np.exp(-np.maximum(beyond, 0) / sigma[:, None]))
    weights[indices == np.arange(n)[:, None]] = 0.0
    one_way = coo_matrix((weights.ravel(), (np.repeat(np.arange(n), k), indices.ravel())), shape=(n, n)).tocsr()
    back = one_way.T.tocsr()
    both: coo_matrix = (one_way + back - one_way.multiply(back)).tocoo()
    positive = both.data > 0
    return Graph(
        both.row[positive].astype(np.int32),
        both.col[positive].astype(np.int32),
        both.data[positive].astype(np.float32),
        n,
    )


def _scales(distances: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Each point's distance to its nearest other, and the width at which its neighbours weigh log2(k) together."""
    k = distances.shape[1]
    others = np.where(distances > 0, distances, np.inf)
    rho = others.min(axis=1)
    rho[~np.isfinite(rho)] = 0.0
    beyond = np.maximum(distances[:, 1:] - rho[:, None], 0.0)
    low, high, width = np.zeros(len(rho)), np.full(len(rho), np.inf), np.ones(len(rho))
    for _ in range(BISECTIONS):
        weight = np.exp(-beyond / width[:, None]).sum(axis=1)
        wide = weight > np.log2(k)
        high = np.where(wide, width, high)
        low = np.where(wide, low, width)
        width = np.where(np.isinf(high), width * 2, (low + high) / 2)
    least = 1e-3 * np.where(rho > 0, distances.mean(axis=1), distances.mean())
    return rho, np.maximum(np.maximum(width, least), np.finfo(np.float64).tiny)


def epochs_for(points: int) -> int:
    """How often the strongest pull of a layout is repeated."""
    return MOST_EPOCHS if points < MANY else FEWEST_EPOCHS


def topic_map(graph: Graph, reduced: Floats, *, seed: int) -> Floats:
    """Places on a plane, (n, 2): the same graph laid out from where the reduced space has it.

    It takes half the epochs, since the groups stand already and have only to be spread out.
    """
    start = components(reduced, 2)
    return layout(graph, start, seed=seed, epochs=epochs_for(graph.points) // 2, apart=MAP_DISTANCE)


def layout(graph: Graph, start: Floats, *, seed: int, epochs: int, apart: float = 0.0) -> Floats:
    """UMAP's layout of a graph, on one thread, so that a seed gives the same one every time.

    Args:
        graph: Of the points.
        start: Where they start, (n, dimensions).
        seed: Of the points that push each other away.
        epochs: How often the strongest pull is repeated.
        apart: How near points may come.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Tensorflow not installed", category=ImportWarning)
        from umap.layouts import optimize_layout_euclidean
        from umap.umap_ import find_ab_params

    draw = np.random.default_rng(seed)
    largest = float(np.abs(start).max()) or 1.0
    # The noise parts points of equal vectors, which would never part by themselves.
    placed = start * (WIDTH / largest) + draw.normal(scale=1e-4, size=start.shape)
    placed = np.ascontiguousarray(placed, dtype=np.float32)
    strong = graph.weights >= graph.weights.max() / epochs
    epochs_per_sample = (graph.weights.max() / graph.weights[strong]).astype(np.float64)
    a, b = find_ab_params(1.0, apart)
    state = draw.integers(-(2**31) + 1, 2**31 - 1, size=3).astype(np.int64)
    places: Floats = optimize_layout_euclidean(
        placed,
        placed,
        graph.heads[strong],
        graph.tails[strong],
        epochs,
        graph.points,
        epochs_per_sample,
        a,
        b,
        state,
        gamma=1.0,
        initial_alpha=1.0,
        negative_sample_rate=5.0,
        parallel=False,
        verbose=False,
        move_other=True,
    )
    centred: Floats = places - places.mean(axis=0)
    return centred
