"""The topic of what holds the answer of each case, from the topics that were found in the documents."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from sqlalchemy import Connection

from core.domain.document_ids import KnownDocuments
from core.domain.runs import Run
from core.domain.topics import OUTLIER
from core.evaluation.weakness_places import NO_TOPIC
from core.store import chunks, topics
from core.store.case_columns import CaseColumns


def gold_topics(connection: Connection, run: Run, found: CaseColumns) -> list[str]:
    """The topic most of a case's gold chunks lie in, else most chunks of its gold documents; empty for none.

    The topics are those of the map that cases are shown on (:func:`core.evaluation.weakness_places.case_places`).

    Args:
        connection: From the store.
        run: The run.
        found: Its cases.

    Returns:
        A name a case, in their order; nothing at all where the project has no topics.
    """
    models = topics.all(connection, run.project_id)
    if not models or not (any(found.gold_chunks) or any(found.gold_documents)):
        return []
    model = next((one for one in models if one.source_id == run.corpus_id), models[0])
    topic_of = topics.topic_of(connection, model.id)
    names = {topic.number: topic.label for topic in topics.topics(connection, model.id)} | {OUTLIER: NO_TOPIC}
    by_document: defaultdict[str, list[str]] = defaultdict(list)
    for chunk_id, document_id in chunks.homes(connection, model.source_id).items():
        if chunk_id in topic_of:
            by_document[document_id].append(chunk_id)
    known = KnownDocuments(by_document)

    @cache
    def named(gold_chunks: tuple[str, ...], gold_documents: tuple[str, ...]) -> str:
        there = [one for one in gold_chunks if one in topic_of]
        there = there or [one for own in known.resolve(gold_documents)[0] for one in by_document[own]]
        if not there:
            return ""
        votes = Counter(topic_of[one] for one in there)
        number = min(votes, key=lambda one: (-votes[one], one))
        return names.get(number, f"topic {number}")

    return [named(*gold) for gold in zip(found.gold_chunks, found.gold_documents, strict=True)]
