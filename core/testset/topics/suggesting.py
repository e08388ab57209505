"""Edits that are computed from the places of chunks: splitting a topic, and assigning outliers."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.topics import OUTLIER, EditKind, TopicEdit
from core.store.database import Store
from core.store.testset import topics
from core.testset.topics.finding import reduced_points
from core.testset.topics.geometry.clustering import parts_of


def split_of(store: Store, model_id: str, topic: int, into: int) -> TopicEdit:
    """The edit that splits a topic into parts by k-means in the reduced space; the largest part keeps the number.

    Raises:
        NotFound: There are no such topics, or no such topic.
        InvalidInput: The topic cannot be split into so many parts.
    """
    with store.read() as connection:
        model, placed = topics.get(connection, model_id), topics.chunks(connection, model_id)
    inside = [chunk for chunk in placed if chunk.topic == topic]
    if not inside or topic == OUTLIER:
        raise NotFound(f"There is no topic {topic}.", "List them with topics show.")
    if not 2 <= into <= len(inside):
        raise InvalidInput(
            f"Topic {topic} of {len(inside)} passages cannot be split into {into}.",
            f"Give a number from 2 to {len(inside)}.",
        )
    labels = parts_of(reduced_points(inside), into, seed=model.settings.seed)
    if labels.max() == 0:
        raise InvalidInput(f"All passages of topic {topic} lie at one place.", "It cannot be split by likeness.")
    parts: defaultdict[int, list[str]] = defaultdict(list)
    for chunk, label in zip(inside, labels, strict=True):
        parts[int(label)].append(chunk.chunk_id)
    return TopicEdit(
        kind=EditKind.SPLIT, topic=topic, parts=tuple(tuple(parts[number]) for number in sorted(parts) if number)
    )


def assignments_of_outliers(store: Store, model_id: str, *, share: float = 1.0) -> tuple[TopicEdit, ...]:
    """The edits that put outliers into the topic whose centre is nearest in the reduced space.

    Args:
        store: Where the topics are.
        model_id: The topics.
        share: How many of the outliers, in (0, 1]; those nearest to a centre come first.

    Raises:
        NotFound: There are no such topics.
        InvalidInput: The share is out of its bounds, or no topic is left for them.
    """
    if not 0 < share <= 1:
        raise InvalidInput(f"The share of outliers cannot be {share:g}.", "Give a number above 0, at most 1.")
    with store.read() as connection:
        placed = topics.chunks(connection, model_id)
        dropped = {topic.number for topic in topics.topics(connection, model_id) if topic.dropped}
    labels = np.array([chunk.topic for chunk in placed])
    numbers = [number for number in np.unique(labels).tolist() if number != OUTLIER and number not in dropped]
    outside = np.flatnonzero(labels == OUTLIER)
    if not len(outside):
        return ()
    if not numbers:
        raise InvalidInput("There is no topic to assign the outliers to.", "Find topics again, or restore one.")
    points = reduced_points(placed)
    centres = np.stack([points[labels == number].mean(axis=0) for number in numbers])
    distances = np.linalg.norm(points[outside][:, None, :] - centres[None, :, :], axis=2)
    order = np.argsort(distances.min(axis=1), kind="stable")[: max(1, round(share * len(outside)))]
    chunks_by_topic: defaultdict[int, list[str]] = defaultdict(list)
    for row in sorted(order.tolist()):
        chunks_by_topic[numbers[int(distances[row].argmin())]].append(placed[outside[row]].chunk_id)
    return tuple(
        TopicEdit(kind=EditKind.ASSIGN, topic=number, chunk_ids=tuple(chunks_by_topic[number]))
        for number in sorted(chunks_by_topic)
    )
