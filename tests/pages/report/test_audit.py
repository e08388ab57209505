"""The page that says whether everything is as it was written."""

from __future__ import annotations

import pytest

from core.audit import job
from core.audit.verification import verify
from core.domain.jobs import JobState
from core.jobs import execute, list_jobs
from core.project.service import create_project
from tests.pages.clicks import as_viewer, captions, holding, keys
from tests.support.evidence import behind
from tests.support.small_bank import ACTOR


def check(store):
    job.record(store, verify(store), actor=ACTOR)


def test_before_a_check_the_page_says_what_it_does(open_page, store, project):
    app = open_page("audit", project=project.id)
    assert app.title[0].value == "Is everything as it was written?"
    assert "Nobody has checked this store yet" in app.info[0].value
    assert "audit_check" in keys(app)
    assert "kept nowhere else" in captions(app)


@pytest.mark.slow
def test_an_untouched_store_is_said_to_hold(open_page, store, project):
    check(store)
    app = open_page("audit", project=project.id)
    assert "Everything is as it was written" in app.success[0].value
    assert not app.error


def test_what_was_changed_stands_with_was_and_is_and_what_to_do(open_page, store, project):
    behind(store, "UPDATE projects SET name = 'Renamed'")
    check(store)
    app = open_page("audit", project=project.id)
    assert "1 thing is not as written" in app.error[0].value
    assert "What to do" in app.error[0].value
    table = holding(app, "Was")
    assert list(table["What"]) == ["Project changed"]
    assert list(table["Was"]) == [f"name {project.name}"]
    assert list(table["Is"]) == ["name Renamed"]
    assert list(table["Last written by"]) == [ACTOR]


def test_what_belongs_to_other_projects_is_counted_and_not_shown(open_page, store, project):
    other = create_project(store, "Other bank", ACTOR)
    behind(store, "UPDATE projects SET name = 'Renamed' WHERE id = :id", id=other.id)
    check(store)
    app = open_page("audit", project=project.id)
    assert "1 other finding" in captions(app)
    with pytest.raises(AssertionError):
        holding(app, "Was")


def test_a_check_starts_from_the_page_and_records_what_it_found(open_page, store, project, monkeypatch):
    monkeypatch.setattr("core.jobs.control.spawn", lambda *given, **options: None)
    app = open_page("audit", project=project.id)
    app.button(key="audit_check").click().run()
    (started,) = [item for item in list_jobs(store, project.id) if item.kind == job.KIND]
    assert job.start_check(store, project.id, actor=ACTOR).id == started.id  # one at a time
    assert execute(store, started.id) is JobState.FINISHED
    assert job.latest(store).ok
    assert job.latest(store).checked_by == ACTOR


@pytest.mark.slow
def test_a_viewer_reads_and_does_not_check(open_page, store, project, monkeypatch):
    check(store)
    app = as_viewer(open_page("audit", project=project.id), store, project, monkeypatch)
    assert app.success
    assert "audit_check" not in keys(app)
