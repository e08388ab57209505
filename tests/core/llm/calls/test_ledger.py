"""The ledger: on disk before it is said, one call for equal questions, and no reply served that was none."""

import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from core.domain.errors import Conflict
from core.domain.llm import CallState, Message
from core.llm.calls import ledger as ledgers
from core.llm.calls.ledger import Ledger, ledger_of
from core.store.database import Store
from core.store.models import calls
from tests.support.models.ledger_calls import plain_call, plain_use
from tests.support.stores import blank_url, store_url, with_run


@pytest.fixture(params=["sqlite", "postgresql"])
def any_store(request, tmp_path):
    with store_url(request.param, tmp_path) as url, Store.open(url) as opened:
        yield opened


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def rows(store, table="llm_calls"):
    """How many rows another connection sees."""
    with closing(sqlite3.connect(store.folder / "plumbline.sqlite")) as other:
        return other.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def test_what_is_committed_is_seen_by_others_before_commit_returns(store):
    ledger = Ledger(store)
    for number in range(3):
        ledger.commit(plain_call(number), plain_use(number))
        assert (rows(store), rows(store, "llm_uses")) == (number + 1, number + 1)


@pytest.mark.slow
def test_what_arrives_together_is_committed_together_and_none_is_lost(store):
    ledger = Ledger(store)
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(lambda number: ledger.commit(plain_call(number), plain_use(number)), range(500)))
    assert rows(store) == 500


def test_equal_calls_in_flight_are_made_once(store):
    ledger, made = Ledger(store), []
    gathered = threading.Barrier(20)

    def make():
        made.append(1)
        time.sleep(0.05)
        call = plain_call(len(made), key="k")
        ledger.commit(call, plain_use(len(made)))
        return call

    def ask(number):
        gathered.wait()
        return ledger.once("", "k", make)

    with ThreadPoolExecutor(20) as pool:
        got = list(pool.map(ask, range(20)))
    assert len(made) == 1
    assert {call.id for call, _ in got} == {"call_1"}
    assert sorted(shared for _, shared in got) == [False] + [True] * 19


def test_a_call_that_was_answered_while_another_looked_is_not_made_again(store):
    # Whoever begins after the first has ended finds it, however they interleave.
    ledger, made = Ledger(store), []

    def make():
        made.append(1)
        call = plain_call(len(made), key="k")
        ledger.commit(call, plain_use(len(made)))
        return call

    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda _: ledger.once("", "k", make), range(200)))
    assert len(made) == 1
    assert sum(not shared for _, shared in got) == 1


def test_an_equal_key_of_another_project_is_another_question(store):
    with_run(store)
    ledger, made = Ledger(store), []

    def make(project):
        made.append(project)
        call = plain_call(len(made), project=project, key="k")
        ledger.commit(call, plain_use(len(made), project=project))
        return call

    for project in ("", "prj_1", "", "prj_1"):
        call, _ = ledger.once(project, "k", lambda project=project: make(project))
        assert call.project_id == project
    assert made == ["", "prj_1"]


def test_a_failure_reaches_all_who_wait_and_the_next_tries_again(store):
    ledger, gathered = Ledger(store), threading.Barrier(5)
    errors = []

    def fails():
        time.sleep(0.05)
        raise ValueError("no")

    def ask(number):
        gathered.wait()
        try:
            ledger.once("", "k", fails)
        except ValueError as error:
            errors.append(error)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(ask, range(5)))
    assert len(errors) == 5
    assert ledger.once("", "k", lambda: plain_call(1)) == (plain_call(1), False)


@pytest.mark.parametrize("state", [state for state in CallState if state is not CallState.ANSWERED])
def test_what_is_no_answer_is_kept_and_never_served(store, state):
    ledger = Ledger(store)
    bad, good = plain_call(1, key="k", state=state, reply="half"), plain_call(2, key="k")
    ledger.commit(bad, plain_use(1))
    assert ledger.find("", "k") is None
    told = []
    with pytest.raises(LookupError):
        ledger.once("", "k", lambda: told.append("sent"), lambda latest: told.append(latest) or {}["no more"])
    assert told == [bad], "who asks again is told of it before anything is sent, and may refrain"
    ledger.commit(good, plain_use(2))
    assert ledger.find("", "k") == good
    assert ledger.once("", "k", lambda: pytest.fail("it was answered")) == (good, True)


def test_the_first_answer_stays_the_answer(store):
    ledger = Ledger(store)
    for number in (1, 2, 3):
        ledger.commit(plain_call(number, key="k"), plain_use(number))
    assert ledger.find("", "k").id == "call_1"


@pytest.mark.slow
def test_one_that_cannot_be_kept_takes_no_other_with_it(any_store):
    with_run(any_store)
    ledger = Ledger(any_store)

    def commit(number):
        run = "run_gone" if number == 7 else "run_1"
        try:
            ledger.commit(plain_call(number, project="prj_1"), plain_use(number, project="prj_1", run_id=run))
        except Conflict:
            return number
        return None

    with ThreadPoolExecutor(20) as pool:
        failed = [number for number in pool.map(commit, range(20)) if number is not None]
    assert failed == [7]
    with any_store.read() as connection:
        assert calls.spent(connection, "run_1")[0] == 19


def test_any_text_of_a_question_is_kept(any_store):
    odd = (Message("user", "NUL \0, line\nbreak, \N{GRINNING FACE}, \u202e right to left"),)
    ledger = Ledger(any_store)
    ledger.commit(plain_call(1, messages=odd), plain_use(1))
    assert ledger.find("", "key_1").messages == odd


@pytest.mark.slow
def test_a_store_that_others_keep_locked_is_waited_for(store):
    # The store waits three seconds in each of three tries; the lock is held for longer than one of them, and a busy
    # machine has five seconds to be late.
    with store.pulse() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 3000")
    other = sqlite3.connect(store.folder / "plumbline.sqlite", check_same_thread=False, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    release = threading.Timer(3.5, lambda: other.execute("COMMIT"))
    release.start()
    Ledger(store).commit(plain_call(1), plain_use(1))
    release.join()
    other.close()
    assert rows(store) == 1


def test_a_store_that_stays_locked_is_said(store):
    with store.pulse() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(store.folder / "plumbline.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    ledger = Ledger(store)
    with pytest.raises(Conflict, match="locked"):
        ledger.commit(plain_call(1), plain_use(1))
    other.execute("COMMIT")
    other.close()
    ledger.commit(plain_call(1), plain_use(1))
    assert rows(store) == 1


def test_a_writer_that_left_or_died_is_replaced(store, monkeypatch):
    monkeypatch.setattr(ledgers, "IDLE_SECONDS", 0.05)
    ledger = Ledger(store)
    ledger.commit(plain_call(1), plain_use(1))
    if (writer := ledger._writer) is not None:  # it may have left already
        writer.join(60)
    assert ledger._writer is None
    ledger._writer = threading.Thread()  # as a fork leaves it: there, and not alive
    ledger.commit(plain_call(2), plain_use(2))
    assert rows(store) == 2


def test_all_who_use_a_store_share_its_ledger(store, tmp_path):
    with Store.open(store.url) as same, Store.open(blank_url(tmp_path / "other")) as other:
        ledger = ledger_of(store)
        assert ledger_of(same) is ledger
        assert ledger_of(other) is not ledger


def test_a_store_that_is_opened_again_has_a_ledger_of_its_own(tmp_path):
    """The one of before would open the connections of the closed store again, and nobody would close them."""
    url = blank_url(tmp_path)
    with Store.open(url) as first:
        before = ledger_of(first)
        assert ledger_of(first) is before
    with Store.open(url) as second:
        assert ledger_of(second) is not before
