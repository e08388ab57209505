"""The basis of questions: the present corpus, its topics, and how a plan divides its budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.errors import InvalidInput
from core.domain.sources.chunks import Chunk
from core.domain.sources.projects import Source
from core.domain.sources.topics import Topic, TopicModel
from core.sources.corpora import corpus_chunks
from core.store import sources
from core.store.database import Store
from core.store.testset import topics
from core.testset.corpus.allocation import Share, allocate
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.topics.finding import fingerprint
from core.testset.topics.service import project_strata, project_topics
from core.testset.topics.strata import Stratum


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The corpus, topics and strata that questions are written from.

    Attributes:
        source: The corpus.
        chunks: Its chunks.
        titles: Titles of its documents by id.
        model: The topics, as they are now.
        topics: Each topic by number.
        strata: Chunk ids of each stratum.
    """

    source: Source
    chunks: tuple[Chunk, ...]
    titles: Mapping[str, str]
    model: TopicModel
    topics: Mapping[int, Topic]
    strata: Mapping[Stratum, tuple[str, ...]]

    def label(self, stratum: Stratum) -> str:
        """The name of a stratum for people."""
        topic = self.topics.get(stratum.topic)
        name = topic.label if topic is not None else f"topic {stratum.topic}"
        return f"{name} · {stratum.value}" if stratum.value else name


def ground_of(store: Store, project_id: str, plan: QuestionPlan, *, actor: str) -> Ground:
    """Reads the corpus, topics and strata of a plan.

    Raises:
        NotFound: No documents are loaded, or no topics were found in them yet.
        InvalidInput: The documents have changed since the topics were found, or every topic was dropped.
        Forbidden: The documents must be cut first, and the actor may not change the project.
    """
    source, chunks = corpus_chunks(store, project_id, actor=actor)
    model = project_topics(store, project_id)
    if model.source_id != source.id or fingerprint(chunks) != model.fingerprint:
        raise InvalidInput(
            "The documents have changed since their topics were found.", "Find the topics again on the Topics page."
        )
    parts = project_strata(store, model, crossing=plan.crossing, outliers=plan.outliers)
    if not parts:
        raise InvalidInput(
            "No topic is left to ask about.", "Restore a topic on the Topics page, or include the outliers."
        )
    with store.read() as connection:
        topics_by_number = {topic.number: topic for topic in topics.topics(connection, model.id)}
        titles = sources.titles(connection, source.id)
    return Ground(source=source, chunks=chunks, titles=titles, model=model, topics=topics_by_number, strata=parts)


def shares_of(ground: Ground, plan: QuestionPlan) -> tuple[Share, ...]:
    """How a plan's budget is divided among the strata.

    Raises:
        InvalidInput: As :func:`core.testset.corpus.allocation.allocate`.
    """
    sizes = {stratum: len(chunk_ids) for stratum, chunk_ids in ground.strata.items()}
    weights = {stratum: plan.weights.get(stratum.topic, 0.0) for stratum in sizes}
    # A chunk gives several questions, of every kind: its stratum is never the limit before its candidates are.
    return allocate(
        sizes,
        plan.questions,
        allocation=plan.allocation,
        weights=weights,
        minimum=plan.minimum,
        per_chunk=plan.questions,
    )
