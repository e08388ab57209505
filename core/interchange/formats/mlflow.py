"""MLflow: the table of ``mlflow.evaluate``, and rows with inputs, outputs and expectations as objects."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from core.interchange.exchange import Answered, Field, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.interchange.exchange_cells import object_of, read_list
from core.interchange.exchange_mapping import REASON
from core.interchange.exchange_tables import READS, Cells, peer_rows, table_rows, write_table
from core.interchange.list_cells import object_cell
from core.interchange.rows import Row
from core.interchange.whole_files import write_whole

PARTS: Final = ("inputs", "outputs", "expectations")
ASSESSED: Final = "assessments"
VERSIONED: Final = re.compile(r"(?P<name>.+)/v\d+/(?P<part>score|justification)")
VALUED: Final = re.compile(r"(?P<name>[^/]+)/(?P<part>value|rationale|score|justification)")
EXPECTED_CONTEXT: Final = ("expected_retrieved_context", "expectations.expected_retrieved_context")

SPEC: Final = FormatSpec(
    name="mlflow",
    title="MLflow",
    about="The table eval_results_table.json of an evaluation, or rows with inputs, outputs and expectations.",
    reads=READS,
    writes=(".json", ".jsonl", ".csv", ".tsv", ".parquet"),
    columns={
        "inputs.question": Field.QUESTION,
        "inputs.query": Field.QUESTION,
        "inputs.input": Field.QUESTION,
        "inputs.request": Field.QUESTION,
        "inputs.prompt": Field.QUESTION,
        "inputs.messages": Field.QUESTION,
        "inputs": Field.QUESTION,
        "request": Field.QUESTION,
        "question": Field.QUESTION,
        "query": Field.QUESTION,
        "outputs.response": Field.ANSWER,
        "outputs.answer": Field.ANSWER,
        "outputs.output": Field.ANSWER,
        "outputs.content": Field.ANSWER,
        "outputs.choices": Field.ANSWER,
        "outputs.messages": Field.ANSWER,
        "outputs": Field.ANSWER,
        "predictions": Field.ANSWER,
        "prediction": Field.ANSWER,
        "response": Field.ANSWER,
        "output": Field.ANSWER,
        "expectations.expected_response": Field.REFERENCES,
        "expectations": Field.REFERENCES,
        "expected_response": Field.REFERENCES,
        "targets": Field.REFERENCES,
        "target": Field.REFERENCES,
        "ground_truth": Field.REFERENCES,
        "retrieved_context": Field.CONTEXTS,
        "outputs.retrieved_context": Field.CONTEXTS,
        "outputs.source_documents": Field.CONTEXTS,
        "source_documents": Field.CONTEXTS,
        "context": Field.CONTEXTS,
        "retrieved_doc_ids": Field.DOCUMENT_IDS,
        "expected_retrieved_context.doc_uri": Field.GOLD_DOCUMENTS,
        "ground_truth_doc_ids": Field.GOLD_DOCUMENTS,
        "request_id": Field.CASE_ID,
        "trace_id": Field.CASE_ID,
        "client_request_id": Field.IGNORED,
        "latency": Field.LATENCY,
        "token_count": Field.TOKENS,
        "trace": Field.IGNORED,
        "spans": Field.IGNORED,
        "execution_duration": Field.ATTRIBUTE,
        "request_time": Field.ATTRIBUTE,
        "state": Field.ATTRIBUTE,
    },
    signs=(
        Sign(columns=("outputs", "targets"), confidence=0.95, says="outputs and targets are names of mlflow.evaluate."),
        Sign(columns=("inputs", "outputs"), confidence=0.93, says="inputs and outputs are names of MLflow."),
        Sign(
            columns=("predictions", "targets"), confidence=0.85,
            says="predictions and targets are names of mlflow.evaluate.",
        ),
        Sign(columns=("outputs",), confidence=0.6, says="outputs is a name of MLflow.", without=("output",)),
        Sign(
            columns=("request", "response", "retrieved_context"), confidence=0.85,
            says="request, response and retrieved_context are names of MLflow's agent evaluation.",
        ),
        Sign(
            columns=("trace_id", "request", "response"), confidence=0.95,
            says="trace_id, request and response are names of an MLflow evaluation.",
        ),
    ),
)  # fmt: skip


def unpack(path: Path, model: str = "") -> Unpacked:
    """Rows with their nested parts and their metrics as columns."""
    del model
    scores: set[str] = set()
    raw = list(table_rows(path))
    parts = frozenset(part for part in PARTS if _objects([row.get(part) for _, row in raw]))
    rows = [(number, _row(row, f"Row {number} of {path}", parts, scores)) for number, row in raw]
    return Unpacked(rows=_single(rows), scores=frozenset(scores))


def _objects(cells: Sequence[object]) -> bool:
    """Whether the texts of a column are objects, all of them: one text that looks like an object is an answer."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(texts) and all(isinstance(object_cell(text), dict) for text in texts)


def _row(row: Row, where: str, parts: frozenset[str], scores: set[str]) -> dict[str, object]:
    made: dict[str, object] = {}
    for name, value in row.items():
        value = object_cell(value) if isinstance(value, str) and name in parts else value
        metric = VERSIONED.fullmatch(name) or VALUED.fullmatch(name)
        if metric is not None:
            explains = metric["part"] in ("justification", "rationale")
            made[metric["name"] + (REASON if explains else "")] = value
            scores.add(metric["name"])
        elif name in PARTS and isinstance(value, Mapping):
            made |= {f"{name}.{key}": one for key, one in value.items()}
        elif name == ASSESSED:
            made |= (found := _assessments(value, where))
            scores.update(name for name in found if not name.endswith(REASON))
        else:
            made[name] = value
    for name in EXPECTED_CONTEXT:
        if (expected := made.pop(name, None)) is not None:
            listed, _ = read_list(expected, where, name)
            uris = [one.get("doc_uri") for one in listed if isinstance(one, Mapping)]
            made["expected_retrieved_context.doc_uri"] = [uri for uri in uris if uri]
            texts = [one["content"] for one in listed if isinstance(one, Mapping) and one.get("content")]
            if texts:
                made[Field.IDEAL_CONTEXTS.value] = texts
    return made


def _assessments(value: object, where: str) -> dict[str, object]:
    """What judges or people said of a row, each under its name."""
    listed, _ = read_list(value, where, ASSESSED)
    made: dict[str, object] = {}
    for one in listed:
        if not isinstance(one, Mapping):
            continue
        name = str(one.get("assessment_name") or one.get("name") or "")
        feedback = one.get("feedback")
        said = object_of(feedback, where, ASSESSED) if isinstance(feedback, (Mapping, str)) else {}
        if name and said:
            made[name] = said.get("value")
            made[f"{name}{REASON}"] = one.get("rationale")
    return made


def _single(rows: list[tuple[int, dict[str, object]]]) -> list[tuple[int, Row]]:
    """A part with one key only, whatever it is called, is that part."""
    for part in PARTS:
        prefix = f"{part}."
        keys = {name for _, row in rows for name in row if name.startswith(prefix)}
        if len(keys) == 1 and (key := next(iter(keys))) not in SPEC.columns:
            for _, row in rows:
                if key in row:
                    row[part] = row.pop(key)
    return list(rows)


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as the table of ``mlflow.evaluate``: JSON split into columns and data, or a table."""
    names = {
        Field.QUESTION: "inputs",
        Field.ANSWER: "outputs",
        Field.REFERENCES: "targets",
        Field.CONTEXTS: "retrieved_context",
    }
    named = any(context.document_id for one in data.answered for context in one.response.contexts)

    def every(one: Answered, row: dict[Field, object]) -> Cells:
        del row
        if not named or not data.contexts_known:
            return {}
        contexts = one.response.contexts
        return {"retrieved_context": [{"doc_uri": one.document_id, "content": one.text} for one in contexts]}

    rows, mapped = peer_rows(SPEC, data, names, every=every)
    for part, key in (("inputs", "question"), ("outputs", "response")):
        if _objects([row[part] for row in rows]):
            for row in rows:  # they would be read as objects
                row[part] = None if row[part] is None else {key: row[part]}
    if named:
        for row in rows:
            row.pop(Field.DOCUMENT_IDS.value, None)  # each passage has its own
        mapped.pop(Field.DOCUMENT_IDS.value, None)
    if path.suffix.casefold() != ".json":
        write_table(path, rows, data, SPEC)
        return mapped
    columns = list(dict.fromkeys(name for row in rows for name in row))
    split = {"columns": columns, "data": [[row.get(name) for name in columns] for row in rows]}
    write_whole(path, json.dumps(split, ensure_ascii=False, allow_nan=False, default=str))
    return mapped


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
