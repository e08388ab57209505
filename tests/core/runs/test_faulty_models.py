"""Runs judged by a model whose endpoint fails, refuses, hangs and babbles: nothing lost, nothing silently different."""

import threading
from collections import Counter

import pytest

from core.domain.errors import BudgetSpent, InvalidInput
from core.domain.results.runs import VERDICT_METRIC, RunState
from core.jobs import wait
from core.runs.execute import execute_run
from core.runs.service import retry_failed, set_budget
from core.runs.summary import summarise
from core.store.models import calls
from core.store.results import runs, scores
from core.store.testset import testsets
from tests.support.models.fenced import fenced
from tests.support.runs.judged_run import ACTOR, judged_run, planned, verdict
from tests.support.servers.llm_server import Fault, LlmServer

pytestmark = pytest.mark.slow

CASES = 200
QUICK = {"timeout_s": 3.0, "deadline_s": 180.0, "concurrency": 20}

FAULTS = (
    lambda body: Fault(status=500),
    lambda body: Fault(status=429, retry_after=0.05),
    lambda body: Fault(hang=600.0, text="too late"),
    lambda body: Fault(raw=b'{"choices": [{"mess'),
    lambda body: Fault(drop=True),
    lambda body: "I would rather say: it depends.",
    lambda body: Fault(finish_reason="length", text='{"reason": "It says Ans'),
)
TRUNCATED = len(FAULTS) - 1


class Faulty:
    """Fails every tenth answer the first time it is asked about, each time in another way, then answers.

    Those that it cuts short, which nobody asks again by himself, it cuts until it is `healed`.
    """

    def __init__(self):
        self.seen = Counter()
        self.healed = False
        self.lock = threading.Lock()

    def __call__(self, body):
        (answer,) = fenced(body)["response"]
        number = int(answer.split()[1].rstrip("."))
        with self.lock:
            self.seen[number] += 1
            first = self.seen[number] == 1
        fault = number // 10 % len(FAULTS)
        if number % 10 == 3 and (not self.healed if fault == TRUNCATED else first):
            return FAULTS[fault](body)
        return verdict(body)


def verdicts(store, run):
    with store.read() as connection:
        found = scores.of_metric(connection, run.id, VERDICT_METRIC)
    return {case_id: (score.value, score.status.value) for case_id, score in found.items()}


def test_every_case_ends_with_the_verdict_of_a_clean_run_or_with_its_reason(store, tmp_path):
    with LlmServer(Faulty()) as server:
        run = judged_run(store, tmp_path, server, CASES, endpoint=QUICK)
        assert execute_run(store, run.id, actor=ACTOR)
    found = verdicts(store, run)
    cut = {f"c{number}" for number in range(CASES) if number % 10 == 3 and number // 10 % len(FAULTS) == TRUNCATED}
    assert len(cut) == 2  # numbers 63 and 133 of the twenty that meet a fault
    assert found == {
        f"c{number}": (None, "truncated") if f"c{number}" in cut else (float(number % 2 == 0), "scored")
        for number in range(CASES)
    }
    assert summarise(store, run.id).unscored == {VERDICT_METRIC: {"truncated": 2}}


def test_what_failed_is_judged_again_on_request_and_nothing_else(store, tmp_path):
    with LlmServer(Faulty()) as server:
        run = judged_run(store, tmp_path, server, 70, endpoint=QUICK)
        assert execute_run(store, run.id, actor=ACTOR)
        asked, server.script.healed = len(server.bodies), True
        job = retry_failed(store, run.id, actor=ACTOR)
        wait(store, job.id, seconds=120)
    assert len(server.bodies) == asked + 1
    assert verdicts(store, run)["c63"] == (0.0, "scored")


def test_behind_a_cap_nothing_is_lost_and_the_server_sees_little_more_than_it_takes(store, tmp_path):
    with LlmServer(verdict, latency=0.03, cap=4) as server:
        run = judged_run(store, tmp_path, server, 120, endpoint={"concurrency": 24})
        assert execute_run(store, run.id, actor=ACTOR)
    assert {status for _, status in verdicts(store, run).values()} == {"scored"}
    assert server.refused < 60


@pytest.mark.parametrize("at_once", [1, 3, 32])
def test_verdicts_are_the_same_at_any_concurrency(store, tmp_path, at_once):
    with LlmServer(verdict, latency=0.002) as server:
        run = judged_run(store, tmp_path, server, 60, endpoint={"concurrency": at_once})
        execute_run(store, run.id, actor=ACTOR)
        assert server.most_at_once <= at_once
    assert verdicts(store, run) == {f"c{number}": (float(number % 2 == 0), "scored") for number in range(60)}


def test_a_second_run_of_the_same_plan_sends_nothing(store, tmp_path):
    with LlmServer(verdict) as server:
        first = judged_run(store, tmp_path, server, 30)
        execute_run(store, first.id, actor=ACTOR)
        sent = len(server.bodies) + len(server.probes)
        with store.read() as connection:
            test_set = testsets.get(connection, first.test_set_id)
        second = planned(store, tmp_path, server, test_set, 30)
        execute_run(store, second.id, actor=ACTOR)
        assert len(server.bodies) + len(server.probes) == sent
    assert verdicts(store, second) == verdicts(store, first)
    with store.read() as connection:
        assert calls.used(connection, first.id) == (31, 0)  # the probe and thirty verdicts
        assert calls.used(connection, second.id) == (30, 30)


def test_a_spent_budget_stops_the_run_which_goes_on_with_another(store, tmp_path):
    with LlmServer(verdict) as server:
        run = judged_run(store, tmp_path, server, 40, budget_calls=11)
        with pytest.raises(BudgetSpent, match="budget of 11 calls"):
            execute_run(store, run.id, actor=ACTOR)
        assert len(server.bodies) + len(server.probes) == 11
        with store.read() as connection:
            assert runs.get(connection, run.id).state is RunState.RUNNING
        assert len(verdicts(store, run)) == 10
        set_budget(store, run.id, actor=ACTOR, money=None, calls=None)
        assert execute_run(store, run.id, actor=ACTOR)
        assert len(server.bodies) == 40
    assert {status for _, status in verdicts(store, run).values()} == {"scored"}


def test_a_budget_in_money_needs_a_price(store, tmp_path):
    with LlmServer(verdict) as server, pytest.raises(InvalidInput, match="no price for the model m"):
        judged_run(store, tmp_path, server, 4, budget=1.0)


def test_an_endpoint_that_does_not_answer_leaves_a_reason_on_each_case(store, tmp_path):
    with LlmServer(lambda body: Fault(status=403)) as server:
        run = judged_run(store, tmp_path, server, 5)
        assert execute_run(store, run.id, actor=ACTOR)
        assert len(server.bodies) + len(server.probes) <= 6, "what no waiting cures was sent again"
    assert set(verdicts(store, run).values()) == {(None, "api_error")}
