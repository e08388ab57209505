"""What the digests of rows cost: a write with them beside one without, and the check of a million scores."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.measure import Line
from core.audit.verification import verify
from core.domain.results.responses import Score
from core.domain.results.runs import Run
from core.domain.testset.cases import TestCase, TestSet
from core.project.service import create_project
from core.store.database import Store
from core.store.digests import changes
from core.store.results import measurements, runs
from core.store.testset import testsets

SCORES = int(os.environ.get("PLUMBLINE_BENCH_SCORES", "1000000"))
CASES = 20_000
PART = 256
DETAIL = {"sentences": [{"start": 0, "end": 120, "score": 0.8123456789}, {"start": 121, "end": 200, "score": 0.5}]}
ENOUGH_S = 60.0


def lines() -> Iterator[Line]:
    """Scores as a scoring worker commits them, and their check."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'bench.sqlite'}") as store:
        run_id, project_id = _run(store)
        plain, sealed = [], []
        for number in range(4):  # in turns, so that both see the same load
            with _without_digests():
                plain.append(_score(store, project_id, run_id, CASES, f"plain {number}"))
            sealed.append(_score(store, project_id, run_id, CASES, f"sealed {number}"))
        yield Line(
            what=f"commit {CASES:,} scores with digests",
            seconds=min(sealed),
            against="without",
            other=min(plain),
        )
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'bench.sqlite'}") as store:
        run_id, project_id = _run(store)
        for number in range(SCORES // CASES):
            _score(store, project_id, run_id, CASES, f"metric {number}")
        began = time.perf_counter()
        result = verify(store)
        assert result.ok, result.broken
        yield Line(
            what=f"audit verify, {result.rows:,} rows",
            seconds=time.perf_counter() - began,
            against="limit: a minute for a million",
            other=ENOUGH_S,
        )


@contextmanager
def _without_digests() -> Iterator[None]:
    covered = changes.BY_TABLE
    changes.BY_TABLE = {}
    try:
        yield
    finally:
        changes.BY_TABLE = covered


def _run(store: Store) -> tuple[str, str]:
    project = create_project(store, "bench", "local")
    cases = [TestCase(case_id=f"case-{number:06d}", question=f"Question {number}?") for number in range(CASES)]
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id="ts", project_id=project.id, name="bench"))
        testsets.put_cases(connection, "ts", cases)
        runs.put(connection, Run(id="run", project_id=project.id, test_set_id="ts", target="keyword"))
    return "run", project.id


def _score(store: Store, project_id: str, run_id: str, cases: int, metric: str) -> float:
    """Processor seconds of committing one metric of so many cases."""
    began = time.process_time()
    for start in range(0, cases, PART):
        batch = [
            Score(case_id=f"case-{number:06d}", metric=metric, value=number / cases, detail=DETAIL)
            for number in range(start, min(start + PART, cases))
        ]
        with store.write("local", "run.score", project_id=project_id, subject=run_id) as connection:
            measurements.commit(connection, run_id, batch, {metric: 1}, reasons={metric: ""}, actor="local", at="now")
    return time.process_time() - began
