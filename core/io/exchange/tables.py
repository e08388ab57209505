"""Rows of a peer's file as they are, and rows of a run under a peer's names with ours beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.responses import Score
from core.interchange.exchange import REASON, Answered, Field, FormatSpec, RunData, numbered
from core.interchange.rows import Row, read_document, read_rows
from core.interchange.scored_rows import check_ending, writing
from core.metrics import find_metric

OWN: Final = "plumbline."
"""In front of our own metrics in a peer's file, where a bare name would be taken for the peer's."""

TABLES: Final = (".jsonl", ".json", ".csv", ".tsv", ".parquet")
READS: Final = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")

NUMBERS: Final = frozenset({Field.LATENCY})
WHOLE: Final = frozenset({Field.TOKENS})

Cells = dict[str, object]


def table_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """The rows of a table in any of its forms; of JSON also pandas' (split, columns) and one list for each column.

    Raises:
        UnreadableFile: It is none, or its rows or columns are of unequal length; the message names the first.
    """
    if path.suffix.casefold() != ".json":
        yield from read_rows(path)
        return
    content = read_document(path)
    if isinstance(content, dict) and isinstance(content.get("columns"), list) and isinstance(content.get("data"), list):
        yield from _split(content["columns"], content["data"], path)
    elif isinstance(content, dict) and len(content) > 1 and all(isinstance(one, dict) for one in content.values()):
        yield from _by_index(content, path)
    elif isinstance(content, dict) and len(content) > 1 and all(isinstance(one, list) for one in content.values()):
        yield from _by_column(content, path)
    else:
        yield from read_rows(path)


def _split(columns: Sequence[object], data: Sequence[object], path: Path) -> Iterator[tuple[int, Row]]:
    names = [str(name) for name in columns]
    for number, cells in enumerate(data, start=1):
        if not isinstance(cells, list) or len(cells) != len(names):
            has = len(cells) if isinstance(cells, list) else 0
            raise UnreadableFile(
                f"Row {number} of {path} has {has} cells and there are {len(names)} columns.",
                "Give each row one cell for each column.",
            )
        yield number, dict(zip(names, cells, strict=True))


def _by_index(content: Mapping[str, Mapping[str, object]], path: Path) -> Iterator[tuple[int, Row]]:
    first = next(iter(content))
    places = list(content[first])
    for name, cells in content.items():
        if list(cells) != places:
            raise UnreadableFile(
                f"Column {name} of {path} has {len(cells)} cells where {first} has {len(places)}, or other rows.",
                "Give each column one cell for each row.",
            )
    yield from numbered({name: cells[place] for name, cells in content.items()} for place in places)


def _by_column(content: Mapping[str, Sequence[object]], path: Path) -> Iterator[tuple[int, Row]]:
    first = next(iter(content))
    for name, cells in content.items():
        if len(cells) != len(content[first]):
            raise UnreadableFile(
                f"Column {name} of {path} has {len(cells)} cells where column {first} has {len(content[first])}.",
                "Give each column one cell for each row.",
            )
    yield from numbered(dict(zip(content, cells, strict=True)) for cells in zip(*content.values(), strict=True))


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
        told = spec.tells_scores or bool(spec.value_suffix) or name in spec.scores
        return name if told or name.startswith(prefix) else f"{prefix}{name}"
    try:
        find_metric(metric)
    except InvalidInput:
        return metric if "." in metric else f"{OWN}{metric}"
    return f"{OWN}{metric}"


def cells_of(one: Answered, data: RunData) -> dict[Field, object]:
    """Every field of a case with a value; an empty list stands where it is known that there is nothing."""
    case, response = one.case, one.response
    texts = any(context.text for row in data.answered for context in row.response.contexts)
    cells: dict[Field, object] = {
        Field.CASE_ID: case.case_id,
        Field.QUESTION: case.question,
        Field.ANSWER: response.answer,
        Field.REFERENCES: list(case.reference_answers) or None,
        Field.IDEAL_CONTEXTS: list(one.ideal_contexts) or None,
        Field.GOLD_DOCUMENTS: list(case.gold_document_ids) or None,
        Field.GOLD_CHUNKS: list(case.gold_chunk_ids) or None,
        Field.GROUP: case.group_id if case.group_id != case.case_id else None,
        Field.FORM: case.form or None,
        Field.CONVERSATION: [{"role": role, "content": text} for role, text in one.conversation] or None,
        Field.ANSWERED: response.answer is not None,
        Field.ABSTAINED: response.abstained,
        Field.ERROR: response.error or None,
        Field.LATENCY: response.latency_s,
        Field.TOKENS: response.tokens,
        Field.VERDICT: _verdict(one.verdict),
        Field.VERDICT_REASON: str(one.verdict.detail.get("reason") or "") or None if one.verdict else None,
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


def ours_beside(data: RunData, rows: Sequence[Mapping[Field, object]], held: Iterable[Field]) -> tuple[Field, ...]:
    """The fields that need a column of ours: those a peer has no name for and the run has something in."""
    held = set(held)
    found = []
    for field in Field:
        values = [row.get(field) for row in rows]
        if field is Field.REFERENCES and field in held:
            needed = any(isinstance(value, list) and len(value) > 1 for value in values)
        elif field is Field.ANSWERED:
            needed = any(not one.response.answer for one in data.answered)
        elif field in (Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES):
            needed = field not in held and any(any(_filled(item) for item in value or ()) for value in values)  # type: ignore[attr-defined]
        else:
            needed = field not in held and any(_filled(value) for value in values)
        if needed:
            found.append(field)
    return tuple(found)


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
    cells = [cells_of(one, data) for one in data.answered]
    beside = ours_beside(data, cells, names)
    columns = {metric: metric_column(spec, data, metric) for metric in data.metrics}
    reasons = {metric: reason_column(spec, data, metric) for metric in data.metrics if has_reasons(data, metric)}
    rows: list[Cells] = []
    for one, row in zip(data.answered, cells, strict=True):
        made: Cells = {}
        for field, name in names.items():
            value = row.get(field)
            made[name] = (
                (value[0] if isinstance(value, list) and value else None) if field is Field.REFERENCES else value
            )
        made |= {field.value: row.get(field) for field in beside}
        made |= {name: _value(one.scores.get(metric)) for metric, name in columns.items()}
        made |= {name: score_reason(one, metric) for metric, name in reasons.items()}
        rows.append(made | (every(one, row) if every else {}))
    mapped = {field.value: name for field, name in names.items()} | {field.value: field.value for field in beside}
    return rows, mapped | columns | {f"{metric}{REASON}": name for metric, name in reasons.items()}


def names_passages(data: RunData) -> bool:
    """Whether passages are told by the ids of their documents."""
    contexts = (context for one in data.answered for context in one.response.contexts)
    return data.contexts_known and any(context.document_id for context in contexts)


def passages_by_name(rows: Iterable[Cells], mapped: dict[str, str]) -> None:
    """Takes the column of ids out where each passage has its own."""
    for row in rows:
        row.pop(Field.DOCUMENT_IDS.value, None)
    mapped.pop(Field.DOCUMENT_IDS.value, None)


def has_reasons(data: RunData, metric: str) -> bool:
    """Whether any case has a reason for its score, or for having none."""
    return any(score_reason(one, metric) is not None for one in data.answered)


def score_reason(one: Answered, metric: str) -> str | None:
    """Why a score is what it is, or why there is none; None where nothing is said."""
    score = one.scores.get(metric)
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
    numbers = frozenset({metric_column(spec, data, metric) for metric in data.metrics} | {one.value for one in NUMBERS})
    whole = frozenset(one.value for one in WHOLE)
    with writing(path, columns, numbers, whole) as writer:
        for row in rows:
            writer.write(row)
