"""MLflow: rows with inputs, outputs and expectations, what an evaluation of them returns, and tables of MLflow 2.

The result of ``mlflow.genai.evaluate`` has ``request`` and ``response`` of a trace, and under ``NAME/value`` both what
a scorer said and what was expected. Written are rows that ``mlflow.genai.evaluate`` takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.io.exchange.format import REASON, Answered, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, Cells, names_passages, passages_by_name, peer_rows, write_table
from core.io.tables.cells import object_of, read_list
from core.io.tables.columns import Field, arrange
from core.io.tables.list_cells import object_cell
from core.io.tables.rows import Row, read_rows

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

SPEC: Final = FormatSpec(
    name="mlflow",
    title="MLflow",
    about="Rows with inputs, outputs and expectations, or the result of an evaluation.",
    reads=READS,
    writes=(".json", ".jsonl", ".csv", ".tsv", ".parquet"),
    columns={
        "client_request_id": Field.IGNORED,
        "trace": Field.IGNORED,
        "trace_metadata": Field.IGNORED,
        "spans": Field.IGNORED,
        "execution_duration": Field.ATTRIBUTE,
        "request_time": Field.ATTRIBUTE,
        "state": Field.ATTRIBUTE,
    },
    signs=(
        Sign(columns=("outputs", "targets"), confidence=0.95, says="outputs and targets are names of mlflow.evaluate."),
        Sign(
            columns=("inputs", "outputs", "expectations"),
            confidence=0.95,
            says="inputs, outputs and expectations are names of MLflow.",
        ),
        Sign(
            columns=("inputs", "outputs"),
            confidence=0.93,
            without=("id", "dataset_id"),
            says="inputs and outputs are names of MLflow.",
        ),
        Sign(
            columns=("inputs", "outputs"),
            confidence=0.45,
            says="inputs and outputs are names of MLflow; examples of LangSmith have the right answers in outputs.",
        ),
        Sign(
            columns=("predictions", "targets"),
            confidence=0.85,
            says="predictions and targets are names of mlflow.evaluate.",
        ),
        Sign(columns=("inputs", "expectations"), confidence=0.9, says="inputs and expectations are names of MLflow."),
        Sign(columns=("outputs",), confidence=0.6, says="outputs is a name of MLflow.", without=("output", "inputs")),
        Sign(
            columns=("request", "response", "retrieved_context"),
            confidence=0.85,
            says="request, response and retrieved_context are names of MLflow's agent evaluation.",
        ),
        Sign(
            columns=("trace_id", "request", "response"),
            confidence=0.95,
            says="trace_id, request and response are names of an MLflow evaluation.",
        ),
    ),
    value_suffix="/value",
    reason_suffix="/rationale",
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """Rows with their nested parts and their metrics as columns."""
    del model
    raw = list(read_rows(path))
    parts = frozenset(part for part in PARTS if _objects([row.get(part) for _, row in raw]))
    assessments = [_assessments(row.get(ASSESSED), f"Row {number} of {path}") for number, row in raw]
    expected = EXPECTATIONS | {name for assessed in assessments for name in assessed.expected}
    rows: list[tuple[int, dict[str, object]]] = []
    scores: set[str] = set()
    codes: dict[str, Field] = {}
    for (number, row), assessed in zip(raw, assessments, strict=True):
        cells = _row(row, parts, expected, scores, codes)
        for name, value in assessed.cells.items():
            if cells.get(name) is None:  # a column of its own tells what holds in this evaluation
                cells[name] = value
        scores |= assessed.scores
        rows.append((number, _with_expected_context(cells, f"Row {number} of {path}")))
    return Unpacked(rows=_single(rows), scores=frozenset(scores), columns=codes)


def _objects(cells: Sequence[object]) -> bool:
    """Whether the texts of a column are objects, all of them: one text that looks like an object is an answer."""
    texts = [cell for cell in cells if isinstance(cell, str) and cell.strip()]
    return bool(texts) and all(isinstance(object_cell(text), dict) for text in texts)


def _row(
    row: Row, parts: frozenset[str], expected: Iterable[str], scores: set[str], codes: dict[str, Field]
) -> dict[str, object]:
    """A row without its assessments; tells in `scores` and `codes` what its columns are."""
    cells: dict[str, object] = {}
    for name, value in row.items():
        value = object_cell(value) if isinstance(value, str) and name in parts else value
        metric = VERSIONED.fullmatch(name) or VALUED.fullmatch(name)
        if name in PARTS and isinstance(value, Mapping):
            cells |= {f"{name}.{key}": item for key, item in value.items()}
        elif metric is None and name != ASSESSED:
            cells[name] = value
        elif metric is not None and metric["name"] in expected:
            if metric["part"] == "value":
                cells[f"{EXPECTED}.{metric['name']}"] = value
        elif metric is not None and metric["part"] == "error_code":
            cells[name] = value
            codes[name] = Field.IGNORED
        elif metric is not None and metric["part"] in EXPLAINS:
            reason = metric["name"] + REASON
            cells[reason] = value if cells.get(reason) is None else cells[reason]
        elif metric is not None:
            cells[metric["name"]] = value
            scores.add(metric["name"])
    return cells


def _with_expected_context(cells: dict[str, object], where: str) -> dict[str, object]:
    """The row with ids and texts of the expected passages as lists of their own."""
    for name in EXPECTED_CONTEXT:
        if (expected := cells.pop(name, None)) is not None:
            listed, _ = read_list(expected, where, name)
            uris = [item.get("doc_uri") for item in listed if isinstance(item, Mapping)]
            cells["expected_retrieved_context.doc_uri"] = [uri for uri in uris if uri]
            texts = [item["content"] for item in listed if isinstance(item, Mapping) and item.get("content")]
            if texts:
                cells[Field.IDEAL_CONTEXTS.value] = texts
    return cells


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
    assessments = _Said()
    for item in read_list(value, where, ASSESSED)[0]:
        name = str(item.get("assessment_name") or item.get("name") or "") if isinstance(item, Mapping) else ""
        if not name or not isinstance(item, Mapping):
            continue
        feedback, expectation = (_object(item.get(part), where) for part in ("feedback", "expectation"))
        if feedback:
            failure = _object(feedback.get("error"), where).get("error_message")
            assessments.scores.add(name)
            assessments.cells[name] = feedback.get("value")
            assessments.cells[f"{name}{REASON}"] = item.get("rationale") or failure
        elif expectation:
            assessments.expected.add(name)
            assessments.cells[f"{EXPECTED}.{name}"] = expectation.get("value")
    return assessments


def _object(value: object, where: str) -> Mapping[str, object]:
    return object_of(value, where, ASSESSED) if isinstance(value, (Mapping, str)) else {}


def _single(rows: list[tuple[int, dict[str, object]]]) -> list[tuple[int, Row]]:
    """A part with one key only, whatever it is called, is that part."""
    for part in PARTS:
        prefix = f"{part}."
        keys = {name for _, row in rows for name in row if name.startswith(prefix)}
        if len(keys) == 1 and not arrange([key := next(iter(keys))]):
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
    gold = any(answered.case.gold_document_ids for answered in data.answered)
    if gold:
        names[Field.GOLD_DOCUMENTS] = EXPECTED
    passages_named = names_passages(data)

    def every(answered: Answered, row: dict[Field, object]) -> Cells:
        case = answered.case
        expected: Cells = {"expected_response": case.reference_answers[0]} if case.reference_answers else {}
        if case.gold_document_ids:
            expected["expected_retrieved_context"] = [{"doc_uri": name} for name in case.gold_document_ids]
        cells: Cells = {"inputs": {"question": row[Field.QUESTION]}, EXPECTED: expected}
        if passages_named:
            cells["retrieved_context"] = [
                {"doc_uri": c.document_id, "content": c.text} for c in answered.response.contexts
            ]
        return cells

    rows, mapped = peer_rows(SPEC, data, names, every=every)
    if _objects([row["outputs"] for row in rows]):
        for row in rows:  # they would be read as objects
            row["outputs"] = None if row["outputs"] is None else {"response": row["outputs"]}
    if passages_named:
        passages_by_name(rows, mapped)
    write_table(path, rows, data, SPEC)
    parts = {Field.QUESTION: "inputs.question", Field.REFERENCES: f"{EXPECTED}.expected_response"}
    if gold:
        parts[Field.GOLD_DOCUMENTS] = EXPECTED_CONTEXT[1]
    return {**mapped, **{field.value: name for field, name in parts.items()}}


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
