"""``make run``: makes sure the sample project is there, then serves the app on the first free port from 8501.

    python -m pages.ui.serve [--host HOST] [--port PORT] [--no-sample]

The server runs in this process, so that Ctrl-C and a container's stop signal reach it directly; `pages.ui.server`
prints the address once it is warm. ``streamlit run pages/ui/server.py`` serves the same app without the preparations.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from core.domain.errors import InvalidInput, PlumblineError
from core.settings import settings
from core.store.database import Store

ROOT = Path(__file__).resolve().parents[2]
PORTS_TRIED = 50
LOCAL = ("localhost", "127.0.0.1")


def main(arguments: list[str] | None = None) -> int:
    """Prepares and serves until Ctrl-C; returns the exit code."""
    try:
        config = settings()
        chosen = _arguments(arguments, config.port)
        if chosen.sample:
            make_sample()
        port = free_port(chosen.host, chosen.port)
    except PlumblineError as error:
        print(f"error: {error.message}\n{error.hint}".strip(), file=sys.stderr)
        return 2
    # Streamlit reads .streamlit/config.toml of the folder it runs in; our data folder must not move with it.
    os.environ["PLUMBLINE_DATA"] = str(config.data)
    os.chdir(ROOT)
    return _serve(options(chosen.host, port))


def _arguments(arguments: list[str] | None, port: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make run", description="Serves Plumbline.")
    parser.add_argument("--host", default="localhost", help="address to listen on; 0.0.0.0 for every interface")
    parser.add_argument("--port", type=int, default=port, help="first port to try")
    parser.add_argument("--no-sample", dest="sample", action="store_false", help="do not build the sample project")
    return parser.parse_args(arguments)


def make_sample() -> None:
    """Builds the sample project where it is missing; a worker scores its run while people look around."""
    from core.evaluation.demo import ensure_demo, start_scoring_demo

    config = settings()
    store = Store.open(config.database_url)
    try:
        made = ensure_demo(store, config.actor)
        start_scoring_demo(store, made, config.actor)
    finally:
        store.dispose()


def free_port(host: str, first: int) -> int:
    """The first port from `first` that nothing listens on.

    Raises:
        InvalidInput: None of the next `PORTS_TRIED` is free, or the host is not one of this machine.
    """
    address = "127.0.0.1" if host == "localhost" else host
    try:
        family = socket.getaddrinfo(address, None)[0][0]
    except socket.gaierror as error:
        raise InvalidInput(f"There is no address {host}.", "Give a name or an address of this machine.") from error
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
    raise InvalidInput(
        f"No port from {first} to {first + PORTS_TRIED - 1} is free on {host}.",
        "Give another one with --port or PLUMBLINE_PORT.",
    )


def options(host: str, port: int) -> dict[str, Any]:
    """Streamlit's options for this server, as ``streamlit run pages/ui/server.py`` would take them.

    A server for this machine only accepts this machine's names, which keeps other sites' pages from reaching it by a
    name of their own (DNS rebinding). One for a network takes its names from ``STREAMLIT_SERVER_ALLOWED_HOSTS``.
    """
    chosen: dict[str, Any] = {
        "server.address": host,
        "server.port": port,
        "server.headless": True,
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": False,
        "logger.hideWelcomeMessage": True,
    }
    return {**chosen, "server.allowedHosts": list(LOCAL)} if host in LOCAL else chosen


def _serve(config: Mapping[str, Any]) -> int:
    from pages.ui.server import app

    # The server has shut down in good order by the time it passes Ctrl-C on.
    with suppress(KeyboardInterrupt):
        app.run(config=config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
