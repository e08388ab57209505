"""``make run``: makes sure the sample project is there, then serves the app on the first free port from 8501.

python -m pages.ui.serve [--host HOST] [--port PORT] [--no-sample]
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from core.domain.errors import PlumblineError
from core.settings import settings
from core.store.database import Store

ROOT = Path(__file__).resolve().parents[2]
PORTS_TRIED = 50
READY_WITHIN_S = 90.0


def main(arguments: list[str] | None = None) -> int:
    """Serves until Ctrl-C; returns the exit code."""
    config = settings()
    parser = argparse.ArgumentParser(prog="make run", description="Serves Plumbline.")
    parser.add_argument("--host", default="localhost", help="address to listen on; 0.0.0.0 for every interface")
    parser.add_argument("--port", type=int, default=config.port, help="first port to try")
    parser.add_argument("--no-sample", action="store_true", help="do not build the sample project")
    chosen = parser.parse_args(arguments)
    try:
        if not chosen.no_sample:
            _sample()
        port = free_port(chosen.host, chosen.port)
    except PlumblineError as error:
        print(f"error: {error.message}\n{error.hint}".strip(), file=sys.stderr)
        return 2
    return _serve(chosen.host, port, config.allowed_hosts)


def _sample() -> None:
    from core.evaluation.demo import ensure_demo

    config = settings()
    store = Store.open(config.database_url)
    try:
        ensure_demo(store, config.actor)
    finally:
        store.dispose()


def free_port(host: str, first: int) -> int:
    """The first port from `first` that nothing listens on.

    Raises:
        PlumblineError: None of the next `PORTS_TRIED` is free.
    """
    for port in range(first, first + PORTS_TRIED):
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1" if host == "localhost" else host, port))
            except OSError:
                continue
            return port
    raise PlumblineError(
        f"No port from {first} to {first + PORTS_TRIED - 1} is free.", "Give another one with --port or PLUMBLINE_PORT."
    )


def command(host: str, port: int, allowed_hosts: tuple[str, ...] | list[str]) -> list[str]:
    """The command line that serves the app; options of Streamlit stand before the script's own."""
    options = [
        f"--server.address={host}",
        f"--server.port={port}",
        "--server.headless=true",
        "--server.fileWatcherType=none",
        "--browser.gatherUsageStats=false",
    ]
    if allowed_hosts:
        options.append(f"--server.allowedHosts={','.join(allowed_hosts)}")
    return [sys.executable, "-m", "streamlit", "run", str(ROOT / "pages" / "ui" / "server.py"), *options]


def _serve(host: str, port: int, allowed_hosts: tuple[str, ...] | list[str]) -> int:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(_paths())}
    server = subprocess.Popen(command(host, port, allowed_hosts), cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    stopping = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopping
        stopping = True
        if server.poll() is None:
            server.send_signal(signal.SIGINT if number == signal.SIGINT else signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    shown = "localhost" if host in ("localhost", "127.0.0.1") or set(host) <= set("0.:") else host
    if _ready(server, port) and not stopping:
        print(f"Plumbline is at http://{shown}:{port} (Ctrl-C stops it)", flush=True)
    code = server.wait()
    return 0 if stopping else code


def _ready(server: subprocess.Popen[bytes], port: int) -> bool:
    """Waits until the server has warmed up and answers, or has ended."""
    started = time.monotonic()
    while server.poll() is None and time.monotonic() - started < READY_WITHIN_S:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    return False


def _paths() -> list[str]:
    return [str(ROOT), *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]


if __name__ == "__main__":
    sys.exit(main())
