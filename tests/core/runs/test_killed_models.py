"""A worker killed in the middle of a judged run: no committed call is made again, none is lost."""

import random

import pytest

from core.jobs import JobState
from core.runs.service import start_run
from core.store.models import calls
from core.store.results import runs
from tests.support.models.fenced import fenced
from tests.support.processes.killed_job import committed, killed_and_resumed
from tests.support.runs.judged_run import ACTOR, judged_run, verdict
from tests.support.servers.llm_server import LlmServer

CASES = 160
AT_ONCE = 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_after_a_kill_only_what_was_in_flight_is_sent_again(store, tmp_path, seed):
    with LlmServer(verdict, hold_after=random.Random(seed).randrange(20, 120)) as server:
        run = judged_run(store, tmp_path, server, CASES, endpoint={"concurrency": AT_ONCE})
        ended = killed_and_resumed(store, start_run(store, run.id, actor=ACTOR), server, at_once=AT_ONCE)
        seen = {fenced(body)["response"][0] for body in server.bodies}
    assert ended.state is JobState.FINISHED
    assert len(seen) == committed(store) == CASES
    with store.read() as connection:
        tally = runs.tally(connection, run.id)
        assert (tally.correct, tally.incorrect, tally.not_judged) == (CASES // 2, CASES // 2, 0)
        assert calls.spent(connection, run.id)[0] >= CASES
