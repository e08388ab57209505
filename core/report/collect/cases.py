"""What the questions of a run cover, how they were answered by level of their attributes, and a few wrong answers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np
from sqlalchemy import Connection

from core.diagnosis import Diagnosis
from core.diagnosis.service.rows import RunRows
from core.domain.estimates import Proportion
from core.domain.results.diagnosis import Attribution
from core.domain.results.responses import Verdict
from core.domain.results.runs import Run
from core.domain.sources.topics import OUTLIER
from core.report.content import Number, share
from core.report.masking import Masker
from core.stats import clustered_proportion
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.store.results.cases import case_columns
from core.store.results.cases.case_columns import CaseColumns
from core.store.testset import topics
from core.weakness.findings.search import telling
from core.weakness.service.attributes import TOPIC, RunAttributes
from core.weakness.service.data import described, table_of
from core.weakness.table import CaseTable

VERDICT: Final = "verdict"
MOST_LEVELS: Final = 12
"""An attribute with more levels is a matter for the Weakness page."""
MOST_ATTRIBUTES: Final = 4
EXAMPLES_A_MODULE: Final = 2
LONGEST_TEXT: Final = 600

BLAMED: Final = (
    Attribution.KNOWLEDGE_GAP,
    Attribution.RETRIEVAL,
    Attribution.LANGUAGE_MODEL,
    Attribution.UNDECIDED,
    Attribution.UNRESOLVED_GAP,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Questions that have something in common.

    Attributes:
        n: Questions.
        facts: What they ask for, each once.
        accuracy: Correct of judged; None without a judged one.
    """

    name: str
    n: int
    facts: int
    accuracy: Number


@dataclass(frozen=True, slots=True, kw_only=True)
class Division:
    """The questions of a run by one attribute.

    Attributes:
        outside: Questions that lack it.
    """

    name: str
    label: str
    levels: tuple[Level, ...]
    outside: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicCoverage:
    """A topic of the documents and the questions about it."""

    name: str
    passages: int
    documents: int
    questions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What the questions touch of the database and of the documents.

    Attributes:
        facts: What is asked for, each once: filled SQL queries, or questions of their own.
        tables: Each table that some question reads, with its questions and facts.
        documents_asked: Documents that some question needs, of all; den 0 where that is not known.
        topics: Topics of the documents; empty where none were looked for.
        divisions: Accuracy by attribute.
        judged_facts: Facts with a judged answer.
    """

    facts: int
    tables: tuple[tuple[str, int, int], ...]
    documents_asked: Proportion
    topics: tuple[TopicCoverage, ...]
    divisions: tuple[Division, ...]
    judged_facts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A wrong answer, masked."""

    case_id: str
    module: str
    question: str
    reference: str
    answer: str
    reason: str


def coverage(store: Store, run: Run, attributes: RunAttributes, rows: RunRows) -> Coverage:
    """Counts what the questions of a run touch."""
    table = table_of(store, attributes, VERDICT)
    infos = described(attributes)
    names = [name for name in telling(infos) if 2 <= len(table.attribute(name).levels) <= MOST_LEVELS]
    labels = {info.name: info.label for info in infos}
    with store.read() as connection:
        columns = case_columns.columns(connection, run.test_set_id)
        documents = _documents(connection, run, columns, rows)
        found_topics = _topics(connection, run, table)
    judged = ~np.isnan(table.score.values)
    return Coverage(
        facts=len(set(columns.groups)),
        tables=_tables(columns),
        documents_asked=documents,
        topics=found_topics,
        divisions=tuple(_division(table, name, labels[name]) for name in names[:MOST_ATTRIBUTES]),
        judged_facts=int(np.unique(table.clusters[judged]).size),
    )


def examples(store: Store, run_id: str, diagnosis: Diagnosis, masker: Masker) -> tuple[Example, ...]:
    """A few wrong answers of each module, each of another fact, in the order of the test set."""
    chosen: list[tuple[str, str, str]] = []
    taken: Counter[Attribution] = Counter()
    facts: set[str] = set()
    for group in diagnosis.groups:
        for row in group.rows:
            wrong = row.verdict is Verdict.INCORRECT and row.attribution in BLAMED
            if wrong and taken[row.attribution] < EXAMPLES_A_MODULE and group.group_id not in facts:
                taken[row.attribution] += 1
                facts.add(group.group_id)
                chosen.append((row.row.case_id, row.attribution.value, row.reason))
    ids = [case_id for case_id, _, _ in chosen]
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = {case.case_id: case for case in case_columns.chosen(connection, run.test_set_id, ids)} if ids else {}
        responses = runs.responses(connection, run_id, ids) if ids else {}
    order = {attribution.value: place for place, attribution in enumerate(BLAMED)}
    made = []
    for case_id, module, reason in sorted(chosen, key=lambda item: order[item[1]]):
        case, response = cases[case_id], responses.get(case_id)
        answer = response.answer if response is not None and response.answer is not None else ""
        made.append(
            Example(
                case_id=case_id,
                module=module,
                question=_cut(masker.safe(case.question)),
                reference=_cut(masker.safe(" | ".join(case.reference_answers))),
                answer=_cut(masker.safe(answer)),
                reason=_cut(masker.safe(reason)),
            )
        )
    return tuple(made)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT].rsplit(' ', 1)[0]} …"


def _tables(columns: CaseColumns) -> tuple[tuple[str, int, int], ...]:
    questions: Counter[str] = Counter()
    facts: dict[str, set[str]] = {}
    for read, group in zip(columns.tables, columns.groups, strict=True):
        for name in dict.fromkeys(read):
            questions[name] += 1
            facts.setdefault(name, set()).add(group)
    return tuple((name, n, len(facts[name])) for name, n in sorted(questions.items(), key=lambda item: item[0]))


def _documents(connection: Connection, run: Run, columns: CaseColumns, rows: RunRows) -> Proportion:
    """Documents that some question needs, of all; no interval, since nothing is drawn."""
    if not rows.known_ids:
        return Proportion(num=0, den=0)
    documents = document_mappings.of_run(connection, run)
    asked: set[str] = set()
    for gold in dict.fromkeys(columns.gold_documents):
        asked.update(documents.resolve(gold)[0] if documents else set(gold) & rows.known_ids)
    # Where no gold id names a document, nobody knows which documents are asked about.
    return Proportion(num=len(asked), den=max(len(rows.known_ids), len(asked)) if asked else 0)


def _topics(connection: Connection, run: Run, table: CaseTable) -> tuple[TopicCoverage, ...]:
    models = topics.all(connection, run.project_id)
    if not models:
        return ()
    model = next((item for item in models if item.source_id == run.corpus_id), models[0])
    asked: Counter[str] = Counter()
    if any(attribute.name == TOPIC for attribute in table.attributes):
        attribute = table.attribute(TOPIC)
        asked.update(attribute.levels[code] for code in attribute.codes.tolist() if code >= 0)
    return tuple(
        TopicCoverage(
            name=topic.label, passages=topic.size, documents=topic.documents, questions=asked.get(topic.label, 0)
        )
        for topic in topics.topics(connection, model.id)
        if topic.number != OUTLIER and not topic.dropped
    )


def _division(table: CaseTable, name: str, label: str) -> Division:
    attribute = table.attribute(name)
    levels = []
    for place, level in enumerate(attribute.levels):
        inside = attribute.codes == place
        scored = inside & ~np.isnan(table.score.values)
        if inside.any():
            accuracy = clustered_proportion(table.score.values[scored] == 1.0, table.clusters[scored])
            facts = int(np.unique(table.clusters[inside]).size)
            levels.append(Level(name=level, n=int(inside.sum()), facts=facts, accuracy=share(accuracy)))
    if not attribute.ordered:
        levels.sort(key=lambda item: (item.accuracy.value is None, item.accuracy.value or 0.0, item.name))
    return Division(name=name, label=label, levels=tuple(levels), outside=int((attribute.codes < 0).sum()))
