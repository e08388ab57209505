"""Time that passes only when a test says so, for threads that sleep in it."""

from __future__ import annotations

import threading

LIMIT_S = 60.0
"""How long a test waits in real time for what has to come; only a test that fails waits so long."""


class ManualClock:
    """A clock and its sleep; whoever sleeps wakes when the time was moved on far enough.

    Times are sums of binary fractions in the tests that use it, so they compare exactly.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._until: list[float] = []
        self._changed = threading.Condition()

    def now(self) -> float:
        """The time."""
        with self._changed:
            return self._now

    def sleep(self, seconds: float) -> None:
        """Sleeps until the time was moved on by so many seconds."""
        with self._changed:
            until = self._now + seconds
            self._until.append(until)
            self._changed.notify_all()
            woken = self._changed.wait_for(lambda: self._now >= until, LIMIT_S)
            self._until.remove(until)
            if not woken:
                raise TimeoutError(f"nobody moved the time on to {until}; it is {self._now}")

    def move_to(self, moment: float) -> None:
        """Lets the time pass."""
        with self._changed:
            self._now = moment
            self._changed.notify_all()

    def wait_for_sleepers(self, count: int) -> list[float]:
        """Waits until so many sleep, and gives the moments for which they wait, in order."""
        with self._changed:
            asleep = self._changed.wait_for(lambda: sum(one > self._now for one in self._until) == count, LIMIT_S)
            until = sorted(one for one in self._until if one > self._now)
        assert asleep, f"{len(until)} sleep, not {count}"
        return until
