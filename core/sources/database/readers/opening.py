"""From an address to a reader."""

from __future__ import annotations

from collections.abc import Callable

from core.domain.errors import SourceUnavailable
from core.net.gate.databases import DatabaseAddress
from core.sources.database.readers.protocol import Reader
from core.sources.database.readers.sqlite import SqliteReader

DRIVERS = {"postgresql": "psycopg[binary]", "mysql": "pymysql", "mariadb": "pymysql"}


def open_reader(address: DatabaseAddress, *, begun: Callable[[int], object]) -> Reader:
    """A reader for the address; nothing is created or changed.

    Args:
        address: Of the database.
        begun: Called before each query on a server that does not notice when its client is gone, with the number of
            the session.

    Raises:
        SourceUnavailable: The file or server does not answer, or its driver is not installed.
        UnreadableFile: The file is no database.
        DestinationRefused: The server may not be called.
    """
    if address.kind == "sqlite":
        return SqliteReader(address.url.database or "")
    kind = address.url.get_backend_name()
    from core.sources.database.readers.server import ServerReader

    try:
        return ServerReader(address, begun=begun)
    except ModuleNotFoundError as error:
        raise SourceUnavailable(
            f"The driver for {kind} ({error.name}) is not installed.", f"Run: pip install {DRIVERS[kind]}"
        ) from error
