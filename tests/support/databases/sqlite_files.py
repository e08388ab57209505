"""Small SQLite files made for one test."""

import sqlite3
from contextlib import closing
from pathlib import Path

from core.domain.sources.schema import Schema
from core.sources.database import DatabaseSource


def sqlite_file(path: Path, script: str) -> str:
    """Runs a script on a new file and returns its address.

    The file is not waited for until it is on the disk, which each of a script's thousands of inserts would be.
    """
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.executescript(script)
    return f"sqlite:///{path}"


def sqlite_schema(path: Path, script: str) -> Schema:
    """The schema of a new file made by a script."""
    with DatabaseSource.connect(sqlite_file(path, script)) as source:
        return source.schema
