"""The cases of a run as lines of JSON, in the folder of `evaluate --out`."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

from core.domain.results.runs import Run
from core.domain.status import Status
from core.store.database import Store
from core.store.results import runs, scores

RESULTS_FILE: Final = "results.jsonl"


def write_results(store: Store, run: Run, out: Path) -> Path:
    """Writes one JSON line a case: question, references, answer, contexts, verdict and why.

    The file is replaced as a whole.
    """
    path = out / RESULTS_FILE
    written = out / f".{RESULTS_FILE}.{os.getpid()}"
    names = [str(name) for name in _listed(run.options.get("metrics"))]
    with store.read() as connection:
        rows, _ = runs.page(connection, run.id, metrics=names, limit=None)
        judged = {name: scores.of_metric(connection, run.id, name) for name in _judged(names)}
    with written.open("w", encoding="utf-8") as file:
        for row in rows:
            line = {
                "case_id": row.case.case_id,
                "question": row.case.question,
                "reference_answers": list(row.case.reference_answers),
                "form": row.case.form,
                "group_id": row.case.group_id,
                "gold_document_ids": list(row.case.gold_document_ids),
                "answer": row.response.answer if row.response else None,
                "error": row.response.error if row.response else "",
                "contexts": [asdict(context) for context in row.response.contexts] if row.response else [],
                "verdict": row.verdict.value if row.verdict else None,
                "verdict_status": row.verdict.status.value if row.verdict else "not_judged",
                "verdict_detail": dict(row.verdict.detail) if row.verdict else {},
            }
            for name in names:
                score = row.scores.get(name)
                line[name] = score.value if score else None
                line[f"{name}_status"] = score.status.value if score else Status.NOT_JUDGED.value
                if name in judged:  # its claims, reasons and passages; what rules measure has its evidence on the page
                    said = judged[name].get(row.case.case_id)
                    line[f"{name}_detail"] = dict(said.detail) if said else {}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    written.replace(path)
    return path


def _judged(names: Sequence[str]) -> list[str]:
    """The metrics among those named that a judging model scores."""
    from core.metrics.registry import list_metrics
    from core.metrics.spec import Need

    needing = {spec.name for spec in list_metrics() if Need.JUDGE in spec.needs} if names else set()
    return [name for name in names if name in needing]


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
