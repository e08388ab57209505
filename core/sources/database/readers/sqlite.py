"""SQLite, opened so that no byte of the file can change."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from urllib.parse import quote

from core.domain.errors import InvalidInput, QueryStopped, SourceUnavailable, UnreadableFile
from core.domain.sources.schema import Column, ForeignKey, Table
from core.sources.database.readers.protocol import Rows, Statement, statement_of

MAGIC = b"SQLite format 3\x00"
WAL_FORMAT = 2
"""Bytes 18 and 19 of a database in write-ahead mode."""
LARGEST_VALUE = 10_000_000
"""Bytes of one value or row. Making one is a single step, which nothing interrupts."""
STEPS_BETWEEN_CHECKS = 2_000
LOCK_WAIT_S = 2.0
FORBIDDEN_FUNCTIONS = frozenset(
    {
        "load_extension",
        "readfile",
        "writefile",
        "edit",
        "fts3_tokenizer",
        "randomblob",
        "zeroblob",
        "sqlite_log",
    }
)
TEMPORARY_FILE_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE})
"""Only temporary files are ever written."""
_AGAIN = "Export the database again or choose another file."
SYSTEM_PREFIXES = ("sqlite_", "pragma_")


def check_file(path: Path) -> None:
    """Raises unless the path is a readable SQLite database file.

    Raises:
        SourceUnavailable: There is no file there, or it may not be read.
        UnreadableFile: It is empty or no SQLite database.
    """
    try:
        is_folder, is_file = path.is_dir(), path.is_file()
    except OSError as error:
        raise SourceUnavailable(
            f"The database file {path} cannot be reached: {error.strerror}.", "Check the path and its permissions."
        ) from error
    if is_folder:
        raise SourceUnavailable(f"{path} is a folder, not a database file.", "Give the path of the SQLite file itself.")
    if not is_file:
        raise SourceUnavailable(
            f"There is no database file {path}.", "Check the path; a relative path starts where Plumbline was started."
        )
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError as error:
        raise SourceUnavailable(
            f"The database file {path} cannot be read: {error.strerror}.", "Check the file's permissions."
        ) from error
    check_header(head, path.name)


def check_header(head: bytes, name: str) -> None:
    """Raises unless the first bytes of a file are those of an SQLite database."""
    if not head:
        raise UnreadableFile(f"{name} is empty (0 bytes).", "Export the database again or choose another file.")
    if not head.startswith(MAGIC):
        raise UnreadableFile(f"{name} is not an SQLite database.", "Choose a file with the ending .sqlite or .db.")


class SqliteReader:
    """Reads one SQLite file with as many read-only connections as threads ask at once.

    Three things keep the file as it is: ``mode=ro``, an authorizer that allows nothing but reading, and
    ``query_only``. A database in write-ahead mode without an open writer is opened ``immutable``, because SQLite would
    otherwise create its two side files next to it.
    """

    dialect = "sqlite"

    def __init__(self, location: str) -> None:
        if not location or location == ":memory:":
            raise InvalidInput(
                "The address names no database file.", "Write it like sqlite:///folder/file.sqlite (three slashes)."
            )
        if location.startswith("file:"):
            raise InvalidInput(
                f"'{location}' is an SQLite file: address.", "Give the plain path: sqlite:///folder/file.sqlite."
            )
        self._path = Path(location).resolve()
        check_file(self._path)
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._running: list[sqlite3.Connection] = []
        self._closed = False
        try:
            with self._connection() as connection:
                self._first_look(connection)
        except BaseException:
            self.close()
            raise

    def tables(self) -> tuple[Table, ...]:
        """Tables and views in name order; row counts are left at 0."""
        with self._connection() as connection:
            kinds = connection.execute(
                "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
            ).fetchall()
            views = {name for name, kind in kinds if kind == "view"}
            names = sorted(name for name, _ in kinds if not name.lower().startswith(SYSTEM_PREFIXES))
            tables = (table for name in names if (table := _table(connection, name)) is not None)
            return tuple(replace(table, view=table.name in views) for table in tables)

    @contextmanager
    def run(
        self, sql: str | Statement, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True
    ) -> Iterator[Rows]:
        """Runs one SELECT; see :class:`Reader`."""
        statement = statement_of(sql)
        deadline = time.thread_time() + timeout_s
        with self._connection() as connection:
            # Processor time: whoever reads the rows may take as long as they like.
            connection.set_progress_handler(lambda: int(time.thread_time() > deadline), STEPS_BETWEEN_CHECKS)
            self._running.append(connection)
            connection.set_authorizer(_authorise if guarded else None)
            try:
                cursor = connection.execute(
                    statement.joined(["?"] * len(statement.names)), [_bindable(v) for v in statement.values(params)]
                )
                columns = tuple(str(item[0]) for item in cursor.description or ())
                yield Rows(columns=columns, rows=iter(cursor))
            except sqlite3.Error as error:
                raise _explained(error, timeout_s) from error
            except UnicodeDecodeError as error:
                raise UnreadableFile(f"The database {self._path.name} is damaged.", _AGAIN) from error
            except OverflowError as error:
                raise InvalidInput(
                    "A bound number is too large for SQLite.", "Use whole numbers of at most 64 bits."
                ) from error
            finally:
                self._running.remove(connection)
                connection.set_progress_handler(None, 0)
                connection.set_authorizer(None)

    def cancel(self) -> None:
        """Ends the statements that run."""
        for connection in tuple(self._running):
            connection.interrupt()

    def end(self, session: int) -> None:
        """Does nothing: what reads a file ends with its process."""

    def close(self) -> None:
        """Closes every connection; those in use close when their statement ends."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._closed:
                raise SourceUnavailable(f"The database {self._path.name} was closed.", "Connect it again.")
            connection = self._idle.pop() if self._idle else None
        immutable = self._immutable() if connection is None else False
        if connection is None:
            connection = self._open(immutable)
        try:
            yield connection
        finally:
            with self._lock:
                # An immutable connection does not see a writer that comes later, so it serves one statement only.
                keep = not self._closed and not immutable and len(self._idle) < 4
                if keep:
                    self._idle.append(connection)
            if not keep:
                connection.close()

    def _immutable(self) -> bool:
        with self._path.open("rb") as file:
            write_ahead = WAL_FORMAT in file.read(20)[18:20]
        return write_ahead and not self._path.with_name(self._path.name + "-wal").exists()

    def _open(self, immutable: bool) -> sqlite3.Connection:
        address = f"file:{quote(str(self._path))}?mode=ro{'&immutable=1' if immutable else ''}"
        try:
            connection = sqlite3.connect(
                address, uri=True, check_same_thread=False, isolation_level=None, timeout=LOCK_WAIT_S
            )
        except sqlite3.Error as error:
            raise SourceUnavailable(
                f"The database file {self._path} cannot be opened: {error}.", "Check the file and its permissions."
            ) from error
        # Old exports hold text that is not UTF-8; a damaged character must not hide the row.
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        return connection

    def _first_look(self, connection: sqlite3.Connection) -> None:
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except UnicodeDecodeError as error:  # what SQLite says of a damaged file repeats bytes of it
            raise UnreadableFile(f"{self._path.name} is damaged.", _AGAIN) from error
        except sqlite3.DatabaseError as error:
            explained = _explained(error, 0)
            if isinstance(explained, SourceUnavailable):
                raise explained from error
            raise UnreadableFile(
                f"{self._path.name} is damaged or is not an SQLite database: {error}.",
                "Export the database again or choose another file.",
            ) from error


def _authorise(action: int, first: str | None, second: str | None, database: str | None, _inner: str | None) -> int:
    """Allows reading of ordinary tables and ordinary functions, nothing else."""
    if action == sqlite3.SQLITE_SELECT:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ:
        system = (first or "").lower().startswith(SYSTEM_PREFIXES)
        return sqlite3.SQLITE_DENY if system or database not in (None, "", "main") else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_DENY if (second or "").lower() in FORBIDDEN_FUNCTIONS else sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _explained(error: sqlite3.Error, timeout_s: float) -> InvalidInput | QueryStopped | SourceUnavailable:
    text = str(error)
    if "interrupted" in text:
        return QueryStopped(
            f"The query was stopped after {timeout_s:g} seconds.",
            "Make it simpler, or add a condition that narrows it.",
            limit="time",
        )
    if getattr(error, "sqlite_errorcode", None) in TEMPORARY_FILE_FULL:
        return QueryStopped(
            "The query was stopped because it sorts or collects more than fits into its temporary files.",
            "Add a condition that narrows it, or join the tables by their keys.",
            limit="temporary files",
        )
    if "too big" in text:
        return QueryStopped(
            f"A value is larger than {LARGEST_VALUE // 1_000_000} MB.",
            "Leave out the column that holds it.",
            limit="value",
        )
    if "not authorized" in text or "prohibited" in text or "readonly" in text:
        return InvalidInput(f"The database refused the statement: {text}.", "Only plain reading of tables is allowed.")
    if "malformed" in text or "not a database" in text:
        return UnreadableFile(f"The database is damaged: {text}.", "Export the database again or choose another file.")
    if "locked" in text or "busy" in text or "disk I/O" in text:
        return SourceUnavailable(f"The database does not answer: {text}.", "Try again when its writer has finished.")
    return InvalidInput(f"The database refused the statement: {text}.", "Correct the statement.")


def _bindable(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    return value


def _table(connection: sqlite3.Connection, name: str) -> Table | None:
    try:
        column_rows = connection.execute('SELECT name, type, "notnull", pk, hidden FROM pragma_table_xinfo(?)', (name,))
        # hidden = 1 is a virtual table's inner column; 2 and 3 are generated columns, which can be read.
        infos = [info for info in column_rows if info[4] != 1]
        keys = connection.execute(
            'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id, seq', (name,)
        ).fetchall()
        unique = _unique(connection, name)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        # A view on a table that is gone: nobody can read it, so it is not part of the schema.
        return None
    primary = tuple(info[0] for info in sorted((info for info in infos if info[3]), key=lambda info: info[3]))
    columns = tuple(
        Column(name=column, type=kind or "", nullable=not (required or (position and len(primary) == 1)))
        for column, kind, required, position, _ in infos
    )
    return Table(
        name=name,
        rows=0,
        columns=columns,
        primary_key=primary,
        foreign_keys=tuple(_foreign_keys(connection, keys)),
        unique=tuple(columns for columns in unique if columns != primary),
    )


def _foreign_keys(connection: sqlite3.Connection, keys: list[tuple[int, str, str, str | None]]) -> Iterator[ForeignKey]:
    grouped: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, table, column, referred in keys:
        grouped.setdefault(number, []).append((table, column, referred))
    for number in sorted(grouped, reverse=True):  # SQLite numbers them from the last written one
        parts = grouped[number]
        table = parts[0][0]
        spelled = connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)", (table,)
        ).fetchone()
        if spelled is None:
            continue  # it points to a table that does not exist
        infos: list[tuple[str, int]] = connection.execute(
            "SELECT name, pk FROM pragma_table_xinfo(?)", (table,)
        ).fetchall()
        primary = [name for name, position in sorted(infos, key=lambda info: info[1]) if position]
        own_names = {name.lower(): name for name, _ in infos}
        # A foreign key that names no column points to the primary key.
        key_columns = primary if parts[0][2] is None else [own_names.get((part[2] or "").lower(), "") for part in parts]
        if len(key_columns) == len(parts) and all(key_columns):
            yield ForeignKey(
                columns=tuple(part[1] for part in parts), referred_table=spelled[0], referred_columns=tuple(key_columns)
            )


def _unique(connection: sqlite3.Connection, name: str) -> list[tuple[str, ...]]:
    indexes = connection.execute(
        'SELECT name FROM pragma_index_list(?) WHERE "unique" = 1 AND partial = 0 ORDER BY name', (name,)
    ).fetchall()
    unique_sets = []
    for (index,) in indexes:
        columns = [row[0] for row in connection.execute("SELECT name FROM pragma_index_info(?)", (index,))]
        if columns and all(columns):
            unique_sets.append(tuple(columns))
    return sorted(set(unique_sets))
