"""The loop all calls share: whoever waits gets a result or an error, never nothing."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.domain.errors import CallFailed
from core.net import loop


async def later(value, seconds=0.0):
    await asyncio.sleep(seconds)
    return value


async def fails(error):
    await asyncio.sleep(0)
    raise error


def test_work_comes_back_with_its_result():
    assert loop.call(later(3)) == 3


def test_many_threads_share_one_loop():
    async def which():
        await asyncio.sleep(0.01)
        return threading.current_thread().name, id(asyncio.get_running_loop())

    with ThreadPoolExecutor(40) as pool:
        found = {future.result() for future in [pool.submit(loop.call, which()) for _ in range(200)]}
    assert len(found) == 1
    assert found.pop()[0] == "llm-calls"


@pytest.mark.parametrize("error", [ValueError("no"), TimeoutError("the work's own"), KeyError("k")])
def test_an_error_of_the_work_is_the_callers(error):
    with pytest.raises(type(error), match=str(error).strip("'")):
        loop.call(fails(error))


def test_a_timeout_of_the_work_after_the_first_look_is_the_callers_too(monkeypatch):
    monkeypatch.setattr(loop, "WATCH_SECONDS", 0.01)

    async def slow():
        await asyncio.sleep(0.05)
        raise TimeoutError("the work's own")

    with pytest.raises(TimeoutError, match="the work's own"):
        loop.call(slow())


def test_work_that_ends_just_when_the_caller_looks_is_not_taken_for_late(monkeypatch):
    # The wait is given up in the same moment in which the work ends, again and again.
    monkeypatch.setattr(loop, "WATCH_SECONDS", 0.0005)
    assert [loop.call(later(number, 0.0005)) for number in range(300)] == list(range(300))


def test_a_loop_that_died_leaves_no_caller_waiting_and_the_next_call_works(monkeypatch):
    monkeypatch.setattr(loop, "WATCH_SECONDS", 0.02)
    loop.call(later(1))
    _, running, thread = loop._running
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(loop.call, later(2, 60))
        running.call_soon_threadsafe(running.stop)
        with pytest.raises(CallFailed, match="have stopped"):
            waits.result(60)
    thread.join(60)
    for task in asyncio.all_tasks(running):
        task.cancel()
    running.run_until_complete(asyncio.sleep(0))
    running.close()
    assert loop.call(later(3)) == 3


def test_a_forked_child_has_a_loop_of_its_own():
    loop.call(later(1))
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, str(loop.call(later(7))).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == b"7"
    assert os.waitpid(child, 0)[1] == 0
    assert loop.call(later(8)) == 8
