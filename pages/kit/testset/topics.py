"""What the Topics page reads: the topics found last, where their passages lie, what was changed by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.sources.chunks import Chunk
from core.domain.sources.projects import Source
from core.domain.sources.topics import Topic, TopicChunk, TopicModel
from core.store.database import Store
from core.store.testset import chunks, topics
from core.testset.topics.service import is_outdated
from pages.kit import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectTopics:
    """The topics of a project as they are after all edits.

    Attributes:
        model: How they were found, and how good they are.
        topics: By number; the outliers, -1, first where there are any.
        placed: Where each passage lies on the map, in the order of the corpus.
        edits: How often a person changed them.
    """

    model: TopicModel
    topics: tuple[Topic, ...]
    placed: tuple[TopicChunk, ...]
    edits: int

    @property
    def labels(self) -> Mapping[int, str]:
        """What people call each topic."""
        return {topic.number: topic.label for topic in self.topics}


@cache.read("topics")
def latest(store: Store, project_id: str) -> ProjectTopics | None:
    """The topics found last, or None."""
    with store.read() as connection:
        model = topics.latest(connection, project_id)
        if model is None:
            return None
        return ProjectTopics(
            model=model,
            topics=topics.topics(connection, model.id),
            placed=topics.chunks(connection, model.id),
            edits=topics.count_edits(connection, model.id),
        )


def outdated(store: Store, model: TopicModel, source: Source) -> bool:
    """Whether the documents are others than the topics were found in."""
    if model.source_id != source.id:
        return True
    return _outdated(store, model, model.id, source.fingerprint)


@cache.read("topics", "sources")
def _outdated(store: Store, _model: TopicModel, model_id: str, fingerprint: str) -> bool:
    return is_outdated(store, _model)


@cache.read("sources")
def passages(store: Store, source_id: str) -> Mapping[str, Chunk]:
    """The chunks of a corpus by id."""
    with store.read() as connection:
        return {chunk.id: chunk for chunk in chunks.of(connection, source_id)}
