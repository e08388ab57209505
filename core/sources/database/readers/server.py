"""Any other database through SQLAlchemy, inside a read-only transaction where the server knows one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.engine import Connection, Inspector
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from core.domain.errors import InvalidInput, PlumblineError, QueryStopped, SourceUnavailable
from core.domain.sources.schema import Table
from core.net.gate.databases import DatabaseAddress, open_engine
from core.net.secrets import Mask
from core.sources.database.readers.described import read_tables
from core.sources.database.readers.protocol import Rows, Statement, statement_of

PREAMBLE = {
    "postgresql": ("SET TRANSACTION READ ONLY", "SET LOCAL statement_timeout = {milliseconds}"),
    "mysql": ("SET TRANSACTION READ ONLY", "SET SESSION MAX_EXECUTION_TIME = {milliseconds}"),
    "mariadb": ("SET TRANSACTION READ ONLY", "SET SESSION max_statement_time = {seconds}"),
}
"""Statements before ours, by kind of server. The guard stays the first defence: a server lets a session undo them."""
OTHER_QUOTES = frozenset(
    {"ANSI", "ANSI_QUOTES", "NO_BACKSLASH_ESCAPES", "DB2", "MAXDB", "MSSQL", "ORACLE", "POSTGRESQL"}
)
"""Modes of MySQL and MariaDB, with those that contain them, which change what quotes and backslashes mean."""
MEMORY = 500_000_000
"""Bytes a session may have on a MariaDB; other servers have no such limit for a session."""
TEMPORARY_MB = 4_000
SORT_MB = 16
"""Memory of each sort and each hash on PostgreSQL, whatever the server gives the user; more goes to files."""
SYSTEM_SCHEMAS = frozenset({"information_schema", "mysql", "performance_schema", "sys"})
"""Schemas in which a server describes itself, beside PostgreSQL's ``pg_...``."""
TIMED_OUT = ("timeout", "maximum statement execution time", "max_statement_time")
"""Words in a server's message about a statement that it stopped for its time."""
CANCEL_S = 5.0
"""Seconds in which a server has to take note that a query is cancelled."""
OUT_OF_MEMORY = ("out of memory", "max-session-mem-used", "invalid memory alloc request")
OUT_OF_FILES = ("temp_file_limit",)


class ServerReader:
    """Reads one database through an SQLAlchemy engine.

    Args:
        address: Of the server; its secrets are filled in for connecting only.
        begun: Called before each query on a server that does not notice when its client is gone, with the number of
            the session. PostgreSQL notices, see `_agree`.

    Raises:
        SourceUnavailable: The server does not answer, or refuses us.
        DestinationRefused: It may not be called.
        InvalidInput: A variable is not set.
    """

    def __init__(self, address: DatabaseAddress, *, begun: Callable[[int], object]) -> None:
        self.dialect = address.url.get_backend_name()
        self._address = address
        # A server may repeat what it was sent.
        self._mask = Mask(address.secrets())
        self._engine = open_engine(address)
        event.listen(self._engine, "connect", _agree, insert=True)  # before its quotes are asked for
        try:
            with self._engine.connect():
                pass
        except (SQLAlchemyError, OSError, RuntimeError, ValueError):
            self._engine.dispose()
            # What drivers say of a connection names the user and may hold what was sent.
            raise SourceUnavailable(
                f"The database {address.shown} does not answer.",
                "Check host, port, name, user and password.",
            ) from None
        except PlumblineError:
            self._engine.dispose()
            raise
        self._running: list[Connection] = []
        self._begun = begun
        # Asked of the server, not read from the address: mysql:// reaches a MariaDB as well.
        self._server = "mariadb" if getattr(self._engine.dialect, "is_mariadb", False) else self.dialect

    def tables(self) -> tuple[Table, ...]:
        """Tables and views in name order; row counts are left at 0.

        They are those of the schemas that the address names, by ``schemas=a,b`` or by its search path; where it names
        none, those of all schemas but the server's own. On a MySQL or MariaDB a schema is a database, and an address
        with a database names it. A view that the server cannot describe, because its tables are gone, is left out.
        """
        try:
            inspector = inspect(self._engine)
            tables = read_tables(inspector, self._schemas(inspector))
        except DBAPIError as error:
            raise SourceUnavailable(
                f"The database does not say which tables it has: {self._reason(error)}.",
                "Check the user's rights, and that the server runs.",
            ) from None
        return tables

    def _schemas(self, inspector: Inspector) -> list[str]:
        """The schemas to be read, the one in use first."""
        query, current = self._address.url.query, inspector.default_schema_name or ""
        if query.get("schemas"):
            chosen = str(query["schemas"]).split(",")
        elif "search_path" in str(query.get("options", "")):
            with self._engine.connect() as connection:
                chosen = list(connection.exec_driver_sql("SELECT current_schemas(false)").scalar_one())
        elif self._address.kind == "mysql" and current:
            chosen = [current]
        else:
            chosen = [name for name in inspector.get_schema_names() if not _is_system(name)]
        return sorted(chosen, key=lambda name: (name != current, name))

    @contextmanager
    def run(
        self, sql: str | Statement, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True
    ) -> Iterator[Rows]:
        """Runs one SELECT; see :class:`Reader`."""
        try:
            with self._engine.connect() as connection, connection.begin() as transaction:
                self._prepare(connection, timeout_s)
                self._running.append(connection)
                if (session := _session(connection)) is not None:
                    self._begun(session)
                result = connection.execution_options(stream_results=True).exec_driver_sql(
                    *_for_driver(statement_of(sql), params, self._engine.dialect.paramstyle)
                )
                try:
                    yield Rows(columns=tuple(result.keys()), rows=(tuple(row) for row in result))
                finally:
                    # Whoever reads may leave in the middle; what is still open would disturb the connection's next use.
                    result.close()
                    transaction.rollback()
        except DBAPIError as error:
            raise _explained(self._reason(error), timeout_s) from None
        finally:
            self._running.clear()

    def cancel(self) -> None:
        """Asks the server to end the statements that run, by a connection of its own."""
        for running in tuple(self._running):
            with suppress(SQLAlchemyError):
                self._end(running)

    def _end(self, running: Connection) -> None:
        driver: Any = running.connection.driver_connection
        if hasattr(driver, "cancel_safe"):  # psycopg
            driver.cancel_safe(timeout=CANCEL_S)
        elif hasattr(driver, "cancel"):  # psycopg2
            driver.cancel()
        elif (session := _session(running)) is not None:
            with self._engine.connect() as connection:
                connection.exec_driver_sql(f"KILL QUERY {session}")

    def end(self, session: int) -> None:
        """Ends a session on the server that somebody else left behind; nothing where there is none of that number."""
        with suppress(SQLAlchemyError), self._engine.connect() as connection:
            connection.exec_driver_sql(f"KILL {int(session)}")

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    def _reason(self, error: DBAPIError) -> str:
        """What the server said, without what it was sent."""
        return self._mask.error((str(error.orig).strip() or "it gave no reason").splitlines()[0])

    def _prepare(self, connection: Connection, timeout_s: float) -> None:
        for statement in PREAMBLE.get(self._server, ()):
            connection.exec_driver_sql(statement.format(milliseconds=int(timeout_s * 1000), seconds=timeout_s))


def _session(connection: Connection) -> int | None:
    """The number of a session of a MySQL or MariaDB; None on other servers."""
    driver: Any = connection.connection.driver_connection
    return int(driver.thread_id()) if hasattr(driver, "thread_id") else None  # PyMySQL


def _explained(reason: str, timeout_s: float) -> InvalidInput | QueryStopped:
    """What a server's refusal means."""
    words = reason.lower()
    if any(part in words for part in TIMED_OUT):
        return QueryStopped(
            f"The query was stopped after {timeout_s:g} seconds.",
            "Make it simpler, or add a condition that narrows it.",
            limit="time",
        )
    if any(part in words for part in OUT_OF_MEMORY):
        return QueryStopped(
            f"The database stopped the query because it needs too much memory: {reason}.",
            "Put fewer or shorter texts together, or leave out the column with large values.",
            limit="memory",
        )
    if any(part in words for part in OUT_OF_FILES):
        return QueryStopped(
            f"The database stopped the query because its temporary files are too large: {reason}.",
            "Add a condition that narrows it, or join the tables by their keys.",
            limit="temporary files",
        )
    return InvalidInput(f"The database refused the statement: {reason}.", "Correct the statement or the user's rights.")


def _agree(connection: Any, _record: object) -> None:
    """Makes a server's session read texts as the guard's grammar does, whatever the server's own settings are.

    Where a backslash or a double quote meant something else to it, a literal could end elsewhere than the guard saw.
    """
    with closing(connection.cursor()) as cursor:
        if hasattr(connection, "get_server_info"):  # a MySQL or MariaDB
            cursor.execute("SELECT @@sql_mode")
            modes = [mode for mode in str(cursor.fetchone()[0]).split(",") if mode not in OTHER_QUOTES]
            cursor.execute("SET SESSION sql_mode = %s", (",".join(modes),))
            _try(connection, cursor, f"SET SESSION max_session_mem_used = {MEMORY}")
        elif hasattr(connection, "pgconn") or hasattr(connection, "get_backend_pid"):
            cursor.execute("SET standard_conforming_strings = on")
            connection.commit()
            _try(connection, cursor, f"SET temp_file_limit = '{TEMPORARY_MB}MB'")
            _try(connection, cursor, "SET client_connection_check_interval = '2s'")
            _try(connection, cursor, f"SET work_mem = '{SORT_MB}MB'")
            _try(connection, cursor, "SET hash_mem_multiplier = 1")


def _try(connection: Any, cursor: Any, statement: str) -> None:
    """A setting that the server may not have, or not allow us."""
    try:
        cursor.execute(statement)
        connection.commit()
    except Exception:  # noqa: BLE001 - every driver has an error class of its own; without the setting it goes on
        connection.rollback()


def _is_system(name: str) -> bool:
    return name.startswith("pg_") or name in SYSTEM_SCHEMAS


def _for_driver(statement: Statement, params: Mapping[str, object], style: str) -> tuple[str, Any]:
    """The text and the values as a driver of this style of parameters (PEP 249) takes them."""
    values = statement.values(params)
    count = range(1, len(values) + 1)
    match style:
        case "format" | "pyformat":
            # Such a driver takes every other per cent sign for one of its own, inside texts as well.
            doubled = Statement(tuple(text.replace("%", "%%") for text in statement.texts), statement.names)
            return doubled.joined(["%s" for _ in count]), values
        case "numeric" | "numeric_dollar":
            sign = ":" if style == "numeric" else "$"
            return statement.joined([f"{sign}{number}" for number in count]), values
        case "named":
            return statement.joined([f":b{number}" for number in count]), {f"b{n}": v for n, v in enumerate(values, 1)}
    return statement.joined(["?" for _ in count]), values
