"""What the Questions page reads: counts, questions, goes, topics, titles."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.domain.topics import Topic
from core.store import question_drafts, sources, topics
from core.store.database import Store
from pages.ui import readers


def counts(store: Store, project_id: str) -> Mapping[DraftStatus, int]:
    """How many questions stand where."""

    def read() -> Mapping[DraftStatus, int]:
        with store.read() as connection:
            return question_drafts.counts(connection, project_id)

    return readers.cached(store, "question_counts", read, project_id)  # type: ignore[return-value]


def has_topics(store: Store, project_id: str) -> bool:
    """Whether topics were found."""

    def read() -> bool:
        with store.read() as connection:
            return topics.latest(connection, project_id) is not None

    return bool(readers.cached(store, "has_topics", read, project_id))


def topics_of(store: Store, project_id: str) -> Mapping[int, Topic]:
    """The topics found last, by number."""

    def read() -> Mapping[int, Topic]:
        with store.read() as connection:
            model = topics.latest(connection, project_id)
            return {topic.number: topic for topic in topics.topics(connection, model.id)} if model else {}

    return readers.cached(store, "topics_by_number", read, project_id)  # type: ignore[return-value]


def drafts(store: Store, project_id: str) -> tuple[QuestionDraft, ...]:
    """Every question of the project, in the order they were written."""

    def read() -> tuple[QuestionDraft, ...]:
        with store.read() as connection:
            return tuple(question_drafts.drafts(connection, project_id))

    return readers.cached(store, "question_drafts", read, project_id)  # type: ignore[return-value]


def batches(store: Store, project_id: str) -> tuple[QuestionBatch, ...]:
    """The goes of writing, the latest first."""

    def read() -> tuple[QuestionBatch, ...]:
        with store.read() as connection:
            return tuple(question_drafts.batches(connection, project_id))

    return readers.cached(store, "question_batches", read, project_id)  # type: ignore[return-value]


def titles(store: Store, source_id: str) -> Mapping[str, str]:
    """Titles of a corpus's documents by id."""

    def read() -> Mapping[str, str]:
        with store.read() as connection:
            return sources.titles(connection, source_id)

    return readers.cached(store, "titles", read, source_id)  # type: ignore[return-value]
