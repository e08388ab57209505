"""The memory of the server while every page of the sample project is opened again and again.

Each load is a session of its own, as it is for people who come and go: what a session leaves behind stays for good. The
first loads fill the caches and are not counted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line
from tests.support.application import server
from tests.support.application.server_memory import memory

LOADS = int(os.environ.get("PLUMBLINE_BENCH_LOADS", "300"))
WARM = 60
MOST_GROWTH = 1.10


def lines() -> Iterator[Line]:
    """The server's memory after the last load beside that after the warm-up, and the most of between."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        with server.running(data):
            server.wait_for_scores(data)
        taken = memory(data, warm=WARM, loads=LOADS)
    for what, value in ((f"memory of the server after {LOADS} loads", taken[-1]), ("the most of between", max(taken))):
        yield Line(
            what=what,
            seconds=value / 1e6,
            against=f"limit: {MOST_GROWTH} x {taken[0] / 1e6:,.0f} MB after {WARM} loads",
            other=MOST_GROWTH * taken[0] / 1e6,
            unit="MB",
        )
