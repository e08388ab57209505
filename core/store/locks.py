"""Locks for work that one process at a time may do; a lock ends with its process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from core.data_folder import private_folder

POLL_SECONDS = 0.05
FOLDER = "locks"
TAKE = text("SELECT pg_try_advisory_lock(hashtextextended(current_schema() || ':' || :name, 0))")
LEAVE = text("SELECT pg_advisory_unlock(hashtextextended(current_schema() || ':' || :name, 0))")


@contextmanager
def locked(engine: Engine, name: str, seconds: float) -> Iterator[bool]:
    """Holds a lock of the store, across processes and threads, and reports whether it was free.

    Beside an SQLite file it is a locked file; on PostgreSQL an advisory lock of a connection of its own. Both end
    with the process, also when it is killed.

    Args:
        engine: Of the store.
        name: What is locked; a file name.
        seconds: How long to wait for another holder.
    """
    if engine.dialect.name == "sqlite":
        with file_lock(Path(str(engine.url.database)).parent / FOLDER / f"{name}.lock", seconds) as held:
            yield held
    else:
        with _advisory_lock(engine, name, seconds) as held:
            yield held


@contextmanager
def file_lock(path: Path, seconds: float = 0.0) -> Iterator[bool]:
    """Holds a file, across processes and threads, and reports whether it was free; the lock ends with the process.

    Args:
        path: The file; made where it is missing, and removed afterwards.
        seconds: How long to wait for another holder.
    """
    private_folder(path.parent)
    deadline = time.monotonic() + seconds
    while (handle := _try_file(path)) is None and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            path.unlink(missing_ok=True)
            os.close(handle)


def _try_file(path: Path) -> int | None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The last holder may have removed the file between our opening it and our locking it.
        if os.path.samestat(os.fstat(handle), path.stat()):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(handle)
    return None


@contextmanager
def _advisory_lock(engine: Engine, name: str, seconds: float) -> Iterator[bool]:
    key = {"name": name}
    deadline = time.monotonic() + seconds
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        while not (held := bool(connection.execute(TAKE, key).scalar_one())) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        try:
            yield held
        finally:
            if held:
                with suppress(DBAPIError):  # a lost connection has given the lock back already
                    connection.execute(LEAVE, key)
