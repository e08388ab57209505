"""MLflow: rows with inputs, outputs and expectations, what an evaluation of them returns, and tables of MLflow 2.

The result of ``mlflow.genai.evaluate`` has ``request`` and ``response`` of a trace, and under ``NAME/value`` both what
a scorer said and what was expected. Written are rows that ``mlflow.genai.evaluate`` takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.interchange.exchange import (
    REASON,
    Answered,
    Field,
    Format,
    FormatSpec,
    RunData,
    Sign,
    Unpacked,
    exchange_format,
)
from core.interchange.exchange_cells import object_of, read_list
from core.interchange.exchange_tables import (
    READS,
    Cells,
    names_passages,
    passages_by_name,
    peer_rows,
    table_rows,
    write_table,
)
from core.interchange.list_cells import object_cell
from core.interchange.rows import Row

ASKED: Final = ("inputs", "request")
REPLIED: Final = ("outputs", "response")
EXPECTED: Final = "expectations"
PARTS: Final = (*ASKED, *REPLIED, EXPECTED)
EXPECTATIONS: Final = frozenset({"expected_response", "expected_facts", "expected_retrieved_context", "guidelines"})
ASSESSED: Final = "assessments"
VERSIONED: Final = re.compile(r"(?P<name>.+)/v\d+/(?P<part>score|justification)")
VALUED: Final = re.compile(
    r"(?P<name>.+)/(?P<part>value|rating|score|rationale|justification|error_message|error_code)"
)
EXPLAINS: Final = frozenset({"rationale", "justification", "error_message"})
EXPECTED_CONTEXT: Final = ("expected_retrieved_context", f"{EXPECTED}.expected_retrieved_context")
QUESTIONS: Final = ("question", "query", "input", "request", "prompt", "messages")
ANSWERS: Final = ("response", "answer", "output", "content", "choices", "messages")
PASSAGES: Final = ("retrieved_context", "source_documents")

SPEC: Final = FormatSpec(
    name="mlflow",
    title="MLflow",
    about="Rows with inputs, outputs and expectations, or the result of an evaluation.",
    reads=READS,
    writes=(".json", ".jsonl", ".csv", ".tsv", ".parquet"),
    columns={
        **{f"inputs.{name}": Field.QUESTION for name in QUESTIONS},
        "inputs": Field.QUESTION,
        **{f"request.{name}": Field.QUESTION for name in QUESTIONS},
        "request": Field.QUESTION,
        "question": Field.QUESTION,
        "query": Field.QUESTION,
        **{f"outputs.{name}": Field.ANSWER for name in ANSWERS},
        "outputs": Field.ANSWER,
        **{f"response.{name}": Field.ANSWER for name in ANSWERS},
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
        **{f"{part}.{name}": Field.CONTEXTS for part in REPLIED for name in PASSAGES},
        "source_documents": Field.CONTEXTS,
        "context": Field.CONTEXTS,
        "retrieved_doc_ids": Field.DOCUMENT_IDS,
        "expected_retrieved_context.doc_uri": Field.GOLD_DOCUMENTS,
        "ground_truth_doc_ids": Field.GOLD_DOCUMENTS,
        "request_id": Field.CASE_ID,
        "trace_id": Field.CASE_ID,
        "client_request_id": Field.IGNORED,
        "error_message": Field.ERROR,
        "latency": Field.LATENCY,
        "token_count": Field.TOKENS,
        "trace": Field.IGNORED,
        "trace_metadata": Field.IGNORED,
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
        Sign(columns=("inputs", "expectations"), confidence=0.9, says="inputs and expectations are names of MLflow."),
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
    value_suffix="/value",
    reason_suffix="/rationale",
)  # fmt: skip


def unpack(path: Path, model: str = "") -> Unpacked:
    """Rows with their nested parts and their metrics as columns."""
    del model
    raw = list(table_rows(path))
    parts = frozenset(part for part in PARTS if _objects([row.get(part) for _, row in raw]))
    said = [_assessments(row.get(ASSESSED), f"Row {number} of {path}") for number, row in raw]
    expected = EXPECTATIONS | {name for one in said for name in one.expected}
    rows: list[tuple[int, dict[str, object]]] = []
    scores: set[str] = set()
    codes: dict[str, Field] = {}
    for (number, row), one in zip(raw, said, strict=True):
        made = _row(row, parts, expected, scores, codes)
        for name, value in one.cells.items():
            if made.get(name) is None:  # a column of its own tells what holds in this evaluation
                made[name] = value
        scores |= one.scores
        rows.append((number, _with_expected_context(made, f"Row {number} of {path}")))
    return Unpacked(rows=_single(rows), scores=frozenset(scores), columns=codes)


def _objects(cells: Sequence[object]) -> bool:
    """Whether the texts of a column are objects, all of them: one text that looks like an object is an answer."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(texts) and all(isinstance(object_cell(text), dict) for text in texts)


def _row(
    row: Row, parts: frozenset[str], expected: Iterable[str], scores: set[str], codes: dict[str, Field]
) -> dict[str, object]:
    """A row without its assessments; tells in `scores` and `codes` what its columns are."""
    made: dict[str, object] = {}
    for name, value in row.items():
        value = object_cell(value) if isinstance(value, str) and name in parts else value
        metric = VERSIONED.fullmatch(name) or VALUED.fullmatch(name)
        if name in PARTS and isinstance(value, Mapping):
            made |= {f"{name}.{key}": one for key, one in value.items()}
        elif metric is None and name != ASSESSED:
            made[name] = value
        elif metric is not None and metric["name"] in expected:
            if metric["part"] == "value":
                made[f"{EXPECTED}.{metric['name']}"] = value
        elif metric is not None and metric["part"] == "error_code":
            made[name] = value
            codes[name] = Field.IGNORED
        elif metric is not None and metric["part"] in EXPLAINS:
            reason = metric["name"] + REASON
            made[reason] = value if made.get(reason) is None else made[reason]
        elif metric is not None:
            made[metric["name"]] = value
            scores.add(metric["name"])
    return made


def _with_expected_context(made: dict[str, object], where: str) -> dict[str, object]:
    """The row with ids and texts of the expected passages as lists of their own."""
    for name in EXPECTED_CONTEXT:
        if (expected := made.pop(name, None)) is not None:
            listed, _ = read_list(expected, where, name)
            uris = [one.get("doc_uri") for one in listed if isinstance(one, Mapping)]
            made["expected_retrieved_context.doc_uri"] = [uri for uri in uris if uri]
            texts = [one["content"] for one in listed if isinstance(one, Mapping) and one.get("content")]
            if texts:
                made[Field.IDEAL_CONTEXTS.value] = texts
    return made


class _Said:
    """What the assessments of a row hold.

    Attributes:
        cells: Scores with their reasons, and expectations, as columns.
        scores: Names of the scores.
        expected: Names of the expectations.
    """

    def __init__(self) -> None:
        self.cells: dict[str, object] = {}
        self.scores: set[str] = set()
        self.expected: set[str] = set()


def _assessments(value: object, where: str) -> _Said:
    """What judges or people said of a row and what was expected, each under its name; the last one of a name counts."""
    said = _Said()
    for one in read_list(value, where, ASSESSED)[0]:
        name = str(one.get("assessment_name") or one.get("name") or "") if isinstance(one, Mapping) else ""
        if not name or not isinstance(one, Mapping):
            continue
        feedback, expectation = (_object(one.get(part), where) for part in ("feedback", "expectation"))
        if feedback:
            failure = _object(feedback.get("error"), where).get("error_message")
            said.scores.add(name)
            said.cells[name] = feedback.get("value")
            said.cells[f"{name}{REASON}"] = one.get("rationale") or failure
        elif expectation:
            said.expected.add(name)
            said.cells[f"{EXPECTED}.{name}"] = expectation.get("value")
    return said


def _object(value: object, where: str) -> Mapping[str, object]:
    return object_of(value, where, ASSESSED) if isinstance(value, (Mapping, str)) else {}


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
    """Writes a run as rows that ``mlflow.genai.evaluate`` takes."""
    names = {
        Field.QUESTION: "inputs",
        Field.ANSWER: "outputs",
        Field.REFERENCES: EXPECTED,
        Field.CONTEXTS: "retrieved_context",
    }
    gold = any(one.case.gold_document_ids for one in data.answered)
    if gold:
        names[Field.GOLD_DOCUMENTS] = EXPECTED
    named = names_passages(data)

    def every(one: Answered, row: dict[Field, object]) -> Cells:
        case = one.case
        expected: Cells = {"expected_response": case.reference_answers[0]} if case.reference_answers else {}
        if case.gold_document_ids:
            expected["expected_retrieved_context"] = [{"doc_uri": name} for name in case.gold_document_ids]
        cells: Cells = {"inputs": {"question": row[Field.QUESTION]}, EXPECTED: expected}
        if named:
            cells["retrieved_context"] = [{"doc_uri": c.document_id, "content": c.text} for c in one.response.contexts]
        return cells

    rows, mapped = peer_rows(SPEC, data, names, every=every)
    if _objects([row["outputs"] for row in rows]):
        for row in rows:  # they would be read as objects
            row["outputs"] = None if row["outputs"] is None else {"response": row["outputs"]}
    if named:
        passages_by_name(rows, mapped)
    write_table(path, rows, data, SPEC)
    parts = {Field.QUESTION: "inputs.question", Field.REFERENCES: f"{EXPECTED}.expected_response"}
    if gold:
        parts[Field.GOLD_DOCUMENTS] = EXPECTED_CONTEXT[1]
    return {**mapped, **{field.value: name for field, name in parts.items()}}


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
