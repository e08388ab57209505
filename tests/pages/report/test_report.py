"""The page that writes the report: page one, files, commentary, snapshots that stay."""

from __future__ import annotations

import pytest

from core.report.snapshots import freeze, open_snapshot, snapshots
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store import projects
from core.store.results import runs
from tests.pages.clicks import as_viewer, holding, keys
from tests.support.small_bank import ACTOR


def finished_run(store):
    with store.read() as connection:
        return runs.all(connection, None)[0]


def downloads(app):
    return {item.key for item in app.get("download_button")}


def test_without_a_run_the_page_leads_to_one(open_page, project):
    app = open_page("report", project=project.id)
    assert app.title[0].value == "What goes into the review, and which file stays?"
    assert "go_run" in keys(app)
    assert "freeze_snapshot" not in keys(app)


@pytest.mark.slow
def test_page_one_says_verdict_estimates_and_limits_and_offers_every_file(open_page, finished):
    run = finished_run(finished)
    app = open_page("report", project=run.project_id, run=run.id)
    assert not app.exception
    assert "no acceptance criteria were entered" in app.info[0].value
    table = holding(app, "Estimate")
    assert table["Measure"][0] == "Accuracy"
    assert {f"download_{ending}" for ending in ("html", "pdf", "docx", "json", "xlsx")} <= downloads(app)


@pytest.mark.slow
def test_a_frozen_snapshot_shows_what_was_seen_after_another_run_was_made(open_page, finished):
    run = finished_run(finished)
    app = open_page("report", project=run.project_id, run=run.id)
    app.text_input(key="snapshot_title").set_value("First review")
    app.button(key="freeze_snapshot").click().run()
    assert not app.exception
    made = snapshots(finished, run.project_id)[0]
    assert (made.title, made.run_id, made.created_by) == ("First review", run.id, ACTOR)
    before = holding(app, "Estimate")["Estimate"][0]
    other = create_run(finished, run.test_set_id, actor=ACTOR, target="bm25", options={"k": 3})
    assert execute_run(finished, other.id, actor=ACTOR)
    app = open_page("report", project=run.project_id, snapshot=made.id)
    assert "Since then: 1 run" in app.info[0].value
    assert holding(app, "Estimate")["Estimate"][0] == before
    assert "download_xlsx" in downloads(app)


@pytest.mark.slow
def test_commentary_is_saved_with_its_writer_and_shown_in_the_report(open_page, finished):
    run = finished_run(finished)
    app = open_page("report", project=run.project_id, run=run.id)
    app.selectbox(key="comment_section").set_value("results").run()
    app.text_area(key="comment_text_results").set_value("Accepted <b>with</b> conditions.")
    app.button(key="save_comment").click().run()
    assert not app.exception
    snapshot = freeze(finished, run.id, actor=ACTOR)
    _, content = open_snapshot(finished, snapshot.id)
    [said] = content.section("results").commentary
    assert (said.text, said.by) == ("Accepted <b>with</b> conditions.", ACTOR)


@pytest.mark.slow
def test_a_viewer_reads_and_cannot_freeze_or_comment(open_page, finished, monkeypatch):
    run = finished_run(finished)
    with finished.read() as connection:
        project = projects.get(connection, run.project_id)
    app = as_viewer(open_page("report", project=project.id, run=run.id), finished, project, monkeypatch)
    assert not app.exception
    assert not {"freeze_snapshot", "save_comment"} & keys(app)
    assert "download_html" in downloads(app)


def test_a_link_to_a_snapshot_that_is_not_there_says_so(open_page, finished):
    run = finished_run(finished)
    app = open_page("report", project=run.project_id, snapshot="snap_0")
    assert "There is no snapshot snap" in app.error[0].value


def test_a_link_that_names_no_run_gets_the_run_it_shows(open_page, finished):
    run = finished_run(finished)
    app = open_page("report", project=run.project_id)
    assert not app.exception
    assert app.query_params["run"] in (run.id, [run.id])


def test_every_stop_of_the_tab_key_does_something(open_page, finished):
    # A heading with an anchor is a stop for the keyboard that shows nothing and leads nowhere.
    app = open_page("report")
    assert not app.exception
    assert not [item for item in app.main.markdown if item.value.startswith("#")]
    assert all(heading.hide_anchor for heading in app.main.subheader)
