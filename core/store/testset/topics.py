"""Topic models, their topics, their chunks and the edits made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from core.domain.errors import Conflict, NotFound
from core.domain.sources.topics import Topic, TopicChunk, TopicEdit, TopicModel, TopicQuality
from core.store.codec import from_row, to_row
from core.store.tables import topic_chunks, topic_edits, topic_models
from core.store.tables import topics as topic_rows
from core.store.writing.upsert import BATCH


def put(connection: Connection, model: TopicModel, topics: Sequence[Topic], chunks: Sequence[TopicChunk]) -> None:
    """Stores a new model with its topics and chunks.

    Raises:
        Conflict: There is a model of that id.
    """
    if connection.execute(select(topic_models.c.seq).where(topic_models.c.id == model.id)).first() is not None:
        raise Conflict(f"There are topics {model.id} already.", "Find topics again to get a new model.")
    connection.execute(insert(topic_models), [to_row(model)])
    _put_topics(connection, model.id, topics)
    for start in range(0, len(chunks), BATCH):
        rows = [
            {"model_id": model.id, **to_row(chunk), "reduced": chunk.reduced} for chunk in chunks[start : start + BATCH]
        ]
        connection.execute(insert(topic_chunks), rows)


def get(connection: Connection, model_id: str) -> TopicModel:
    """The model of an id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(topic_models).where(topic_models.c.id == model_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There are no topics {model_id}.", "Find topics first.")
    return from_row(TopicModel, row)


def latest(connection: Connection, project_id: str) -> TopicModel | None:
    """The model of a project that was made last, or None."""
    models = all(connection, project_id, limit=1)
    return models[0] if models else None


def all(connection: Connection, project_id: str, *, limit: int | None = None) -> list[TopicModel]:
    """The models of a project, newest first."""
    query = select(topic_models).where(topic_models.c.project_id == project_id)
    rows = connection.execute(query.order_by(topic_models.c.seq.desc()).limit(limit)).mappings()
    return [from_row(TopicModel, row) for row in rows]


def topics(connection: Connection, model_id: str) -> tuple[Topic, ...]:
    """The topics of a model after all edits, by number; the outliers (-1) first where there are any."""
    query = select(topic_rows).where(topic_rows.c.model_id == model_id).order_by(topic_rows.c.number)
    return tuple(from_row(Topic, row) for row in connection.execute(query).mappings())


def chunks(connection: Connection, model_id: str) -> tuple[TopicChunk, ...]:
    """Where the chunks of a model lie, in the order of the corpus."""
    query = select(topic_chunks).where(topic_chunks.c.model_id == model_id).order_by(topic_chunks.c.seq)
    return tuple(from_row(TopicChunk, row) for row in connection.execute(query).mappings())


def topic_of(connection: Connection, model_id: str) -> dict[str, int]:
    """Topic of each chunk after all edits, -1 for none, in the order of the corpus."""
    return _by_chunk(connection, model_id, "topic")


def clustered_topic_of(connection: Connection, model_id: str) -> dict[str, int]:
    """Topic of each chunk as the clustering gave it, in the order of the corpus."""
    return _by_chunk(connection, model_id, "found")


def edits(connection: Connection, model_id: str) -> tuple[TopicEdit, ...]:
    """The edits of a model in the order they were made."""
    query = select(topic_edits.c.edit).where(topic_edits.c.model_id == model_id).order_by(topic_edits.c.number)
    return tuple(from_row(TopicEdit, edit) for edit in connection.execute(query).scalars())


def count_edits(connection: Connection, model_id: str) -> int:
    """How many edits a model has."""
    query = select(func.count()).select_from(topic_edits).where(topic_edits.c.model_id == model_id)
    return int(connection.execute(query).scalar_one())


def add_edits(connection: Connection, model_id: str, edits: Sequence[TopicEdit]) -> None:
    """Records edits after those there are."""
    following = count_edits(connection, model_id)
    rows = [
        {"model_id": model_id, "number": following + place, "edit": to_row(edit)} for place, edit in enumerate(edits)
    ]
    if rows:
        connection.execute(insert(topic_edits), rows)


def forget_last_edit(connection: Connection, model_id: str) -> None:
    """Deletes the edit made last.

    Raises:
        NotFound: There is none.
    """
    count = count_edits(connection, model_id)
    if not count:
        raise NotFound("These topics have no edits.", "There is nothing to undo.")
    last = (topic_edits.c.model_id == model_id) & (topic_edits.c.number == count - 1)
    connection.execute(delete(topic_edits).where(last))


def replace_state(
    connection: Connection,
    model_id: str,
    described: Sequence[Topic],
    topic_of_chunk: Mapping[str, int],
    quality: TopicQuality,
) -> None:
    """Stores the topics as they are after an edit; only chunks whose topic changed are written."""
    before = topic_of(connection, model_id)
    moved = [{"moved": chunk, "to": topic} for chunk, topic in topic_of_chunk.items() if before[chunk] != topic]
    if moved:
        place = (topic_chunks.c.model_id == model_id) & (topic_chunks.c.chunk_id == bindparam("moved"))
        connection.execute(update(topic_chunks).where(place).values(topic=bindparam("to")), moved)
    connection.execute(delete(topic_rows).where(topic_rows.c.model_id == model_id))
    _put_topics(connection, model_id, described)
    changed = update(topic_models).where(topic_models.c.id == model_id).values(quality=to_row(quality))
    connection.execute(changed)


def _put_topics(connection: Connection, model_id: str, described: Sequence[Topic]) -> None:
    if described:
        connection.execute(insert(topic_rows), [{"model_id": model_id, **to_row(topic)} for topic in described])


def _by_chunk(connection: Connection, model_id: str, column: str) -> dict[str, int]:
    query = select(topic_chunks.c.chunk_id, topic_chunks.c[column].label("topic"))
    rows = connection.execute(query.where(topic_chunks.c.model_id == model_id).order_by(topic_chunks.c.seq)).mappings()
    return {row["chunk_id"]: row["topic"] for row in rows}
