"""Rows of a run under a peer's names with ours beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.domain.results.responses import Score
from core.io.exchange.format import REASON, Answered, FormatSpec, RunData
from core.io.scored_rows import check_ending, writing
from core.io.tables.columns import Field
from core.io.tables.rows import Row

OWN: Final = "plumbline."
"""In front of our own metrics in a peer's file, where a bare name would be taken for the peer's."""

TABLES: Final = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
READS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet", ".xlsx")

NUMBERS: Final = frozenset({Field.LATENCY})
WHOLE: Final = frozenset({Field.TOKENS})

Cells = dict[str, object]


def metric_column(spec: FormatSpec, data: RunData, metric: str) -> str:
    """What a metric is called in a peer's file: the peer's own as they came, ours with our name in front.

    A name that nothing in the file would tell to be a score gets the peer's in front, so that it comes back as one.
    """
    return _metric_name(spec, data, metric) + spec.value_suffix


def reason_column(spec: FormatSpec, data: RunData, metric: str) -> str:
    """What the reasons of a metric are called in a peer's file."""
    return _metric_name(spec, data, metric) + spec.reason_suffix


def _metric_name(spec: FormatSpec, data: RunData, metric: str) -> str:
    prefix = f"{spec.prefix or spec.name}."
    if metric.startswith(prefix):
        name = data.columns.get(metric) or metric.removeprefix(prefix)
        recognised = spec.tells_scores or bool(spec.value_suffix) or name in spec.scores
        return name if recognised or name.startswith(prefix) else f"{prefix}{name}"
    return metric if "." in metric else f"{OWN}{metric}"  # a metric of ours never has a dot in its name


def cells_of(answered: Answered, data: RunData) -> dict[Field, object]:
    """Every field of a case with a value; an empty list stands where it is known that there is nothing."""
    case, response = answered.case, answered.response
    texts = any(context.text for row in data.answered for context in row.response.contexts)
    cells: dict[Field, object] = {
        Field.CASE_ID: case.case_id,
        Field.QUESTION: case.question,
        Field.ANSWER: response.answer,
        Field.REFERENCES: list(case.reference_answers) or None,
        Field.IDEAL_CONTEXTS: list(answered.ideal_contexts) or None,
        Field.GOLD_DOCUMENTS: list(case.gold_document_ids) or None,
        Field.GOLD_CHUNKS: list(case.gold_chunk_ids) or None,
        Field.GROUP: case.group_id if case.group_id != case.case_id else None,
        Field.FORM: case.form or None,
        Field.CONVERSATION: [{"role": role, "content": text} for role, text in answered.conversation] or None,
        Field.ANSWERED: response.answer is not None,
        Field.ABSTAINED: response.abstained,
        Field.ERROR: response.error or None,
        Field.LATENCY: response.latency_s,
        Field.TOKENS: response.tokens,
        Field.VERDICT: _verdict(answered.verdict),
        Field.VERDICT_REASON: str(answered.verdict.detail.get("reason") or "") or None if answered.verdict else None,
        Field.SQL: case.sql or None,
        Field.SQL_PARAMS: dict(case.sql_params) or None,
        Field.TABLES: list(case.tables) or None,
        Field.SQL_TEMPLATE: case.sql_template_id or None,
        Field.TEXT_TEMPLATE: case.text_template_id or None,
        Field.ATTRIBUTES: dict(case.attributes) or None,
    }
    if data.contexts_known:
        contexts = response.contexts
        cells[Field.CONTEXTS] = [context.text for context in contexts] if texts or not contexts else None
        cells[Field.DOCUMENT_IDS] = [context.document_id for context in contexts]
        cells[Field.CHUNK_IDS] = [context.chunk_id for context in contexts]
        cells[Field.CONTEXT_SCORES] = [context.score for context in contexts]
    return cells


def _verdict(verdict: Score | None) -> str | None:
    if verdict is None or verdict.value is None:
        return None
    return "correct" if verdict.value == 1.0 else "incorrect"


def ours_beside(
    data: RunData, rows: Sequence[Mapping[Field, object]], peer_fields: Iterable[Field]
) -> tuple[Field, ...]:
    """The fields that need a column of ours: those a peer has no name for and the run has something in."""
    peer_fields = set(peer_fields)
    fields = []
    for field in Field:
        values = [row.get(field) for row in rows]
        if field is Field.REFERENCES and field in peer_fields:
            needed = any(isinstance(value, list) and len(value) > 1 for value in values)
        elif field is Field.ANSWERED:
            needed = any(not answered.response.answer for answered in data.answered)
        elif field in (Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES):
            needed = field not in peer_fields and any(any(_filled(item) for item in value or ()) for value in values)  # type: ignore[attr-defined]
        else:
            needed = field not in peer_fields and any(_filled(value) for value in values)
        if needed:
            fields.append(field)
    return tuple(fields)


def _filled(value: object) -> bool:
    return value is not None and value != ""


def peer_rows(
    spec: FormatSpec,
    data: RunData,
    names: Mapping[Field, str],
    *,
    every: Callable[[Answered, dict[Field, object]], Cells] | None = None,
) -> tuple[list[Cells], dict[str, str]]:
    """The rows of a run under a peer's names, ours beside them, then scores and reasons; and which name holds what.

    Args:
        spec: Of the format.
        data: The run.
        names: The peer's column by field; of several references it gets the first.
        every: Further cells of a row, which go before those of the same name.
    """
    cells = [cells_of(item, data) for item in data.answered]
    beside = ours_beside(data, cells, names)
    columns = {metric: metric_column(spec, data, metric) for metric in data.metrics}
    reasons = {metric: reason_column(spec, data, metric) for metric in data.metrics if has_reasons(data, metric)}
    rows: list[Cells] = []
    for item, row in zip(data.answered, cells, strict=True):
        cells_out: Cells = {}
        for field, name in names.items():
            value = row.get(field)
            cells_out[name] = (
                (value[0] if isinstance(value, list) and value else None) if field is Field.REFERENCES else value
            )
        cells_out |= {field.value: row.get(field) for field in beside}
        cells_out |= {name: _value(item.scores.get(metric)) for metric, name in columns.items()}
        cells_out |= {name: score_reason(item, metric) for metric, name in reasons.items()}
        rows.append(cells_out | (every(item, row) if every else {}))
    mapped = {field.value: name for field, name in names.items()} | {field.value: field.value for field in beside}
    return rows, mapped | columns | {f"{metric}{REASON}": name for metric, name in reasons.items()}


def names_passages(data: RunData) -> bool:
    """Whether passages are told by the ids of their documents."""
    contexts = (context for item in data.answered for context in item.response.contexts)
    return data.contexts_known and any(context.document_id for context in contexts)


def passages_by_name(rows: Iterable[Cells], mapped: dict[str, str]) -> None:
    """Takes the column of ids out where each passage has its own."""
    for row in rows:
        row.pop(Field.DOCUMENT_IDS.value, None)
    mapped.pop(Field.DOCUMENT_IDS.value, None)


def has_reasons(data: RunData, metric: str) -> bool:
    """Whether any case has a reason for its score, or for having none."""
    return any(score_reason(item, metric) is not None for item in data.answered)


def score_reason(answered: Answered, metric: str) -> str | None:
    """Why a score is what it is, or why there is none; None where nothing is said."""
    score = answered.scores.get(metric)
    reason = score.detail.get("reason") if score is not None else None
    return str(reason) if reason else None


def _value(score: Score | None) -> float | None:
    return None if score is None else score.value


def write_table(path: Path, rows: Sequence[Row], data: RunData, spec: FormatSpec) -> None:
    """Writes rows as JSON lines, JSON, CSV, TSV or Parquet by the file's ending.

    Raises:
        InvalidInput: The file cannot be written, or its ending names no format.
    """
    check_ending(path)
    columns = list(dict.fromkeys(name for row in rows for name in row))
    numbers = frozenset(
        {metric_column(spec, data, metric) for metric in data.metrics} | {field.value for field in NUMBERS}
    )
    whole = frozenset(field.value for field in WHOLE)
    with writing(path, columns, numbers, whole) as writer:
        for row in rows:
            writer.write(row)
