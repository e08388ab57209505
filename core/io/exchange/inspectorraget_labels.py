"""What InspectorRAGet's JSON says of answers: labels of people and scores of machines, by task and model.

Its first form has ``evaluations`` with ``annotations`` in snake case, its second ``results`` with ``scores`` in camel
case (``schema_version`` 2). Both are read: ``{metric: {annotator: {"value": ..., "duration": ...}}}``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.domain.errors import InvalidInput, UnreadableFile
from core.io.labels import LabelRow

PEOPLE = "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorFile:
    """A file of InspectorRAGet.

    Attributes:
        path: Where it was read.
        models: Ids, in the order of the file.
        metrics: The definition of each metric by name.
        evaluations: Of each answer: task, model, annotations.
    """

    path: Path
    models: tuple[str, ...]
    metrics: Mapping[str, Mapping[str, Any]]
    evaluations: tuple[tuple[str, str, Mapping[str, Any]], ...]

    def labels(self, model: str = "", *, together: bool = False) -> tuple[LabelRow, ...]:
        """What people said, as rows; numbered by evaluation, from 1.

        Args:
            model: Of which model; may be left out where there is one.
            together: All models, with case ids of task and model.

        Raises:
            InvalidInput: There are several models and none is named, there is none of that name, or a label cannot be
                read.
        """
        if model and model not in self.models:
            raise InvalidInput(
                f"{self.path} has no model {model!r}.", f"Name one of {', '.join(self.models) or 'none'}."
            )
        if not model and not together and len(self.models) > 1:
            raise InvalidInput(
                f"{self.path} has answers of {len(self.models)} models.",
                f"Name the one that the run has answers of: {', '.join(self.models)}.",
            )
        several = together and len(self.models) > 1
        people = {name: metric for name, metric in self.metrics.items() if metric.get("author") == PEOPLE}
        return tuple(
            self._label(number, f"{task} {of}" if several else task, people[name], rater, label)
            for number, (task, of, annotations) in enumerate(self.evaluations, start=1)
            if not model or of == model
            for name, by_rater in annotations.items()
            if name in people
            for rater, label in by_rater.items()
        )

    def _label(
        self, number: int, case_id: str, metric: Mapping[str, Any], rater: str, annotation: Mapping[str, Any]
    ) -> LabelRow:
        where = f"Evaluation {number} of {self.path}"
        if not isinstance(annotation, Mapping) or "value" not in annotation:
            raise InvalidInput(f"{where} has no value of {metric['name']} by {rater}.", "Give one, or leave it out.")
        value = annotation["value"]
        for level in metric.get("values") or ():
            if str(get(level, "value")) == str(value) and isinstance(get(level, "numeric_value"), int | float):
                value = get(level, "numeric_value")
        try:
            value = float(value)
        except (TypeError, ValueError):
            value = None if value is None or not str(value).strip() else str(value).strip()
        row: dict[str, object] = {}
        if isinstance(seconds := annotation.get("duration"), int | float):
            row["seconds"] = seconds
        if isinstance(at := annotation.get("timestamp"), int | float):
            row["at"] = _time(at)
        return LabelRow(
            number=number,
            case_id=case_id,
            criterion=str(metric["name"]),
            rater=str(rater),
            value=value,
            comment=str(annotation.get("comment") or ""),
            row=row,
        )


def is_inspectorraget(path: Path) -> bool:
    """Whether a file looks like one of InspectorRAGet: JSON with models, metrics, tasks and what became of them."""
    if path.suffix.casefold() != ".json":
        return False
    try:
        with path.open(encoding="utf-8-sig") as file:
            if not file.read(100).lstrip().startswith("{"):
                return False
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(content, dict) and {"models", "metrics", "tasks"} <= set(content)


def read_inspectorraget(path: Path) -> InspectorFile:
    """Reads a file of InspectorRAGet.

    Raises:
        UnreadableFile: It cannot be read, or is not such a file.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
        metrics = {str(metric["name"]): metric for metric in data["metrics"]}
        models = tuple(str(get(model, "model_id")) for model in data["models"])
        evaluations = tuple(
            (
                str(get(evaluation, "task_id")),
                str(get(evaluation, "model_id")),
                evaluation.get("annotations", evaluation.get("scores", {})),
            )
            for evaluation in data.get("evaluations", data.get("results", ()))
        )
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror or error}.", "Check the path.") from error
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableFile(
            f"{path} is no file of InspectorRAGet: {error}.", "Export it again with models, metrics and evaluations."
        ) from error
    return InspectorFile(path=path, models=models, metrics=metrics, evaluations=evaluations)


def get(record: Mapping[str, Any], name: str) -> Any:
    """A field by its snake case name, or by the camel case of the second form."""
    first, *rest = name.split("_")
    return record.get(name, record.get(first + "".join(part.title() for part in rest)))


def _time(stamp: float) -> str:
    """Seconds, or milliseconds, since 1970 as ISO 8601; empty where that is no time."""
    try:
        seconds = stamp / 1000 if stamp > 1e11 else stamp
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return ""
