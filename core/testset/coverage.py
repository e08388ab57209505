"""What of the database, the documents and their topics the questions of a test set are about."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection

from core.domain.sources.projects import SourceKind
from core.domain.sources.topics import OUTLIER
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.testset import chunks, testsets, topics


class Part(NamedTuple):
    """How much of something is asked about: so many of how many."""

    asked: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TestSetCoverage:
    """What a test set asks about; a part is None where the project has no such thing.

    Attributes:
        cases: Cases that are not excluded.
        tables: Tables that the truth of a case is read from, of the tables of the database.
        documents: Documents that hold the truth of a case by its gold ids, of the documents loaded.
        topics: Topics that such a document mostly lies in, of the topics of the documents.
    """

    __test__ = False

    cases: int
    tables: Part | None = None
    documents: Part | None = None
    topics: Part | None = None


def coverage_of(store: Store, test_set_id: str) -> TestSetCoverage:
    """Counts what a test set asks about.

    Raises:
        NotFound: There is no such test set.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
        cases = testsets.cases(connection, test_set_id)
        database = sources.latest(connection, test_set.project_id, SourceKind.DATABASE)
        corpus = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
        tables = None
        if database is not None and database.schema is not None:
            names = {table.name for table in database.schema.askable}
            tables = Part(len(names & {name for case in cases for name in case.tables}), len(names))
        if corpus is None:
            return TestSetCoverage(cases=len(cases), tables=tables)
        known = document_mappings.known(connection, test_set.project_id, corpus.id)
        gold = {spelled for case in cases for spelled in case.gold_document_ids}
        asked = {document for spelled in gold for document in known.find_all(spelled)}
        return TestSetCoverage(
            cases=len(cases),
            tables=tables,
            documents=Part(len(asked), sources.size(connection, corpus.id)[0]),
            topics=_topics(connection, test_set.project_id, corpus.id, asked),
        )


def _topics(connection: Connection, project_id: str, corpus_id: str, asked: set[str]) -> Part | None:
    models = [model for model in topics.all(connection, project_id) if model.source_id == corpus_id]
    if not models:
        return None
    topic_of = topics.topic_of(connection, models[0].id)
    numbers = {topic.number for topic in topics.topics(connection, models[0].id)} - {OUTLIER}
    votes: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for chunk_id, document_id in chunks.homes(connection, corpus_id).items():
        if document_id in asked and topic_of.get(chunk_id) in numbers:
            votes[document_id][topic_of[chunk_id]] += 1
    return Part(len({max(sorted(own), key=own.__getitem__) for own in votes.values()}), len(numbers))
