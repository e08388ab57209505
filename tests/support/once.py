"""What is slow to make and read by many: made by one worker of a test run, waited for by the others."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], None]) -> Path:
    """A folder of this run that nobody may change; whoever comes first builds it.

    Args:
        factory: Where the run keeps its folders.
        name: Of the folder.
        build: Makes the folder's contents at the path it is given.
    """
    own = factory.getbasetemp()
    # A worker's folder lies in that of its run.
    run = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    made = run / name
    with (run / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            begun = run / f"{name}.begun"
            shutil.rmtree(begun, ignore_errors=True)
            build(begun)
            begun.rename(made)
    return made
