"""The topic of the passages that contain each case's answer, from the topics of the documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from sqlalchemy import Connection

from core.domain.results.runs import Run
from core.domain.sources.topics import OUTLIER
from core.store import document_mappings
from core.store.results.cases.case_columns import CaseColumns
from core.store.testset import chunks, topics
from core.weakness.service.places import NO_TOPIC


def gold_topics(connection: Connection, run: Run, columns: CaseColumns) -> list[str]:
    """The topic most of a case's gold chunks lie in, else most chunks of its gold documents; empty for none.

    The topics are those of the map that cases are shown on (:func:`core.weakness.service.places.case_places`).

    Args:
        connection: From the store.
        run: The run.
        columns: Its cases.

    Returns:
        A name a case, in their order; nothing at all where the project has no topics.
    """
    models = topics.all(connection, run.project_id)
    if not models or not (any(columns.gold_chunks) or any(columns.gold_documents)):
        return []
    model = next((model_found for model_found in models if model_found.source_id == run.corpus_id), models[0])
    topic_of = topics.topic_of(connection, model.id)
    names = {topic.number: topic.label for topic in topics.topics(connection, model.id)} | {OUTLIER: NO_TOPIC}
    by_document: defaultdict[str, list[str]] = defaultdict(list)
    for chunk_id, document_id in chunks.homes(connection, model.source_id).items():
        if chunk_id in topic_of:
            by_document[document_id].append(chunk_id)
    documents = document_mappings.known(connection, run.project_id, model.source_id, by_document)

    @cache
    def topic_name(gold_chunks: tuple[str, ...], gold_documents: tuple[str, ...]) -> str:
        there = [model_found for model_found in gold_chunks if model_found in topic_of]
        there = there or [
            model_found for own in documents.resolve(gold_documents)[0] for model_found in by_document[own]
        ]
        if not there:
            return ""
        votes = Counter(topic_of[model_found] for model_found in there)
        number = min(votes, key=lambda model_found: (-votes[model_found], model_found))
        return names.get(number, f"topic {number}")

    return [topic_name(*gold) for gold in zip(columns.gold_chunks, columns.gold_documents, strict=True)]
