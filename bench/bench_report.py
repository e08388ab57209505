"""The report of a run of 10,000 cases: gathered, written as HTML, and the workbook of its cases."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.project.service import create_project
from core.report.cases import case_rows
from core.report.collecting import ReportOptions, collect
from core.report.record import as_text
from core.report.render.html import as_html
from core.report.render.xlsx import as_xlsx
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

CASES = 10_000
LIMIT = 10.0
"""Seconds that a command may take while a person waits."""

AT = "2026-11-21T05:00:00+00:00"


def lines() -> Iterator[Line]:
    """Seconds of each step."""
    with tempfile.TemporaryDirectory() as folder, Store.open(f"sqlite:///{Path(folder) / 'store.sqlite'}") as store:
        run = _fill(store)
        started = time.perf_counter()
        content = collect(store, run.id, ReportOptions(date="2026-11-23"))
        yield _line("report: gathered", time.perf_counter() - started)
        started = time.perf_counter()
        as_html(content)
        yield _line("report: HTML", time.perf_counter() - started)
        started = time.perf_counter()
        as_text(content)
        yield _line("report: JSON", time.perf_counter() - started)
        started = time.perf_counter()
        as_xlsx(content, case_rows(store, run.id))
        yield _line("report: XLSX of the cases", time.perf_counter() - started)


def _line(what: str, seconds: float) -> Line:
    return Line(what=f"{what}, {CASES:,} cases", seconds=seconds, against="a person waits", other=LIMIT)


def _fill(store: Store) -> Run:
    project = create_project(store, "Large", "bench")
    cases = [
        TestCase(
            case_id=f"c{number}",
            question=f"What is the withdrawal limit of the cash machine number {number // 4} in wording {number % 4}?",
            reference_answers=(f"{number % 977}",),
            form=("short", "long")[number % 2],
            group_id=f"g{number // 4}",
            gold_document_ids=(f"atm:{number // 4}",),
            tables=("atm",),
            attributes={"topic": f"topic {number % 11}", "answer_type": ("number", "date", "text")[number % 3]},
        )
        for number in range(CASES)
    ]
    test_set = TestSet(id="ts_bench", project_id=project.id, name="Large")
    run = Run(
        id="run_bench",
        project_id=project.id,
        test_set_id=test_set.id,
        target="keyword",
        state=RunState.FINISHED,
        created_at=AT,
        created_by="bench",
        finished_at=AT,
    )
    with store.write("bench", "bench.prepare", project_id=project.id) as connection:
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
        testsets.freeze(connection, test_set.id, cases_hash(cases), AT)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, [_response(case) for case in cases])
        verdicts = [
            Score(
                case_id=case.case_id,
                metric=VERDICT_METRIC,
                value=float(number % 5 > 0),
                detail={"rule": "number", "reason": "number: compared"},
            )
            for number, case in enumerate(cases)
        ]
        others = [
            Score(case_id=case.case_id, metric=name, value=(number * 37 % 100) / 100)
            for name in ("recall", "faithfulness", "answer_relevancy")
            for number, case in enumerate(cases)
        ]
        scores.put(connection, run.id, [*verdicts, *others])
    return run


def _response(case: TestCase) -> Response:
    return Response(
        case_id=case.case_id,
        answer=f"The withdrawal limit is {case.reference_answers[0]} pounds for each card and day.",
        contexts=(Context(document_id=case.gold_document_ids[0], text="Limits are shown on the screen. " * 8),),
        latency_s=0.2,
    )
