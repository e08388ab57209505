"""Topics of a corpus: groups of chunks that samples are drawn from, edits by people, and quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.estimates import Estimate, Proportion

OUTLIER = -1
"""The number of a chunk without a topic."""


class Reduction(StrEnum):
    """How vectors are brought to few dimensions."""

    UMAP = "umap"
    PCA = "pca"


class Clustering(StrEnum):
    """How groups are found in the reduced space."""

    HDBSCAN = "hdbscan"
    DBSCAN = "dbscan"
    KMEANS = "kmeans"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSettings:
    """How topics are found; equal settings and chunks give equal topics on one machine.

    Attributes:
        encoder: A sentence encoder by name or folder; empty takes the one of the settings.
        dimensions: Of the reduced space.
        neighbours: How many neighbours of a chunk UMAP keeps together, itself included; None takes a number that fits
            the corpus.
        min_size: Fewest chunks of a topic; None takes a size that fits the corpus.
        topics: How many topics k-means makes; None takes the number with the best silhouette.
        radius: How near two chunks of one DBSCAN topic lie; None takes the bend of the sorted distances.
        seed: Of every random choice.
        stability_runs: How often topics are found again with another seed, to see whether they are the same.
    """

    encoder: str = ""
    reduction: Reduction = Reduction.UMAP
    dimensions: int = 5
    neighbours: int | None = None
    clustering: Clustering = Clustering.HDBSCAN
    min_size: int | None = None
    topics: int | None = None
    radius: float | None = None
    seed: int = 0
    stability_runs: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A word, or two in a row, that distinguishes a topic from the others; `weight` is its c-TF-IDF."""

    text: str
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic as it is after all edits.

    Attributes:
        number: From 0, the largest first when found; a model never uses a number twice. -1 are the outliers.
        size: How many chunks it has.
        terms: Its most distinctive words, the strongest first.
        name: A name from a person or a language model, or empty.
        named_by: Who gave the name: an actor, or the model's name.
        dropped: Whether a person took it out; nothing is drawn from it.
        documents: How many documents these are from.
        alike: How similar its chunks are in meaning: the length of the mean of their unit vectors, in [0, 1]; 1 where
            all say the same.
        coherence: Mean NPMI of pairs of its words, in [-1, 1]; None where it has fewer than two words.
        examples: Ids of the chunks that use its words most.
    """

    number: int
    size: int
    documents: int = 0
    alike: float | None = None
    terms: tuple[Term, ...] = ()
    name: str = ""
    named_by: str = ""
    dropped: bool = False
    coherence: float | None = None
    examples: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """What people call it: its name, else its first words.

        >>> Topic(number=0, size=3, terms=(Term(text="card", weight=0.2), Term(text="limit", weight=0.1))).label
        'card, limit'
        """
        if self.number == OUTLIER:
            return "outliers"
        return self.name or ", ".join(term.text for term in self.terms[:4]) or f"topic {self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicChunk:
    """Where one chunk lies.

    Attributes:
        found: The topic the clustering gave, -1 for none.
        topic: The topic after all edits.
        strength: How firmly it belongs to the topic found, in [0, 1]; 0 for an outlier.
        x: On the topic map.
        y: On the topic map.
        reduced: In the reduced space, little-endian float32.
    """

    chunk_id: str
    found: int
    topic: int
    strength: float
    x: float
    y: float
    reduced: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicQuality:
    """How suitable the topics are for drawing a sample.

    Attributes:
        coherence: Mean NPMI over topics, in [-1, 1]; n counts the topics that have one.
        silhouette: Mean over chunks of topics in the reduced space, in [-1, 1]; n counts the chunks looked at.
        outliers: Chunks in no topic, of all; a count, so it has no interval.
        largest: Chunks of the largest topic, of all.
        stability: Mean adjusted Rand index with topics found by other seeds; n counts those. The value is None where
            nothing depends on a seed or nothing was repeated; `method` says which.
        warnings: The weaknesses of the topics, a sentence each with figure and remedy; empty where there are none.
    """

    coherence: Estimate
    silhouette: Estimate
    outliers: Proportion
    largest: Proportion
    stability: Estimate
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicModel:
    """One clustering of a corpus and its settings.

    Attributes:
        source_id: The corpus.
        settings: With the encoder's full name and the sizes that were chosen.
        fingerprint: Of the chunks' ids and texts; another one now means that the documents have changed since.
        content_hash: Of the assignments, strengths, map places and words as they were found.
        versions: Of the libraries that took part, by name.
        chunks: How many there are.
        quality: After all edits.
        created_at: UTC, ISO 8601.
    """

    id: str
    project_id: str
    source_id: str
    settings: TopicSettings
    fingerprint: str
    content_hash: str
    versions: Mapping[str, str] = field(default_factory=dict)
    chunks: int
    quality: TopicQuality
    created_at: str = ""
    created_by: str = ""


class EditKind(StrEnum):
    """The kinds of edits of topics."""

    RENAME = "rename"
    MERGE = "merge"
    SPLIT = "split"
    DROP = "drop"
    RESTORE = "restore"
    ASSIGN = "assign"


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicEdit:
    """One edit, complete in itself: replaying it needs no clustering and no model.

    Attributes:
        topic: What is renamed, split, dropped or restored; what others are merged into or chunks are assigned to.
        others: Topics that are merged into it.
        parts: Of a split: ids of the chunks of each new topic; what is in none stays.
        chunk_ids: Chunks that are assigned.
        name: The new name; empty takes a name away.
        actor: Who decided.
        named_by: Who gave the name, where it is not the actor.
        at: UTC, ISO 8601.
    """

    kind: EditKind
    topic: int
    others: tuple[int, ...] = ()
    parts: tuple[tuple[str, ...], ...] = ()
    chunk_ids: tuple[str, ...] = ()
    name: str = ""
    actor: str = ""
    named_by: str = ""
    at: str = ""
