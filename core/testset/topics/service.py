"""Topics of a project: finding, editing and undoing; each write leaves an audit entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from core.domain.errors import Conflict, InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.sources.chunks import Chunk
from core.domain.sources.projects import Role
from core.domain.sources.topics import EditKind, Topic, TopicEdit, TopicModel, TopicSettings
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.project.service import require
from core.settings import settings as environment
from core.sources.corpora import corpus_chunks
from core.store import sources
from core.store.database import Store
from core.store.models import encodings
from core.store.testset import chunks as chunk_store
from core.store.testset import topics
from core.testset.topics.edits import TopicState, replay
from core.testset.topics.finding import describe, embed, find_topics, fingerprint, library_versions, reduced_points
from core.testset.topics.geometry.clustering import Labels
from core.testset.topics.geometry.neighbours import Floats
from core.testset.topics.quality import quality, with_warnings
from core.testset.topics.strata import Crossing, Stratum, crossing_of, strata
from core.testset.topics.terms import count_words

MOVING = frozenset({EditKind.MERGE, EditKind.SPLIT, EditKind.ASSIGN})
"""Edits after which topics have other chunks, and so other words."""


def build_topics(
    store: Store,
    project_id: str,
    settings: TopicSettings,
    *,
    actor: str,
    model_id: str = "",
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TopicModel:
    """Finds topics in the project's documents and stores them beside the existing ones.

    Vectors are stored as they are made, so that none is made again after a stop; the rest is stored at once or not at
    all.

    Args:
        store: Where the project lives.
        project_id: The project.
        settings: How topics are found.
        actor: Who does it.
        model_id: The id they get; existing topics of that id are returned unchanged.
        progress: Called with stage, done and total.
        should_stop: Called between stages.

    Raises:
        NotFound: No documents are loaded.
        InsufficientData: They have fewer than ten chunks.
        InvalidInput: A setting is out of its bounds, or the encoder is not available.
        Stopped: A stop was requested.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    model_id = model_id or new_id("topics")
    with store.read() as connection:
        for stored in topics.all(connection, project_id):
            if stored.id == model_id:
                return stored
    source, chunks = corpus_chunks(store, project_id, actor=actor)
    spec = settings.encoder.strip() or environment().encoder
    encoder = open_encoder(spec, cache=StoreCache(store, project_id))
    vectors = embed([chunk.text for chunk in chunks], encoder, progress=progress, should_stop=should_stop)
    result = find_topics(chunks, vectors, replace(settings, encoder=spec), progress=progress, should_stop=should_stop)
    model = TopicModel(
        id=model_id,
        project_id=project_id,
        source_id=source.id,
        settings=result.settings,
        fingerprint=fingerprint(chunks),
        content_hash=result.content_hash,
        versions={**library_versions(), "encoder": encoder.name},
        chunks=len(chunks),
        quality=result.quality,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    detail = {"chunks": len(chunks), "topics": len(result.topics), "content_hash": result.content_hash}
    with store.write(actor, "topics.build", project_id=project_id, subject=model.id, detail=detail) as connection:
        topics.put(connection, model, result.topics, result.chunks)
    return model


def project_topics(store: Store, project_id: str) -> TopicModel:
    """The topics of a project that were found last.

    Raises:
        NotFound: There are none.
    """
    with store.read() as connection:
        model = topics.latest(connection, project_id)
    if model is None:
        raise NotFound("This project has no topics yet.", "Find them first: topics build, or the Topics page.")
    return model


def is_outdated(store: Store, model: TopicModel) -> bool:
    """Whether the documents have changed since the topics were found in them."""
    return fingerprint(_chunks(store, model)) != model.fingerprint


def project_strata(
    store: Store, model: TopicModel, *, crossing: Crossing = Crossing.NONE, outliers: bool = False
) -> dict[Stratum, tuple[str, ...]]:
    """The chunks of each stratum of a model after all edits; dropped topics have none.

    Args:
        store: Where the model is.
        model: The topics.
        crossing: What they are crossed with.
        outliers: Whether the chunks without a topic are a stratum too.
    """
    with store.read() as connection:
        topic_by_chunk = topics.topic_of(connection, model.id)
        dropped = {topic.number for topic in topics.topics(connection, model.id) if topic.dropped}
        chunks = [chunk for chunk in chunk_store.of(connection, model.source_id) if chunk.id in topic_by_chunk]
        documents = sources.documents(connection, model.source_id) if crossing is not Crossing.NONE else ()
    value = {document.id: crossing_of(document, crossing) for document in documents}
    return strata(
        chunks,
        topic_by_chunk,
        dropped=dropped,
        outliers=outliers,
        value_of=lambda document_id: value.get(document_id, ""),
    )


def edit_topics(store: Store, model_id: str, edits: Sequence[TopicEdit], *, actor: str) -> tuple[Topic, ...]:
    """Records edits and applies them, all or none; returns the topics after them.

    Raises:
        NotFound: There are no such topics, or an edit names a topic or a chunk that does not exist.
        InvalidInput: An edit is not possible.
        Conflict: The documents have changed, so that no words can be found for the new topics, or the topics were
            changed at the same moment.
        Forbidden: The actor may not change the project.
    """
    if not edits:
        raise InvalidInput("There is no edit.", "Give at least one edit.")
    at = datetime.now(UTC).isoformat(timespec="seconds")
    signed = [replace(edit, actor=actor, at=at) for edit in edits]
    with store.read() as connection:
        model, before = topics.get(connection, model_id), topics.edits(connection, model_id)
    require(store, model.project_id, actor, Role.VALIDATOR)
    moving = any(edit.kind in MOVING for edit in signed)
    after, labels, changed = _after(store, model, (*before, *signed), moving=moving)
    detail = {"edits": [{"kind": edit.kind.value, "topic": edit.topic} for edit in signed]}
    with store.write(actor, "topics.edit", project_id=model.project_id, subject=model_id, detail=detail) as connection:
        _refuse_changed(topics.count_edits(connection, model_id), len(before))
        topics.add_edits(connection, model_id, signed)
        topics.replace_state(connection, model_id, after, labels, changed.quality)
    return after


def undo_edit(store: Store, model_id: str, *, actor: str) -> tuple[Topic, ...]:
    """Undoes the last edit; returns the topics as they were before it.

    Raises:
        NotFound: There are no such topics, or they have no edits.
        Conflict: As for `edit_topics`.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        model, before = topics.get(connection, model_id), topics.edits(connection, model_id)
    require(store, model.project_id, actor, Role.VALIDATOR)
    if not before:
        raise NotFound("These topics have no edits.", "There is nothing to undo.")
    after, labels, changed = _after(store, model, before[:-1], moving=before[-1].kind in MOVING)
    detail = {"kind": before[-1].kind.value, "topic": before[-1].topic}
    with store.write(actor, "topics.undo", project_id=model.project_id, subject=model_id, detail=detail) as connection:
        _refuse_changed(topics.count_edits(connection, model_id), len(before))
        topics.forget_last_edit(connection, model_id)
        topics.replace_state(connection, model_id, after, labels, changed.quality)
    return after


def _after(
    store: Store, model: TopicModel, edits: Sequence[TopicEdit], *, moving: bool
) -> tuple[tuple[Topic, ...], dict[str, int], TopicModel]:
    """Topics, topic of each chunk and the model with its figures, after these edits of the clustering."""
    with store.read() as connection:
        placed = topics.chunks(connection, model.id)
        described = topics.topics(connection, model.id)
    state = replay(TopicState.from_clustering({chunk.chunk_id: chunk.found for chunk in placed}), edits)
    labels = np.array([state.topic_of[chunk.chunk_id] for chunk in placed], dtype=np.int64)
    if moving:
        described = _described(store, model, labels)
    after = tuple(_signed(topic, state) for topic in described)
    figures = (
        quality(reduced_points(placed), labels, after, model.quality.stability, seed=model.settings.seed)
        if moving
        else with_warnings(model.quality, after)
    )
    return after, dict(state.topic_of), replace(model, quality=figures)


def _signed(topic: Topic, state: TopicState) -> Topic:
    name, named_by = state.names.get(topic.number, ("", ""))
    return replace(topic, name=name, named_by=named_by, dropped=topic.number in state.dropped)


def _described(store: Store, model: TopicModel, labels: Labels) -> tuple[Topic, ...]:
    chunks = _chunks(store, model)
    if fingerprint(chunks) != model.fingerprint:
        raise Conflict(
            "The documents have changed since these topics were found.", "Find topics again, then edit those."
        )
    texts = [chunk.text for chunk in chunks]
    return describe(chunks, count_words(texts), _vectors(store, model, texts), labels)


def _chunks(store: Store, model: TopicModel) -> tuple[Chunk, ...]:
    with store.read() as connection:
        return chunk_store.of(connection, model.source_id)


def _vectors(store: Store, model: TopicModel, texts: Sequence[str]) -> Floats:
    """The vectors that topics were found with, from the store; the encoder is opened only where some are missing."""
    name = model.versions.get("encoder", "")
    with store.read() as connection:
        stored: Mapping[str, Floats] = encodings.of_texts(connection, model.project_id, name, texts)
    if all(text in stored for text in texts) and len({len(vector) for vector in stored.values()}) == 1:
        return np.stack([stored[text] for text in texts])
    encoder = open_encoder(model.settings.encoder, cache=StoreCache(store, model.project_id))
    return embed(texts, encoder)


def _refuse_changed(now: int, before: int) -> None:
    if now != before:
        raise Conflict("The topics were changed at the same moment.", "Review them, then repeat your edit.")
