"""The attack, repeated: over a thousand hostile statements on each kind of database, and nothing comes of them.

Those with bombs in them run against servers of the test's own, whose memory is limited.
"""

import hashlib
import threading
from collections import Counter
from contextlib import contextmanager
from itertools import islice

import pytest
import sqlalchemy as sa

from core.domain.errors import ExpensiveSql, PlumblineError, QueryStopped, UnsafeSql
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import DatabaseSource, check_select
from core.sources.database.sandbox.workers import workers
from tests.support.databases.capped_servers import capped_server
from tests.support.databases.hostile_sql import hostile_statements, many_statements
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.small_bank import bank_statements

STATEMENTS = 1_100
MOST_READ = 1_000
SERVER_MEMORY = 1_000_000_000
"""Bytes a server may have at any time of the attack; the known one took 21 GB."""


@contextmanager
def attacked(kind, folder):
    """The address of a bank to attack, what its content is, and what memory its server has."""
    if kind == "sqlite":
        address = sqlite_file(folder / "bank.sqlite", ";".join([*bank_statements(), *many_statements()]))
        yield address, lambda: _files(folder), lambda: 0
        return
    with capped_server(kind, folder) as server:
        admin = sa.create_engine(server.address, isolation_level="AUTOCOMMIT")
        try:
            with admin.connect() as connection:
                if kind == "mariadb":
                    connection.exec_driver_sql("CREATE DATABASE bank")
                    connection.exec_driver_sql("USE bank")
                for statement in (*bank_statements(), *many_statements()):
                    connection.exec_driver_sql(statement)
            address = server.address.replace("/mysql", "/bank")
            yield address, lambda: _tables(admin, kind), server.memory
        finally:
            workers().stop()  # they would keep connections to a server that is gone
            admin.dispose()


def _files(folder):
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def _tables(admin, kind):
    """Each table and view with a digest of its rows; counts of other objects; settings that outlive a session."""
    schema = {"postgresql": "public", "mariadb": "bank"}[kind]
    content = {}
    with admin.connect() as connection:
        names = connection.exec_driver_sql(
            f"SELECT table_name FROM information_schema.tables WHERE table_schema = '{schema}' ORDER BY 1"
        )
        for (name,) in names.fetchall():
            table = f"{schema}.{name}"
            rows = connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            content[name] = hashlib.sha256(repr(rows).encode()).hexdigest()
        if kind == "postgresql":
            content["objects"] = connection.exec_driver_sql(
                "SELECT (SELECT COUNT(*) FROM pg_class), (SELECT COUNT(*) FROM pg_largeobject_metadata),"
                " (SELECT COUNT(*) FROM pg_proc), (SELECT setting FROM pg_settings WHERE name = 'fsync')"
            ).fetchall()
        else:
            content["objects"] = connection.exec_driver_sql(
                "SELECT @@GLOBAL.read_only, @@GLOBAL.max_statement_time, (SELECT COUNT(*) FROM"
                " information_schema.triggers), (SELECT COUNT(*) FROM information_schema.user_privileges)"
            ).fetchall()
    return content


def _attack(address, statements, seconds):
    """How each statement ended, by kind."""
    outcomes = Counter()
    with DatabaseSource.connect(address, timeout_s=seconds) as source:
        for kind, sql in statements:
            try:
                with source.stream(sql) as result:
                    list(islice(result.rows, MOST_READ))
                outcomes[kind, "ran"] += 1
            except QueryStopped as error:
                outcomes[kind, error.limit] += 1
            except PlumblineError as error:
                outcomes[kind, type(error).__name__] += 1
        outcomes["rows after it"] = len(source.query("SELECT name FROM account").rows)
    return outcomes


@contextmanager
def _highest(memory):
    """A list whose one entry is the most memory seen while the block runs."""
    highest, done = [0], threading.Event()

    def look():
        while not done.wait(0.05):
            highest[0] = max(highest[0], memory())

    looker = threading.Thread(target=look)
    looker.start()
    try:
        yield highest
    finally:
        done.set()
        looker.join()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql", "mariadb"])
def test_over_a_thousand_hostile_statements_change_nothing_and_fill_no_memory(kind, tmp_path):
    with attacked(kind, tmp_path) as (address, content, memory):
        before = content()
        with _highest(memory) as highest:
            outcomes = _attack(address, hostile_statements(kind, STATEMENTS, 1), 0.25)
        assert content() == before
    assert outcomes.pop("rows after it") == 12
    assert sum(outcomes.values()) == STATEMENTS
    assert highest[0] < SERVER_MEMORY
    # Each kind was met by what it is there for, so that the generator did not grow dull.
    assert outcomes["time", "time"] > 5
    assert outcomes["memory", "ExpensiveSql"] > 50
    assert outcomes["text", "ran"] > 100
    for harmless in ("file", "wait", "write"):
        assert outcomes[harmless, "UnsafeSql"] > 100


def test_a_sample_of_hostile_statements_changes_nothing(tmp_path):
    sample = [(kind, sql) for kind, sql in hostile_statements("sqlite", 200, 2) if kind != "time"][:90]
    with attacked("sqlite", tmp_path) as (address, content, _):
        before = content()
        outcomes = _attack(address, sample, 0.25)
        assert content() == before
    assert outcomes["rows after it"] == 12
    assert outcomes["memory", "ExpensiveSql"] > 2


@pytest.mark.parametrize("dialect", ["postgresql", "mariadb"])
def test_what_could_fill_a_servers_memory_never_reaches_it(dialect):
    columns = (("n", "INTEGER"), ("name", "VARCHAR(60)"))
    schema = Schema(
        dialect=dialect,
        tables=tuple(
            Table(name=name, rows=2_000, columns=tuple(Column(name=column, type=kind) for column, kind in columns))
            for name in ("branch", "account", "many")
        ),
    )
    refused = Counter()
    for _, sql in [pair for pair in hostile_statements(dialect, 240, 3) if pair[0] == "memory"]:
        try:
            check_select(sql, schema)
            refused["passed"] += 1
        except ExpensiveSql:
            refused["cost"] += 1
        except UnsafeSql:
            refused["function"] += 1
    assert refused["cost"] > 10
    assert refused["function"] > 10
    assert refused["passed"] < 0.2 * sum(refused.values())
