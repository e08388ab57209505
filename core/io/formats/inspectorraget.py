"""InspectorRAGet: models, metrics, documents, tasks and what each model answered; both of its versions are read.

Written is its second version: ``results`` with ``output`` and ``scores``. InspectorRAGet passes by every answer that
lacks a value of any metric, so only metrics with a value for each answer stand among its metrics; all else of ours
stands under ``plumbline`` in each result, where our own import finds it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from core.domain.errors import InvalidInput, UnreadableFile
from core.io.exchange.format import OURS, REASON, Answered, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.inspectorraget_labels import PEOPLE, get
from core.io.exchange.inspectorraget_parts import MACHINE, metric_definition, passage_documents
from core.io.exchange.tables import cells_of, has_reasons, metric_column, ours_beside, reason_column, score_reason
from core.io.tables.columns import Field
from core.io.tables.rows import Row, read_document
from core.io.whole_files import write_whole

VERSION: Final = 2
EXTRAS: Final = "plumbline"
OWN_KEYS: Final = frozenset(
    {
        "task_id",
        "taskId",
        "task_type",
        "taskType",
        "input",
        "contexts",
        "targets",
        "annotations",
        "flagged",
        "comments",
        "tools",
    }
)
ANSWERABILITY: Final = "Answerability"
LABELS: Final = "Labels of people: import them into the finished run on the Label page."

SPEC: Final = FormatSpec(
    name="inspectorraget",
    title="InspectorRAGet",
    about="Tasks with answers of one or more models, passages, scores and people's labels.",
    reads=(".json",),
    writes=(".json",),
    columns={
        "task_type": Field.IGNORED,
        "model_id": Field.IGNORED,
    },
    signs=(
        Sign(
            columns=("task_id", "input", "output", "model_id"),
            confidence=0.99,
            says="models, metrics, tasks and evaluations are the parts of an InspectorRAGet file.",
        ),
    ),
    notes=("One run holds the answers of one model.",),
    tells_scores=True,
)


def models(path: Path) -> tuple[str, ...]:
    """The models whose answers a file holds."""
    return tuple(dict.fromkeys(str(get(result, "model_id")) for result in _results(_whole(path))))


def unpack(path: Path, model: str = "") -> Unpacked:
    """The answers of one model with their tasks and passages.

    Raises:
        UnreadableFile: It is no such file.
        InvalidInput: It has several models and none is named, or none of that name.
    """
    content = _whole(path)
    names = models(path)
    if model and model not in names:
        raise InvalidInput(f"{path} has no model {model!r}.", f"Name one of {', '.join(names) or 'none'}.")
    if not model and len(names) > 1:
        raise InvalidInput(
            f"{path} has answers of {len(names)} models, and a run has those of one.",
            f"Name the model: {', '.join(names)}.",
        )
    documents = {str(get(entry, "document_id")): entry for entry in _part(content, "documents")}
    tasks = {str(get(entry, "task_id")): entry for entry in _part(content, "tasks")}
    metrics = {str(entry["name"]): entry for entry in _part(content, "metrics")}
    rows: list[tuple[int, Row]] = []
    for number, result in enumerate(_results(content), start=1):
        if not model or str(get(result, "model_id")) == model:
            task = tasks.get(str(get(result, "task_id")))
            if task is None:
                raise UnreadableFile(
                    f"Row {number} of {path} answers the task {get(result, 'task_id')!r}, which is not in the file.",
                    "Export the file again with its tasks.",
                )
            rows.append((number, _row(result, task, documents, metrics, f"Row {number} of {path}")))
    missing = len(tasks) - len({str(row["task_id"]) for _, row in rows})
    notes = (f"{missing:,} of {len(tasks):,} tasks have no answer of this model and are left out.",) if missing else ()
    people = {name: LABELS for name, entry in metrics.items() if entry.get("author") == PEOPLE}
    scores = (frozenset(metrics) | _kept_scores(_results(content))) - frozenset(people)
    return Unpacked(rows=rows, notes=notes, left_out=people, scores=scores)


def _kept_scores(results: Sequence[Mapping[str, object]]) -> frozenset[str]:
    """Scores that stand among our own fields, because not every answer has a value."""
    stored = [extras.get("scores") for result in results if isinstance(extras := result.get(EXTRAS), Mapping)]
    return frozenset(
        str(name) for some in stored if isinstance(some, Mapping) for name in some if not str(name).endswith(REASON)
    )


def _whole(path: Path) -> Mapping[str, object]:
    content = read_document(path)
    parts = ("models", "metrics", "tasks")
    if not isinstance(content, dict) or not all(isinstance(content.get(part), list) for part in parts):
        raise UnreadableFile(f"{path} is no file of InspectorRAGet.", "Give one with models, metrics and tasks.")
    for part in (*parts, "documents", "evaluations", "results"):
        listed = content.get(part) or ()
        wrong = next((place for place, entry in enumerate(listed, start=1) if not isinstance(entry, dict)), None)
        if wrong is not None:
            raise UnreadableFile(f"Entry {wrong} of {part} in {path} is no object.", "Export the file again.")
    nameless = next((place for place, entry in enumerate(content["metrics"], start=1) if "name" not in entry), None)
    if nameless is not None:
        raise UnreadableFile(f"Metric {nameless} of {path} has no name.", "Export the file again.")
    return content


def _results(content: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    return _part(content, "results") or _part(content, "evaluations")


def _part(content: Mapping[str, object], name: str) -> Sequence[Mapping[str, object]]:
    """A part of a checked file, which is a list of objects."""
    part = content.get(name)
    return part if isinstance(part, list) else ()


def _row(
    result: Mapping[str, object],
    task: Mapping[str, object],
    documents: Mapping[str, Mapping[str, object]],
    metrics: Mapping[str, Mapping[str, object]],
    where: str,
) -> Row:
    cells: dict[str, object] = {
        "task_id": str(get(task, "task_id")),
        "model_id": str(get(result, "model_id")),
        "task_type": get(task, "task_type"),
        "input": _turns(task.get("input")),
        "output": _output(result),
        "targets": [text for entry in task.get("targets") or () if (text := _text(entry)) is not None],  # type: ignore[attr-defined]
        "contexts": [_passage(entry, documents) for entry in result.get("contexts") or task.get("contexts") or ()],  # type: ignore[attr-defined]
    }
    for name, value in task.items():
        if name not in OWN_KEYS:
            cells[f"task.{name}" if name in OURS or name in cells else name] = _label(value)
    if ANSWERABILITY in task:
        cells["answerable"] = str(_label(task[ANSWERABILITY]) or "").split(",")[0].casefold() or None
    scores = result.get("scores", result.get("annotations"))
    for name, metric in metrics.items():
        if metric.get("author") != PEOPLE and isinstance(scores, Mapping):
            cells[name] = _score(scores.get(name), metric)
    extras = result.get(EXTRAS)
    if isinstance(extras, Mapping):
        own_fields = {name: value for name, value in extras.items() if name in OURS}
        if Field.DOCUMENT_IDS.value in own_fields and Field.CONTEXTS.value not in own_fields:
            cells["contexts"] = None  # known by their ids only, which each passage of the file has once
        stored_scores = extras.get("scores")
        cells |= own_fields | (dict(stored_scores) if isinstance(stored_scores, Mapping) else {})
    return cells


def _turns(value: object) -> object:
    """The turns, without what only a screen shows; one text stays a text."""
    if isinstance(value, list) and all(isinstance(turn, Mapping) for turn in value):
        return [{"role": turn.get("speaker", turn.get("role")), "content": _text(turn)} for turn in value]
    return value


def _text(entry: object) -> str | None:
    if isinstance(entry, Mapping):
        text = next((entry[name] for name in ("text", "value", "content") if isinstance(entry.get(name), str)), None)
        return None if text is None else str(text)
    return entry if isinstance(entry, str) else None


def _output(result: Mapping[str, object]) -> str | None:
    extras = result.get(EXTRAS)
    if isinstance(extras, Mapping) and extras.get(Field.ANSWERED.value) is False:
        return None
    return _text(result.get("output", get(result, "model_response")))


def _passage(context: object, documents: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    document_id = str(get(context, "document_id")) if isinstance(context, Mapping) else str(context)
    own = context if isinstance(context, Mapping) else {}
    document = documents.get(document_id, {})
    return {
        "document_id": document_id,
        "text": own.get("text") or document.get("text") or "",
        "score": own.get("score"),
    }


def _label(value: object) -> object:
    """A value to filter by; several are one text."""
    if isinstance(value, list):
        return ", ".join(str(item) for item in value) or None
    return value


def _score(by_annotator: object, metric: Mapping[str, object]) -> object:
    """The mean of what the annotators of one metric say; their word where one says it."""
    if not isinstance(by_annotator, Mapping) or not by_annotator:
        return None
    numeric = {
        str(entry.get("value")): get(entry, "numeric_value")
        for entry in metric.get("values") or ()  # type: ignore[attr-defined]
        if isinstance(entry, Mapping)
    }
    values = [entry.get("value") if isinstance(entry, Mapping) else entry for entry in by_annotator.values()]
    scale_values = [numeric.get(str(value)) if numeric.get(str(value)) is not None else value for value in values]
    if len(scale_values) == 1:
        return scale_values[0]
    numbers = [float(value) for value in scale_values if isinstance(value, (int, float))]
    return math.fsum(numbers) / len(numbers) if len(numbers) == len(scale_values) else None


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run in the second version."""
    pairs = [(item.case, item.response) for item in data.answered]
    documents, contexts = passage_documents(pairs)
    cells = [cells_of(item, data) for item in data.answered]
    peer_fields = (Field.CASE_ID, Field.QUESTION, Field.ANSWER, Field.CONTEXTS, Field.REFERENCES, Field.CONVERSATION)
    beside = ours_beside(data, cells, peer_fields)
    # A passage is found by its id, so a result needs the ids of its documents wherever it has passages.
    sided = tuple(dict.fromkeys((*beside, Field.CONTEXTS, Field.DOCUMENT_IDS)))
    columns = {metric: metric_column(SPEC, data, metric) for metric in data.metrics}
    reasons = {metric: reason_column(SPEC, data, metric) for metric in data.metrics if has_reasons(data, metric)}
    whole = [name for name in data.metrics if all(_has(item, name) for item in data.answered)]
    labelled = [str(item["name"]) for item in data.criteria if _on_all(str(item["name"]), data)]
    attributes = sorted({name for item in data.answered for name in item.case.attributes if name not in OWN_KEYS})
    content = {
        "schema_version": VERSION,
        "name": f"{data.target}, run {data.run_id}",
        "filters": attributes,
        "models": [{"model_id": data.target, "name": data.target, "owner": MACHINE}],
        "metrics": [
            *(item for item in data.criteria if item["name"] in labelled),
            *(_definition(data, name, columns[name]) for name in whole),
        ],
        "documents": documents,
        "tasks": [_task(item, contexts[item.case.case_id]) for item in data.answered],
        "results": [
            {
                "task_id": item.case.case_id,
                "model_id": data.target,
                "output": {"type": "text", "value": item.response.answer or ""},
                "scores": {
                    **{name: data.labels[item.case.case_id][name] for name in labelled},
                    **{columns[name]: {MACHINE: {"value": item.scores[name].value}} for name in whole},
                },
                EXTRAS: {
                    **{field.value: row[field] for field in sided if row.get(field) is not None},
                    "scores": {
                        **{columns[name]: item.scores[name].value for name in columns if name in item.scores},
                        **{reasons[name]: why for name in reasons if (why := score_reason(item, name)) is not None},
                    },
                },
            }
            for item, row in zip(data.answered, cells, strict=True)
        ],
    }
    write_whole(path, json.dumps(content, ensure_ascii=False, allow_nan=False, default=str))
    peers = dict(zip(peer_fields, ("task_id", "input", "output", "contexts", "targets", "input"), strict=True))
    return (
        {field.value: name for field, name in peers.items()}
        | {field.value: f"{EXTRAS}.{field.value}" for field in beside}
        | columns
        | {f"{metric}{REASON}": f"{EXTRAS}.scores" for metric in reasons}
        | {f"labels.{name}": name for name in labelled}
    )


def _has(answered: Answered, metric: str) -> bool:
    return metric in answered.scores and answered.scores[metric].value is not None


def _on_all(criterion: str, data: RunData) -> bool:
    return all(criterion in data.labels.get(item.case.case_id, {}) for item in data.answered)


def _definition(data: RunData, metric: str, column: str) -> Mapping[str, object]:
    values = np.array([item.scores[metric].value for item in data.answered], dtype=np.float64)
    return {**metric_definition(metric, values, data.words.get(metric)), "name": column}


def _task(answered: Answered, contexts: Sequence[str]) -> dict[str, object]:
    case = answered.case
    return {
        "task_id": case.case_id,
        "task_type": "qa",
        "input": [
            *({"speaker": role, "text": text} for role, text in answered.conversation),
            {"speaker": "user", "text": case.question},
        ],
        "contexts": [{"document_id": name} for name in contexts],
        "targets": [{"type": "text", "value": text} for text in case.reference_answers],
        **{name: value for name, value in case.attributes.items() if name not in OWN_KEYS},
    }


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack, models=models))
