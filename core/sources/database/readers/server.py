"""Any other database through SQLAlchemy, inside a read-only transaction where the server knows one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection, Inspector
from sqlalchemy.exc import DBAPIError, NoSuchTableError, SQLAlchemyError, UnreflectableTableError

from core.domain.errors import InvalidInput, LimitExceeded, PlumblineError, SourceUnavailable
from core.domain.sources.schema import Column, ForeignKey, Table
from core.net.gate.databases import DatabaseAddress, open_engine
from core.net.secrets import Mask
from core.sources.database.readers.protocol import Rows

PREAMBLE = {
    "postgresql": ("SET TRANSACTION READ ONLY", "SET LOCAL statement_timeout = {milliseconds}"),
    "mysql": ("SET TRANSACTION READ ONLY", "SET SESSION MAX_EXECUTION_TIME = {milliseconds}"),
    "mariadb": ("SET TRANSACTION READ ONLY", "SET SESSION max_statement_time = {seconds}"),
}
"""Statements before ours, by kind of server. The guard stays the first defence: a server lets a session undo them."""
TIMED_OUT = ("timeout", "maximum statement execution time", "max_statement_time")
"""Words in a server's message about a statement that it stopped for its time."""
PARAMETER = re.compile(r"(?<![:\w\\]):(\w+)(?!:)")


class ServerReader:
    """Reads one database through an SQLAlchemy engine.

    Args:
        address: Of the server; its secrets are filled in for connecting only.
        grammar: sqlglot's name of the dialect.

    Raises:
        SourceUnavailable: The server does not answer, or refuses us.
        DestinationRefused: It may not be called.
        InvalidInput: A variable is not set.
    """

    def __init__(self, address: DatabaseAddress, *, grammar: str) -> None:
        self.dialect = address.url.get_backend_name()
        self.grammar = grammar
        # A server may repeat what it was sent.
        self._mask = Mask(address.secrets())
        self._engine = open_engine(address)
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
        # Asked of the server, not read from the address: mysql:// reaches a MariaDB as well.
        self._server = "mariadb" if getattr(self._engine.dialect, "is_mariadb", False) else self.dialect

    def tables(self) -> tuple[Table, ...]:
        """Tables and views of the default schema in name order; row counts are left at 0.

        A view that the server cannot describe, because its tables are gone, is left out.
        """
        tables = []
        try:
            inspector = inspect(self._engine)
            for name in sorted({*inspector.get_table_names(), *inspector.get_view_names()}):
                with suppress(NoSuchTableError, UnreflectableTableError):
                    tables.append(_described(inspector, name))
        except DBAPIError as error:
            raise SourceUnavailable(
                f"The database does not say which tables it has: {self._reason(error)}.",
                "Check the user's rights, and that the server runs.",
            ) from None
        return tuple(tables)

    @contextmanager
    def run(self, sql: str, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True) -> Iterator[Rows]:
        """Runs one SELECT; see :class:`Reader`."""
        try:
            with self._engine.connect() as connection, connection.begin() as transaction:
                self._prepare(connection, timeout_s)
                result = connection.execution_options(stream_results=True).execute(
                    text(_escaped(sql, params)), dict(params)
                )
                try:
                    yield Rows(columns=tuple(result.keys()), rows=(tuple(row) for row in result))
                finally:
                    # Whoever reads may leave in the middle; what is still open would disturb the connection's next use.
                    result.close()
                    transaction.rollback()
        except DBAPIError as error:
            reason = self._reason(error)
            if any(words in reason.lower() for words in TIMED_OUT):
                raise LimitExceeded(
                    f"The query was stopped after {timeout_s:g} seconds.",
                    "Make it simpler, or add a condition that narrows it.",
                ) from None
            raise InvalidInput(
                f"The database refused the statement: {reason}.", "Correct the statement or the user's rights."
            ) from None

    def close(self) -> None:
        """Closes every connection."""
        self._engine.dispose()

    def _reason(self, error: DBAPIError) -> str:
        """What the server said, without what it was sent."""
        return self._mask.error((str(error.orig).strip() or "it gave no reason").splitlines()[0])

    def _prepare(self, connection: Connection, timeout_s: float) -> None:
        for statement in PREAMBLE.get(self._server, ()):
            connection.exec_driver_sql(statement.format(milliseconds=int(timeout_s * 1000), seconds=timeout_s))


def _described(inspector: Inspector, name: str) -> Table:
    """A table's columns and keys."""
    primary = tuple(inspector.get_pk_constraint(name).get("constrained_columns") or ())
    return Table(
        name=name,
        rows=0,
        columns=tuple(
            Column(name=item["name"], type=str(item["type"]), nullable=bool(item["nullable"]))
            for item in inspector.get_columns(name)
        ),
        primary_key=primary,
        foreign_keys=tuple(
            ForeignKey(
                columns=tuple(key["constrained_columns"]),
                referred_table=key["referred_table"],
                referred_columns=tuple(key["referred_columns"]),
            )
            for key in inspector.get_foreign_keys(name)
            if not key.get("referred_schema")
        ),
        unique=tuple(
            sorted(tuple(str(c) for c in item["column_names"]) for item in inspector.get_unique_constraints(name))
        ),
    )


def _escaped(sql: str, params: Mapping[str, object]) -> str:
    """Hides colons inside texts from SQLAlchemy, which takes every ``:word`` for a parameter."""
    return PARAMETER.sub(lambda match: match[0] if match[1] in params else f"\\{match[0]}", sql)
