"""Opening the Diagnose page of 100,000 wrong answers: before their evidence is found, and when it is kept.

The right column is what the page did while it waited for the search: read the run, search the documents, diagnose.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.bench_evidence import LARGE, WORDINGS, orders
from bench.measure import Line
from core import jobs
from core.diagnosis import diagnose
from core.diagnosis.service.rows import diagnosis_rows
from core.diagnosis.service.search_job import search_job
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Source, SourceKind
from core.domain.testset.cases import TestSet
from core.installation import ROOT
from core.project.service import create_project
from core.store import sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets

IMMEDIATE = 1.0
"""Seconds within which a page that only was drawn before answers a click."""


def lines() -> Iterator[Line]:
    """The page with nothing searched, with everything kept, and drawn once more."""
    from streamlit.testing.v1 import AppTest
    from streamlit.util import calc_hash

    from pages.kit import cache, navigation

    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLUMBLINE_DATA"] = folder
        with Store.open(f"sqlite:///{Path(folder) / 'plumbline.sqlite'}") as store:
            run = _fill(store)

            def opened() -> tuple[AppTest, float]:
                cache.forget()
                app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=3_600)
                app.query_params["project"], app.query_params["run"] = run.project_id, run.id
                # As a link opens it: `switch_page` would draw the Overview first.
                app._page_hash = calc_hash(navigation.spec("diagnose").url_path)
                started = time.perf_counter()
                app.run()
                seconds = time.perf_counter() - started
                if app.exception:
                    raise AssertionError(app.exception[0].value)
                return app, seconds

            _, before = opened()
            job = search_job(store, run)
            if job is None:
                raise AssertionError("the page began no search")
            jobs.stop(store, job.id, "local")
            jobs.wait(store, job.id)
            started = time.perf_counter()
            found = diagnosis_rows(store, run.id)
            diagnose(found.rows, known_ids=found.known_ids)
            searched = time.perf_counter() - started
            app, after = opened()
            started = time.perf_counter()
            app.run()
            again = time.perf_counter() - started
    size = f"{LARGE * WORDINGS:,} wrong answers"
    yield Line(what=f"diagnose page of {size}, nothing searched", seconds=before, against=WAITED, other=searched)
    yield Line(what=f"diagnose page of {size}, evidence kept", seconds=after, against=WAITED, other=searched)
    yield Line(what="the same page drawn again", seconds=again, against="limit: answers a click", other=IMMEDIATE)


WAITED = "reading, searching and diagnosing in the page"


def _fill(store: Store) -> Run:
    made = orders(LARGE)
    project = create_project(store, "orders", "local")
    run = Run(
        id="run_orders",
        project_id=project.id,
        test_set_id="set_orders",
        target="keyword",
        corpus_id="src_orders",
        state=RunState.FINISHED,
    )
    source = Source(
        id=run.corpus_id,
        project_id=project.id,
        kind=SourceKind.CORPUS,
        name="orders",
        location="bench",
        fingerprint="1",
    )
    with store.write("local", "bench.fill", project_id=project.id) as connection:
        sources.put(connection, source)
        sources.put_documents(connection, source.id, made.corpus)
        testsets.put(connection, TestSet(id=run.test_set_id, project_id=project.id, name="orders"))
        testsets.put_cases(connection, run.test_set_id, made.cases)
        runs.put(connection, run)
        runs.save_responses(connection, run.id, list(made.responses.values()))
        scores.put(connection, run.id, list(made.verdicts.values()))
    return run
