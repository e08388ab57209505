"""Temporary stores: a file, and a schema of its own on a PostgreSQL server where one answers."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

from core.domain.cases import TestCase, TestSet
from core.domain.projects import Project
from core.domain.runs import Run
from core.store import projects, runs, testsets
from core.store.database import Store

SERVER = ("127.0.0.1", 5432)
POSTGRES = f"postgresql+psycopg://postgres@{SERVER[0]}:{SERVER[1]}/postgres"


def sqlite_url(folder: Path) -> str:
    """The URL of a store in a folder."""
    return f"sqlite:///{folder / 'plumbline.sqlite'}"


def blank_url(folder: Path) -> str:
    """The URL of a new store in a folder, made where missing: a copy of one, since to make one runs every migration."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "plumbline.sqlite"
    if not path.exists():
        path.write_bytes(_blank())
    return sqlite_url(folder)


@cache
def _blank() -> bytes:
    """The file of a store with nothing in it."""
    with TemporaryDirectory() as folder:
        Store.open(sqlite_url(Path(folder))).dispose()
        return (Path(folder) / "plumbline.sqlite").read_bytes()


@contextmanager
def postgres_url() -> Iterator[str]:
    """A URL whose tables live in a schema that is dropped afterwards; skips the test where no server answers."""
    pytest.importorskip("psycopg", reason="psycopg is not installed, so PostgreSQL is not tested")
    try:
        socket.create_connection(SERVER, timeout=1).close()
    except OSError:
        pytest.skip("no PostgreSQL server answers on 127.0.0.1:5432")
    schema = f"plumbline_{secrets.token_hex(6)}"
    engine = sa.create_engine(POSTGRES, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
        yield f"{POSTGRES}?options=-csearch_path%3D{schema}"
        with engine.connect() as connection:
            connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))
    finally:
        engine.dispose()


@contextmanager
def store_url(database: str, folder: Path) -> Iterator[str]:
    """The URL of a blank store, ``sqlite`` in a folder or ``postgresql`` on a server; skips where none answers."""
    if database == "sqlite":
        yield sqlite_url(folder)
        return
    with postgres_url() as found:
        yield found


def with_run(store: Store, cases: int = 3) -> Run:
    """A project, a test set of so many cases c0, c1, ... in two forms, and a run of it."""
    project = Project(id="prj_1", name="Bank", created_at="2026-01-01T00:00:00+00:00", created_by="anna")
    run = Run(id="run_1", project_id="prj_1", test_set_id="ts_1", target="keyword")
    listed = [
        TestCase(
            case_id=f"c{number}",
            question=f"Question {number}?",
            reference_answers=(str(number),),
            form="short" if number % 2 else "long",
            group_id=f"g{number // 2}",
        )
        for number in range(cases)
    ]
    with store.write("anna", "test.prepare") as connection:
        projects.put(connection, project)
        testsets.put(connection, TestSet(id="ts_1", project_id="prj_1", name="First"))
        testsets.put_cases(connection, "ts_1", listed)
        runs.put(connection, run)
    return run
