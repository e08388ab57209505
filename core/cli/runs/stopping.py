"""Ctrl-C and a polite kill, as wishes to stop: what is committed stays, and a second one leaves at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = b"\nStopping when the questions now being asked are answered. Once more to leave at once.\n"


@contextmanager
def stop_on_signal() -> Iterator[Callable[[], int | None]]:
    """Makes Ctrl-C and a polite kill a wish to stop; yields what tells which signal came, if any."""
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield lambda: None
        return

    def on_signal(number: int, frame: FrameType | None) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)
        os.write(2, STOPPING)  # print is not safe in a handler

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: seen[0] if seen else None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
