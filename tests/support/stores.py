"""Temporary stores: a file, and a schema of its own on a PostgreSQL server where one answers."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa

from core.domain.results.runs import Run
from core.domain.sources.projects import Project
from core.domain.testset.cases import TestCase, TestSet
from core.store import projects
from core.store.database import Store
from core.store.results import runs
from core.store.testset import testsets

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
def _server() -> Iterator[sa.Engine]:
    pytest.importorskip("psycopg", reason="psycopg is not installed, so PostgreSQL is not tested")
    try:
        socket.create_connection(SERVER, timeout=1).close()
    except OSError:
        pytest.skip("no PostgreSQL server answers on 127.0.0.1:5432")
    engine = sa.create_engine(POSTGRES, isolation_level="AUTOCOMMIT")
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _schema(engine: sa.Engine) -> Iterator[str]:
    schema = f"plumbline_{secrets.token_hex(6)}"
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE SCHEMA {schema}"))
    try:
        yield schema
    finally:
        with engine.connect() as connection:
            connection.execute(sa.text(f"DROP SCHEMA {schema} CASCADE"))


def _url_in(schema: str) -> str:
    """The URL of a schema; its connections carry its name, so that one that was left open is found.

    What they commit is seen at once and not waited for until it is on the disk.
    """
    options = f"-csearch_path%3D{schema}%20-csynchronous_commit%3Doff"
    return f"{POSTGRES}?options={options}&application_name={schema}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Schema:
    """A schema with its columns, and the rows of each table, as the migrations left them."""

    name: str
    made: ExitStack
    columns: list[tuple[object, ...]]
    rows: Mapping[str, Sequence[str]]

    def make_blank(self, connection: sa.Connection) -> None:
        """Takes out what a test put in."""
        connection.execute(sa.text(f"SELECT {self.name}.make_empty()"))
        for table, rows in self.rows.items():
            into = f"{self.name}.{table}"
            put = sa.text(
                f"INSERT INTO {into} SELECT * FROM json_populate_record(CAST(NULL AS {into}), CAST(:row AS json))"
            )
            for values in rows:
                connection.execute(put, {"row": values})


class Schemas:
    """Schemas with a blank store in them: made by the migrations once, made blank again after each test.

    One whose tables a test changed, or whose connections do not end, is dropped and not lent again.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._free: list[_Schema] = []

    @contextmanager
    def blank(self) -> Iterator[str]:
        """The URL of a blank store."""
        lent = self._free.pop() if self._free else self._new()
        try:
            yield _url_in(lent.name)
        finally:
            with self._engine.begin() as connection:
                gone = connection.scalars(_END_CONNECTIONS, {"schema": lent.name}).all()
                kept = all(gone) and _columns(connection, lent.name) == lent.columns
                if kept:
                    lent.make_blank(connection)
            if kept:
                self._free.append(lent)
            else:
                lent.made.close()

    def _new(self) -> _Schema:
        made = ExitStack()
        name = made.enter_context(_schema(self._engine))
        Store.open(_url_in(name)).dispose()
        with self._engine.connect() as connection:
            columns = _columns(connection, name)
            tables = sorted({str(table) for table, *_ in columns})
            deletes = "\n    ".join(f"DELETE FROM {name}.{table};" for table in tables)
            connection.execute(sa.text(_EMPTY.format(schema=name, deletes=deletes)))
            rows = {
                table: connection.scalars(
                    sa.text(f"SELECT CAST(row_to_json(one) AS text) FROM {name}.{table} one")
                ).all()
                for table in tables
            }
        return _Schema(name=name, made=made, columns=columns, rows=rows)

    def drop(self) -> None:
        """Drops those that are not lent."""
        while self._free:
            self._free.pop().made.close()


_END_CONNECTIONS = sa.text(
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = :schema"
)
"""Those that were just closed may still be ending on the server; it waits for them (PostgreSQL 14 or later)."""
_COLUMNS = sa.text(
    "SELECT relname, attname, atttypid FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
    "WHERE relnamespace = CAST(:schema AS regnamespace) AND relkind = 'r' AND attnum > 0 AND NOT attisdropped "
    "ORDER BY relname, attnum"
)


def _columns(connection: sa.Connection, schema: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in connection.execute(_COLUMNS, {"schema": schema})]


_EMPTY = """
CREATE FUNCTION {schema}.make_empty() RETURNS void LANGUAGE plpgsql SET session_replication_role = replica AS $$ BEGIN
    {deletes}
    PERFORM setval(format('{schema}.%I', sequencename)::regclass, start_value, false) FROM pg_sequences
        WHERE schemaname = '{schema}' AND last_value IS NOT NULL;  -- a RESTART would make a new file of each
END $$
"""
"""A function, so that the server plans it once; foreign keys do not matter where every row goes."""


_for_all_tests = ExitStack()
"""What the tests of this process share; `tests/conftest.py` closes it with the run."""


@cache
def _schemas() -> Schemas:
    lent = Schemas(_for_all_tests.enter_context(_server()))
    _for_all_tests.callback(lent.drop)
    return lent


def close() -> None:
    """Drops what the tests of this process shared."""
    _for_all_tests.close()
    _schemas.cache_clear()


@pytest.fixture(scope="session")
def schemas() -> Schemas:
    """Blank stores on PostgreSQL; skips where no server answers."""
    return _schemas()


@contextmanager
def store_url(database: str, folder: Path) -> Iterator[str]:
    """The URL of a blank store, ``sqlite`` in a folder or ``postgresql`` on a server; skips where none answers."""
    if database == "sqlite":
        yield blank_url(folder)
        return
    with _schemas().blank() as found:
        yield found


@contextmanager
def empty_place(database: str, folder: Path) -> Iterator[str]:
    """The URL of a place without a store, of a kind as in `store_url`; whoever opens it runs every migration."""
    if database == "sqlite":
        yield sqlite_url(folder)
        return
    with _server() as engine, _schema(engine) as schema:
        yield _url_in(schema)


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
