"""Bringing a store to the present schema when it is opened."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterable
from contextlib import closing
from pathlib import Path
from types import ModuleType

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DatabaseError, OperationalError

from core.data_folder import protect_store
from core.domain.errors import InvalidInput, SourceUnavailable, UnreadableFile
from core.store.digests import manifest
from core.store.digests.covered import BY_TABLE
from core.store.digests.recording import UNATTENDED
from core.store.engines import BUSY_SECONDS, IMMEDIATE
from core.store.trail import audit, audit_key

HEAD = "0025"
"""Newest revision in ``migrations/versions``; a test compares them. Named here so that an up-to-date store opens
without loading Alembic."""

MIGRATIONS = Path(__file__).parent / "migrations"

COVER = "audit.cover"
"""The action that digests rows which were stored before there were digests, or which a migration changed."""

_ADVISORY_KEY = 0x506C756D62  # any constant: what PostgreSQL's first openers queue on


def migrate(engine: Engine) -> None:
    """Creates or upgrades the tables; when several processes open a new store, one does it and the others wait.

    Raises:
        InvalidInput: The database belongs to another program, or a newer Plumbline made it.
        UnreadableFile: The file is not an SQLite database, or cannot be written.
        SourceUnavailable: The server does not answer.
    """
    address = engine.url.render_as_string(hide_password=True)
    try:
        if engine.dialect.name == "sqlite":
            _write_ahead(engine)
        with engine.connect() as connection:
            if _revision(connection) == HEAD:
                return
        with engine.connect().execution_options(**{IMMEDIATE: True}) as connection, connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ADVISORY_KEY})
            _upgrade(connection, address)
    except OperationalError as error:
        raise _unavailable(engine, address, error) from error
    except DatabaseError as error:
        raise UnreadableFile(f"{address} cannot be used as a store: {error.orig}.", "Name another file.") from error


def _write_ahead(engine: Engine) -> None:
    """Switches the file to write-ahead logging, which then stays.

    SQLite does not wait for a lock here by itself, so the first openers of a new file try again.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    name = str(engine.url.database)
    try:
        protect_store(Path(name))
        with closing(engine.raw_connection()) as raw:
            while raw.cursor().execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                try:
                    raw.cursor().execute("PRAGMA journal_mode = WAL")
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.02)
    except (OSError, DatabaseError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(getattr(error, "orig", error))
        raise UnreadableFile(
            f"{name} cannot be used as a store: {reason}.",
            "Name a file that Plumbline made, or one it may make in a folder that can be written to.",
        ) from error


def _upgrade(connection: Connection, address: str) -> None:
    # Loaded only here: it costs a third of a second, and most opens find nothing to do.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    revision = _revision(connection)
    if revision is None and inspect(connection).get_table_names():
        raise InvalidInput(
            f"{address} holds tables that are not Plumbline's.", "Give Plumbline a database of its own to write to."
        )
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    revisions = {script.revision for script in scripts}
    if revision is not None and revision not in revisions:
        raise InvalidInput(
            f"{address} was made by a newer version of Plumbline (schema {revision}; this version knows {HEAD}).",
            "Install that version, or name another store.",
        )
    command.upgrade(config, "head")
    if revision is not None:
        new = [script.module for script in scripts if script.revision > revision]
        cover(connection, {name for module in new for name in _rewritten(module)}, revision)


def _rewritten(migration: ModuleType) -> Iterable[str]:
    """The covered tables whose rows a migration changed or digests for the first time."""
    names = getattr(migration, "REWRITES", ())
    return BY_TABLE if names == "all" else names


def cover(connection: Connection, names: Collection[str], revision: str) -> None:
    """Digests the rows of some tables as a migration left them, and says so in the trail."""
    if not names:
        return
    key, head = audit_key.given(), audit.lock(connection)
    audit_key.require_same(head.key_name, key)
    ordered = [name for name in BY_TABLE if name in names]
    rows = manifest.cover(connection, head[0] + 1, ordered)
    if rows:
        detail = {"from": revision, "to": HEAD, "tables": ordered}
        audit.append(connection, head, UNATTENDED, COVER, detail=detail, rows=rows, key=key)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def _unavailable(engine: Engine, address: str, error: OperationalError) -> Exception:
    reason = str(error.orig).strip().splitlines()[0]
    if engine.dialect.name == "sqlite":
        return UnreadableFile(
            f"The store {engine.url.database} cannot be opened: {reason}.",
            "Check that the folder exists and may be written to.",
        )
    return SourceUnavailable(
        f"The store {address} does not answer: {reason}.", "Check the address, the user and that the server runs."
    )
