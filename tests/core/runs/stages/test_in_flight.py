"""Results of waiting work: as they arrive, in commits, none lost when one piece fails."""

import threading

import pytest

from core.runs.stages.in_flight import COMMIT_SECONDS, batches, in_turn

LIMIT_S = 60.0
"""How long a piece waits for what has to come; only a test that fails waits so long."""


def never():
    return False


def test_never_more_at_once_than_allowed():
    lock, together = threading.Lock(), threading.Barrier(3)
    now, seen = [], []

    def work(item):
        with lock:
            now.append(item)
            seen.append(len(now))
        together.wait(LIMIT_S)  # nobody goes on before three are at it
        with lock:
            now.remove(item)
        return item

    found = [result for batch in batches(work, range(12), 3, never) for result in batch]
    assert sorted(found) == list(range(12))
    assert max(seen) == 3


def test_a_finished_result_does_not_wait_for_a_slow_one():
    seen = threading.Event()

    def work(item):
        return item == "quick" or seen.wait(LIMIT_S)

    found = batches(work, ["quick", "slow"], 2, never)
    assert next(found) == [True]
    seen.set()  # only now the slow one may end; who waits for it before gives both at once, or False for it
    assert next(found) == [True]
    assert list(found) == []


def test_results_that_come_quickly_are_given_out_together():
    # Time stands still, so nothing is due before the end.
    found = list(batches(str, range(300), 1, never, clock=lambda: 0.0))
    assert found == [[str(number) for number in range(300)]]


def test_results_are_given_out_once_their_time_has_come():
    now = [0.0]

    def work(item):
        now[0] += COMMIT_SECONDS / 2
        return item

    assert list(batches(work, range(5), 1, never, clock=lambda: now[0])) == [[0, 1], [2, 3], [4]]


def test_nothing_to_do_gives_nothing():
    assert list(batches(str, [], 3, never)) == []
    assert list(in_turn(str, [], 3, never)) == []


def collected(work, at_once):
    """The results that come before the failure."""
    found = []

    def collect():
        for batch in batches(work, range(100), at_once, never):
            found.extend(batch)

    with pytest.raises(ValueError, match="spent"):
        collect()
    return found


def test_a_failure_begins_no_other_piece():
    begun = []

    def work(item):
        begun.append(item)
        if item == 1:
            raise ValueError("spent")
        return item

    assert (collected(work, 1), begun) == ([0], [0, 1])


def test_a_failure_loses_no_result_in_flight():
    begun, all_there, failing = [], threading.Barrier(3), threading.Event()

    def work(item):
        begun.append(item)
        if item < 3:
            all_there.wait(LIMIT_S)
        if item == 1:
            failing.set()
            raise ValueError("spent")
        failing.wait(LIMIT_S)
        return item

    found = collected(work, 3)
    assert {0, 2} <= set(found)
    assert sorted(found) == sorted(set(begun) - {1})


def test_a_wish_to_stop_begins_no_other_piece():
    begun = []
    found = [result for batch in batches(begun.append, range(50), 1, lambda: len(begun) >= 5) for result in batch]
    assert len(found) == len(begun) == 5


def test_chunks_in_turn_hold_every_item_once_and_stop_between_them():
    assert list(in_turn(str, range(5), 2, never)) == [["0", "1"], ["2", "3"], ["4"]]
    stops = iter([False, True])
    assert list(in_turn(str, range(5), 2, lambda: next(stops))) == [["0", "1"]]
