"""Topics as the commands read them: those of a project, or of a folder that is analysed without storing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.output import progress_line
from core.cli.projects import project_named
from core.cli.topics.lines import agreement_lines, folder_agreement, topic_document, topic_lines
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.sources.chunks import Chunk
    from core.domain.sources.topics import TopicModel, TopicSettings
    from core.store.database import Store


class Stages:
    """Tells progress on, and keeps how long each stage took."""

    def __init__(self, tell: Callable[[str, int, int], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._stage, self._since = "", clock()
        self._seconds: dict[str, float] = {}

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Progress of a stage."""
        self._tell(stage, done, total)
        if stage != self._stage:
            self.ended()
            self._stage = stage

    def ended(self) -> dict[str, float]:
        """Seconds of each stage so far, by its name."""
        now = self._clock()
        if self._stage:
            self._seconds[self._stage] = round(self._seconds.get(self._stage, 0.0) + now - self._since, 3)
        self._since = now
        return dict(self._seconds)


def latest(store: Store, project: str) -> TopicModel:
    """The topics of a project that were found last."""
    from core.testset.topics.service import project_topics

    return project_topics(store, project_named(store, project))


def of_folder(folder: Path, topic_settings: TopicSettings) -> tuple[dict[str, object], list[str]]:
    """Topics of the documents of a folder, as JSON and as lines; nothing is stored."""
    from dataclasses import replace

    from core.encoders.embedding import open_encoder
    from core.encoders.tokens import open_counter
    from core.sources.corpus import load_corpus
    from core.sources.corpus.chunks.chunking import chunk_corpus, chunking_for
    from core.testset.topics.finding import embed, find_topics

    spec = topic_settings.encoder or settings().encoder
    corpus = load_corpus(folder)
    counter = open_counter(spec)
    chunks = list(chunk_corpus(corpus.documents, counter, chunking_for(counter)))
    progress = Stages(progress_line())
    vectors = embed([chunk.text for chunk in chunks], open_encoder(spec), progress=progress)
    result = find_topics(chunks, vectors, replace(topic_settings, encoder=spec), progress=progress)
    topic_of = {chunk.chunk_id: chunk.topic for chunk in result.chunks}
    agreement = folder_agreement(chunks, corpus.documents, topic_of, result.topics)
    document = topic_document(result.topics, result.quality, len(chunks)) | agreement
    document |= {"content_hash": result.content_hash, "settings": asdict(result.settings), "seconds": progress.ended()}
    return document, [*topic_lines(result.topics, result.quality, len(chunks)), *agreement_lines(agreement)]


def of_project(store: Store, model: TopicModel) -> tuple[dict[str, object], list[str]]:
    """Topics of a project after all edits, as JSON and as lines."""
    from core.store import sources
    from core.store.testset import chunks, topics
    from core.testset.topics.service import is_outdated

    with store.read() as connection:
        listed = topics.topics(connection, model.id)
        topic_of = topics.topic_of(connection, model.id)
        edits = topics.edits(connection, model.id)
        passages = chunks.of(connection, model.source_id)
        documents = sources.documents(connection, model.source_id)
    outdated = is_outdated(store, model)
    document = topic_document(listed, model.quality, model.chunks) | {
        "id": model.id,
        "content_hash": model.content_hash,
        "settings": asdict(model.settings),
        "versions": dict(model.versions),
        "outdated": outdated,
        "edits": [asdict(edit) for edit in edits],
    }
    lines = [f"{model.id}, seed {model.settings.seed}, {len(edits)} edits"]
    lines += ["The documents have changed since; find the topics again."] if outdated else []
    lines += topic_lines(listed, model.quality, model.chunks)
    if not outdated:
        agreement = folder_agreement(passages, documents, topic_of, listed)
        document |= agreement
        lines += agreement_lines(agreement)
    return document, lines


def chunks_of(store: Store, model: TopicModel, topic: int) -> list[Chunk]:
    """The chunks of a topic, in the order of the documents."""
    from core.store.testset import chunks, topics

    with store.read() as connection:
        topic_of = topics.topic_of(connection, model.id)
        return [chunk for chunk in chunks.of(connection, model.source_id) if topic_of.get(chunk.id) == topic]
