"""The Overview page: what the project has, the next step, the latest run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.results.runs import RunState
from core.sources.corpora import connect_corpus
from core.store import projects
from core.store.results import runs
from pages.kit import navigation
from tests.pages.clicks import captions
from tests.support.library import write_documents
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
