"""GroUSE: samples of grounded question answering, their evaluations, and unit tests of a judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.io.exchange.format import REASON, Answered, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, TABLES, Cells, peer_rows, write_table
from core.io.tables.cells import object_of
from core.io.tables.columns import Field
from core.io.tables.rows import Row, read_rows

METRICS: Final = (
    "answer_relevancy",
    "completeness",
    "faithfulness",
    "usefulness",
    "positive_acceptance",
    "negative_rejection",
)
WRAPPED: Final = ("evaluation_sample", "actual_evaluation", "expected_evaluation", "evaluation", "conditions")
METADATA: Final = "metadata"

SPEC: Final = FormatSpec(
    name="grouse",
    title="GroUSE",
    about="Samples with references and answers, their evaluation, or unit tests of a judge.",
    reads=READS,
    writes=TABLES,
    columns={
        "references": Field.CONTEXTS,  # passages to be cited, also in samples without an answer
        **{f"{name}_condition": Field.ATTRIBUTE for name in METRICS},
    },
    scores=frozenset(METRICS),
    signs=(
        Sign(
            columns=("references", "actual_output"),
            confidence=0.97,
            says="references beside actual_output are the names of a GroUSE sample.",
        ),
        Sign(
            columns=("actual_output", "answer_relevancy_condition"),
            confidence=0.95,
            says="A condition on answer_relevancy is what a GroUSE unit test has.",
        ),
    ),
    notes=(
        "references are the passages the answer is grounded in.",
        "An empty score is a judge's null: it cannot be evaluated.",
    ),
    null_judgement=True,
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """Samples with their evaluations and conditions beside them."""
    del model
    return Unpacked(rows=((number, _row(row, f"Row {number} of {path}")) for number, row in read_rows(path)))


def _row(row: Row, where: str) -> Row:
    cells: dict[str, object] = {}
    for name, value in row.items():
        if name in WRAPPED:
            cells |= _row(object_of(value, where, name), where)
        elif name == METADATA:
            cells |= {f"{METADATA}.{key}": item for key, item in object_of(value, where, name).items()}
        elif name in METRICS and isinstance(value, Mapping):
            cells[name] = value.get(name, "the call failed")  # an object without the score
            cells[f"{name}{REASON}"] = value.get(f"{name}_justification")
        else:
            cells[name] = value
    return cells


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as samples; every text they must have is there, empty where the run has none.

    Grades by our own prompts stand under GroUSE's names as well, so that its tools read them, unless the run holds
    grades that came from GroUSE; under our name they come back as ours.
    """
    ours = {f"grouse_{name}": name for name in METRICS if f"{SPEC.name}.{name}" not in data.metrics}

    def every(answered: Answered, row: dict[Field, object]) -> Cells:
        return {
            "references": row.get(Field.CONTEXTS) or [],
            "actual_output": answered.response.answer or "",
            "expected_output": next(iter(answered.case.reference_answers), ""),
            **{ours[metric]: _grade(answered, metric) for metric in data.metrics if metric in ours},
        }

    names = {
        Field.QUESTION: "input",
        Field.CONTEXTS: "references",
        Field.ANSWER: "actual_output",
        Field.REFERENCES: "expected_output",
    }
    rows, mapped = peer_rows(SPEC, data, names, every=every)
    write_table(path, rows, data, SPEC)
    return mapped


def _grade(answered: Answered, metric: str) -> float | None:
    score = answered.scores.get(metric)
    return None if score is None else score.value


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
