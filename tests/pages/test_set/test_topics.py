"""The Topics page: found, looked at, put right by hand."""

from __future__ import annotations

import json

import pytest

from core import jobs
from core.sources.corpora import connect_corpus, corpus_chunks
from core.store.testset import topics
from core.testset.topics.building import KIND
from tests.pages.clicks import as_viewer, keys, metrics
from tests.support.documents.library import Library, write_documents
from tests.support.small_bank import ACTOR, said


@pytest.fixture
def loaded(store, project, tmp_path):
    """The empty project with ten short documents."""
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    return project


@pytest.fixture
def found(store, loaded):
    """The same with two topics: six cards and four branches."""
    Library(store, loaded.id).put_topics(lambda chunk: int("branch" in chunk.section[0]))
    return loaded


def topics_now(store):
    with store.read() as connection:
        return {topic.number: topic for topic in topics.topics(connection, "tm_1")}


def test_without_documents_the_page_says_where_to_load_them(open_page, project):
    app = open_page("topics", project=project.id)
    assert not app.exception
    assert "No documents are loaded." in said(app)
    assert "go_connect" in keys(app)


def test_the_names_of_topics_stand_below_the_map_and_its_buttons_above(open_page, found):
    app = open_page("topics", project=found.id)
    layout = json.loads(app.get("plotly_chart")[0].proto.spec)["layout"]
    assert layout["legend"]["y"] < 0
    assert layout["legend"]["yanchor"] == "top"
    assert layout["margin"]["t"] >= 40, "the height of the buttons"


@pytest.mark.slow
def test_the_form_starts_a_worker(open_page, store, loaded):
    app = open_page("topics", project=loaded.id)
    app.button(key="find").click().run()
    assert not app.exception
    (job,) = jobs.list_jobs(store, loaded.id)
    assert job.kind == KIND
    jobs.stop(store, job.id, ACTOR)


def test_the_model_is_asked_only_after_consent(open_page, loaded):
    app = open_page("topics", project=loaded.id)
    app.toggle(key="topics_namer").set_value(True).run()
    assert app.button(key="find").disabled
    assert "are sent to the address above" in app.warning[0].value


@pytest.mark.slow
def test_what_names_will_take_is_shown_before_a_model_is_asked(open_page, store, loaded):
    corpus_chunks(store, loaded.id, actor=ACTOR)
    app = open_page("topics", project=loaded.id)
    app.toggle(key="topics_namer").set_value(True).run()
    app.text_input(key="topics_url").set_value("http://127.0.0.1:9/v1")
    app.text_input(key="topics_model").set_value("m").run()
    assert not app.exception
    parts = next(frame.value for frame in app.dataframe if "Tokens sent" in frame.value)
    assert list(parts["Purpose"]) == ["Names of topics"]
    app.number_input(key="topics_budget_calls").set_value(3)
    app.checkbox[0].check().run()
    app.button(key="find").click().run()
    (job,) = jobs.list_jobs(store, loaded.id)
    assert (job.params["namer"], job.params["budget_calls"]) == ("m@http://127.0.0.1:9/v1", 3)
    jobs.stop(store, job.id, ACTOR)


def test_topics_are_shown_with_their_figures(open_page, found):
    app = open_page("topics", project=found.id)
    assert not app.exception
    shown = metrics(app)
    assert shown["Topics"] == "2"
    assert shown["In no topic"] == "0.00"
    frame = app.dataframe[0].value
    assert list(frame["Topic"]) == ["Topic A", "Topic B"]
    assert list(frame["Passages"]) == [6, 4]


@pytest.mark.slow
def test_a_topic_is_opened_renamed_and_the_change_taken_back(open_page, store, found):
    app = open_page("topics", project=found.id, topic="1")
    assert any("branch" in passage for frame in app.dataframe for passage in frame.value.get("Passage", []))
    app.text_input[0].set_value("Branches")
    app.button(key="rename_1_save").click().run()
    assert not app.exception
    assert topics_now(store)[1].name == "Branches"
    app.button(key="undo_topics").click().run()
    assert topics_now(store)[1].name == ""


@pytest.mark.slow
@pytest.mark.parametrize("topic", ["--1", "²", "99", "no topic"])
def test_a_link_to_no_topic_shows_them_all(open_page, found, topic):
    app = open_page("topics", project=found.id, topic=topic)
    assert not app.exception
    assert metrics(app)["Topics"] == "2"
    assert "drop_0" not in keys(app)


@pytest.mark.slow
def test_a_topic_is_dropped_and_used_again(open_page, store, found):
    app = open_page("topics", project=found.id, topic="0")
    app.button(key="drop_0").click().run()
    assert topics_now(store)[0].dropped
    assert metrics(app)["Topics"] == "1"
    app.button(key="drop_0").click().run()
    assert not topics_now(store)[0].dropped


def test_topics_of_other_documents_are_told_and_cannot_be_changed(open_page, store, found, tmp_path):
    (tmp_path / "documents" / "new.md").write_text("# New card\n\nThe annual fee of the New card is £1.\n")
    connect_corpus(store, found.id, tmp_path / "documents", actor=ACTOR)
    corpus_chunks(store, found.id, actor=ACTOR)
    app = open_page("topics", project=found.id, topic="0")
    assert not app.exception
    assert "have changed since" in app.warning[0].value
    assert "drop_0" not in keys(app)


@pytest.mark.slow
def test_who_may_only_look_changes_nothing(open_page, store, found, monkeypatch):
    app = as_viewer(open_page("topics", project=found.id, topic="0"), store, found, monkeypatch)
    assert not app.exception
    assert not {"drop_0", "find", "undo_topics"} & set(keys(app))
    assert metrics(app)["Topics"] == "2"
