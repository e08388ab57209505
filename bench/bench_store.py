"""A screen of results out of 100,000, beside the limit that a page should feel immediate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line, median_seconds
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

CASES = 100_000
IMMEDIATE_S = 0.5


def lines() -> Iterator[Line]:
    """The reads of the Results page."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'bench.sqlite'}") as store:
        run_id = _fill(store)
        with store.read() as connection:
            for label, read in {
                "first page": lambda: runs.page(connection, run_id, limit=50),
                "last page of the wrong ones": lambda: runs.page(
                    connection, run_id, verdict="incorrect", limit=50, offset=49_900
                ),
                "search": lambda: runs.page(connection, run_id, search="number 99", limit=50),
                "counts by verdict": lambda: runs.tally(connection, run_id),
            }.items():
                yield Line(
                    what=f"results, {CASES:,} cases: {label}",
                    seconds=median_seconds(read),
                    against="limit: feels immediate",
                    other=IMMEDIATE_S,
                )


def _fill(store: Store) -> str:
    project = create_project(store, "bench", "local")
    cases = [
        TestCase(
            case_id=f"c{number}",
            question=f"Question number {number}?",
            reference_answers=("yes",),
            group_id=str(number),
        )
        for number in range(CASES)
    ]
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id="ts", project_id=project.id, name="bench"))
        testsets.put_cases(connection, "ts", cases)
        runs.put(connection, Run(id="run", project_id=project.id, test_set_id="ts", target="keyword"))
        runs.save_responses(connection, "run", [Response(case_id=case.case_id, answer="yes") for case in cases])
        scores.put(
            connection,
            "run",
            [Score(case_id=case.case_id, metric=VERDICT_METRIC, value=float(n % 2)) for n, case in enumerate(cases)],
        )
    return "run"
