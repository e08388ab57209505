"""Servers that have their modules already: one process imports them once and forks for each server that a test wants.

A server takes five seconds of processor time to import what it draws pages with, and the tests start fifty. What is
told of starting itself (the command, its first line, its log, its memory) is tried on servers that start alone.

As a program it reads one request a line from its input, as JSON, and answers each with a line: ``start`` forks a
server, ``poll`` tells whether one has ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import logging
import os
import pkgutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BETWEEN_LOOKS_S = 0.05
LATER = (
    *("uvicorn.main", "uvicorn.lifespan.on", "uvicorn.loops.auto"),
    *("uvicorn.protocols.http.auto", "uvicorn.protocols.websockets.auto"),
    *("streamlit.web.server.starlette.starlette_app", "plotly.offline", "tokenizers", "orjson"),
)
"""What a server imports only once it serves."""


class PreparedServer:
    """A forked server, as `subprocess.Popen` has one."""

    def __init__(self, fork: _Fork, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._fork = fork

    def poll(self) -> int | None:
        """Its exit code, or None while it runs."""
        if self.returncode is None:
            self.returncode = self._fork.ask({"poll": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, when it has ended.

        Raises:
            subprocess.TimeoutExpired: It still runs.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(f"server {self.pid}", timeout or 0.0)
            time.sleep(BETWEEN_LOOKS_S)
        return code

    def send_signal(self, number: int) -> None:
        """Sends a signal where it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it."""
        self.send_signal(signal.SIGKILL)


class _Fork:
    """The process that forks, seen from the tests."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.application.prepared"],
            cwd=ROOT,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, request: Mapping[str, object]) -> int | None:
        """Sends a request and returns its answer."""
        with self._lock:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            answer: int | None = json.loads(self._process.stdout.readline())
            return answer

    def end(self) -> None:
        """Ends it; servers that it forked are ended by who started them."""
        with self._process, contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()


_forks: list[_Fork] = []


def start(arguments: list[str], environment: Mapping[str, str], log: Path) -> PreparedServer:
    """A server with these arguments and this environment, whose output goes to a file.

    Args:
        arguments: Of `pages.server.serve`.
        environment: All of it.
        log: Where it writes.
    """
    if not _forks:
        kept = {name: value for name, value in environment.items() if not name.startswith("PLUMBLINE_")}
        _forks.append(_Fork(kept))
    pid = _forks[0].ask({"start": arguments, "environment": dict(environment), "log": str(log)})
    assert pid is not None
    return PreparedServer(_forks[0], pid)


def end() -> None:
    """Ends the process that forks, where there is one."""
    while _forks:
        _forks.pop().end()


def _prepare() -> None:
    """Imports what servers need; nothing is read from the environment or a file yet."""
    from PIL import Image
    from plotly import graph_objects
    from streamlit.components.v2 import manifest_scanner

    import pages
    import pages.server.serve

    logging.disable(logging.WARNING)  # Streamlit misses its server at every import
    for module in pkgutil.walk_packages(pages.__path__, "pages."):
        # A page is drawn by being run, not imported.
        if not module.name.endswith(".page"):
            importlib.import_module(module.name)
    logging.disable(logging.NOTSET)
    for name in LATER:
        importlib.import_module(name)
    graph_objects.Figure(graph_objects.Bar())
    Image.preinit()
    # Each server would look through the metadata of every installed package for components of Streamlit.
    manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    manifest_scanner.scan_component_manifests()
    gc.collect()
    gc.freeze()
    if threading.active_count() > 1:
        raise RuntimeError(f"a process with threads cannot fork safely: {threading.enumerate()}")


def _forked(request: Mapping[str, object]) -> int:
    """The id of a new process in the parent, 0 in the child, which is a server from here on."""
    pid = os.fork()
    if pid:
        return pid
    environment, log = request["environment"], request["log"]
    assert isinstance(environment, dict)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    output = os.open(str(log), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.environ.clear()
    os.environ.update(environment)
    return 0


def main() -> int:
    """Answers requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what modules print while they are imported is no answer
    _prepare()
    for line in sys.stdin:
        request = json.loads(line)
        if "start" in request:
            pid = _forked(request)
            if not pid:
                from pages.server.serve import main as serve

                answers.close()
                return serve(request["start"])
            answer: int | None = pid
        else:
            ended, status = os.waitpid(request["poll"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if ended else None
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
