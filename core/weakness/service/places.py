"""Where the cases of a run lie on the topic map of the documents, and what fails together there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.cases import TestCase
from core.domain.chunks import Chunk
from core.domain.document_ids import KnownDocuments
from core.domain.topics import OUTLIER, TopicChunk, TopicModel
from core.store import chunks, runs, testsets, topics
from core.store.database import Store
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
        no_gold: Cases of which nobody says what holds the answer.
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
    """Puts each case at the mean place of its gold chunks; where it has none, of one chunk of each gold document.

    That chunk is the one that shares most with the question: words count by the logarithm of how rare they are among
    chunks. The mean of all chunks of a document would lie where none of them does, and what the system answered plays
    no part, so that failing cases are not brought together by how they are placed.

    The map is that of the topics found last in the documents of the run; where there are none of these, of the topics
    that the project found last.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = testsets.cases(connection, run.test_set_id)
        known = topics.all(connection, run.project_id)
        model = next((one for one in known if one.source_id == run.corpus_id), known[0] if known else None)
        on_map = topics.chunks(connection, model.id) if model else ()
        described = topics.topics(connection, model.id) if model else ()
        known_chunks = chunks.of(connection, model.source_id) if model else ()
    found = _rows(cases, {chunk.chunk_id: row for row, chunk in enumerate(on_map)}, known_chunks)
    levels, places, codes = _means(found, on_map, {topic.number: topic.label for topic in described})
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


def failure_clusters(found: CasePlaces, table: CaseTable, options: ClusterOptions | None = None) -> ClusterReport:
    """Looks for failure clusters among the cases of a table; those that are not on the map are counted.

    Args:
        found: Where the cases of the run lie.
        table: All of its cases, or those a filter leaves.
        options: What counts as a cluster.
    """
    rows = places_of(found, table.case_ids)
    lacking = rows < 0
    places = np.where(lacking[:, None], np.nan, found.places[rows]) if len(found.case_ids) else _nowhere(len(rows))
    codes = np.where(lacking, NO_LEVEL, found.topic.codes[rows]) if len(found.case_ids) else np.full(len(rows), -1)
    topic = Attribute(name=found.topic.name, codes=codes, levels=found.topic.levels)
    questions = ["" if row < 0 else found.questions[row] for row in rows]
    return find_clusters(table, places, topics=topic, questions=questions, options=options)


def places_of(found: CasePlaces, case_ids: Sequence[str]) -> Ints:
    """Row of each case in `found`, -1 where it is none of them."""
    row_of = {case_id: row for row, case_id in enumerate(found.case_ids)}
    return np.array([row_of.get(case_id, -1) for case_id in case_ids], dtype=np.int64)


def _rows(cases: Sequence[TestCase], number: Mapping[str, int], known: Sequence[Chunk]) -> list[list[int]]:
    """The chunks each case is placed by, as rows of the map."""
    there = [chunk for chunk in known if chunk.id in number]
    words = {number[chunk.id]: frozenset(WORD.findall(chunk.text.casefold())) for chunk in there}
    said = Counter(word for one in words.values() for word in one)
    weight = {word: float(np.log1p(len(words) / count)) for word, count in said.items()}
    by_document: dict[str, list[int]] = {}
    for chunk in there:
        by_document.setdefault(chunk.document_id, []).append(number[chunk.id])
    documents = KnownDocuments(by_document)

    def shared(row: int, asked: frozenset[str]) -> float:
        return sum(weight[word] for word in words[row] & asked)

    made = []
    for case in cases:
        rows = [number[chunk_id] for chunk_id in case.gold_chunk_ids if chunk_id in number]
        if not rows and case.gold_document_ids:
            asked = frozenset(WORD.findall(case.question.casefold()))
            own = documents.resolve(case.gold_document_ids)[0]
            rows = [max(by_document[one], key=lambda row: shared(row, asked)) for one in own]
        made.append(rows)
    return made


def _means(
    found: Sequence[Sequence[int]], on_map: Sequence[TopicChunk], labels: Mapping[int, str]
) -> tuple[tuple[str, ...], Floats, Ints]:
    """Names of the topics, mean place of each case, and its topic by number of the name."""
    if not on_map:
        return (), _nowhere(len(found)), np.full(len(found), NO_LEVEL, dtype=np.int64)
    case = np.repeat(np.arange(len(found)), [len(rows) for rows in found])
    chunk = np.array([row for rows in found for row in rows], dtype=np.int64)
    at = np.array([(one.x, one.y) for one in on_map])
    count = np.bincount(case, minlength=len(found))
    with np.errstate(invalid="ignore"):
        places = np.column_stack(
            [np.bincount(case, weights=at[chunk, axis], minlength=len(found)) / count for axis in (0, 1)]
        )
    numbers, code = np.unique([one.topic for one in on_map], return_inverse=True)
    pairs, votes = np.unique(case * numbers.size + code[chunk], return_counts=True)
    codes = np.full(len(found), NO_LEVEL, dtype=np.int64)
    # The last written is the one with the most chunks; of equal ones the lowest number.
    order = np.lexsort((-(pairs % numbers.size), votes))
    codes[pairs[order] // numbers.size] = pairs[order] % numbers.size
    names = (NO_TOPIC if one == OUTLIER else labels.get(int(one), f"topic {one}") for one in numbers)
    return tuple(names), places, codes


def _nowhere(n: int) -> Floats:
    return np.full((n, 2), np.nan)
