"""How much of a page is read again while a run writes its batches, in the same project and in another one.

A page is drawn once after every batch. While one version stood for the whole store (the head of the audit trail), 50
batches made Results read 8 things again for each batch, Diagnose 6 and Weakness 10, whichever project the run was in,
and a drawing took 42, 64 and 77 ms. With versions by project, run and kind none is read again, and a drawing takes 35,
52 and 69 ms. The right column counts the reads of a page that is opened first. What is `kept` is not counted: no write
empties it.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from bench.measure import Line
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.testset.cases import TestCase, TestSet
from core.installation import ROOT
from core.project.service import create_project
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets
from core.store.writing.versions import Kind

CASES = 200
BATCHES = 50
PAGES = ("results", "diagnose", "weakness")


def lines() -> Iterator[Line]:
    """Reads made again for each batch, and the time of a drawing that makes none."""
    from streamlit.testing.v1 import AppTest

    from pages.kit import cache, navigation

    made: list[frozenset[Kind]] = []
    declaring = cache._declaring

    def counted(kinds: frozenset[Kind] | None) -> AbstractContextManager[None]:
        if kinds is not None:
            made.append(kinds)
        return declaring(kinds)

    cache._declaring = counted
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLUMBLINE_DATA"] = folder
        with Store.open(f"sqlite:///{Path(folder) / 'plumbline.sqlite'}") as store:
            project, other = _fill(store, "one"), _fill(store, "two")
            for key in PAGES:
                cache.forget()
                app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
                app.query_params["project"], app.query_params["run"] = project, "run_one"
                app.switch_page(navigation.spec(key).file).run()
                cache.forget()
                made.clear()
                app.run()
                every = len(made)
                for where, of, run in (("the same", project, "busy_one"), ("another", other, "busy_two")):
                    made.clear()
                    taken = []
                    for batch in range(BATCHES):
                        _write(store, of, run, batch)
                        started = time.perf_counter()
                        app.run()
                        taken.append(time.perf_counter() - started)
                        if app.exception:
                            raise AssertionError(f"{key}: {app.exception[0].value}")
                    yield Line(
                        what=f"{key}: reads made again for a batch in {where} project",
                        seconds=len(made) / BATCHES,
                        against="every read of the page",
                        other=every,
                        unit="",
                    )
                    yield Line(
                        what=f"{key}: drawn after a batch in {where} project",
                        seconds=statistics.median(taken),
                        against="limit: feels immediate",
                        other=0.5,
                    )


def _fill(store: Store, name: str) -> str:
    """A project with a finished run and one at work."""
    project = create_project(store, name, "local")
    cases = [
        TestCase(
            case_id=f"c{number}",
            question=f"What is the fee of account {number}?",
            reference_answers=("yes",),
            form="short" if number % 2 else "long",
            group_id=f"g{number // 2}",
            gold_document_ids=("d",),
            attributes={"topic": f"topic {number % 5}"},
        )
        for number in range(CASES)
    ]
    context = (Context(document_id="d", text="A passage of the document."),)
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        testsets.put(connection, TestSet(id=f"set_{name}", project_id=project.id, name=name))
        testsets.put_cases(connection, f"set_{name}", cases)
        for run_id, state in ((f"run_{name}", RunState.FINISHED), (f"busy_{name}", RunState.RUNNING)):
            run = Run(
                id=run_id,
                project_id=project.id,
                test_set_id=f"set_{name}",
                target="keyword",
                state=state,
                judge="match",
            )
            runs.put(connection, run)
        answers = [Response(case_id=case.case_id, answer="yes", contexts=context) for case in cases]
        runs.save_responses(connection, f"run_{name}", answers)
        verdicts = [
            Score(case_id=case.case_id, metric=VERDICT_METRIC, value=float(number % 3 > 0))
            for number, case in enumerate(cases)
        ]
        scores.put(connection, f"run_{name}", verdicts)
    return project.id


def _write(store: Store, project_id: str, run_id: str, batch: int) -> None:
    """What a run writes for a batch: answers, then verdicts."""
    ids = [f"c{number}" for number in range(batch * CASES // BATCHES, (batch + 1) * CASES // BATCHES)]
    with store.write("local", "run.answer", project_id=project_id, subject=run_id) as connection:
        runs.save_responses(connection, run_id, [Response(case_id=case_id, answer="yes") for case_id in ids])
    with store.write("local", "run.judge", project_id=project_id, subject=run_id) as connection:
        scores.put(connection, run_id, [Score(case_id=name, metric=VERDICT_METRIC, value=1.0) for name in ids])
