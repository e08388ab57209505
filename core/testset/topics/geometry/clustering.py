"""Groups of points in the reduced space: HDBSCAN, DBSCAN or k-means, numbered by size."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.domain.errors import InvalidInput
from core.domain.sources.topics import OUTLIER, Clustering, TopicSettings
from core.testset.topics.geometry.neighbours import Floats

Labels = npt.NDArray[np.int64]

USUAL_SIZE = 10
"""Fewest chunks of a topic in a corpus of 400 to 2,000 chunks; smaller corpora have smaller topics."""
SHARE = 200
"""A topic of a larger corpus has one chunk in so many at least: strata of fewer get no question of a usual budget."""
FEW, FEW_NEIGHBOURS, MANY_NEIGHBOURS = 1_000, 10, 15
"""Small topics stay apart with fewer neighbours; 15 is what UMAP and BERTopic take."""
CORE = 3
"""Neighbours that make a point of a small corpus dense enough for HDBSCAN: steadier there than the least size, which
holds for larger ones, where a few neighbours would chain groups together."""
MOST_TOPICS = 60
"""Numbers of topics tried for k-means."""
TRIED = 12
REFINED = 3
"""Times that numbers between the best ones are tried."""
MOST_TRIED = 30
STARTS = 4
LOOKED_AT = 2_000
"""Points a silhouette is computed on while the number of topics is chosen."""


def settled(settings: TopicSettings, points: int) -> TopicSettings:
    """The settings with what fits the number of points filled in, and checked against it.

    Raises:
        InvalidInput: A number is out of its bounds.
    """
    size = settings.min_size
    if size is None:
        size = max(min(USUAL_SIZE, max(3, points // 40)), points // SHARE)
    neighbours = settings.neighbours
    if neighbours is None:
        neighbours = FEW_NEIGHBOURS if points < FEW else MANY_NEIGHBOURS
    for name, value, least, most in (
        ("dimensions", settings.dimensions, 2, 100),
        ("neighbours", neighbours, 2, 200),
        ("the least size of a topic", size, 2, points),
        ("the number of topics", settings.topics or 2, 2, points),
        ("the number of stability runs", settings.stability_runs, 0, 50),
    ):
        if not least <= value <= most:
            raise InvalidInput(f"{name} cannot be {value}.", f"Give a number from {least} to {most}.")
    if settings.radius is not None and not settings.radius > 0:
        raise InvalidInput(f"The radius cannot be {settings.radius:g}.", "Give a number above 0.")
    return replace(settings, min_size=size, neighbours=neighbours)


def cluster(points: Floats, settings: TopicSettings, *, seed: int) -> tuple[Labels, Floats]:
    """Topic numbers, the largest topic first and -1 for none, and how firmly each point belongs to its topic.

    Args:
        points: In the reduced space, (n, dimensions).
        settings: As `settled` gave them.
        seed: Of k-means.

    Returns:
        Numbers (n,), and strengths (n,) in [0, 1]: HDBSCAN's probability, else one minus the distance to the own
        centre over that to the next one.
    """
    from threadpoolctl import threadpool_limits

    # Sums of several threads come in any order, and k-means would differ in its last digits.
    with threadpool_limits(limits=1):
        if settings.clustering is Clustering.HDBSCAN:
            labels, strengths = _hdbscan(points, settings)
        elif settings.clustering is Clustering.DBSCAN:
            labels = _dbscan(points, settings)
            strengths = _firmness(points, labels)
        else:
            labels = _kmeans(points, settings, seed)
            strengths = _firmness(points, labels)
    return by_size(labels), strengths


def by_size(labels: Labels) -> Labels:
    """The same groups numbered from the largest; equal ones in the order in which they appear.

    >>> by_size(np.array([7, 7, -1, 2, 2, 2])).tolist()
    [1, 1, -1, 0, 0, 0]
    """
    names, first, counts = np.unique(labels, return_index=True, return_counts=True)
    real = names != OUTLIER
    order = names[real][np.lexsort((first[real], -counts[real]))]
    numbers = {int(name): number for number, name in enumerate(order)}
    return np.array([numbers.get(int(label), OUTLIER) for label in labels], dtype=np.int64)


def parts_of(points: Floats, into: int, *, seed: int) -> Labels:
    """Points in a number of parts by k-means, numbered by size, for splitting a topic."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return by_size(_means(points, into, seed))


def _hdbscan(points: Floats, settings: TopicSettings) -> tuple[Labels, Floats]:
    from hdbscan import HDBSCAN

    core = CORE if len(points) < FEW else settings.min_size
    clusterer = HDBSCAN(min_cluster_size=settings.min_size, min_samples=core, core_dist_n_jobs=1)
    clusterer.fit(points.astype(np.float64))
    return clusterer.labels_.astype(np.int64), clusterer.probabilities_.astype(np.float32)


def _dbscan(points: Floats, settings: TopicSettings) -> Labels:
    """DBSCAN; a group below the least size is no topic."""
    from sklearn.cluster import DBSCAN
    from sklearn.neighbors import NearestNeighbors

    size = settings.min_size or USUAL_SIZE
    core = min(size, 5)
    radius = settings.radius
    if radius is None:
        distances = np.sort(NearestNeighbors(n_neighbors=core).fit(points).kneighbors()[0][:, -1])
        radius = max(float(distances[_bend(distances)]), 1e-9)
    labels = DBSCAN(eps=radius, min_samples=core).fit(points).labels_.astype(np.int64)
    names, counts = np.unique(labels, return_counts=True)
    return np.where(np.isin(labels, names[counts < size]), OUTLIER, labels)


def _bend(rising: npt.NDArray[np.float64]) -> int:
    """The place of a rising curve that lies furthest below the straight line between its ends."""
    n = len(rising)
    line = rising[0] + (rising[-1] - rising[0]) * np.arange(n) / max(n - 1, 1)
    return int(np.argmax(line - rising))


def _kmeans(points: Floats, settings: TopicSettings, seed: int) -> Labels:
    """K-means with the number of topics asked for, else with the one whose topics stand apart best.

    Numbers from 2 to 60 are tried: first a dozen spread evenly in ratio, then those beside the best two of them, then
    the ones between those. The mean silhouette decides, on at most 2,000 points, always the same. The work is bounded
    by the number of tries, not by the clock, so that it repeats. Taking the steadier of numbers with about the same
    silhouette gave worse numbers where the true one was known, and is not done.
    """
    if settings.topics is not None:
        return _means(points, settings.topics, seed)
    most = min(MOST_TOPICS, max(2, len(points) // (2 * (settings.min_size or USUAL_SIZE))))
    tries = _Tries(points, seed)
    grid = [int(count) for count in np.unique(np.geomspace(2, most, TRIED).round().astype(int))]
    for count in grid:
        tries.score(count)
    for _ in range(REFINED):
        tried = sorted(tries.scores)
        for best in tries.best(2):
            place = tried.index(best)
            for low, high in ((max(place - 1, 0), place), (place, min(place + 1, len(tried) - 1))):
                middle = (tried[low] + tried[high]) // 2
                if middle not in tries.scores and len(tries.scores) < MOST_TRIED:
                    tries.score(middle)
    return tries.labels()


class _Tries:
    """Numbers of topics tried, with the silhouette and the labels of each."""

    def __init__(self, points: Floats, seed: int) -> None:
        self._points, self._seed = points, seed
        self._sample = np.random.default_rng(seed).permutation(len(points))[:LOOKED_AT]
        self._labels: dict[int, Labels] = {}
        self.scores: dict[int, float] = {}

    def score(self, count: int) -> None:
        """Tries one number."""
        from sklearn.metrics import silhouette_score

        labels = _means(self._points, count, self._seed)
        looked_at = labels[self._sample]
        self._labels[count] = labels
        apart = 2 <= len(np.unique(looked_at)) < len(looked_at)
        self.scores[count] = float(silhouette_score(self._points[self._sample], looked_at)) if apart else -2.0

    def best(self, n: int) -> list[int]:
        """The numbers with the highest scores; of equal ones the smaller."""
        return sorted(self.scores, key=lambda count: (-self.scores[count], count))[:n]

    def labels(self) -> Labels:
        """Those of the best number."""
        return self._labels[self.best(1)[0]]


def _means(points: Floats, count: int, seed: int) -> Labels:
    """K-means; no more groups than there are different points."""
    from sklearn.cluster import KMeans

    count = min(count, len(np.unique(points, axis=0)))
    labels: Labels = KMeans(count, n_init=STARTS, random_state=seed % 2**32).fit_predict(points).astype(np.int64)
    return labels


def _firmness(points: Floats, labels: Labels) -> Floats:
    names = np.unique(labels[labels != OUTLIER])
    firm = np.zeros(len(points), dtype=np.float32)
    if len(names) < 2:
        firm[labels != OUTLIER] = 1.0
        return firm
    centres = np.stack([points[labels == name].mean(axis=0) for name in names])
    distances = np.linalg.norm(points[:, None, :] - centres[None, :, :], axis=2)
    own = np.searchsorted(names, np.maximum(labels, names[0]))
    mine = distances[np.arange(len(points)), own]
    distances[np.arange(len(points)), own] = np.inf
    other = distances.min(axis=1)
    inside = labels != OUTLIER
    firm[inside] = np.clip(1.0 - mine[inside] / np.maximum(other[inside], 1e-12), 0.0, 1.0)
    return firm
