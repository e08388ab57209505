"""The rate limit for threads, in a time that passes only when the test says so."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest

from core.net.pacing import Pace
from tests.support.processes.clock import LIMIT_S, ManualClock

STEP = 1 / 64
"""Seconds between two starts at 64 a second."""


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def pool():
    with ThreadPoolExecutor(4) as opened:
        yield opened


def begin(pace, clock, pool, count):
    """So many threads that wait for their turns; the moments of their starts come in the queue."""
    started = Queue()

    def one():
        pace.wait()
        started.put(clock.now())

    for _ in range(count):
        pool.submit(one)
    return started


def starts(clock, started, count):
    """The moments of the next starts, the time being moved on from each turn to the next."""
    found = []
    for left in range(count, 0, -1):
        clock.move_to(clock.wait_for_sleepers(left)[0])
        found.append(started.get(timeout=LIMIT_S))
    return found


def test_starts_are_apart_and_no_burst_comes_after_a_pause(clock, pool):
    pace = Pace(64, clock=clock.now, sleep=clock.sleep)
    pace.wait()
    assert starts(clock, begin(pace, clock, pool, 3), 3) == [STEP, 2 * STEP, 3 * STEP]
    clock.move_to(8.0)  # what was not used is not saved up
    pace.wait()
    assert starts(clock, begin(pace, clock, pool, 3), 3) == [8 + STEP, 8 + 2 * STEP, 8 + 3 * STEP]


def test_without_a_rate_nobody_waits(clock):
    pace = Pace(clock=clock.now, sleep=lambda seconds: pytest.fail("it slept"))
    for _ in range(200):
        pace.wait()


def test_everybody_is_held_also_who_was_waiting_and_the_rate_holds_afterwards(clock, pool):
    pace = Pace(64, clock=clock.now, sleep=clock.sleep)
    pace.wait()
    started = begin(pace, clock, pool, 4)
    assert clock.wait_for_sleepers(4) == [STEP, 2 * STEP, 3 * STEP, 4 * STEP]
    pace.hold(0.25)
    clock.move_to(4 * STEP)  # their turns come, and each takes a new one
    assert starts(clock, started, 4) == [0.25, 0.25 + STEP, 0.25 + 2 * STEP, 0.25 + 3 * STEP]


def test_a_shorter_hold_shortens_nothing(clock, pool):
    pace = Pace(64, clock=clock.now, sleep=clock.sleep)
    pace.wait()
    pace.hold(0.5)
    pace.hold(0.25)
    assert starts(clock, begin(pace, clock, pool, 2), 2) == [0.5, 0.5 + STEP]


def test_a_sleep_that_ends_too_early_is_gone_on_with():
    now = [0.0]
    slept = []

    def half(seconds):
        slept.append(seconds)
        now[0] += seconds / 2 if len(slept) < 4 else seconds

    pace = Pace(1, clock=lambda: now[0], sleep=half)
    pace.wait()
    pace.wait()
    assert (slept, now[0]) == ([1.0, 0.5, 0.25, 0.125], 1.0)
