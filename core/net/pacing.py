"""A rate limit for threads: questions start at even distances, in the order in which they were asked for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Pace:
    """Lets at most `rate` starts a second through, without bursts.

    Each caller takes the next free moment and waits for it, so nobody overtakes and nobody starves.

    Args:
        rate: Starts a second; None for no limit.
        clock: Tells the time, in seconds that never go back.
        sleep: Waits for so many seconds of that time.
    """

    def __init__(
        self,
        rate: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._interval = 0.0 if rate is None else 1.0 / rate
        self._next = 0.0
        self._quiet_until = 0.0
        self._clock, self._sleep = clock, sleep
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Waits for the caller's turn; who was waiting when everybody was held takes a new one."""
        while True:
            with self._lock:
                turn = max(self._clock(), self._next, self._quiet_until)
                self._next = turn + self._interval
            while (remaining := turn - self._clock()) > 0:
                self._sleep(remaining)
            if turn >= self._quiet_until:
                return

    def hold(self, seconds: float) -> None:
        """Lets nobody through for a while: the system has said that it is asked too much."""
        with self._lock:
            self._quiet_until = max(self._quiet_until, self._clock() + seconds)
