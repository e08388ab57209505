"""The Diagnose page while the documents are still to be searched, and where document recall has no value."""

from __future__ import annotations

import pytest

from core import jobs
from core.diagnosis.service.evidence import QUICK_S, find_evidence_of_run
from core.diagnosis.service.search_job import search_job
from core.domain.jobs import Job, JobState
from core.domain.results.runs import RunState
from core.runs.execute import execute_run
from core.runs.service import EVIDENCE, create_run
from core.store import jobs as job_table
from core.store.results import runs
from core.testset.service import freeze_test_set
from pages.analyse.diagnose import reads
from pages.kit import project_reads
from tests.pages.clicks import as_viewer, captions, keys, metrics, table
from tests.support.documents.named_documents import shop_project
from tests.support.small_bank import ACTOR, said

LIMIT_S = 120.0


@pytest.fixture
def long_search(monkeypatch):
    """Every search takes too long for a page."""
    monkeypatch.setattr(reads, "QUICK_S", 0.0)
    monkeypatch.setattr(project_reads, "QUICK_S", 0.0)


def latest(store, project):
    with store.read() as connection:
        return runs.all(connection, project.id)[0]


@pytest.mark.slow
def test_a_short_search_is_made_on_the_page(open_page, finished, bank):
    assert QUICK_S > 0
    app = open_page("diagnose", project=bank.id)
    assert not app.exception
    assert "searched for" not in said(app)
    assert search_job(finished, latest(finished, bank)) is None


@pytest.mark.slow
def test_a_long_search_is_a_job_and_the_page_shows_what_is_known(open_page, finished, bank, long_search):
    run = latest(finished, bank)
    app = open_page("diagnose", project=bank.id)
    assert not app.exception
    assert "The documents are being searched for " in said(app)
    assert "evidence_job_stop" in keys(app)
    assert "Accuracy, groups and context comparison stand." in said(app)
    assert metrics(app)["Accuracy"] != "-"
    started = search_job(finished, run)
    assert (started.kind, started.subject) == (EVIDENCE, run.id)
    whole = reads.diagnosis(finished, run.id, "")
    assert jobs.wait(finished, started.id, seconds=LIMIT_S).state is JobState.FINISHED
    app.run()
    assert not app.exception
    assert "being searched for" not in said(app)
    complete = reads.diagnosis(finished, run.id, "")
    assert (whole.pending > 0, complete.pending) == (True, 0)
    assert "not certain yet" in reads.finding(whole)
    assert "not certain yet" not in reads.finding(complete)
    for name in ("accuracy", "context_comparison", "retrieval_db", "recall"):
        assert getattr(whole.figures, name) == getattr(complete.figures, name)
    assert whole.figures.tags == complete.figures.tags
    assert whole.figures.attribution["knowledge_gap"] == 0 < complete.figures.attribution["knowledge_gap"]


@pytest.mark.slow
def test_a_group_says_that_its_fact_is_not_searched_yet(open_page, finished, bank, long_search):
    app = open_page("diagnose", project=bank.id, view="groups", tag="gap")
    assert set(table(app, "groups_table")["Documents"]) == {"Not searched yet"}
    assert set(table(app, "groups_table")["Modules"].str.split().str[0]) == {"Undecided"}
    assert jobs.wait(finished, search_job(finished, latest(finished, bank)).id, seconds=LIMIT_S)


@pytest.mark.slow
def test_two_sessions_watch_one_job(open_page, finished, bank, long_search):
    open_page("diagnose", project=bank.id)
    first = search_job(finished, latest(finished, bank)).id
    open_page("diagnose", project=bank.id)
    found = [job for job in jobs.list_jobs(finished, bank.id) if job.kind == EVIDENCE]
    assert [job.id for job in found] == [first]
    assert jobs.wait(finished, first, seconds=LIMIT_S)


@pytest.mark.slow
def test_a_search_that_was_stopped_waits_for_a_person(open_page, finished, bank, long_search):
    run = latest(finished, bank)
    stopped = Job(id="job_s", project_id=bank.id, kind=EVIDENCE, actor=ACTOR, subject=run.id, params={"run_id": run.id})
    with finished.write(ACTOR, "job.start", project_id=bank.id) as connection:
        job_table.add(connection, stopped)
    jobs.stop(finished, "job_s", ACTOR)
    app = open_page("diagnose", project=bank.id)
    assert "The documents have been searched for 0 of " in said(app)
    assert "evidence_job_resume" in keys(app)
    assert search_job(finished, run).id == "job_s"


def test_a_viewer_starts_no_search(open_page, finished, bank, long_search, monkeypatch):
    find = as_viewer(open_page("overview", project=bank.id), finished, bank, monkeypatch)
    find.switch_page("pages/analyse/diagnose/page.py").run()
    assert not find.exception
    assert "A validator of the project starts the search" in captions(find)
    assert search_job(finished, latest(finished, bank)) is None


def test_a_run_at_work_is_not_searched_yet(open_page, finished, bank, long_search):
    run = latest(finished, bank)
    with finished.write(ACTOR, "run.running", project_id=bank.id, subject=run.id) as connection:
        runs.set_state(connection, run.id, RunState.RUNNING)
    app = open_page("diagnose", project=bank.id, run=run.id)
    assert "when the run is finished" in captions(app)
    assert search_job(finished, run) is None


def test_the_overview_says_that_modules_may_change(open_page, finished, bank, long_search):
    app = open_page("overview", project=bank.id)
    assert not app.exception
    assert "the modules may change" in captions(app)
    assert find_evidence_of_run(finished, latest(finished, bank).id)
    app.run()
    assert "the modules may change" not in captions(app)


@pytest.mark.slow
def test_recall_without_a_fitting_id_leads_to_the_mapping(open_page, store, tmp_path):
    project, test_set = shop_project(store, tmp_path, "number", range(1, 12))
    freeze_test_set(store, test_set.id, actor=ACTOR)
    run = create_run(store, test_set.id, actor=ACTOR, target="bm25", options={"k": 1})
    assert execute_run(store, run.id, actor=ACTOR)
    app = open_page("diagnose", project=project.id)
    assert metrics(app)["Document recall"] == "-"
    assert "None of the 12 gold ids names a document of the corpus, such as products:1" in captions(app)
    app.button(key="recall_connect").click().run()
    assert app.query_params["view"] == "documents"
