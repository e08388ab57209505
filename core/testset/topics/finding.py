"""Topics of chunks from their vectors: nearest neighbours, few dimensions, groups, words, map, quality."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from core.domain.chunks import Chunk
from core.domain.errors import InsufficientData, Stopped
from core.domain.identity import content_hash
from core.domain.topics import Clustering, Reduction, Topic, TopicChunk, TopicQuality, TopicSettings
from core.encoders.embedding import SentenceEncoder
from core.testset.corpus.topics import reduction
from core.testset.corpus.topics.clustering import Labels, cluster, settled
from core.testset.corpus.topics.neighbours import Floats, nearest
from core.testset.corpus.topics.quality import DIGITS, quality, stability
from core.testset.corpus.topics.terms import Words, coherence, count_words, examples, topic_terms

FEWEST = 10
"""Chunks that topics are looked for in."""
AT_ONCE = 2_048
"""Texts encoded between two looks at whether to stop."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTopics:
    """What a corpus falls into.

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
    """Unit vectors of texts, (n, d); each different text is encoded once, and after a stop what is done is kept.

    Raises:
        Stopped: Somebody asked for it.
    """
    distinct = list(dict.fromkeys(texts))
    made = np.empty((len(distinct), encoder.dimension), dtype=np.float32)
    for start in range(0, len(distinct), AT_ONCE):
        progress("Embedding", start, len(distinct))
        _go_on(should_stop)
        made[start : start + AT_ONCE] = encoder.encode(distinct[start : start + AT_ONCE])
    progress("Embedding", len(distinct), len(distinct))
    place = {text: number for number, text in enumerate(distinct)}
    return made[[place[text] for text in texts]]


def find_topics(
    chunks: Sequence[Chunk],
    vectors: Floats,
    settings: TopicSettings,
    *,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> FoundTopics:
    """Finds topics; the same chunks, vectors, settings and versions of libraries give the same ones on a machine.

    Args:
        chunks: Of the corpus, in its order.
        vectors: Unit vectors of their texts, (n, d).
        settings: How.
        progress: Told stage, done and total.
        should_stop: Asked between the stages.

    Raises:
        InsufficientData: There are fewer than ten chunks.
        InvalidInput: A setting is out of its bounds.
        Stopped: Somebody asked for it.
    """
    n = len(chunks)
    if n < FEWEST:
        raise InsufficientData(FEWEST, n, "chunks")
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
    made = tuple(
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
    return FoundTopics(settings=settings, topics=topics, chunks=made, quality=figures, content_hash=_hash(topics, made))


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
    shown = examples(words, labels, [chunk.id for chunk in chunks])
    documents = np.unique([chunk.document_id for chunk in chunks], return_inverse=True)[1]
    made = []
    for number in map(int, np.unique(labels)):
        inside = labels == number
        made.append(
            Topic(
                number=number,
                size=int(inside.sum()),
                documents=len(np.unique(documents[inside])),
                alike=round(float(np.linalg.norm(vectors[inside].mean(axis=0))), DIGITS),
                terms=terms[number],
                coherence=round(coherent[number], DIGITS) if number in coherent else None,
                examples=shown[number],
            )
        )
    return tuple(made)


def reduced_points(chunks: Sequence[TopicChunk]) -> Floats:
    """The reduced space of stored chunks, (n, dimensions)."""
    return np.stack([np.frombuffer(chunk.reduced, dtype="<f4") for chunk in chunks]).astype(np.float32)


def fingerprint(chunks: Sequence[Chunk]) -> str:
    """SHA-256 over ids and texts of chunks: whether the documents are still those that topics were found in."""
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
    made = []
    for run in range(settings.stability_runs):
        at(run)
        seed = settings.seed + 1 + run
        points = space.points if space.graph is None else _laid_out(space.graph, space.start, seed)
        made.append(cluster(points, settings, seed=seed)[0])
    return made


def _hash(topics: Sequence[Topic], chunks: Sequence[TopicChunk]) -> str:
    plain = [
        [chunk.chunk_id, chunk.found, repr(chunk.strength), repr(chunk.x), repr(chunk.y), chunk.reduced.hex()]
        for chunk in chunks
    ]
    return content_hash([plain, list(map(content_hash, topics))])


def _go_on(should_stop: Callable[[], bool]) -> None:
    if should_stop():
        raise Stopped("The topics were not finished.", "Resume the job; the vectors made so far are kept.")
