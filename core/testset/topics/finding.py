"""Topics of chunks from their vectors: nearest neighbours, few dimensions, groups, words, map, quality."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from core.domain.errors import InsufficientData, Stopped
from core.domain.identity import content_hash
from core.domain.sources.chunks import Chunk
from core.domain.sources.topics import Clustering, Reduction, Topic, TopicChunk, TopicQuality, TopicSettings
from core.encoders.protocols import SentenceEncoder
from core.testset.topics.geometry import reduction
from core.testset.topics.geometry.clustering import Labels, cluster, settled
from core.testset.topics.geometry.neighbours import Floats, nearest
from core.testset.topics.quality import DIGITS, quality, stability
from core.testset.topics.terms import Words, coherence, count_words, examples, topic_terms

FEWEST = 10
"""The fewest chunks for topics."""
AT_ONCE = 2_048
"""Texts encoded between two checks for a stop."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTopics:
    """The topics found in a corpus.

    Attributes:
        settings: As they were used.
        topics: In the order of their numbers, the outliers (-1) first where there are any.
        chunks: Where each chunk lies, in the order given.
        content_hash: Of topics and chunks.
    """

    settings: TopicSettings
    topics: tuple[Topic, ...]
    chunks: tuple[TopicChunk, ...]
    quality: TopicQuality
    content_hash: str


@dataclass(frozen=True, slots=True)
class _Space:
    """The reduced space, and the graph it was laid out from where there is one."""

    points: Floats
    graph: reduction.Graph | None
    start: Floats


def embed(
    texts: Sequence[str],
    encoder: SentenceEncoder,
    *,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Floats:
    """Unit vectors of texts, (n, d); each different text is encoded once, and vectors are kept after a stop.

    Raises:
        Stopped: A stop was requested.
    """
    distinct = list(dict.fromkeys(texts))
    vectors = np.empty((len(distinct), encoder.dimension), dtype=np.float32)
    for start in range(0, len(distinct), AT_ONCE):
        progress("Embedding", start, len(distinct))
        _go_on(should_stop)
        vectors[start : start + AT_ONCE] = encoder.encode(distinct[start : start + AT_ONCE])
    progress("Embedding", len(distinct), len(distinct))
    place = {text: number for number, text in enumerate(distinct)}
    return vectors[[place[text] for text in texts]]


def find_topics(
    chunks: Sequence[Chunk],
    vectors: Floats,
    settings: TopicSettings,
    *,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> FoundTopics:
    """Finds topics; on one machine the same chunks, vectors, settings and library versions give the same topics.

    Args:
        chunks: Of the corpus, in its order.
        vectors: Unit vectors of their texts, (n, d).
        settings: How topics are found.
        progress: Called with stage, done and total.
        should_stop: Called between the stages.

    Raises:
        InsufficientData: There are fewer than ten chunks.
        InvalidInput: A setting is out of its bounds.
        Stopped: A stop was requested.
    """
    n = len(chunks)
    if n < FEWEST:
        raise InsufficientData(FEWEST, n, "chunks", "Add documents.")
    settings = settled(settings, n)
    stages = 5 + settings.stability_runs

    def at(stage: str, done: int) -> None:
        progress(stage, done, stages)
        _go_on(should_stop)

    at("Reduction", 0)
    space = _reduced(vectors, settings)
    at("Clusters", 1)
    labels, strengths = cluster(space.points, settings, seed=settings.seed)
    at("Map", 2)
    places = _map(space, settings)
    again = _again(space, settings, lambda done: at("Stability", 3 + done))
    at("Words", 3 + settings.stability_runs)
    words = count_words([chunk.text for chunk in chunks])
    topics = describe(chunks, words, vectors, labels)
    figures = quality(space.points, labels, topics, stability(labels, again), seed=settings.seed)
    placed_chunks = tuple(
        TopicChunk(
            chunk_id=chunk.id,
            found=int(labels[row]),
            topic=int(labels[row]),
            strength=float(strengths[row]),
            x=float(places[row, 0]),
            y=float(places[row, 1]),
            reduced=space.points[row].astype("<f4").tobytes(),
        )
        for row, chunk in enumerate(chunks)
    )
    progress("Words", stages, stages)
    return FoundTopics(
        settings=settings,
        topics=topics,
        chunks=placed_chunks,
        quality=figures,
        content_hash=_hash(topics, placed_chunks),
    )


def describe(chunks: Sequence[Chunk], words: Words, vectors: Floats, labels: Labels) -> tuple[Topic, ...]:
    """The topics of an assignment, in the order of their numbers: size, words, likeness, coherence, examples.

    Args:
        chunks: Of the corpus.
        words: Of their texts.
        vectors: Unit vectors of their texts, (n, d).
        labels: Topic of each, -1 for none.
    """
    terms = topic_terms(words, labels)
    coherent = coherence(words, labels, terms)
    example_ids = examples(words, labels, [chunk.id for chunk in chunks])
    documents = np.unique([chunk.document_id for chunk in chunks], return_inverse=True)[1]
    topics = []
    for number in map(int, np.unique(labels)):
        inside = labels == number
        topics.append(
            Topic(
                number=number,
                size=int(inside.sum()),
                documents=len(np.unique(documents[inside])),
                alike=round(float(np.linalg.norm(vectors[inside].mean(axis=0))), DIGITS),
                terms=terms[number],
                coherence=round(coherent[number], DIGITS) if number in coherent else None,
                examples=example_ids[number],
            )
        )
    return tuple(topics)


def reduced_points(chunks: Sequence[TopicChunk]) -> Floats:
    """The reduced space of stored chunks, (n, dimensions)."""
    return np.stack([np.frombuffer(chunk.reduced, dtype="<f4") for chunk in chunks]).astype(np.float32)


def fingerprint(chunks: Sequence[Chunk]) -> str:
    """SHA-256 over ids and texts of chunks, which shows whether the documents have changed since topics were found."""
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(f"{len(chunk.id)}:{chunk.id}:{len(chunk.text)}:".encode())
        digest.update(chunk.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def library_versions() -> dict[str, str]:
    """Versions of what topics depend on."""
    names = ("hdbscan", "numba", "numpy", "scikit-learn", "scipy", "umap-learn")
    return {name: version(name) for name in names}


def _reduced(vectors: Floats, settings: TopicSettings) -> _Space:
    start = reduction.components(vectors, settings.dimensions)
    if settings.reduction is Reduction.PCA:
        return _Space(start, None, start)
    k = min(settings.neighbours or len(vectors), len(vectors))
    graph = reduction.graph_of(*nearest(np.ascontiguousarray(vectors, dtype=np.float32), k))
    return _Space(_laid_out(graph, start, settings.seed), graph, start)


def _laid_out(graph: reduction.Graph, start: Floats, seed: int) -> Floats:
    return reduction.layout(graph, start, seed=seed, epochs=reduction.epochs_for(graph.points))


def _map(space: _Space, settings: TopicSettings) -> Floats:
    if space.graph is None:
        return reduction.components(space.points, 2)
    return reduction.topic_map(space.graph, space.points, seed=settings.seed)


def _again(space: _Space, settings: TopicSettings, at: Callable[[int], None]) -> list[Labels] | None:
    """The topics that other seeds give; None where no seed takes part."""
    if space.graph is None and settings.clustering is not Clustering.KMEANS:
        return None
    other_labels = []
    for run in range(settings.stability_runs):
        at(run)
        seed = settings.seed + 1 + run
        points = space.points if space.graph is None else _laid_out(space.graph, space.start, seed)
        other_labels.append(cluster(points, settings, seed=seed)[0])
    return other_labels


def _hash(topics: Sequence[Topic], chunks: Sequence[TopicChunk]) -> str:
    plain = [
        [chunk.chunk_id, chunk.found, repr(chunk.strength), repr(chunk.x), repr(chunk.y), chunk.reduced.hex()]
        for chunk in chunks
    ]
    return content_hash([plain, list(map(content_hash, topics))])


def _go_on(should_stop: Callable[[], bool]) -> None:
    if should_stop():
        raise Stopped("The topics were not finished.", "Resume the job; the vectors made so far are kept.")
