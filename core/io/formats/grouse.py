"""GroUSE: samples of grounded question answering, their evaluations, and unit tests of a judge."""

from __future__ import annotations

from collections.abc import Mapping
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
from core.interchange.exchange_cells import object_of
from core.interchange.exchange_tables import READS, TABLES, Cells, peer_rows, table_rows, write_table
from core.interchange.rows import Row

METRICS: Final = (
    "answer_relevancy", "completeness", "faithfulness", "usefulness", "positive_acceptance", "negative_rejection",
)  # fmt: skip
WRAPPED: Final = ("evaluation_sample", "actual_evaluation", "expected_evaluation", "evaluation", "conditions")
METADATA: Final = "metadata"

SPEC: Final = FormatSpec(
    name="grouse",
    title="GroUSE",
    about="Samples with references and answers, their evaluation, or unit tests of a judge.",
    reads=READS,
    writes=TABLES,
    columns={
        "input": Field.QUESTION,
        "question": Field.QUESTION,
        "actual_output": Field.ANSWER,
        "expected_output": Field.REFERENCES,
        "references": Field.CONTEXTS,
        "contexts": Field.CONTEXTS,
        **{f"{name}_condition": Field.ATTRIBUTE for name in METRICS},
    },
    scores=frozenset(METRICS),
    signs=(
        Sign(
            columns=("references", "actual_output"), confidence=0.97,
            says="references beside actual_output are the names of a GroUSE sample.",
        ),
        Sign(
            columns=("actual_output", "answer_relevancy_condition"), confidence=0.95,
            says="A condition on answer_relevancy is what a GroUSE unit test has.",
        ),
    ),
    notes=(
        "references are the passages the answer is grounded in.",
        "An empty score is a judge's null: it cannot be evaluated.",
    ),
    null_judgement=True,
)  # fmt: skip


def unpack(path: Path, model: str = "") -> Unpacked:
    """Samples with their evaluations and conditions beside them."""
    del model
    return Unpacked(rows=((number, _row(row, f"Row {number} of {path}")) for number, row in table_rows(path)))


def _row(row: Row, where: str) -> Row:
    made: dict[str, object] = {}
    for name, value in row.items():
        if name in WRAPPED:
            made |= _row(object_of(value, where, name), where)
        elif name == METADATA:
            made |= {f"{METADATA}.{key}": one for key, one in object_of(value, where, name).items()}
        elif name in METRICS and isinstance(value, Mapping):
            made[name] = value.get(name, "the call failed")  # an object without the score
            made[f"{name}{REASON}"] = value.get(f"{name}_justification")
        else:
            made[name] = value
    return made


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as samples; every text they must have is there, empty where the run has none."""

    def every(one: Answered, row: dict[Field, object]) -> Cells:
        return {
            "references": row.get(Field.CONTEXTS) or [],
            "actual_output": one.response.answer or "",
            "expected_output": next(iter(one.case.reference_answers), ""),
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


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
