"""Connections to the store: two pools, one that can only read and one that can write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError

from core.domain.errors import InvalidInput, UnreadableFile

BUSY_SECONDS = 30.0
"""How long a writer waits for another one."""

IMMEDIATE = "plumbline_immediate"
"""Execution option: take SQLite's write lock when the transaction begins, not at its first write."""

_DAMAGE = (
    "malformed",
    "not a database",
    "disk I/O error",
    "Could not decode",
    "unsupported file format",
)
"""Words of SQLite about a file that is not as we left it."""

_POOL = {"pool_size": 8, "max_overflow": 24, "pool_timeout": BUSY_SECONDS}
_HINT = (
    "Give an SQLAlchemy URL such as sqlite:////srv/plumbline.sqlite or postgresql+psycopg://user@host/plumbline "
    "in PLUMBLINE_DATABASE_URL."
)


def parse(url: str) -> URL:
    """A store's URL with an absolute path, after checking that it can be a store.

    Raises:
        InvalidInput: It is not a URL, or names a database that cannot be a store.
        UnreadableFile: It names a folder.
    """
    try:
        parsed = make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError):
        raise InvalidInput("The address of the store is not a database URL.", _HINT) from None
    if backend == "postgresql":
        return parsed if parsed.drivername != "postgresql" else parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InvalidInput(f"The store cannot be kept in {backend}; SQLite and PostgreSQL can hold it.", _HINT)
    if not parsed.database or parsed.database == ":memory:" or parsed.database.startswith("file:"):
        raise InvalidInput("The store needs a file; a database in memory is seen by one process only.", _HINT)
    path = Path(parsed.database).expanduser().absolute()
    if path.is_dir():
        raise UnreadableFile(f"The store {path} is a folder.", "Name a file in it, such as plumbline.sqlite.")
    return parsed.set(database=str(path))


def writer(url: URL) -> Engine:
    """An engine whose transactions may write."""
    return _engine(url, read_only=False)


def reader(url: URL) -> Engine:
    """An engine whose transactions see one state of the store and cannot change it."""
    return _engine(url, read_only=True)


@contextmanager
def damage_told(url: URL, *, writes: bool = False) -> Iterator[None]:
    """Tells in a sentence that the file of a store is damaged, whatever was done when that was found out.

    Args:
        url: Of the store.
        writes: Whether it may be written to, so that a file which cannot be is damaged, too.

    Raises:
        UnreadableFile: The file is damaged, or can no longer be written.
    """
    try:
        yield
    except (DatabaseError, sqlite3.DatabaseError, UnicodeDecodeError) as error:
        reason = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        of_file = isinstance(error, UnicodeDecodeError) or any(words in reason for words in _DAMAGE)
        of_file |= writes and "readonly database" in reason
        if url.get_backend_name() != "sqlite" or not of_file:
            raise
        raise UnreadableFile(
            f"The store {url.database} is damaged, or cannot be used any more: {reason}.",
            "Stop Plumbline, keep a copy of the file, and put back a copy from before the damage.",
        ) from error


def _engine(url: URL, *, read_only: bool) -> Engine:
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS}, **_POOL)
        _prepare_sqlite(engine, read_only=read_only)
        return engine
    try:
        engine = create_engine(url, pool_pre_ping=True, **_POOL)
    except ModuleNotFoundError as error:
        raise InvalidInput(
            f"The package {error.name} for PostgreSQL is not installed.", "Run pip install 'psycopg[binary]==3.3.9'."
        ) from None
    # A reader sees one state throughout; a writer sees what was committed before it got the lock.
    level = "REPEATABLE READ" if read_only else "READ COMMITTED"
    return engine.execution_options(isolation_level=level, postgresql_readonly=read_only)


def _prepare_sqlite(engine: Engine, *, read_only: bool) -> None:
    def on_connect(connection: Any, record: object) -> None:
        # The driver must not begin transactions by itself: it would use a plain BEGIN, and
        # read-then-write in a plain BEGIN fails at once when another process writes in between.
        connection.isolation_level = None
        connection.create_function("lower", 1, _lower, deterministic=True)
        for pragma in ("foreign_keys = ON", f"busy_timeout = {int(BUSY_SECONDS * 1000)}", "synchronous = NORMAL"):
            connection.execute(f"PRAGMA {pragma}")
        if read_only:
            connection.execute("PRAGMA query_only = ON")

    def on_begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(IMMEDIATE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    event.listen(engine, "connect", on_connect)
    event.listen(engine, "begin", on_begin)


def _lower(text: object) -> object:
    """SQLite's own ``lower`` knows ASCII only."""
    return text.lower() if isinstance(text, str) else text
