"""The places of a run's cases on the topic map of the documents, and the failure clusters there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.sources.chunks import Chunk
from core.domain.sources.document_ids import NO_MATCHES, KnownDocuments
from core.domain.sources.topics import OUTLIER, TopicChunk, TopicModel
from core.domain.testset.cases import TestCase
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.store.testset import chunks, testsets, topics
from core.weakness.clusters.finder import ClusterOptions, ClusterReport, find_clusters
from core.weakness.table import NO_LEVEL, Attribute, CaseTable, Floats, Ints

NO_TOPIC = "no topic"
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CasePlaces:
    """The cases of a run on a topic map.

    Attributes:
        model: The topics whose map it is, None where the project has none.
        case_ids: In the order of the test set.
        questions: Their texts.
        places: Mean place of the chunks that stand for the case, shape (n, 2), NaN where it has no place.
        topic: The topic most of these chunks lie in.
        placed: Cases with a place.
        no_gold: Cases without a gold document or chunk.
        unknown: Cases whose gold chunks and documents have no passage on the map.
    """

    model: TopicModel | None
    case_ids: tuple[str, ...]
    questions: tuple[str, ...]
    places: Floats
    topic: Attribute
    placed: int
    no_gold: int
    unknown: int


def case_places(store: Store, run_id: str) -> CasePlaces:
    """Places each case at the mean of its gold chunks; without gold chunks, of one chunk of each gold document.

    That chunk is the one that shares most with the question: words are weighted by the logarithm of their rarity among
    chunks. The mean of all chunks of a document could lie far from all of them. The system's answers are not used, so
    that the placement itself does not bring failing cases together.

    The map is that of the topics found last in the documents of the run; where there are none of these, of the topics
    that the project found last.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = testsets.cases(connection, run.test_set_id)
        models = topics.all(connection, run.project_id)
        model = next(
            (candidate for candidate in models if candidate.source_id == run.corpus_id), models[0] if models else None
        )
        on_map = topics.chunks(connection, model.id) if model else ()
        described = topics.topics(connection, model.id) if model else ()
        passages = chunks.of(connection, model.source_id) if model else ()
        matches = document_mappings.matches(connection, run.project_id, model.source_id) if model else {}
    chunk_rows = _rows(cases, {chunk.chunk_id: row for row, chunk in enumerate(on_map)}, passages, matches)
    levels, places, codes = _means(chunk_rows, on_map, {topic.number: topic.label for topic in described})
    gold = np.array([bool(case.gold_chunk_ids or case.gold_document_ids) for case in cases], dtype=bool)
    placed = np.isfinite(places[:, 0])
    return CasePlaces(
        model=model,
        case_ids=tuple(case.case_id for case in cases),
        questions=tuple(case.question for case in cases),
        places=places,
        topic=Attribute(name="topic", codes=codes, levels=levels),
        placed=int(placed.sum()),
        no_gold=int((~gold).sum()),
        unknown=int((gold & ~placed).sum()),
    )


def failure_clusters(case_map: CasePlaces, table: CaseTable, options: ClusterOptions | None = None) -> ClusterReport:
    """Finds failure clusters among the cases of a table; cases that are not on the map are counted.

    Args:
        case_map: Where the cases of the run lie.
        table: All of its cases, or those a filter leaves.
        options: What counts as a cluster.
    """
    rows = places_of(case_map, table.case_ids)
    lacking = rows < 0
    places = (
        np.where(lacking[:, None], np.nan, case_map.places[rows]) if len(case_map.case_ids) else _nowhere(len(rows))
    )
    codes = (
        np.where(lacking, NO_LEVEL, case_map.topic.codes[rows]) if len(case_map.case_ids) else np.full(len(rows), -1)
    )
    topic = Attribute(name=case_map.topic.name, codes=codes, levels=case_map.topic.levels)
    questions = ["" if row < 0 else case_map.questions[row] for row in rows]
    return find_clusters(table, places, topics=topic, questions=questions, options=options)


def places_of(case_map: CasePlaces, case_ids: Sequence[str]) -> Ints:
    """Row of each case in `case_map`, -1 where it is none of them."""
    row_of = {case_id: row for row, case_id in enumerate(case_map.case_ids)}
    return np.array([row_of.get(case_id, -1) for case_id in case_ids], dtype=np.int64)


def _rows(
    cases: Sequence[TestCase],
    number: Mapping[str, int],
    passages: Sequence[Chunk],
    matches: Mapping[str, Sequence[str]] = NO_MATCHES,
) -> list[list[int]]:
    """The chunks each case is placed by, as rows of the map."""
    mapped = [chunk for chunk in passages if chunk.id in number]
    words = {number[chunk.id]: frozenset(WORD.findall(chunk.text.casefold())) for chunk in mapped}
    frequencies = Counter(word for word_set in words.values() for word in word_set)
    weight = {word: float(np.log1p(len(words) / count)) for word, count in frequencies.items()}
    by_document: dict[str, list[int]] = {}
    for chunk in mapped:
        by_document.setdefault(chunk.document_id, []).append(number[chunk.id])
    documents = KnownDocuments(by_document, matches)

    def shared(row: int, question_words: frozenset[str]) -> float:
        return sum(weight[word] for word in words[row] & question_words)

    rows_by_case = []
    for case in cases:
        rows = [number[chunk_id] for chunk_id in case.gold_chunk_ids if chunk_id in number]
        if not rows and case.gold_document_ids:
            question_words = frozenset(WORD.findall(case.question.casefold()))
            gold_documents = documents.resolve(case.gold_document_ids)[0]
            rows = [
                max(by_document[word_set], key=lambda row: shared(row, question_words)) for word_set in gold_documents
            ]
        rows_by_case.append(rows)
    return rows_by_case


def _means(
    chunk_rows: Sequence[Sequence[int]], on_map: Sequence[TopicChunk], labels: Mapping[int, str]
) -> tuple[tuple[str, ...], Floats, Ints]:
    """Names of the topics, mean place of each case, and its topic by number of the name."""
    if not on_map:
        return (), _nowhere(len(chunk_rows)), np.full(len(chunk_rows), NO_LEVEL, dtype=np.int64)
    case = np.repeat(np.arange(len(chunk_rows)), [len(rows) for rows in chunk_rows])
    chunk = np.array([row for rows in chunk_rows for row in rows], dtype=np.int64)
    at = np.array([(topic_chunk.x, topic_chunk.y) for topic_chunk in on_map])
    count = np.bincount(case, minlength=len(chunk_rows))
    with np.errstate(invalid="ignore"):
        places = np.column_stack(
            [np.bincount(case, weights=at[chunk, axis], minlength=len(chunk_rows)) / count for axis in (0, 1)]
        )
    numbers, code = np.unique([topic_chunk.topic for topic_chunk in on_map], return_inverse=True)
    pairs, votes = np.unique(case * numbers.size + code[chunk], return_counts=True)
    codes = np.full(len(chunk_rows), NO_LEVEL, dtype=np.int64)
    # The last written is the one with the most chunks; of equal ones the lowest number.
    order = np.lexsort((-(pairs % numbers.size), votes))
    codes[pairs[order] // numbers.size] = pairs[order] % numbers.size
    names = (
        NO_TOPIC if topic_chunk == OUTLIER else labels.get(int(topic_chunk), f"topic {topic_chunk}")
        for topic_chunk in numbers
    )
    return tuple(names), places, codes


def _nowhere(n: int) -> Floats:
    return np.full((n, 2), np.nan)
