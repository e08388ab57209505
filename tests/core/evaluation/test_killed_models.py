"""A worker killed in the middle of a judged run: no committed call is made again, none is lost."""

import random
import time
from collections import Counter

import psutil
import pytest
from sqlalchemy import func, select

from core.domain.llm import CallState
from core.evaluation.service import start_run
from core.jobs import JobState, get, wait
from core.llm.chat import SPARE_THREADS
from core.store import llm_calls, runs
from core.store.tables import llm_calls as rows
from tests.support.fenced import fenced
from tests.support.judged_run import ACTOR, judged_run, verdict
from tests.support.llm_server import LlmServer

CASES = 160
AT_ONCE = 8


def committed(store):
    with store.read() as connection:
        return connection.scalar(
            select(func.count()).where(rows.c.state == CallState.ANSWERED.value, rows.c.purpose == "judge")
        )


@pytest.mark.parametrize("seed", [0, 1])
def test_after_a_kill_only_what_was_in_flight_is_sent_again(store, tmp_path, seed):
    wanted = random.Random(seed).randrange(20, 120)
    with LlmServer(verdict, latency=0.05) as server:
        run = judged_run(store, tmp_path, server, CASES, endpoint={"concurrency": AT_ONCE})
        job = start_run(store, run.id, actor=ACTOR)
        deadline = time.monotonic() + 60
        while committed(store) < wanted:
            assert time.monotonic() < deadline, "the run did not get far enough"
            time.sleep(0.01)
        psutil.Process(get(store, job.id).worker.pid).kill()
        while get(store, job.id).state is not JobState.INTERRUPTED:
            assert time.monotonic() < deadline, "the kill went unnoticed"
            time.sleep(0.05)
        kept = committed(store)
        assert kept >= wanted
        start_run(store, run.id, actor=ACTOR)
        assert wait(store, job.id, seconds=60).state is JobState.FINISHED
        seen = Counter(fenced(body)["response"][0] for body in server.bodies)
    assert len(seen) == CASES
    assert max(seen.values()) <= 2
    assert sum(seen.values()) - CASES <= AT_ONCE + SPARE_THREADS, "more was sent twice than was sent and not committed"
    assert committed(store) == CASES, "a committed call was made again, or one is missing"
    with store.read() as connection:
        tally = runs.tally(connection, run.id)
        assert (tally.correct, tally.incorrect, tally.not_judged) == (CASES // 2, CASES // 2, 0)
        assert llm_calls.spent(connection, run.id)[0] >= CASES
