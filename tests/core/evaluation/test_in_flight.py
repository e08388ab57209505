"""Results of waiting work: as they arrive, in commits, none lost when one piece fails."""

import threading
import time

import pytest

from core.evaluation.in_flight import batches, in_turn


def never():
    return False


class Work:
    """Sleeps as long as its item says; the most pieces it had at once are counted."""

    def __init__(self):
        self.most = self.now = 0
        self.lock = threading.Lock()

    def __call__(self, delay):
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(delay)
        with self.lock:
            self.now -= 1
        return delay


def test_never_more_at_once_than_allowed():
    work = Work()
    found = [result for batch in batches(work, [0.02] * 12, 3, never) for result in batch]
    assert (len(found), work.most) == (12, 3)


def test_a_finished_result_does_not_wait_for_a_slow_one():
    began = time.monotonic()
    found = batches(Work(), [0.0, 1.5], 2, never)
    assert next(found) == [0.0]
    assert time.monotonic() - began < 1.2
    assert next(found) == [1.5]
    assert list(found) == []


def test_results_of_fast_work_come_together():
    found = list(batches(Work(), [0.0] * 300, 1, never))
    assert sum(map(len, found)) == 300
    assert len(found) < 30


def test_nothing_to_do_gives_nothing():
    assert list(batches(Work(), [], 3, never)) == []
    assert list(in_turn(Work(), [], 3, never)) == []


def test_a_failure_begins_no_other_piece_and_loses_no_result_in_flight():
    begun = []

    def work(item):
        begun.append(item)
        if item == 1:
            raise ValueError("spent")
        time.sleep(0.3)
        return item

    found = []

    def collect():
        for batch in batches(work, range(100), 3, never):
            found.extend(batch)

    with pytest.raises(ValueError, match="spent"):
        collect()
    assert sorted(found) == sorted(set(begun) - {1})
    assert len(begun) <= 4


def test_a_wish_to_stop_begins_no_other_piece():
    begun = []
    found = [result for batch in batches(begun.append, range(50), 1, lambda: len(begun) >= 5) for result in batch]
    assert len(found) == len(begun) == 5


def test_chunks_in_turn_hold_every_item_once_and_stop_between_them():
    assert list(in_turn(str, range(5), 2, never)) == [["0", "1"], ["2", "3"], ["4"]]
    stops = iter([False, True])
    assert list(in_turn(str, range(5), 2, lambda: next(stops))) == [["0", "1"]]
