"""The event loop all calls of this process share, in a thread of its own."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitedLong
from typing import Any, TypeVar

from core.domain.errors import CallFailed

T = TypeVar("T")

WATCH_SECONDS = 1.0
"""A waiting caller looks this often whether the loop is still alive."""

_lock = threading.Lock()
_running: tuple[int, asyncio.AbstractEventLoop, threading.Thread] | None = None


def call(work: Coroutine[Any, Any, T]) -> T:
    """Does asynchronous work on the shared loop and waits for it, from any thread but the loop's own.

    A loop that died takes no caller with it: each gets an error instead of waiting for ever.

    Raises:
        CallFailed: The loop ended before the work was done.
    """
    loop, thread = _loop()
    future: Future[T] = asyncio.run_coroutine_threadsafe(work, loop)
    while True:
        try:
            return future.result(timeout=WATCH_SECONDS)
        except WaitedLong:
            if future.done():
                return future.result()  # it ended as the wait did, or the work itself timed out
            if not thread.is_alive():
                raise CallFailed(
                    "The calls of this process have stopped.", "Start the work again; what was answered is kept."
                ) from None


def _loop() -> tuple[asyncio.AbstractEventLoop, threading.Thread]:
    global _running
    with _lock:
        # A forked child has the variable but not the thread.
        if _running is None or _running[0] != os.getpid() or not _running[2].is_alive():
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="llm-calls", daemon=True)
            thread.start()
            _running = (os.getpid(), loop, thread)
        return _running[1], _running[2]
