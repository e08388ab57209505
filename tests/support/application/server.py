"""A real Plumbline server in a process of its own, on a free port, with a data folder of its own."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from core.domain.jobs import JobState
from core.jobs import list_jobs
from core.store.database import Store
from tests.support.application import prepared
from tests.support.application.prepared import PreparedServer

ROOT = Path(__file__).resolve().parents[3]
START_S = 300
SCORE_S = 900

FIRST_PORT, PORTS_OF_A_WORKER, PORT_BLOCKS = 20_000, 500, 24
"""From 20000 to 31999, below what Linux, macOS and Windows give out by themselves."""


def environment(data: Path, **extra: str) -> dict[str, str]:
    """This process's environment with the store in `data` and no Plumbline setting of the developer's.

    Coverage is not measured in it: what the screens call has tests of its own, and a browser waits for every line.
    """
    left_out = ("PLUMBLINE_", "STREAMLIT_", "COVERAGE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    return {**kept, "PLUMBLINE_DATA": str(data), "HF_HUB_OFFLINE": "1", **extra}


@contextlib.contextmanager
def running(data: Path, *, sample: bool = True, **extra: str) -> Iterator[str]:
    """Serves the app and yields its address; stops it at the end, hard when it does not listen."""
    with process_running(data, sample=sample, **extra) as (address, _):
        yield address


Server = subprocess.Popen[bytes] | PreparedServer


@contextlib.contextmanager
def process_running(
    data: Path, *, sample: bool = True, port: int = 0, alone: bool = False, **extra: str
) -> Iterator[tuple[str, Server]]:
    """The same with the process itself, which may be killed; on a port that is given, or on a free one.

    It has its modules from a process that imported them before (`prepared`), unless it is to start `alone`.
    """
    port = port or free_port()
    arguments = ["--port", str(port), *([] if sample else ["--no-sample"])]
    log = data / "server.log"
    data.mkdir(parents=True, exist_ok=True)
    log.write_bytes(b"")
    process = _started(arguments, environment(data, **extra), log, alone=alone or not hasattr(os, "fork"))
    try:
        address = f"http://localhost:{port}"
        _wait(address, process, log)
        yield address, process
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _started(arguments: list[str], environment: dict[str, str], log: Path, *, alone: bool) -> Server:
    if not alone:
        return prepared.start(arguments, environment, log)
    command = [sys.executable, "-m", "pages.server.serve", *arguments]
    with log.open("wb") as output:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)


def wait_for_scores(data: Path) -> None:
    """Waits until the worker that a server's first start sends to score the sample's run is done."""
    with Store.open(f"sqlite:///{data / 'plumbline.sqlite'}") as store:
        until = time.monotonic() + SCORE_S
        while time.monotonic() < until:
            found = [job for job in list_jobs(store) if job.kind == "score"]
            if found and found[0].state is JobState.FINISHED:
                return
            if found and not found[0].state.active:
                raise RuntimeError(f"the scoring of the sample ended as {found[0].state}: {found[0].error}")
            time.sleep(0.5)
    raise RuntimeError(f"the sample was not scored within {SCORE_S} seconds")


def _wait(address: str, process: Server, log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError(f"the server did not come up in {START_S} s:\n{log.read_text()}")


def free_port() -> int:
    """A port of this machine that nothing listens on.

    It is none that the system gives out by itself, to connections or to other servers of the tests, so that none of
    these takes it before the server does; and each worker of the tests has ports of its own.
    """
    worker = int(re.sub(r"\D", "", os.environ.get("PYTEST_XDIST_WORKER", "")) or 0)
    first = FIRST_PORT + worker % PORT_BLOCKS * PORTS_OF_A_WORKER
    while True:
        port = first + secrets.randbelow(PORTS_OF_A_WORKER)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def refusing_port() -> Iterator[int]:
    """A port that refuses every connection and that nobody else can take meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound and not listening
        yield int(held.getsockname()[1])
