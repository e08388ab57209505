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
        unit: Of both, where they are no seconds.
    """

    what: str
    seconds: float
    against: str
    other: float
    unit: str = "s"

    def shown(self) -> str:
        """The line as it is printed."""
        ratio = self.other / self.seconds if self.seconds else float("inf")
        ours, theirs = f"{self.seconds:>9.4f} {self.unit:<2}", f"{self.other:>9.4f} {self.unit:<2}"
        return f"{self.what:<62} {ours}  {self.against:<44} {theirs}  {ratio:>7.1f}x"


def median_seconds(work: Callable[[], object]) -> float:
    """Median wall time of `REPEATS` calls."""
    found = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return statistics.median(found)
