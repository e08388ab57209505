"""A worker that loads documents and is held inside one of them, so that a test can end it at a moment it knows."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import core.sources.loading  # noqa: F401 - registers its kind of job
from core.jobs import execute
from core.settings import settings
from core.sources.corpus.parsing import Parsed, reads
from core.store.database import Store

LIMIT_S = 120.0
"""How long a document is held; only a test that fails lets it wait so long."""

COMMAND = (sys.executable, "-m", "tests.support.processes.held_load")


@reads("held", ".held")
def read_held(data: bytes) -> tuple[Parsed, ...]:
    """A document that is read once the file it names is there; beside that stands a mark that it is being read."""
    gate = Path(data.decode().strip())
    gate.with_suffix(".reached").touch()
    until = time.monotonic() + LIMIT_S
    while not gate.exists() and time.monotonic() < until:
        time.sleep(0.02)
    return (Parsed(text="Held and let go."),)


def main() -> None:
    """Does the job named on the command line."""
    with Store.open(settings().database_url) as store:
        execute(store, sys.argv[1])


if __name__ == "__main__":
    main()
