"""The frame: who is there, which project, links that name what is not there, the workflow in the sidebar."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.sources.projects import Role
from core.project.service import create_project, ensure_member
from pages.kit import navigation
from tests.support.small_bank import ACTOR, said


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_every_page_opens_on_an_empty_store(open_page, spec):
    app = open_page(spec.key)
    assert not app.exception
    assert app.title[0].value == spec.question


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES[1:], ids=lambda spec: spec.key)
def test_without_a_project_a_page_offers_to_make_one(open_page, spec):
    app = open_page(spec.key)
    assert "There is no project yet" in said(app)
    app.button(key="go_overview").click().run()
    assert app.title[0].value == navigation.spec("overview").question


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_every_page_opens_on_a_finished_run(open_page, bank, spec):
    app = open_page(spec.key, project=bank.id)
    assert not app.exception
    assert app.title[0].value == spec.question
    assert any("Small bank" in caption.value for caption in app.caption)


@pytest.mark.slow
def test_a_link_to_a_project_that_is_not_there_says_so_and_leads_back(open_page, bank):
    app = open_page("connect", project="prj_nowhere")
    assert not app.exception
    assert "There is no project prj_nowhere here" in said(app)
    app.button(key="back_to_overview").click().run()
    assert not app.error
    assert app.query_params["project"] == bank.id


def test_a_link_that_cannot_be_is_refused_without_a_traceback(open_page, bank):
    app = open_page("results", project=bank.id, run="<script>alert(1)</script>")
    assert not app.exception
    assert "cannot exist" in app.error[0].value


@pytest.mark.parametrize("odd", [{"run": "<b>"}, {"alpha": "a"}, {"place": "-1"}])
def test_no_odd_parameter_takes_the_sidebar_away(open_page, bank, odd):
    app = open_page("connect", project=bank.id, **odd)
    assert not app.exception
    assert "cannot be" in app.error[0].value or "link" in app.error[0].value.lower()
    labels = {link.label.split("  ")[0]: link.label for link in app.sidebar.get("page_link")}
    assert "needs" not in labels["Results"]


def test_the_url_carries_the_project_so_that_a_link_opens_the_same_view(open_page, bank):
    app = open_page("connect")
    assert app.query_params["project"] == bank.id


def test_the_project_of_the_last_page_stays(open_page, store, project):
    other = create_project(store, "Cards assistant", ACTOR)
    app = open_page("connect", project=other.id)
    app.query_params.clear()
    app.switch_page(navigation.spec("overview").file).run()
    assert app.query_params["project"] == other.id


@pytest.mark.slow
def test_choosing_another_project_leaves_the_ids_of_the_first_behind(open_page, bank, store):
    other = create_project(store, "Cards assistant", ACTOR)
    app = open_page("connect", project=bank.id, view="documents")
    app.selectbox(key="picked_project").set_value(other.id).run()
    assert app.query_params["project"] == other.id
    assert "view" not in app.query_params
    assert "No database is connected yet" in said(app)


def test_the_sidebar_marks_what_is_done_and_what_waits(open_page, project):
    app = open_page("overview", project=project.id)
    labels = {link.label.split("  ")[0]: link.label for link in app.sidebar.get("page_link")}
    assert "needs a database" in labels["Templates"]
    assert "needs a test set" in labels["Run"]
    assert "needs" not in labels["Connect"]


def test_nobody_gets_past_the_sign_in_even_when_the_frame_is_all_there_is(open_page, bank, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    for spec in navigation.PAGES:
        app = open_page(spec.key, project=bank.id)
        assert not app.exception
        assert app.button(key="sign_in").label == "Sign in"
        assert "Small bank" not in said(app) + " ".join(item.value for item in app.caption)
        assert not app.sidebar.get("page_link")


@pytest.mark.slow
@pytest.mark.parametrize("spec", navigation.PAGES, ids=lambda spec: spec.key)
def test_a_page_reached_without_the_app_still_asks_who_is_there(data, spec, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app = AppTest.from_file(str(spec.path), default_timeout=120).run()
    assert not app.exception
    assert app.button(key="sign_in").label == "Sign in"
    assert spec.question not in [title.value for title in app.title]


@pytest.mark.slow
def test_a_signed_in_person_sees_only_projects_they_have_a_part_in(open_page, finished, bank, monkeypatch):
    create_project(finished, "Secret", "someone@example.com")
    ensure_member(finished, bank.id, "ada@example.com", Role.VIEWER, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app = open_page("overview")
    app.user = {"is_logged_in": True, "email": "ada@example.com"}
    app.run()
    assert not app.exception
    assert app.selectbox(key="picked_project").options == ["Small bank"]


def test_a_viewer_finds_nothing_to_change(open_page, finished, bank, monkeypatch):
    ensure_member(finished, bank.id, "ada@example.com", Role.VIEWER, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    app = open_page("connect", project=bank.id)
    app.user = {"is_logged_in": True, "email": "ada@example.com"}
    app.run()
    assert not app.exception
    keys = {button.key for button in app.button}
    assert not keys & {"connect_url", "connect_file", "read_again", "save_columns"}
