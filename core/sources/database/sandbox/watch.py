"""What ends a query inside a worker: its time, its parent's wish, or its parent's end."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection

from core.sources.database.readers.protocol import Reader
from core.sources.database.sandbox.limits import Limits
from core.sources.database.sandbox.messages import receive

PULSE_S = 0.02
GRACE_S = 2.0
"""Seconds a query has to end after it was cancelled; then the whole worker ends."""


class Watch(threading.Thread):
    """Looks at the running query fifty times a second, beside the thread that runs it.

    Args:
        requests: Where the parent speaks; it is read here only while a query runs.
        last_words: Called before the process ends because a query did not.

    Attributes:
        ended: Why the query was cancelled: ``time``, ``parent`` or ``wish``; empty while it was not.
        rows: Rows given so far; each earns time.
    """

    def __init__(self, requests: Connection, last_words: Callable[[], None]) -> None:
        super().__init__(name="watch", daemon=True)
        self._requests = requests
        self._last_words = last_words
        self._active = threading.Event()
        self._turn = threading.Lock()
        self._reader: Reader | None = None
        self._limits = Limits()
        self._clock: Callable[[], float] = time.monotonic
        self._since = 0.0
        self._paused_at: float | None = None
        self.ended = ""
        self.rows = 0

    def begin(self, reader: Reader, limits: Limits) -> None:
        """Starts the time of a query."""
        # A file's query works in this process, a server's elsewhere.
        self._clock = time.process_time if reader.dialect == "sqlite" else time.monotonic
        self._reader, self._limits = reader, limits
        self.ended, self.rows = "", 0
        self._paused_at = None
        self._since = self._clock()
        self._active.set()

    def end(self) -> None:
        """The query is over; the parent's next word is for the main thread."""
        with self._turn:
            self._active.clear()

    def pause(self) -> None:
        """The parent has to take rows first; that is not the query's time."""
        self._paused_at = self._clock()

    def resume(self) -> None:
        """The query goes on."""
        if self._paused_at is not None:
            self._since += self._clock() - self._paused_at
        self._paused_at = None

    def run(self) -> None:
        """Looks until the process ends."""
        cancelled = 0.0
        while True:
            self._active.wait()
            with self._turn:
                if self._active.is_set():
                    if not self.ended:
                        cancelled = time.monotonic()
                        self._look()
                    elif self._paused_at is None and time.monotonic() - cancelled > GRACE_S:
                        self._last_words()
                        os._exit(1)
            time.sleep(PULSE_S)

    def _look(self) -> None:
        if self._requests.poll():
            try:
                receive(self._requests)
                self.ended = "wish"
            except (EOFError, OSError):
                self.ended = "parent"
        elif self._paused_at is None and self._clock() - self._since > self._limits.allowed(self.rows):
            self.ended = "time"
        if self.ended and self._reader is not None:
            self._reader.cancel()
