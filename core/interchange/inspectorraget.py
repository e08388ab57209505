"""A run with its scores and people's labels as InspectorRAGet's JSON, for those who look at answers there."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.domain.cases import TestCase
from core.domain.errors import InvalidInput
from core.domain.labels import Criterion, Label
from core.domain.projects import Role
from core.domain.responses import Context, Response
from core.interchange.whole_files import write_whole
from core.metrics import find_metric
from core.project.service import require
from core.store import labels, run_inputs, runs, scores
from core.store.database import Store

MACHINE = "plumbline"
EXPORTER = Role.VALIDATOR

Json = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was written.

    Attributes:
        tasks: Answers.
        criteria: Names of the criteria.
        metrics: Names of the metrics.
        left_out: Metrics without a value for each of the answers; the format has no word for a missing one.
    """

    tasks: int
    criteria: tuple[str, ...]
    metrics: tuple[str, ...]
    left_out: tuple[str, ...]


def export_inspectorraget(store: Store, run_id: str, path: Path, *, actor: str) -> Exported:
    """Writes a run in InspectorRAGet's first form, which later versions turn into theirs when they read it.

    InspectorRAGet passes by every answer that lacks a value of any metric. So the answers are those with a label under
    every criterion that anybody labelled (all answers where there is no label), and the metrics those that have a value
    for each of them; the rest is left out and named, never filled in. Practice, repetitions and cases that could not be
    judged have no place in the format.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: No answer can be written, or the file cannot be.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, EXPORTER)
    with store.read() as connection:
        order, _ = run_inputs.groups(connection, run.test_set_id)
        answered = runs.answered_ids(connection, run_id) - runs.failed_ids(connection, run_id)
        names = list(scores.counts(connection, run_id, run.test_set_id))
        values = scores.columns(connection, run_id, names, order)
        given = [one for one in labels.of_run(connection, run_id) if one.value is not None and not one.occurrence]
        used = {one.criterion_id for one in given}
        criteria = [one for one in labels.criteria_of(connection, run.project_id) if one.id in used]
        by_case = labels_by_case(given, criteria)
        whole = [one for one in order if one in answered and len(by_case.get(one, {})) == len(criteria)]
        pairs = list(run_inputs.pairs(connection, run, whole))
    if not pairs:
        raise InvalidInput(
            f"Run {run_id} has no answer with a label under every criterion.", "Label cases under all criteria first."
        )
    rows = {case_id: place for place, case_id in enumerate(order)}
    kept = [rows[case.case_id] for case, _ in pairs]
    full = [place for place in range(len(names)) if not np.isnan(values[kept, place]).any()]
    documents, contexts = passage_documents(pairs)
    attributes = sorted({name for case, _ in pairs for name in _attributes(case)})
    data: Json = {
        "name": f"{run.target}, run {run.id}",
        "filters": attributes,
        "models": [{"model_id": run.target, "name": run.target, "owner": run.created_by or MACHINE}],
        "metrics": [
            *(criterion_definition(one) for one in criteria),
            *(metric_definition(names[place], values[kept, place]) for place in full),
        ],
        "documents": documents,
        "tasks": [_task(case, contexts[case.case_id]) for case, _ in pairs],
        "evaluations": [
            {
                "task_id": case.case_id,
                "model_id": run.target,
                "model_response": response.answer,
                "annotations": {
                    **by_case.get(case.case_id, {}),
                    **{names[place]: {MACHINE: {"value": values[rows[case.case_id], place]}} for place in full},
                },
            }
            for case, response in pairs
        ],
    }
    _write(path, data)
    return Exported(
        tasks=len(pairs),
        criteria=tuple(one.name for one in criteria),
        metrics=tuple(names[place] for place in full),
        left_out=tuple(name for place, name in enumerate(names) if place not in full),
    )


def labels_by_case(given: Sequence[Label], criteria: Sequence[Criterion]) -> dict[str, dict[str, Json]]:
    """The annotations of each case: by criterion and rater. A rater of several rounds has the latest label."""
    names = {one.id: one.name for one in criteria}
    found: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    for label in given:
        said: Json = {"value": f"{label.value:g}", "duration": label.seconds}
        if label.at:
            said["timestamp"] = datetime.fromisoformat(label.at).timestamp()
        if label.comment:
            said["comment"] = label.comment
        found[label.case_id].setdefault(names[label.criterion_id], {})[label.rater] = said
    return found


def criterion_definition(one: Criterion) -> Json:
    """A criterion as InspectorRAGet describes a metric of people."""
    return {
        "name": one.name,
        "display_name": one.name,
        "description": one.question,
        "author": "human",
        "type": "categorical",
        "aggregator": "median",
        "values": [
            {"value": str(level.value), "display_value": level.anchor or str(level.value), "numeric_value": level.value}
            for level in one.levels
        ],
    }


def metric_definition(name: str, values: npt.NDArray[np.float64]) -> Json:
    """A metric with its range; where it has no bound, that of its values."""
    low: float | None = 0.0
    high: float | None = 1.0
    title, about = name, ""
    try:
        spec = find_metric(name).spec
        low, high, title, about = spec.low, spec.high, spec.title, spec.question
    except InvalidInput:
        low, high = min(0.0, float(values.min())), max(1.0, float(values.max()))
    ends = [float(values.min()) if low is None else low, float(values.max()) if high is None else high]
    return {
        "name": name,
        "display_name": title,
        "description": about,
        "author": "algorithm",
        "type": "numerical",
        "aggregator": "average",
        "range": [*ends, max((ends[1] - ends[0]) / 10, 0.01)],
    }


def passage_documents(pairs: Sequence[tuple[TestCase, Response]]) -> tuple[list[Json], dict[str, list[str]]]:
    """Every passage once, and by case the ids of its passages; parts of one document get ids of their own."""
    ids: dict[tuple[str, str], str] = {}
    taken: dict[str, int] = {}
    contexts: dict[str, list[str]] = {}
    for case, response in pairs:
        found = []
        for context in response.contexts:
            key = context.document_id, context.text
            if key not in ids:
                ids[key] = _free(context, taken)
            found.append(ids[key])
        contexts[case.case_id] = list(dict.fromkeys(found))
    return [
        {"document_id": name, "title": document_id, "text": text} for (document_id, text), name in ids.items()
    ], contexts


def _free(context: Context, taken: dict[str, int]) -> str:
    """An id that no passage has yet: that of the part or of the document, numbered where it comes again."""
    name = base = context.chunk_id or context.document_id
    while name in taken:
        taken[base] += 1
        name = f"{base}#{taken[base]}"
    taken[name] = 1
    return name


def _attributes(case: TestCase) -> Mapping[str, str]:
    reserved = {"task_id", "task_type", "input", "contexts", "targets", "annotations"}
    own = {name: value for name, value in case.attributes.items() if name not in reserved}
    return {**({"form": case.form} if case.form else {}), **own}


def _task(case: TestCase, contexts: Sequence[str]) -> Json:
    return {
        "task_id": case.case_id,
        "task_type": "rag",
        "input": [{"speaker": "user", "text": case.question}],
        "contexts": [{"document_id": name} for name in contexts],
        "targets": [{"speaker": "agent", "text": text} for text in case.reference_answers],
        **_attributes(case),
    }


def _write(path: Path, data: Json) -> None:
    write_whole(path, json.dumps(data, ensure_ascii=False, allow_nan=False))
