"""From an address to a reader."""

from __future__ import annotations

from sqlalchemy.engine import URL
from sqlalchemy.exc import NoSuchModuleError

from core.domain.errors import InvalidInput, SourceUnavailable
from core.sources.database.readers.protocol import Reader
from core.sources.database.readers.sqlite import SqliteReader

DRIVERS = {"postgresql": "psycopg[binary]", "mysql": "pymysql", "mariadb": "pymysql", "duckdb": "duckdb-engine"}

ADDRESSES = {"mysql": "mysql+pymysql://...", "mariadb": "mariadb+pymysql://..."}
"""The driver used for a dialect, where SQLAlchemy's default is another one."""


def open_reader(url: URL) -> Reader:
    """A reader for the address; nothing is created or changed.

    Raises:
        InvalidInput: The kind of database is unknown.
        SourceUnavailable: The file or server does not answer, or its driver is not installed.
        UnreadableFile: The file is no database.
    """
    kind = url.get_backend_name()
    if kind == "sqlite":
        return SqliteReader(url.database or "")
    try:
        url.get_dialect()
    except NoSuchModuleError as error:
        raise InvalidInput(
            f"'{kind}' is not a kind of database that is read here.",
            "Use sqlite:///file; PostgreSQL and MySQL work where their driver is installed.",
        ) from error
    from core.sources.database.readers.server import ServerReader

    try:
        return ServerReader(url)
    except ModuleNotFoundError as error:
        package = DRIVERS.get(kind, str(error.name))
        spelled = ADDRESSES.get(kind)
        hint = f"Run: pip install {package}" + (f", and write the address as {spelled}." if spelled else "")
        raise SourceUnavailable(f"The driver for {kind} ({error.name}) is not installed.", hint) from error
