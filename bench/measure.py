"""How a benchmark is timed and shown."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measured thing beside what it is held against.

    Attributes:
        what: What was measured, with its size.
        seconds: Median of `REPEATS` runs.
        against: The peer or the limit.
        other: Its seconds: the peer's median in this run, or the limit.
    """

    what: str
    seconds: float
    against: str
    other: float

    def shown(self) -> str:
        """The line as it is printed."""
        ratio = self.other / self.seconds if self.seconds else float("inf")
        return f"{self.what:<62} {self.seconds:>9.4f} s   {self.against:<44} {self.other:>9.4f} s   {ratio:>7.1f}x"


def median_seconds(work: Callable[[], object]) -> float:
    """Median wall time of `REPEATS` calls."""
    found = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return statistics.median(found)
