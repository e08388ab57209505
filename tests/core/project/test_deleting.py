"""A project is renamed and deleted: its rows in every table and its files go, those of others stay."""

import json
import time

import pytest
import sqlalchemy as sa

from core.domain.errors import Conflict, Forbidden, InvalidInput
from core.domain.jobs import Job, JobState, Worker
from core.project.service import create_project, delete_project, rename_project
from core.store import jobs, projects
from core.store.database import Store
from core.store.tables import metadata
from core.store.trail import audit
from tests.support.evidence import fill
from tests.support.stores import store_url

KEPT = {"audit", "audit_head", "audit_rows", "encodings", "versions"}
"""Tables that are of no project."""


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def filled(request, tmp_path, monkeypatch):
    """A store with two projects that have a row in every covered table."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with store_url(request.param, tmp_path) as url, Store.open(url) as store:
        fill(store)
        fill(store, number=2)
        yield store


def counts(store):
    with store.read() as connection:
        return {
            table.name: connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
            if table.name not in KEPT
        }


def add_job(store, project_id, *, silent=0.0, **fields):
    worker = Worker(heartbeat=time.time() - silent)
    job = Job(id=f"job_{project_id}", project_id=project_id, kind="run", actor="anna", **fields)
    with store.write("anna", "job.start", project_id=project_id) as connection:
        jobs.add(connection, job)
        connection.execute(
            sa.update(metadata.tables["jobs"])
            .where(metadata.tables["jobs"].c.id == job.id)
            .values(state=fields.get("state", JobState.QUEUED).value, heartbeat=worker.heartbeat)
        )


def test_every_table_loses_the_rows_of_the_project_and_no_other(filled):
    before = counts(filled)
    delete_project(filled, "projects_1", actor="local")
    after = counts(filled)
    assert {name: before[name] - n for name, n in after.items() if name != "jobs"} == {
        name: 1 if name != "trial_answers" else 0 for name in after if name != "jobs"
    }
    with filled.read() as connection:
        assert [project.id for project in projects.all(connection)] == ["projects_2"]
        assert audit.verify(connection)[0]
        entry = audit.entries(connection, "projects_1")[0]
    assert entry.action == "project.delete"
    assert json.loads(entry.detail)["name"].startswith("name ")


@pytest.mark.slow
def test_its_files_go_and_those_of_others_stay(filled, tmp_path):
    for project_id in ("projects_1", "projects_2"):
        for place in ("projects", "uploads", "targets"):
            folder = tmp_path / place / project_id / "databases"
            folder.mkdir(parents=True)
            (folder / "bank.sqlite").write_text("x")
    outside = tmp_path / "kept.log"
    outside.write_text("not ours")
    log = tmp_path / "jobs" / "job_projects_1.log"
    log.parent.mkdir(exist_ok=True)
    log.write_text("a question")
    add_job(filled, "projects_1", state=JobState.FINISHED, log=str(log), params={"spool": "load_1"})
    (tmp_path / "spool" / "load_1").mkdir(parents=True)
    delete_project(filled, "projects_1", actor="local")
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if "projects_1" in str(path))
    assert left == []
    assert not (tmp_path / "spool" / "load_1").exists()
    assert (tmp_path / "projects" / "projects_2" / "databases" / "bank.sqlite").exists()
    assert outside.exists()


@pytest.mark.slow
def test_a_log_elsewhere_is_left_alone(filled, tmp_path):
    elsewhere = tmp_path / "kept.log"
    elsewhere.write_text("not ours")
    (tmp_path / "jobs").mkdir(exist_ok=True)
    add_job(filled, "projects_1", state=JobState.FINISHED, log=str(tmp_path / "jobs" / ".." / "kept.log"))
    delete_project(filled, "projects_1", actor="local")
    assert elsewhere.exists()


@pytest.mark.slow
@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.RUNNING])
def test_a_project_with_a_job_at_work_is_kept_and_says_what_to_do(filled, state):
    add_job(filled, "projects_1", state=state)
    with pytest.raises(Conflict, match="job_projects_1") as told:
        delete_project(filled, "projects_1", actor="local")
    assert "Stop it" in told.value.hint
    with filled.read() as connection:
        assert len(projects.all(connection)) == 2
    delete_project(filled, "projects_2", actor="local")  # the job is another project's


def test_a_job_whose_worker_is_gone_stops_nothing(filled):
    add_job(filled, "projects_1", state=JobState.RUNNING, silent=120.0)
    delete_project(filled, "projects_1", actor="local")
    with filled.read() as connection:
        assert jobs.all(connection, "projects_1") == []


def test_a_project_is_renamed_and_the_trail_says_from_what(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    with store_url("sqlite", tmp_path) as url, Store.open(url) as store:
        bank = create_project(store, "Bank", "anna", description="Old")
        create_project(store, "Other", "anna")
        renamed = rename_project(store, bank.id, "  Loans <b>desk</b> ", actor="local")
        assert (renamed.id, renamed.name, renamed.description) == (bank.id, "Loans <b>desk</b>", "Old")
        with store.read() as connection:
            assert projects.get(connection, bank.id) == renamed
            entry = audit.entries(connection, bank.id)[0]
            written = audit.count(connection)
        assert entry.action == "project.rename"
        assert json.loads(entry.detail) == {"name": {"before": "Bank", "after": "Loans <b>desk</b>"}}
        rename_project(store, bank.id, renamed.name, actor="local")
        with store.read() as connection:
            assert audit.count(connection) == written  # nothing changed, nothing is written
        assert rename_project(store, bank.id, "loans <B>desk</B>", actor="local").name == "loans <B>desk</B>"
        with pytest.raises(Conflict, match="called Other already"):
            rename_project(store, bank.id, "Other", actor="local")
        with pytest.raises(InvalidInput, match="has no name"):
            rename_project(store, bank.id, " ", actor="local")
        with pytest.raises(Forbidden, match="owner"):
            rename_project(store, bank.id, "Mine", actor="eve")
