"""A store as the migrations alone make it, written down as the SQL that makes it at once.

    python -m tests.support.blank_store

writes `core/store/migrations/blank.sql` anew, after a new migration.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from alembic import command
from alembic.config import Config

from core.store.engines import parse, writer
from core.store.migrate import BLANK, MIGRATIONS

_SCHEMA: Final = "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' ORDER BY rowid"
_TABLES: Final = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid"


def migrated(path: Path) -> None:
    """Makes a store in a file by every migration, one after the other."""
    engine = writer(parse(f"sqlite:///{path}"))
    with engine.connect() as connection, connection.begin():
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(MIGRATIONS))
        command.upgrade(config, "head")
    engine.dispose()


def written(path: Path) -> str:
    """The SQL that makes the tables of a file, with what stands in them."""
    with closing(sqlite3.connect(path)) as connection:
        statements = [sql for (sql,) in connection.execute(_SCHEMA)]
        for (table,) in connection.execute(_TABLES).fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):
                values = ", ".join(connection.execute("SELECT quote(?)", (value,)).fetchone()[0] for value in row)
                statements.append(f'INSERT INTO "{table}" VALUES ({values})')
    return ";\n\n".join(statements)


def by_migrations() -> str:
    """What all migrations together come to."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        migrated(path)
        return written(path)


if __name__ == "__main__":
    BLANK.write_text(by_migrations(), encoding="utf-8")
