"""Waiting for work that cannot be interrupted, and no longer than was said."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class TookTooLong(Exception):
    """The work was not done in time; it goes on in its thread, and nobody reads what comes of it."""


def within(seconds: float | None, work: Callable[[], T]) -> T:
    """What the work returns or raises.

    Args:
        seconds: How long it may take; None for as long as it wants.
        work: Done in a thread of its own where there is a limit.

    Raises:
        TookTooLong: It was not done in time.
    """
    if seconds is None:
        return work()
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001 - raised again where it is waited for
            failed.append(error)

    thread = threading.Thread(target=run, name="answer", daemon=True)
    thread.start()
    thread.join(seconds)
    if failed:
        raise failed[0]
    if not done:
        raise TookTooLong
    return done[0]
