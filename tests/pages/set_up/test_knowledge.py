"""The Documents tab where only a database exists: the form, consent, the preview, the build, coverage, export."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core import jobs
from core.domain.sources.projects import SourceKind
from core.domain.testset.templates import TemplateStatus
from core.knowledge.building import ACTION as BUILT
from core.knowledge.building import Build, build_documents
from core.sources.service import connect_database
from core.store import sources
from core.testset.templates.review import propose_sql_templates, set_sql_status
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said, write_bank


@pytest.fixture
def connected(store, project, tmp_path):
    """The empty project with the small bank's database and no documents."""
    connect_database(store, project.id, f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}", actor=ACTOR)
    return project


def corpus_of(store, project):
    with store.read() as connection:
        return sources.latest(connection, project.id, SourceKind.CORPUS)


def documents(open_page, project, **query):
    return open_page("connect", project=project.id, view="documents", **query)


def test_without_a_database_the_form_waits_for_one(open_page, project):
    app = documents(open_page, project)
    assert not app.exception
    assert "Connect one first" in captions(app)
    assert "build_documents" not in keys(app)


@pytest.mark.slow
def test_the_preview_shows_three_documents_and_stores_nothing(open_page, store, connected):
    app = documents(open_page, connected)
    assert "About 18 documents." in said(app)
    app.button(key="preview_documents").click().run()
    assert not app.exception
    shown = [item.value for item in app.text]
    assert shown[0].startswith("Plan 1 is an account. The monthly fee of Plan 1 is 1.50.")
    assert shown[1].startswith("Arden Branch is a branch.")
    assert len(shown) == 3
    assert corpus_of(store, connected) is None


@pytest.mark.slow
def test_documents_by_rules_become_the_projects_documents(open_page, store, connected):
    found = propose_sql_templates(store, connected.id, actor=ACTOR)
    set_sql_status(store, connected.id, [one.id for one in found], TemplateStatus.APPROVED, actor=ACTOR)
    app = documents(open_page, connected)
    app.button(key="build_documents").click().run()
    assert not app.exception
    assert not app.error
    assert "Built 18 documents" in app.success[0].value
    assert corpus_of(store, connected).name == "Documents from bank.sqlite"
    assert metrics(app) | {
        "Documents": "18",
        "Tables left out": "0",
        "Gold ids with a document": "1.00",
        "Facts that their documents state": "1.00",
    } == metrics(app)
    assert "18 documents by rules" in captions(app)
    assert "the approved templates" in captions(app)
    assert "load_again" not in keys(app)
    assert "build_documents" in keys(app)
    assert len(app.get("download_button")) >= 3


@pytest.mark.slow
def test_a_table_that_is_left_out_shows_what_is_missing(open_page, store, connected):
    found = propose_sql_templates(store, connected.id, actor=ACTOR)
    set_sql_status(store, connected.id, [one.id for one in found], TemplateStatus.APPROVED, actor=ACTOR)
    app = documents(open_page, connected)
    app.multiselect(key="build_tables").set_value(["account"]).run()
    app.number_input(key="build_per_table").set_value(5).run()
    assert "About 5 documents." in said(app)
    app.button(key="build_documents").click().run()
    assert metrics(app)["Documents"] == "5"
    assert metrics(app)["Gold ids with a document"] == "0.28"  # 5 of 12 accounts and 6 branches
    listed = [item.value for item in [*app.dataframe, *app.table] if "Asked" in item.value.columns]
    assert [set(facts["Why"]) for facts in listed] == [
        {"its documents do not state the answer"},
        {"none of its gold ids names a document"},
    ]
    assert "without a document of their own are left out: another document may state them" in captions(app)


def test_nothing_is_sent_before_a_person_agrees(open_page, store, connected):
    app = documents(open_page, connected)
    app.radio(key="build_method").set_value("llm").run()
    assert not app.exception
    assert "sends rows of your database to a model" in said(app)
    assert app.button(key="build_documents").disabled
    assert app.button(key="preview_documents").disabled
    assert not app.checkbox(key="send_rows").value
    app.checkbox(key="send_rows").set_value(True).run()
    assert not app.exception
    assert "before a model is named and you agree" in captions(app)
    assert app.button(key="build_documents").disabled
    assert jobs.list_jobs(store, connected.id) == []


@pytest.mark.slow
def test_a_model_writes_a_preview_and_a_worker_the_rest(open_page, store, connected):
    with LlmServer(lambda body: f"**Bold** :red[x]\n{body['messages'][-1]['content']}") as server:
        app = documents(open_page, connected)
        app.radio(key="build_method").set_value("llm").run()
        app.text_input(key="documents_model").set_value("m")
        app.text_input(key="documents_url").set_value(server.base_url)
        app.multiselect(key="build_tables").set_value(["branch"])
        app.checkbox(key="send_rows").set_value(True).run()
        assert "About 6 documents" in said(app)
        app.button(key="preview_documents").click().run()
        assert not app.exception
        assert app.text[0].value.startswith("**Bold** :red[x]")
        assert len(server.bodies) == 3
        app.button(key="build_documents").click().run()
        assert not app.exception
        assert not app.error
        job_id = app.query_params["job"]
        ended = jobs.wait(store, job_id, seconds=60)
        assert not ended.error
        # The previewed three were not asked for again.
        assert len(server.bodies) == 6
        app.run()
    assert not app.exception
    assert "The documents are built" in app.success[0].value
    assert "job" not in app.query_params
    assert "6 documents by the model" in captions(app)
    assert "prompt knowledge_document version 1" in captions(app)


def test_where_the_model_failed_is_told(open_page, store, connected):
    with LlmServer(lambda body: "nothing of it") as server:
        build = Build(method="llm", model=server.spec("m"), send_rows=True, tables=("branch",))
        build_documents(store, connected.id, build, actor=ACTOR)
    app = documents(open_page, connected)
    assert not app.exception
    assert "6 documents by rules because the model failed" in captions(app)
    told = holding(app, "Why")
    assert "after two attempts: name, city, manager" in told["Why"].iloc[0]


@pytest.mark.slow
def test_all_documents_the_model_failed_on_are_counted_where_the_first_ones_are_told(open_page, store, connected):
    with LlmServer(lambda body: "nothing of it") as server:
        build = Build(method="llm", model=server.spec("m"), send_rows=True, tables=("branch",))
        source, result = build_documents(store, connected.id, build, actor=ACTOR)
    many = replace(result, writers={"rules, the model failed": 1_200})
    with store.write(ACTOR, BUILT, project_id=connected.id, subject=source.id, detail=many.as_detail()):
        pass
    app = documents(open_page, connected)
    assert app.expander(key="fallen").label == "Written by rules instead: 1,200 documents"
    assert "The first 6 of them." in captions(app)


def test_a_job_of_another_kind_or_none_in_the_link_is_met_calmly(open_page, store, connected):
    app = documents(open_page, connected, job="job_nothing")
    assert not app.exception
    assert "build_documents" in keys(app)


def test_a_viewer_sees_the_coverage_and_builds_nothing(open_page, store, connected, monkeypatch):
    build_documents(store, connected.id, Build(), actor=ACTOR)
    app = as_viewer(documents(open_page, connected), store, connected, monkeypatch)
    assert not app.exception
    assert metrics(app)["Documents"] == "18"
    assert "There are no questions yet" in captions(app)
    assert "build_documents" not in keys(app)
