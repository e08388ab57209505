"""Memory of files that are one line of 10 MB: read and cut in a process of its own, beside its limit."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Line
from tests.support.files.long_lines import KINDS, write_line

SIZE = 10_000_000
LIMIT_MB = 600.0


def lines() -> Iterator[Line]:
    """One line for each kind."""
    for kind in KINDS:
        with tempfile.TemporaryDirectory() as folder:
            place = write_line(Path(folder), kind, SIZE)
            command = [sys.executable, "-m", "tests.support.files.long_lines", str(place)]
            done = subprocess.run(command, capture_output=True, check=True, text=True)
        peak = float(json.loads(done.stdout)["mb"])
        yield Line(what=f"one line of 10 MB: {kind}", seconds=peak, against="limit", other=LIMIT_MB, unit="MB")
