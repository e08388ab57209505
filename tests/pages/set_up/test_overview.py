"""The Overview page: what the project has, the next step, the latest run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.runs import RunState
from core.domain.sources.projects import Source, SourceKind
from core.domain.sources.schema import Schema, Table
from core.sources.corpora import connect_corpus
from core.store import projects, sources
from core.store.results import runs
from pages.kit import navigation, project_reads
from tests.pages.clicks import captions
from tests.support.documents.library import write_documents
from tests.support.runs.mixed_run import mixed_run, mixed_set
from tests.support.small_bank import ACTOR, said


def test_a_new_user_reads_what_this_is_and_can_make_a_project(open_page, store):
    app = open_page("overview")
    assert "Plumbline asks a RAG system questions whose answers a database proves" in said(app)
    app.text_input(key="project_name").set_value("Loans assistant")
    app.button(key="create_project").click().run()
    assert not app.exception
    assert app.title[0].value == navigation.spec("connect").question
    assert "Loans assistant is created" in app.success[0].value
    with store.read() as connection:
        assert [project.name for project in projects.all(connection)] == ["Loans assistant"]


def test_a_project_without_a_name_is_refused(open_page, store):
    app = open_page("overview")
    app.text_input(key="project_name").set_value("   ")
    app.button(key="create_project").click().run()
    assert "The project has no name" in app.error[0].value
    with store.read() as connection:
        assert projects.all(connection) == []


def test_a_long_name_is_refused_and_stays_in_its_field(open_page, store):
    app = open_page("overview")
    name = app.text_input(key="project_name")
    assert not name.proto.max_chars, "a browser would drop all that is pasted beyond it, and say nothing"
    name.set_value("x" * 325)
    app.button(key="create_project").click().run()
    assert "325 characters" in app.error[0].value
    assert app.text_input(key="project_name").value == "x" * 325
    with store.read() as connection:
        assert projects.all(connection) == []


def test_a_name_that_is_taken_is_refused(open_page, project):
    app = open_page("overview", project=project.id)
    app.text_input(key="project_name").set_value("loans ASSISTANT")
    app.button(key="create_project").click().run()
    assert "There is a project called" in app.error[0].value


def test_a_new_project_is_led_to_connect_first(open_page, project):
    app = open_page("overview", project=project.id)
    assert "Connect a database and documents" in app.button(key="do_next").label
    assert not app.metric
    app.button(key="do_next").click().run()
    assert app.title[0].value == navigation.spec("connect").question


def test_a_project_of_documents_alone_is_led_to_its_topics(open_page, store, project, tmp_path):
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    app = open_page("overview", project=project.id)
    assert "Find topics" in app.button(key="do_next").label, "a database is not needed for questions from documents"
    assert "1 of 10 steps are done" in said(app)
    app.button(key="do_next").click().run()
    assert app.title[0].value == navigation.spec("topics").question


@pytest.mark.slow
def test_the_latest_run_is_shown_with_its_n(open_page, bank):
    app = open_page("overview", project=bank.id)
    assert not app.exception
    figures = {metric.label: metric.value for metric in app.metric}
    assert set(figures) == {"Accuracy", "Criteria met", "Open findings", "Labels"}
    assert 0 < float(figures["Accuracy"]) < 1
    notes = " ".join(caption.value for caption in app.caption)
    assert "[" in notes
    assert "/" in notes
    assert len(app.get("plotly_chart")) == 1
    app.button(key="do_next").click().run()
    assert app.title[0].value == navigation.spec("diagnose").question


def test_a_run_that_is_not_finished_is_named_with_the_way_to_its_progress(open_page, finished, bank):
    with finished.read() as connection:
        run = runs.all(connection, bank.id)[0]
    assert "Not finished yet" not in captions(open_page("overview", project=bank.id))
    going = replace(run, id="run_going", state=RunState.RUNNING, finished_at="")
    with finished.write("local", "run.create", project_id=bank.id, subject=going.id) as connection:
        runs.put(connection, going)
    app = open_page("overview", project=bank.id)
    assert "Not finished yet: " in captions(app)
    assert "Latest finished run" in captions(app)
    app.button(key="watch_run").click().run()
    assert app.query_params["run"] == "run_going"


SYSTEM = "http:/srv/data/targets/localhost_8699-b5bc257272a87ad9.yaml"


@pytest.fixture
def two_runs(store, project):
    """A run of a connected system, and a later one of a baseline."""
    mixed_set(store, project.id)
    system = mixed_run(store, project.id, run_id="run_system", target=SYSTEM, at="2026-11-21T05:00:00+00:00")
    baseline = mixed_run(store, project.id, run_id="run_baseline", target="bm25", at="2026-11-21T06:00:00+00:00")
    return system, baseline


def test_a_run_of_a_connected_system_goes_before_a_later_baseline(open_page, project, two_runs):
    system, baseline = two_runs
    app = open_page("overview", project=project.id)
    assert not app.exception
    assert "Latest finished run of a connected system (1 other run finished after it): " in captions(app)
    assert "05:00 UTC, localhost:8699 on Mixed v1" in captions(app)
    assert app.selectbox(key="url_run").value == system.id
    # Nobody chose it, so a later run of the system would take its place.
    assert "run" not in app.query_params
    app.selectbox(key="url_run").set_value(baseline.id).run()
    assert "Latest finished run: 2026-11-21 06:00 UTC, bm25 on Mixed v1" in captions(app)
    assert open_page("diagnose", project=project.id).query_params["run"] == baseline.id


def test_every_page_opens_with_the_connected_system(open_page, project, two_runs):
    app = open_page("results", project=project.id)
    assert app.query_params["run"] == two_runs[0].id
    assert "a later run is finished" in captions(app)


def test_a_project_without_a_connected_system_shows_its_baseline(store, project):
    mixed_set(store, project.id)
    first = mixed_run(store, project.id, run_id="run_first", at="2026-11-21T05:00:00+00:00")
    second = mixed_run(store, project.id, run_id="run_second", at="2026-11-21T06:00:00+00:00")
    found = project_reads.finished_runs(store, project.id)
    assert [run.id for run in found] == [second.id, first.id]


def test_recorded_answers_stand_between_the_system_and_its_baselines(store, project, two_runs):
    recorded = mixed_run(store, project.id, run_id="run_file", target="recorded:x", at="2026-11-21T07:00:00+00:00")
    found = project_reads.finished_runs(store, project.id)
    assert [run.id for run in found] == [two_runs[0].id, recorded.id, two_runs[1].id]


def test_the_rows_of_a_database_are_those_of_its_tables(open_page, store, project, two_runs):
    tables = (Table(name="branch", rows=5, columns=()), Table(name="v_count", rows=3, columns=(), view=True))
    schema = Schema(dialect="sqlite", fingerprint="f", tables=tables)
    kind, at = SourceKind.DATABASE, "sqlite:///bank.sqlite"
    source = Source(id="src_db", project_id=project.id, kind=kind, name="bank.sqlite", location=at, schema=schema)
    with store.write(ACTOR, "test.prepare", project_id=project.id) as connection:
        sources.put(connection, source)
    assert "bank.sqlite, 5 rows" in said(open_page("overview", project=project.id))
