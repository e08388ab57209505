"""Parts of InspectorRAGet's JSON: what people were asked and said, what metrics are, and every passage once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt

from core.domain.results.labels import Criterion, Label
from core.domain.results.responses import Context, Response
from core.domain.testset.cases import TestCase
from core.io.exchange.format import MetricWords

MACHINE = "plumbline"

Json = dict[str, object]


def labels_by_case(labels: Sequence[Label], criteria: Sequence[Criterion]) -> dict[str, dict[str, Json]]:
    """The annotations of each case: by criterion and rater. A rater of several rounds has the latest label."""
    names = {criterion.id: criterion.name for criterion in criteria}
    by_case: defaultdict[str, dict[str, Json]] = defaultdict(dict)
    for label in labels:
        entry: Json = {"value": f"{label.value:g}", "duration": label.seconds}
        if label.at:
            entry["timestamp"] = datetime.fromisoformat(label.at).timestamp()
        if label.comment:
            entry["comment"] = label.comment
        by_case[label.case_id].setdefault(names[label.criterion_id], {})[label.rater] = entry
    return by_case


def criterion_definition(criterion: Criterion) -> Json:
    """A criterion as InspectorRAGet describes a metric of people."""
    return {
        "name": criterion.name,
        "display_name": criterion.name,
        "description": criterion.question,
        "author": "human",
        "type": "categorical",
        "aggregator": "median",
        "values": [
            {"value": str(level.value), "display_value": level.anchor or str(level.value), "numeric_value": level.value}
            for level in criterion.levels
        ],
    }


def metric_definition(name: str, values: npt.NDArray[np.float64], words: MetricWords | None) -> Json:
    """A metric with its range; where it has no bound, that of its values.

    Args:
        name: Of the metric.
        values: Its values, at least one.
        words: What is known of it; None for a metric of another tool.
    """
    if words is None:
        ends = [min(0.0, float(values.min())), max(1.0, float(values.max()))]
    else:
        ends = [
            float(values.min()) if words.low is None else words.low,
            float(values.max()) if words.high is None else words.high,
        ]
    return {
        "name": name,
        "display_name": words.title if words else name,
        "description": words.question if words else "",
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
        documents = []
        for context in response.contexts:
            key = context.document_id, context.text
            if key not in ids:
                ids[key] = _free(context, taken)
            documents.append(ids[key])
        contexts[case.case_id] = list(dict.fromkeys(documents))
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
