"""A finished run with a weakness somebody put there, see `planted_table`."""

from __future__ import annotations

import numpy as np

from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.status import Status
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.scores import RunMetric
from core.store.testset import testsets
from core.weakness.table import CaseTable

ACTOR = "local"
AT = "2026-11-21T05:00:00+00:00"


def planted_run(store: Store, table: CaseTable) -> Run:
    """Stores the cases of a table with its scores as verdicts, and 1 to 5 as the unbounded metric ``latency_s``."""
    project = create_project(store, "Planted", ACTOR)
    run = Run(
        id="run_1",
        project_id=project.id,
        test_set_id="ts_1",
        target="recorded:answers",
        state=RunState.FINISHED,
        created_at=AT,
        created_by=ACTOR,
        finished_at=AT,
    )
    cases = [
        TestCase(
            case_id=case_id,
            question="What is it?",
            reference_answers=("It.",),
            form=_level(table, "form", place),
            group_id=f"g{place}",
            attributes={name: _level(table, name, place) for name in ("topic", "answer_type")},
        )
        for place, case_id in enumerate(table.case_ids)
    ]
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id="ts_1", project_id=project.id, name="Planted"))
        testsets.put_cases(connection, "ts_1", cases)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [Response(case_id=case.case_id, answer="It is.") for case in cases])
        scores.put_run_metrics(connection, run.id, [RunMetric(metric="latency_s", version=1, finished=True)])
    put_scores(store, run, table)
    return run


def put_scores(store: Store, run: Run, table: CaseTable) -> None:
    """Stores other scores of the same cases."""
    rows = []
    for place, (case_id, value) in enumerate(zip(table.case_ids, table.score.values.tolist(), strict=True)):
        known = not np.isnan(value)
        status = Status.SCORED if known else Status.NOT_JUDGED
        rows.append(Score(case_id=case_id, metric=VERDICT_METRIC, value=value if known else None, status=status))
        if known:
            rows.append(Score(case_id=case_id, metric="latency_s", value=1.0 + 4.0 * value + place % 10 / 10.0))
    with store.write(ACTOR, "test.measured", project_id=run.project_id, subject=run.id) as connection:
        scores.put(connection, run.id, rows)


def _level(table: CaseTable, name: str, place: int) -> str:
    attribute = table.attribute(name)
    return attribute.levels[int(attribute.codes[place])]
