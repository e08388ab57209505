"""What another process prints, waited for with an end."""

from __future__ import annotations

import subprocess
import threading

LIMIT_S = 120.0
"""How long a line may take; only a test that fails waits so long."""


def next_line(process: subprocess.Popen[str], seconds: float = LIMIT_S) -> str:
    """The next line a process prints, empty where it ends without one; a process that says nothing is killed.

    Raises:
        TimeoutError: No line came in that time.
    """
    silent = threading.Event()

    def give_up() -> None:
        silent.set()
        process.kill()

    timer = threading.Timer(seconds, give_up)
    timer.start()
    try:
        line = str(process.stdout.readline()) if process.stdout else ""
    finally:
        timer.cancel()
    if silent.is_set() and not line:
        raise TimeoutError(f"{process.args!r} printed nothing for {seconds:g} seconds")
    return line
