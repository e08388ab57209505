"""A call with its attempts: when it is sent again, how long it waits, and when it is given up."""

import asyncio
import time

import pytest

from core.domain.llm import Endpoint, Message
from core.domain.status import Status
from core.llm.calls import gate as gates
from core.llm.calls.gate import MOST_ATTEMPTS, Gate
from core.llm.calls.replies import Completion
from core.llm.calls.transport import Fault, _of_status
from core.net.secrets import Mask

QUESTION = (Message("user", "Who?"),)
ANSWER = Completion(text="Ann", finish_reason="stop", prompt_tokens=1, completion_tokens=1)
BROKEN = Fault(reason="HTTP 500: no", again=True, http_status=500)
REFUSED = Fault(reason="HTTP 429: slow down", again=True, refused=True, http_status=429, retry_after=0.001)


class Scripted:
    """A transport that answers from a list, its last item for ever; an exception in it is raised."""

    def __init__(self, *outcomes, seconds=0.0):
        self.outcomes, self.seconds = list(outcomes), seconds
        self.times, self.flying, self.most, self.closed = [], 0, 0, False

    async def send(self, model, messages, parameters, route):
        self.times.append(time.monotonic())
        outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
        self.flying += 1
        self.most = max(self.most, self.flying)
        try:
            await asyncio.sleep(self.seconds)
        finally:
            self.flying -= 1
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome, self.seconds

    async def close(self):
        self.closed = True


def endpoint(**settings):
    return Endpoint(id="", project_id="", name="e", base_url="http://llm.example/v1", **settings)


def ask(transport, **settings):
    gate = Gate(endpoint(**settings), lambda: transport)
    return asyncio.run(gate.call("m", QUESTION, {})), gate


def test_an_answer_is_had_at_once():
    outcome, gate = ask(Scripted(ANSWER))
    assert (outcome.result, outcome.attempts, gate.limiter.in_flight) == (ANSWER, 1, 0)


def test_what_fails_is_sent_again_until_it_is_answered(impatient):
    outcome, gate = ask(Scripted(BROKEN, BROKEN, REFUSED, ANSWER))
    assert (outcome.result, outcome.attempts) == (ANSWER, 4)
    assert gate.faults == {"500": 2, "429": 1}


def test_what_always_fails_is_given_up_with_the_last_reason(impatient):
    transport = Scripted(BROKEN)
    outcome, gate = ask(transport)
    assert (outcome.result, outcome.attempts, len(transport.times)) == (BROKEN, MOST_ATTEMPTS, MOST_ATTEMPTS)
    assert gate.limiter.in_flight == 0


def test_refusals_for_load_are_no_failures_and_are_waited_out(impatient):
    outcome, gate = ask(Scripted(*[REFUSED] * (3 * MOST_ATTEMPTS), ANSWER))
    assert (outcome.result, outcome.attempts) == (ANSWER, 3 * MOST_ATTEMPTS + 1)
    assert gate.limiter.refusals == 3 * MOST_ATTEMPTS


def test_the_next_attempt_comes_no_earlier_than_asked_for():
    transport = Scripted(Fault(reason="HTTP 503: wait", again=True, retry_after=0.2, http_status=503), ANSWER)
    ask(transport)
    assert transport.times[1] - transport.times[0] >= 0.2


@pytest.mark.parametrize(
    ("code", "body"),
    [
        (400, b'{"error": {"message": "no such parameter", "code": "invalid"}}'),
        (401, b'{"error": {"message": "no key"}}'),
        (403, b""),
        (404, b"<html>not here</html>"),
        (302, b""),
        (429, b'{"error": {"message": "pay first", "code": "insufficient_quota"}}'),
        (429, b'{"error": {"message": "pay first", "type": "insufficient_quota", "code": null}}'),
    ],
)
def test_what_no_waiting_cures_is_sent_once(code, body):
    transport = Scripted(_of_status(code, {"retry-after": "1"}, body, Mask()))
    outcome, gate = ask(transport)
    assert (outcome.attempts, len(transport.times)) == (1, 1)
    assert outcome.result.reason.startswith(f"HTTP {code}: ")
    assert gate.limiter.refusals == 0


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_sent_again(code, impatient):
    outcome, _ = ask(Scripted(_of_status(code, {}, b"", Mask()), ANSWER))
    assert (outcome.result, outcome.attempts) == (ANSWER, 2)


def test_a_call_ends_with_its_deadline_though_the_attempt_would_go_on():
    outcome, gate = ask(Scripted(ANSWER, seconds=3_600), deadline_s=0.2, timeout_s=0.1)
    assert outcome.result.status is Status.TIMEOUT
    assert "0.2 seconds" in outcome.result.reason
    assert gate.limiter.in_flight == 0


def test_a_call_is_given_up_before_a_pause_that_outlasts_its_deadline():
    # Who waited for the end of the pause would be answered.
    slow = Fault(reason="HTTP 503: wait", again=True, retry_after=100.0, http_status=503)
    outcome, _ = ask(Scripted(slow, ANSWER), deadline_s=60.0, timeout_s=1.0)
    assert (outcome.result, outcome.attempts) == (slow, 1)


@pytest.mark.slow
def test_a_call_that_waits_for_a_slot_again_ends_with_its_deadline_too():
    async def run():
        transport = Scripted(REFUSED)
        gate = Gate(endpoint(concurrency=2, deadline_s=3.0, timeout_s=1.0), lambda: transport)
        await gate.limiter.acquire()  # somebody holds a slot and keeps it
        outcome = await asyncio.wait_for(gate.call("m", QUESTION, {}), 200)
        assert outcome.result == REFUSED, "it was cut to one slot, which another holds"
        assert (len(transport.times), gate.limiter.in_flight) == (1, 1)

    asyncio.run(run())


def test_an_attempt_that_timed_out_leaves_that_as_the_reason(impatient):
    late = Fault(reason="no answer within 1 seconds", again=True, status=Status.TIMEOUT)
    outcome, gate = ask(Scripted(late))
    assert outcome.result.status is Status.TIMEOUT
    assert gate.faults == {"timeout": MOST_ATTEMPTS}


def test_a_transport_that_breaks_its_word_and_raises_keeps_no_slot():
    async def run():
        gate = Gate(endpoint(concurrency=1), lambda: Scripted(OverflowError("not handled"), ANSWER))
        with pytest.raises(OverflowError):
            await gate.call("m", QUESTION, {})
        return await asyncio.wait_for(gate.call("m", QUESTION, {}), 60)

    assert asyncio.run(run()).result == ANSWER


def test_a_call_that_is_cancelled_in_flight_keeps_no_slot():
    async def run():
        gate = Gate(endpoint(concurrency=1), lambda: Scripted(ANSWER, seconds=0.05))
        task = asyncio.create_task(gate.call("m", QUESTION, {}))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(gate.call("m", QUESTION, {}), 60)

    assert asyncio.run(run()).result == ANSWER


def test_never_more_are_in_flight_than_the_ceiling():
    async def run():
        transport = Scripted(ANSWER, seconds=0.002)
        gate = Gate(endpoint(concurrency=7), lambda: transport)
        await asyncio.gather(*(gate.call("m", QUESTION, {}) for _ in range(60)))
        return transport.most

    assert asyncio.run(run()) == 7


def test_an_endpoint_that_takes_nobody_is_left_alone_by_all_for_as_long_as_it_asks():
    async def run():
        quiet = Fault(reason="HTTP 429: a minute is full", again=True, refused=True, http_status=429, retry_after=0.3)
        transport = Scripted(quiet, quiet, ANSWER)
        gate = Gate(endpoint(concurrency=2), lambda: transport)
        await asyncio.gather(*(gate.call("m", QUESTION, {}) for _ in range(6)))
        return transport.times

    times = asyncio.run(run())
    assert len(times) == 8, "two were refused, and none was sent in vain after them"
    assert times[2] - times[1] >= 0.29


def test_one_gate_serves_all_who_call_an_endpoint_with_the_same_settings(monkeypatch):
    monkeypatch.setenv("A_KEY_OF_TESTS", "k-0123456789")
    one, same = endpoint(key_env="A_KEY_OF_TESTS"), endpoint(key_env="A_KEY_OF_TESTS")
    assert gates.gate_of(one) is gates.gate_of(same)
    assert gates.gate_of(one) is not gates.gate_of(endpoint())
    assert gates.gate_of(one) is not gates.gate_of(endpoint(key_env="A_KEY_OF_TESTS", api_version="2"))


def test_a_loop_that_died_takes_no_slot_and_no_connection_with_it():
    made = []

    def connect():
        made.append(Scripted(ANSWER))
        return made[-1]

    gate = Gate(endpoint(concurrency=1), connect)
    made[0].seconds = 300
    dead = asyncio.new_event_loop()
    holds = dead.create_task(gate.call("m", QUESTION, {}))
    dead.run_until_complete(asyncio.sleep(0))
    assert gate.limiter.in_flight == 1
    outcome = asyncio.run(asyncio.wait_for(gate.call("m", QUESTION, {}), 60))
    assert outcome.result == ANSWER, "the only slot was held on the loop that is no more"
    assert [len(transport.times) for transport in made] == [1, 1]
    holds.cancel()
    dead.run_until_complete(asyncio.gather(holds, return_exceptions=True))
    dead.close()
    assert gate.limiter.in_flight == 0


def test_closing_closes_the_connections():
    transport = Scripted(ANSWER)
    asyncio.run(Gate(endpoint(), lambda: transport).close())
    assert transport.closed
