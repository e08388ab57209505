"""DeepEval: test cases, goldens and test runs, in snake and in camel case.

Its ``context`` is the ideal context that an expert would give, and becomes gold passages; what the system retrieved is
in ``retrieval_context``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from core.domain.errors import UnreadableFile
from core.io.exchange.format import REASON, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, peer_rows, write_table
from core.io.tables.cells import object_of
from core.io.tables.columns import Field
from core.io.tables.rows import Row, read_document, read_rows

LISTS: Final = ("testCases", "test_cases", "testResults", "test_results", "goldens")
MEASURED: Final = ("metrics_data", "metrics_metadata")
METADATA: Final = ("additional_metadata", "metadata", "custom_column_key_values")
"""Objects of a person's own fields; the second name is the newer one."""
RUN: Final = "testRunData"
"""Where the file of the latest run has the test run."""
CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

SPEC: Final = FormatSpec(
    name="deepeval",
    title="DeepEval",
    about="A data set of goldens or test cases, or the JSON of a test run.",
    reads=READS,
    writes=(".json", ".jsonl", ".csv", ".tsv", ".parquet"),
    columns={
        "context": Field.IDEAL_CONTEXTS,  # the ideal ones, also in a file that has nothing else of DeepEval's
        "name": Field.ATTRIBUTE,
        "source_file": Field.ATTRIBUTE,
        "comments": Field.ATTRIBUTE,
        "token_cost": Field.ATTRIBUTE,
        "evaluation_cost": Field.ATTRIBUTE,
        "run_duration": Field.ATTRIBUTE,
        "order": Field.IGNORED,
        "test_run_id": Field.IGNORED,
        "trace": Field.IGNORED,
    },
    scores=frozenset({"success"}),
    signs=(
        Sign(
            columns=("input", "actual_output", "retrieval_context"),
            confidence=0.97,
            without=("references",),
            says="input, actual_output and retrieval_context are the names of a DeepEval test case.",
        ),
        Sign(
            columns=("input", "actual_output"),
            confidence=0.9,
            without=("references",),
            says="input and actual_output are the names of a DeepEval test case.",
        ),
        Sign(
            columns=("input", "expected_output"),
            confidence=0.7,
            without=("references", "output"),
            says="input and expected_output are the names of a DeepEval golden.",
        ),
    ),
    notes=("The column context is DeepEval's ideal context: it becomes passages that should be found.",),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """Test cases wherever they stand in the file, their metrics as columns."""
    del model
    left_out: dict[str, str] = {}
    rows = read_rows(path)
    if path.suffix.casefold() == ".json":
        content = read_document(path)
        content = content.get(RUN, content) if isinstance(content, dict) else content
        if isinstance(content, dict):
            name = next((name for name in LISTS if isinstance(content.get(name), list) and content[name]), None)
            if name is not None:
                rows = _objects(content[name], path)
                left_out = {other: _why(other) for other in content if other != name and content[other]}
    scores: set[str] = set()
    rows_out = [(number, _row(row, f"Row {number} of {path}", scores)) for number, row in rows]
    return Unpacked(rows=rows_out, left_out=left_out, scores=frozenset(scores))


def _objects(listed: list[object], path: Path) -> Iterator[tuple[int, Row]]:
    for number, row in enumerate(listed, start=1):
        if not isinstance(row, dict):
            raise UnreadableFile(
                f"Row {number} of {path} is a {type(row).__name__} and not a test case.", "Give objects."
            )
        yield number, row


def _why(name: str) -> str:
    if "conversational" in name.casefold():
        return "Conversations as test cases are not read; only single questions are."
    return "It is about the whole file and no row."


def _row(row: Row, where: str, scores: set[str]) -> Row:
    cells: dict[str, object] = {}
    for name, value in row.items():
        snake = CAMEL.sub("_", name).casefold() if CAMEL.search(name) else name
        if snake in MEASURED:
            cells |= (metrics := _metrics(value))
            scores.update(item for item in metrics if not item.endswith(REASON))
        elif snake in METADATA:
            cells |= {f"{snake}.{key}": item for key, item in object_of(value, where, name).items()}
        else:
            cells[snake] = value
    if isinstance(passages := cells.get("retrieval_context"), list):
        cells["retrieval_context"] = [_passage(item) for item in passages]
    return cells


def _metrics(value: object) -> dict[str, object]:
    cells: dict[str, object] = {}
    for metric in value if isinstance(value, list) else ():
        if isinstance(metric, Mapping) and (called := metric.get("name") or metric.get("metric")):
            name = re.sub(r"\W+", "_", str(called)).strip("_").casefold()
            cells[name] = metric.get("score")
            cells[f"{name}{REASON}"] = metric.get("reason") or metric.get("error")
    return cells


def _passage(passage: object) -> object:
    """A passage that came with its source."""
    if isinstance(passage, Mapping) and "context" in passage:
        return {"text": passage["context"], "document_id": passage.get("source")}
    return passage


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as test cases."""
    names = {
        Field.QUESTION: "input",
        Field.ANSWER: "actual_output",
        Field.REFERENCES: "expected_output",
        Field.CONTEXTS: "retrieval_context",
    }
    if any(item.ideal_contexts for item in data.answered):
        names[Field.IDEAL_CONTEXTS] = "context"
    if any(item.response.latency_s is not None for item in data.answered):
        names[Field.LATENCY] = "completion_time"
    rows, mapped = peer_rows(SPEC, data, names)
    write_table(path, rows, data, SPEC)
    return mapped


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
