"""The store on SQLite and, where a server answers, on PostgreSQL."""

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from core.domain.errors import Conflict, InvalidInput, PlumblineError, SourceUnavailable, UnreadableFile
from core.domain.results.responses import Response
from core.domain.sources.projects import Project
from core.store import projects
from core.store.database import Store
from core.store.engines import parse, reader, writer
from core.store.results import runs
from core.store.trail import audit
from tests.support.stores import sqlite_url, with_run

ROOT = Path(__file__).resolve().parents[3]


def test_a_write_and_its_audit_entry_are_committed_together(store):
    project = Project(id="p", name="Bank")
    with store.write("anna", "project.put", project_id="p", subject="p", detail={"n": (1, 2)}) as connection:
        projects.put(connection, project)
    with store.read() as connection:
        assert projects.all(connection) == [project]
        (entry,) = audit.entries(connection)
    assert (entry.seq, entry.actor, entry.action, entry.project_id) == (1, "anna", "project.put", "p")
    assert entry.previous == audit.GENESIS
    assert entry.at.endswith("+00:00")


def test_an_error_takes_both_back(store):
    def fail_inside():
        with store.write("anna", "project.put") as connection:
            projects.put(connection, Project(id="p", name="Bank"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_inside()
    with store.read() as connection:
        assert projects.all(connection) == []
        assert audit.verify(connection) == (True, 0, None)


@pytest.mark.parametrize(
    ("actor", "action", "missing"), [("", "x", "no actor"), (" ", "x", "no actor"), ("a", "", "no action")]
)
def test_no_write_without_actor_and_action(store, actor, action, missing):
    with pytest.raises(InvalidInput, match=missing), store.write(actor, action):
        raise AssertionError("never reached")


def test_a_reader_cannot_write(store):
    with pytest.raises(DBAPIError, match=r"(?i)read.?only"), store.read() as connection:
        projects.put(connection, Project(id="p", name="Bank"))


def test_a_reader_sees_one_state(store):
    with store.read() as connection:
        assert projects.all(connection) == []
        with store.write("anna", "project.put") as writing:
            projects.put(writing, Project(id="p", name="Bank"))
        assert projects.all(connection) == []
    with store.read() as connection:
        assert len(projects.all(connection)) == 1


def test_a_broken_reference_is_a_conflict(store):
    with pytest.raises(Conflict, match="refused the change"), store.write("anna", "run.answer") as connection:
        runs.save_responses(connection, "run_none", [Response(case_id="c", answer="x")])


@pytest.mark.slow
def test_eight_threads_lose_nothing(store):
    """8 writers x 25 read-then-write steps: a counter kept in a name reaches 200, in 200 audit entries."""
    with store.write("anna", "start") as connection:
        projects.put(connection, Project(id="p", name="0"))
    errors = []

    def count(actor):
        try:
            for _ in range(25):
                with store.write(actor, "count") as connection:
                    seen = int(projects.get(connection, "p").name)
                    projects.put(connection, Project(id="p", name=str(seen + 1)))
        except (PlumblineError, DBAPIError) as error:
            errors.append(error)

    threads = [threading.Thread(target=count, args=(f"w{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    with store.read() as connection:
        assert projects.get(connection, "p").name == "200"
        assert audit.verify(connection) == (True, 201, None)


COUNT = """
import sys
from core.domain.sources.projects import Project
from core.store import projects
from core.store.database import Store
from core.store.engines import parse, reader, writer
with Store.open(sys.argv[1]) as store:
    for _ in range(25):
        with store.write(sys.argv[2], "count") as connection:
            known = projects.all(connection)
            seen = int(known[0].name) if known else 0
            projects.put(connection, Project(id="p", name=str(seen + 1)))
"""


@pytest.mark.slow
def test_eight_processes_open_a_new_store_at_once_and_lose_nothing(url):
    started = [
        subprocess.Popen([sys.executable, "-c", COUNT, url, f"w{number}"], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for number in range(8)
    ]
    for process in started:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    with Store.open(url) as store, store.read() as connection:
        assert projects.get(connection, "p").name == "200"
        assert audit.verify(connection) == (True, 200, None)


def test_responses_are_stored_once(store):
    run = with_run(store)
    first = [Response(case_id="c0", answer="a"), Response(case_id="c1", answer=None, error="timeout")]
    again = [Response(case_id="c1", answer="late"), Response(case_id="c2", answer="c")]
    with store.write("anna", "run.answer") as connection:
        assert runs.save_responses(connection, run.id, first) == 2
        assert runs.save_responses(connection, run.id, again) == 1
        assert runs.save_responses(connection, run.id, []) == 0
    with store.read() as connection:
        assert runs.responses(connection, run.id) == {"c0": first[0], "c1": first[1], "c2": again[1]}


@pytest.mark.slow
def test_opening_again_keeps_everything(url):
    with Store.open(url) as store, store.write("anna", "project.put") as connection:
        projects.put(connection, Project(id="p", name="Bank"))
    with Store.open(url) as store, store.read() as connection:
        assert [project.name for project in projects.all(connection)] == ["Bank"]


@pytest.mark.usefixtures("flushed_files")
def test_sqlite_is_set_up_for_many_processes(tmp_path):
    with Store.open(sqlite_url(tmp_path / "new" / "folder")) as store, store.read() as connection:
        found = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous", "query_only")
        }
        assert store.folder == tmp_path / "new" / "folder"
    assert found == {
        "journal_mode": "wal",
        "foreign_keys": 1,
        "busy_timeout": 30_000,
        "synchronous": 1,
        "query_only": 1,
    }


@pytest.mark.parametrize(
    ("url", "kind", "message"),
    [
        ("nonsense", InvalidInput, "not a database URL"),
        ("oracle9000://x/y", InvalidInput, "cannot be kept in oracle9000"),
        ("mysql://host/db", InvalidInput, "cannot be kept in mysql"),
        ("sqlite://", InvalidInput, "needs a file"),
        ("sqlite:///:memory:", InvalidInput, "needs a file"),
        ("sqlite:////", UnreadableFile, "is a folder"),
        ("sqlite:////proc/none/plumbline.sqlite", UnreadableFile, "cannot be"),
    ],
)
def test_what_cannot_be_a_store(url, kind, message):
    with pytest.raises(kind, match=message) as caught:
        Store.open(url)
    assert caught.value.hint


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "plumbline.sqlite").write_bytes(b"not a database, but long enough to look like a file" * 40)
    with pytest.raises(UnreadableFile, match="cannot be used as a store: file is not a database"):
        Store.open(sqlite_url(tmp_path))


def test_somebody_elses_database_is_left_alone(tmp_path):
    raw = sqlite3.connect(tmp_path / "plumbline.sqlite")
    raw.execute("CREATE TABLE customers (id INTEGER)")
    raw.commit()
    raw.close()
    with pytest.raises(InvalidInput, match="tables that are not Plumbline's"):
        Store.open(sqlite_url(tmp_path))


def test_a_server_that_does_not_answer():
    pytest.importorskip("psycopg", reason="psycopg is not installed, so PostgreSQL is not tested")
    with pytest.raises(SourceUnavailable, match="does not answer") as caught:
        Store.open("postgresql://plumb:s3cret@127.0.0.1:1/none")
    assert "s3cret" not in str(caught.value)


def test_the_password_is_not_shown():
    pytest.importorskip("psycopg", reason="psycopg is not installed, so PostgreSQL is not tested")
    parsed = parse("postgresql://plumb:s3cret@db/plumb")
    with Store(writer(parsed), reader(parsed)) as store:
        assert "s3cret" not in repr(store)
        assert store.url == "postgresql+psycopg://plumb:s3cret@db/plumb"  # what a worker is given
        assert store.folder is None


@pytest.mark.slow
def test_a_lock_that_is_never_given_back_is_a_conflict(tmp_path, monkeypatch):
    monkeypatch.setattr("core.store.engines.BUSY_SECONDS", 0.1)
    with Store.open(sqlite_url(tmp_path)) as store:
        raw = sqlite3.connect(tmp_path / "plumbline.sqlite", isolation_level=None)
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(Conflict, match="kept the store locked"), store.write("anna", "x"):
            raise AssertionError("never reached")
        raw.execute("ROLLBACK")
        raw.close()
