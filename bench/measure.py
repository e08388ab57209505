"""Timing and printing of benchmarks."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measurement beside its peer or limit.

    Attributes:
        what: What was measured, with its size.
        seconds: Median of `REPEATS` runs.
        against: The peer or the limit.
        other: Its seconds: the peer's median in this run, or the limit.
        unit: The unit of both, where it is not seconds.
    """

    what: str
    seconds: float
    against: str
    other: float
    unit: str = "s"

    def as_text(self) -> str:
        """The line as it is printed."""
        ratio = self.other / self.seconds if self.seconds else float("inf")
        ours, theirs = f"{self.seconds:>9.4f} {self.unit:<2}", f"{self.other:>9.4f} {self.unit:<2}"
        return f"{self.what:<62} {ours}  {self.against:<44} {theirs}  {ratio:>7.1f}x"


def median_seconds(work: Callable[[], object]) -> float:
    """Median wall time of `REPEATS` calls."""
    durations = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        durations.append(time.perf_counter() - started)
    return statistics.median(durations)
