"""A rate limit for threads: questions start at even distances, in the order in which they were asked for."""

from __future__ import annotations

import threading
import time


class Pace:
    """Lets at most `rate` starts a second through, without bursts.

    Each caller takes the next free moment and waits for it, so nobody overtakes and nobody starves.

    Args:
        rate: Starts a second; None for no limit.
    """

    def __init__(self, rate: float | None = None) -> None:
        self._interval = 0.0 if rate is None else 1.0 / rate
        self._next = 0.0
        self._quiet_until = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Waits for the caller's turn; who was waiting when everybody was held takes a new one."""
        while True:
            with self._lock:
                turn = max(time.monotonic(), self._next, self._quiet_until)
                self._next = turn + self._interval
            while (left := turn - time.monotonic()) > 0:
                time.sleep(left)
            if turn >= self._quiet_until:
                return

    def hold(self, seconds: float) -> None:
        """Lets nobody through for a while: the system has said that it is asked too much."""
        with self._lock:
            self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)
