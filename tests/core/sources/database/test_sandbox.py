"""Queries in worker processes: their limits, and what happens when a worker or its parent goes."""

import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from itertools import islice

import psutil
import pytest
import sqlalchemy as sa

from core.domain.errors import InvalidInput, QueryStopped, SourceUnavailable
from core.sources.database import DatabaseSource
from core.sources.database.address import read_address
from core.sources.database.sandbox.limits import Limits
from core.sources.database.sandbox.reader import SandboxedReader
from core.sources.database.sandbox.workers import workers
from tests.support.databases.source_servers import SERVERS, database
from tests.support.small_bank import bank_statements, write_bank

NUMBERS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r LIMIT {}) SELECT n FROM r"
"""Many rows at no cost; the guard would refuse it."""
MANY = ", ".join(f"account {letter}" for letter in "abcdefghi")
"""Rows of several minutes (12 ** 9)."""
STUCK = "SELECT instr(printf('%9000000d', 0), printf('%4000000d', 1))"
"""One step of an hour, in which SQLite can be neither asked nor told anything."""


@contextmanager
def reading(path, **limits):
    reader = SandboxedReader(read_address(f"sqlite:///{path}"), limits=Limits(**limits))
    try:
        yield reader
    finally:
        reader.close()


@pytest.fixture
def bank(tmp_path):
    return write_bank(tmp_path / "bank.sqlite")


def rows_of(reader, sql, *, timeout_s=20.0, guarded=False):
    with reader.run(sql, {}, timeout_s=timeout_s, guarded=guarded) as result:
        return list(result.rows)


def still_works(reader):
    return rows_of(reader, "SELECT COUNT(*) FROM account") == [(12,)]


def test_this_process_never_opens_the_file(bank):
    with DatabaseSource.connect(f"sqlite:///{bank}") as source, source.stream("SELECT name FROM account") as result:
        next(result.rows)
        assert str(bank) not in {file.path for file in psutil.Process().open_files()}


@pytest.mark.slow
def test_a_worker_gets_no_secret_of_ours(bank, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_LLM_KEY", "not for a query")
    workers().stop()
    with reading(bank) as reader, reader.run("SELECT name FROM account", {}, timeout_s=5) as result:
        next(result.rows)
        children = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
        environments = [child.environ() for child in children if "sandbox.child" in " ".join(child.cmdline())]
    assert environments
    assert not any("PLUMBLINE_LLM_KEY" in environment for environment in environments)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "sql", "limit", "sentence"),
    [
        ({"rows": 5_000}, NUMBERS.format(100_000), "rows", "after 5,000 rows"),
        ({"bytes": 1_000_000}, NUMBERS.format(1_000_000), "bytes", "after 1 MB of rows"),
        ({}, "SELECT " + ", ".join(f"printf('%9000000d', {n}) AS a{n}" for n in range(80)), "memory", "more memory"),
        ({}, "SELECT replace(printf('%999999d', 1), ' ', printf('%99d', 1))", "value", "larger than 10 MB"),
    ],
)
def test_a_limit_ends_the_query_and_says_which_and_what_to_do(bank, limits, sql, limit, sentence):
    with reading(bank, **limits) as reader:
        with pytest.raises(QueryStopped, match=sentence) as caught:
            rows_of(reader, sql)
        assert caught.value.limit == limit
        assert caught.value.hint
        assert still_works(reader)


@pytest.mark.slow
def test_a_query_that_cannot_be_interrupted_ends_with_its_worker(bank):
    with reading(bank) as reader:
        with pytest.raises(QueryStopped, match=r"stopped after 0\.1 seconds of work") as caught:
            rows_of(reader, STUCK, timeout_s=0.1)
        assert caught.value.limit == "time"
        assert still_works(reader)


def test_whoever_takes_long_over_the_rows_is_not_cut(bank):
    with reading(bank) as reader, reader.run(NUMBERS.format(60_000), {}, timeout_s=1.0, guarded=False) as result:
        first = list(islice(result.rows, 100))
        time.sleep(1.5)  # longer than the query may work; it waits meanwhile
        assert len(first) + len(list(result.rows)) == 60_000


def test_rows_earn_time():
    assert Limits(seconds=20).allowed(0) == 20
    assert Limits(seconds=20).allowed(1_000_000) == 120  # 20 s + 1,000,000 rows / 10,000 rows a second


def test_leaving_in_the_middle_cancels_the_query_and_keeps_the_worker(bank):
    with reading(bank) as reader:
        for _ in range(3):
            with reader.run(NUMBERS.format(10**9), {}, timeout_s=20, guarded=False) as result:
                assert list(islice(result.rows, 2)) == [(1,), (2,)]
            assert still_works(reader)


def test_queries_within_queries_and_in_threads_have_workers_of_their_own(bank):
    found = []
    with reading(bank) as reader:

        def ask():
            with reader.run("SELECT name FROM account ORDER BY account_id", {}, timeout_s=20) as outer:
                first = next(outer.rows)
                found.append((first, still_works(reader), len(list(outer.rows))))

        threads = [threading.Thread(target=ask) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [(("Plan 1",), True, 11)] * 3


def test_a_worker_that_is_killed_is_told_and_replaced(bank):
    with reading(bank) as reader:
        assert still_works(reader)
        with reader.run(NUMBERS.format(10**9), {}, timeout_s=20, guarded=False) as result:
            next(result.rows)
            (busy,) = [
                child
                for child in psutil.Process().children()
                if child.pid not in workers().idle and "sandbox.child" in " ".join(child.cmdline())
            ]
            busy.kill()
            with pytest.raises(QueryStopped, match="more memory") as caught:
                list(result.rows)
        assert caught.value.hint
        assert still_works(reader)


def test_a_value_that_cannot_be_sent_is_an_error_of_the_statement(bank):
    with DatabaseSource.connect(f"sqlite:///{bank}") as source, pytest.raises(InvalidInput, match="refused"):
        source.query("SELECT :v", {"v": threading.Lock()})


def test_a_closed_reader_says_so(bank):
    with reading(bank) as reader:
        pass
    with pytest.raises(SourceUnavailable, match="was closed"):
        rows_of(reader, "SELECT 1")


PARENT = """
import sys
from core.sources.database.address import read_address
from core.sources.database.sandbox.reader import SandboxedReader
from core.sources.database.sandbox.workers import workers
reader = SandboxedReader(read_address(sys.argv[1]))
with reader.run("SELECT 1", {}, timeout_s=60) as result:
    list(result.rows)
print(*workers().idle, flush=True)
with reader.run(sys.argv[2], {}, timeout_s=600, guarded=False) as result:
    list(result.rows)
"""


def killed_parent(address, sql, started):
    """Kills a process in the middle of a query; the id of its worker."""
    parent = subprocess.Popen([sys.executable, "-c", PARENT, address, sql], stdout=subprocess.PIPE, text=True)
    try:
        worker = int(parent.stdout.readline())
        until(lambda: started(worker))
    finally:
        os.kill(parent.pid, signal.SIGKILL)
        parent.wait()
        parent.stdout.close()
    return worker


def until(true, seconds=60):
    """Waits for something that another process does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


@pytest.mark.slow
def test_a_worker_ends_when_its_parent_is_killed_in_the_middle_of_a_query(bank):
    endless = f"SELECT COUNT(*) FROM {MANY}"
    worker = killed_parent(f"sqlite:///{bank}", endless, lambda pid: psutil.Process(pid).cpu_times().user > 0.3)
    until(lambda: not psutil.pid_exists(worker) or psutil.Process(worker).status() == psutil.STATUS_ZOMBIE)


def long_work(kind, address):
    """An address and a statement that works for long there, and what asks how many such statements run."""
    mark = secrets.token_hex(8)
    if kind == "postgresql":
        activity = f"SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = '{mark}' AND state = 'active'"
        return f"{address}&application_name={mark}", f"SELECT COUNT(*) FROM {MANY}", activity
    processes = f"SELECT COUNT(*) FROM information_schema.processlist WHERE LOCATE('{mark}', info)"
    # No SLEEP: in that alone the server looks whether its client is still there.
    return address, f"SELECT COUNT(*), '{mark}' FROM {MANY}", f"{processes} AND NOT LOCATE('processlist', info)"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_the_server_is_told_when_the_parent_is_killed(kind, tmp_path):
    with database(kind, bank_statements(), tmp_path) as address:
        address, sql, running = long_work(kind, address)
        admin = sa.create_engine(SERVERS[kind].address, isolation_level="AUTOCOMMIT")

        def count():
            with admin.connect() as connection:
                return connection.exec_driver_sql(running).scalar_one()

        try:
            killed_parent(address, sql, lambda _: count() == 1)
            until(lambda: count() == 0)
        finally:
            admin.dispose()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_servers_query_is_ended_for_its_time_and_the_next_one_runs(kind, tmp_path):
    with database(kind, bank_statements(), tmp_path) as address:
        reader = SandboxedReader(read_address(address))
        try:
            sleep = {"postgresql": "SELECT pg_sleep(600)", "mariadb": "SELECT SLEEP(600), name FROM account"}[kind]
            with pytest.raises(QueryStopped, match=r"stopped after 0\.2 seconds of work"):
                rows_of(reader, sleep, timeout_s=0.2)
            assert still_works(reader)
        finally:
            reader.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_the_server_is_told_when_a_worker_is_killed(kind, tmp_path):
    with database(kind, bank_statements(), tmp_path) as address:
        address, sql, count = long_work(kind, address)
        reader = SandboxedReader(read_address(address))
        admin = sa.create_engine(SERVERS[kind].address, isolation_level="AUTOCOMMIT")

        def running():
            with admin.connect() as connection:
                return connection.exec_driver_sql(count).scalar_one()

        try:
            assert still_works(reader)
            (worker,) = workers().idle

            def kill():
                until(lambda: running() == 1)
                os.kill(worker, signal.SIGKILL)

            killer = threading.Thread(target=kill)
            killer.start()
            with pytest.raises(QueryStopped, match="more memory"):
                rows_of(reader, sql, timeout_s=600)
            killer.join()
            until(lambda: running() == 0, seconds=10)
            assert still_works(reader)
        finally:
            admin.dispose()
            reader.close()


def test_a_session_of_postgresql_sorts_in_little_memory_whatever_its_user_is_given(tmp_path):
    with database("postgresql", bank_statements(), tmp_path) as address:
        reader = SandboxedReader(read_address(f"{address},public"))
        try:
            settings = "SELECT name, setting FROM pg_settings WHERE name IN ('work_mem', 'temp_file_limit') ORDER BY 1"
            assert rows_of(reader, settings) == [("temp_file_limit", "4096000"), ("work_mem", "16384")]
        finally:
            reader.close()


UPLOADER = """
import sys
from pathlib import Path
sys.addaudithook(lambda event, given: print("opened", given[0]) if event == "sqlite3.connect" else None)
from core.sources.database.uploads import save_upload
data, folder = Path(sys.argv[1]).read_bytes(), Path(sys.argv[2])
print(save_upload(data, folder, "bank.sqlite"))
try:
    save_upload(data[:100] + bytes([255]) * 9_000, folder, "bad.sqlite")
except Exception as error:
    print(error.message)
"""


@pytest.mark.slow
def test_an_uploaded_file_is_opened_by_a_worker_alone(bank, tmp_path):
    command = [sys.executable, "-c", UPLOADER, str(bank), str(tmp_path / "uploads")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == 2
    assert said[0].startswith(f"sqlite:///{tmp_path}/uploads/bank-")
    assert said[1].startswith("bad.sqlite is damaged")
