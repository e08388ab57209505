"""The rate limit for threads."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from core.targets.pacing import Pace


def starts(pace, n, threads):
    def one(_):
        pace.wait()
        return time.monotonic()

    with ThreadPoolExecutor(threads) as pool:
        return sorted(pool.map(one, range(n)))


def test_starts_are_apart_and_no_burst_comes_after_a_pause():
    pace = Pace(50)
    first = starts(pace, 6, 3)
    time.sleep(0.1)  # what was not used is not saved up
    second = starts(pace, 6, 3)
    for found in (first, second):
        assert all(later - earlier > 0.015 for earlier, later in pairwise(found))
        assert found[-1] - found[0] >= 5 / 50 - 0.005


def test_without_a_rate_nobody_waits():
    started = time.monotonic()
    starts(Pace(), 200, 4)
    assert time.monotonic() - started < 0.5


def test_everybody_is_held_also_who_was_waiting_and_the_rate_holds_afterwards():
    pace = Pace(50)
    with ThreadPoolExecutor(4) as pool:
        pace.wait()
        began = time.monotonic()
        waiting = [pool.submit(lambda: (pace.wait(), time.monotonic())[1]) for _ in range(4)]
        pace.hold(0.2)
        after = sorted(future.result() for future in waiting)
    assert after[-1] - began >= 0.2 + 2 / 50
    assert sum(moment - began < 0.19 for moment in after) <= 1  # one may have had its turn before the hold
