"""Stages side by side: each within its limit, what is committed passed on, nothing lost when a piece fails."""

import threading
from collections import deque

import pytest

from core.runs.stages.pipeline import Stage, flow

LIMIT_S = 60.0
"""How long a piece waits for what has to come; only a test that fails waits so long."""


def never():
    return False


class Line:
    """A stage over a queue, which passes what it kept to the next one."""

    def __init__(self, work, at_once, then=None, items=(), closed=True):
        self.items, self.work, self.at_once, self.then = deque(items), work, at_once, then
        self.kept, self.batches = [], 0

    def stage(self):
        return Stage(
            at_once=self.at_once,
            ready=lambda: bool(self.items),
            take=lambda: self.items.popleft() if self.items else None,
            work=lambda item: [self.work(item)],
            keep=self.keep,
        )

    def keep(self, results):
        self.kept.extend(results)
        self.batches += 1
        if self.then:
            self.then.items.extend(results)


def lines(ask, judge, at_once=(2, 3), items=range(12)):
    second = Line(judge, at_once[1])
    return Line(ask, at_once[0], second, items), second


def test_the_second_stage_works_while_the_first_is_at_it():
    judged = threading.Event()

    def ask(item):
        return item if item < 2 else judged.wait(LIMIT_S) and item  # the third answer comes when the first is judged

    first, second = lines(ask, lambda item: judged.set() or item, items=range(6))
    assert flow([first.stage(), second.stage()], never)
    assert sorted(second.kept) == list(range(6))


def test_each_stage_keeps_to_its_own_limit():
    lock, together = threading.Lock(), {"ask": threading.Barrier(2), "judge": threading.Barrier(3)}
    now, most = {"ask": 0, "judge": 0}, {"ask": 0, "judge": 0}

    def work(name):
        def do(item):
            with lock:
                now[name] += 1
                most[name] = max(most[name], now[name])
            together[name].wait(LIMIT_S)
            with lock:
                now[name] -= 1
            return item

        return do

    first, second = lines(work("ask"), work("judge"))
    assert flow([first.stage(), second.stage()], never)
    assert (most, len(second.kept)) == ({"ask": 2, "judge": 3}, 12)


def test_what_comes_quickly_is_committed_together():
    first, second = lines(lambda item: item, lambda item: item, items=range(300))
    assert flow([first.stage(), second.stage()], never, clock=lambda: 0.0)  # time stands still: due only at the end
    assert (first.kept, sorted(second.kept)) == (sorted(first.kept, key=first.kept.index), list(range(300)))
    assert (first.batches, second.batches) == (1, 1)


def test_a_failure_in_one_stage_waits_for_the_other_and_commits_it():
    failing, landed = threading.Event(), threading.Event()

    def ask(item):
        if item == 4:
            failing.wait(LIMIT_S)
            raise ValueError("no budget")
        return item

    def judge(item):
        failing.set()
        landed.wait(0.05)
        return item

    first, second = lines(ask, judge, items=range(5))
    with pytest.raises(ValueError, match="no budget"):
        flow([first.stage(), second.stage()], never)
    assert sorted(first.kept) == [0, 1, 2, 3]
    assert second.kept  # what was being judged when the other failed is kept


@pytest.mark.parametrize("after", [0, 1, 5])
def test_a_wish_to_stop_begins_nothing_more_and_keeps_what_was_begun(after):
    looks = iter(range(100))
    first, second = lines(lambda item: item, lambda item: item, at_once=(1, 1))
    assert not flow([first.stage(), second.stage()], lambda: next(looks) >= after, clock=lambda: 0.0)
    assert len(first.kept) == after
    assert second.kept == []


def test_nothing_to_do():
    first, second = lines(None, None, items=())
    assert flow([first.stage(), second.stage()], never)
    assert first.batches == 0


def test_a_place_that_is_free_is_filled_before_what_came_is_committed():
    second, ahead = threading.Event(), []
    times = iter(range(0, 10_000, 10))  # a commit is due whenever something has come
    line = Line(lambda item: second.set() if item == 1 else None, 1, items=range(3))
    keep = line.keep

    def waits(results):
        ahead.append(second.wait(LIMIT_S))  # what came first is committed while the second is at work
        keep(results)

    line.keep = waits
    assert flow([line.stage()], never, clock=lambda: next(times))
    assert (len(line.kept), ahead[0]) == (3, True)
