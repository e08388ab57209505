"""What the Questions page reads: counts, questions, goes, topics, titles."""

from __future__ import annotations

from collections.abc import Mapping

from core.domain.sources.topics import Topic
from core.domain.testset.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.store import sources
from core.store.database import Store
from core.store.testset import question_drafts, topics
from pages.kit import cache


@cache.read("questions")
def counts(store: Store, project_id: str) -> Mapping[DraftStatus, int]:
    """How many questions stand where."""
    with store.read() as connection:
        return question_drafts.counts(connection, project_id)


@cache.read("topics")
def has_topics(store: Store, project_id: str) -> bool:
    """Whether topics were found."""
    with store.read() as connection:
        return topics.latest(connection, project_id) is not None


@cache.read("topics")
def topics_of(store: Store, project_id: str) -> Mapping[int, Topic]:
    """The topics found last, by number."""
    with store.read() as connection:
        model = topics.latest(connection, project_id)
        return {topic.number: topic for topic in topics.topics(connection, model.id)} if model else {}


@cache.read("questions")
def drafts(store: Store, project_id: str) -> tuple[QuestionDraft, ...]:
    """Every question of the project, in the order they were written."""
    with store.read() as connection:
        return tuple(question_drafts.drafts(connection, project_id))


@cache.read("questions")
def batches(store: Store, project_id: str) -> tuple[QuestionBatch, ...]:
    """The goes of writing, the latest first."""
    with store.read() as connection:
        return tuple(question_drafts.batches(connection, project_id))


@cache.read("sources")
def titles(store: Store, source_id: str) -> Mapping[str, str]:
    """Titles of a corpus's documents by id."""
    with store.read() as connection:
        return sources.titles(connection, source_id)
