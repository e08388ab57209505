"""RAGChecker: ``{"results": [...]}`` with a query, the ground truth, the response and what was retrieved."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.io.exchange.format import Answered, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, Cells, metric_column, passages_by_name, peer_rows, write_table
from core.io.tables.cells import object_of
from core.io.tables.columns import Field
from core.io.tables.rows import Row, read_document, read_rows
from core.io.whole_files import write_whole

RESULTS: Final = "results"
METRICS: Final = "metrics"
GROUPS: Final = ("overall_metrics", "retriever_metrics", "generator_metrics")
"""RAGChecker fills in these entries and does not create them."""
NAMES: Final = {
    Field.CASE_ID: "query_id",
    Field.QUESTION: "query",
    Field.REFERENCES: "gt_answer",
    Field.ANSWER: "response",
    Field.CONTEXTS: "retrieved_context",
}

SPEC: Final = FormatSpec(
    name="ragchecker",
    title="RAGChecker",
    about="The checking inputs, or the same with claims and metrics.",
    reads=READS,
    writes=(".json", ".jsonl", ".csv", ".tsv", ".parquet"),
    columns={
        "response_claims": Field.IGNORED,
        "gt_answer_claims": Field.IGNORED,
        "answer2response": Field.IGNORED,
        "response2answer": Field.IGNORED,
        "retrieved2response": Field.IGNORED,
        "retrieved2answer": Field.IGNORED,
    },
    scores=frozenset(
        {
            "precision",
            "recall",
            "f1",
            "claim_recall",
            "context_precision",
            "context_utilization",
            "noise_sensitivity_in_relevant",
            "noise_sensitivity_in_irrelevant",
            "hallucination",
            "self_knowledge",
            "faithfulness",
        }
    ),
    signs=(
        Sign(
            columns=("query", "gt_answer", "response"),
            confidence=0.97,
            says="query, gt_answer and response are the names of RAGChecker.",
        ),
        Sign(
            columns=("query_id", "query", "response"),
            confidence=0.75,
            says="query_id, query and response are names of RAGChecker.",
        ),
    ),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """The results, each metric of one as a column."""
    del model
    left_out = {}
    if path.suffix.casefold() == ".json":
        content = read_document(path)
        if isinstance(content, dict) and isinstance(content.get(RESULTS), list):
            left_out = {
                name: "It is about the whole file; figures of a run are computed from its rows."
                for name, value in content.items()
                if name != RESULTS and value
            }
            return _laid_open(enumerate(content[RESULTS], start=1), path, left_out)
    return _laid_open(read_rows(path), path, left_out)


def _laid_open(rows: Iterable[tuple[int, object]], path: Path, left_out: Mapping[str, str]) -> Unpacked:
    numbered: list[tuple[int, Row]] = []
    scores: set[str] = set()
    for number, row in rows:
        if not isinstance(row, dict):
            raise InvalidInput(f"Row {number} of {path} is a {type(row).__name__} and no object.", "Give objects.")
        flat = {name: value for name, value in row.items() if name != METRICS}
        metrics = object_of(row.get(METRICS), f"Row {number} of {path}", METRICS)
        scores.update(metrics)
        numbered.append((number, flat | dict(metrics)))
    return Unpacked(rows=numbered, left_out=left_out, scores=frozenset(scores))


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run: as its one JSON object, or as a table."""

    def every(answered: Answered, row: dict[Field, object]) -> Cells:
        contexts = [{"doc_id": context.document_id, "text": context.text} for context in answered.response.contexts]
        return {
            "gt_answer": next(iter(answered.case.reference_answers), ""),
            "response": answered.response.answer or "",
            "retrieved_context": contexts,
        }

    rows, mapped = peer_rows(SPEC, data, NAMES, every=every)
    passages_by_name(rows, mapped)
    if path.suffix.casefold() != ".json":
        write_table(path, rows, data, SPEC)
        return mapped
    columns = [metric_column(SPEC, data, metric) for metric in data.metrics]
    results = [
        {
            **{name: value for name, value in row.items() if name not in columns},
            METRICS: {name: row[name] for name in columns if row[name] is not None},
        }
        for row in rows
    ]
    content = {RESULTS: results, METRICS: {group: {} for group in GROUPS}}
    write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False, default=str))
    return mapped


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
