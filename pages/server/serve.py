"""``make run``: makes sure the sample project is there, then serves the app on the first free port from 8501.

    python -m pages.server.serve [--host HOST] [--port PORT] [--no-sample]
    plumbline run [--host HOST] [--port PORT] [--no-sample]

The server runs in this process, so that Ctrl-C and a container's stop signal reach it directly;
`pages.server.application` prints the address once it is warm. ``streamlit run pages/server/application.py`` serves the
same app without the preparations.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from core.data_folder import protect
from core.domain.errors import InvalidInput, PlumblineError
from core.settings import settings
from core.store.database import Store
from pages.server.one_server import claim
from pages.server.server_options import options

HOST = "localhost"
PORTS_TRIED = 50


def main(arguments: list[str] | None = None) -> int:
    """Prepares and serves until Ctrl-C; returns the exit code."""
    try:
        chosen = _arguments(arguments)
        return serve(host=chosen.host, port=chosen.port, sample=chosen.sample)
    except PlumblineError as error:
        print(f"error: {error.message}\n{error.hint}".strip(), file=sys.stderr)
        return 2


def serve(*, host: str = HOST, port: int | None = None, sample: bool = True) -> int:
    """Serves the app until Ctrl-C and returns the exit code.

    Args:
        host: The address to listen on.
        port: The first port to try; by default that of the settings.
        sample: Whether the sample project is built where it is missing.

    Raises:
        InvalidInput: No port is free, the host is not one of this machine, or a setting cannot be used.
        Conflict: Another process serves the data folder.
    """
    config = settings()
    protect()
    claim()
    if sample:
        make_sample()
    chosen = free_port(host, config.port if port is None else port)
    # A worker may run in another folder; its data folder is ours.
    os.environ["PLUMBLINE_DATA"] = str(config.data)
    return _serve(options(host, chosen))


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make run", description="Serves Plumbline.")
    parser.add_argument("--host", default=HOST, help="address to listen on; 0.0.0.0 for every interface")
    parser.add_argument("--port", type=int, help="first port to try")
    parser.add_argument("--no-sample", dest="sample", action="store_false", help="do not build the sample project")
    return parser.parse_args(arguments)


def make_sample() -> None:
    """Builds the sample project where it is missing; a worker scores its run while people look around."""
    from core.demo.project import ensure_demo, start_safety_demo, start_scoring_demo

    config = settings()
    store = Store.open(config.database_url)
    try:
        demo = ensure_demo(store, config.actor)
        start_scoring_demo(store, demo, config.actor)
        start_safety_demo(store, demo, config.actor)
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


def _serve(config: Mapping[str, Any]) -> int:
    from pages.server.application import app

    # The server has shut down in good order by the time it passes Ctrl-C on.
    with suppress(KeyboardInterrupt):
        app.run(config=config)
    return 0


if __name__ == "__main__":
    sys.exit(main())
