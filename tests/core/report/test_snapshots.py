"""A snapshot shows what was seen, says what came since, and shows when it was changed behind the store's back."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import psutil
import pytest
from openpyxl import load_workbook

from core import jobs
from core.domain.errors import Forbidden, InvalidInput, NotFound
from core.domain.jobs import JobState
from core.domain.sources.projects import Role
from core.project.service import ensure_member
from core.report.cases import case_of, case_rows
from core.report.collecting import ReportOptions, collect
from core.report.files import report_bytes
from core.report.job import start_freezing
from core.report.record import as_json, digest, of_json
from core.report.snapshots import comment, freeze, open_snapshot, since, since_text, snapshots
from core.runs.execute import execute_run
from core.runs.scores.edits import edit_score
from core.runs.service import create_run
from core.store.trail import audit
from core.weakness.findings.service import change_finding, findings
from tests.support.evidence import behind
from tests.support.processes.killed_job import until
from tests.support.small_bank import ACTOR

DAY = ReportOptions(date="2026-11-23")


@pytest.mark.slow
def test_a_snapshot_stays_while_runs_and_decisions_go_on(store, bank_run):
    snapshot = freeze(store, bank_run.id, DAY, title=" First  review ", actor=ACTOR)
    before = collect(store, bank_run.id, DAY)
    assert snapshot.title == "First review"
    assert since(store, snapshot) == {}
    for k in (2, 3, 4):
        run = create_run(store, bank_run.test_set_id, actor=ACTOR, target="bm25", options={"k": k})
        assert execute_run(store, run.id, actor=ACTOR)
    found = findings(store, bank_run.id)
    if found:
        change_finding(store, found[0].id, status="accepted", actor=ACTOR)
    expected = {"runs": 3, **({"decisions on findings": 1} if found else {})}
    assert since(store, snapshot) == expected
    assert since_text(since(store, snapshot)).startswith("3 runs")
    stored, content = open_snapshot(store, snapshot.id)
    assert replace(content, cases=None) == before
    assert stored.sha256 == snapshot.sha256
    assert [one.id for one in snapshots(store, bank_run.project_id)] == [snapshot.id]
    assert snapshots(store, bank_run.project_id)[0].content == ""


@pytest.mark.slow
def test_freezing_and_commenting_leave_the_figures_and_entries_in_the_trail(store, bank_run):
    before = collect(store, bank_run.id, DAY)
    comment(store, bank_run.id, "results", "First words.", actor=ACTOR)
    comment(store, bank_run.id, "results", "Better words.", actor=ACTOR)
    comment(store, bank_run.id, "safety", "Gone.", actor=ACTOR)
    comment(store, bank_run.id, "safety", "", actor=ACTOR)
    freeze(store, bank_run.id, DAY, actor=ACTOR)
    after = collect(store, bank_run.id, DAY)
    assert after.figures == before.figures
    assert after.made_from == before.made_from
    assert [one.text for one in after.section("results").commentary] == ["Better words."]
    assert after.section("safety").commentary == ()
    with store.read() as connection:
        actions = [entry.action for entry in audit.entries(connection, bank_run.project_id, limit=5)]
    assert actions == ["report.freeze", *["report.comment"] * 4]


def test_a_snapshot_that_was_changed_behind_the_store_is_refused(store, bank_run):
    snapshot = freeze(store, bank_run.id, DAY, actor=ACTOR)
    behind(store, "UPDATE report_snapshots SET content = replace(content, 'Accuracy', 'Perfection')")
    with pytest.raises(InvalidInput, match="not what was frozen"):
        open_snapshot(store, snapshot.id)


def test_who_may_not_and_what_cannot_be_is_refused(store, bank_run, monkeypatch):
    with pytest.raises(NotFound):
        open_snapshot(store, "snap_0")
    with pytest.raises(InvalidInput, match="no section"):
        comment(store, bank_run.id, "weather", "Rain.", actor=ACTOR)
    with pytest.raises(InvalidInput, match="characters"):
        comment(store, bank_run.id, "results", "x" * 9_000, actor=ACTOR)
    with pytest.raises(InvalidInput, match="title"):
        freeze(store, bank_run.id, DAY, title="x" * 300, actor=ACTOR)
    ensure_member(store, bank_run.project_id, "vic", Role.VIEWER, actor=ACTOR)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    for act in (
        lambda: freeze(store, bank_run.id, DAY, actor="vic"),
        lambda: comment(store, bank_run.id, "results", "No.", actor="vic"),
        lambda: start_freezing(store, bank_run.id, DAY, actor="vic"),
    ):
        with pytest.raises(Forbidden):
            act()


@pytest.mark.slow
def test_the_workbook_of_a_snapshot_has_the_cases_as_they_were_frozen(store, bank_run):
    snapshot = freeze(store, bank_run.id, DAY, actor=ACTOR)
    frozen = list(case_rows(store, bank_run.id))
    place = next(number for number, row in enumerate(frozen) if row.verdict == "correct")
    first = frozen[place]
    edit_score(store, bank_run.id, first.case_id, "verdict", value=0.0, reason="Read again.", actor=ACTOR)
    assert list(case_rows(store, bank_run.id))[place].verdict == "incorrect"
    _, content = open_snapshot(store, snapshot.id)
    assert [case_of(case) for case in content.cases] == frozen
    sheet = load_workbook(BytesIO(report_bytes(content, ".xlsx", _not_asked)))["Cases"]
    rows = list(sheet.iter_rows(values_only=True))
    assert len(rows) == len(frozen) + 1
    assert rows[place + 1][rows[0].index("Verdict")] == "correct"
    # The JSON file is what the SHA-256 is of.
    assert digest(report_bytes(content, ".json", _not_asked)) == snapshot.sha256


def test_a_snapshot_from_before_cases_were_kept_opens_without_them(store, bank_run):
    content = collect(store, bank_run.id, DAY)
    assert "cases" not in as_json(content)
    assert of_json(as_json(content)) == content


@pytest.mark.slow
def test_a_worker_freezes_once_though_it_is_killed(store, bank_run):
    job = start_freezing(store, bank_run.id, ReportOptions(off=frozenset({"safety"})), title="Board", actor=ACTOR)
    until(lambda: jobs.get(store, job.id).worker.pid, "no worker started")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    assert snapshots(store, bank_run.project_id) == ()
    jobs.resume(store, job.id, ACTOR)
    assert jobs.wait(store, job.id, seconds=120.0).state is JobState.FINISHED
    (made,) = snapshots(store, bank_run.project_id)
    _, content = open_snapshot(store, made.id)
    assert (made.title, content.left_out) == ("Board", ("Safety",))
    assert len(content.cases) == content.figures["cases"]


def _not_asked():
    raise AssertionError("a snapshot's cases are its own")
