"""A connected database: its schema and guarded, read-only queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from types import TracebackType

from core.domain.errors import InvalidInput, LimitExceeded
from core.domain.sources.schema import Schema
from core.domain.sources.semantics import SemanticLayer
from core.sources.database.address import read_address
from core.sources.database.grammar import quoted, quoted_table
from core.sources.database.guard import SafeSelect, check_select
from core.sources.database.readers import Reader, Rows
from core.sources.database.reflection import read_schema
from core.sources.database.sandbox.reader import SandboxedReader


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
    """Rows of one query.

    Attributes:
        columns: Names of the result's columns.
        rows: The rows in the order of the database.
        truncated: Whether there were more rows than requested.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    truncated: bool = False


class DatabaseSource:
    """A read-only connection to one database; safe to use from several threads.

    Open it with :meth:`connect`, close it or use it in a ``with`` statement.
    """

    def __init__(self, reader: Reader, schema: Schema, *, row_limit: int, timeout_s: float) -> None:
        self._reader = reader
        self._schema = schema
        self._row_limit = row_limit
        self._timeout_s = timeout_s

    @classmethod
    def connect(
        cls,
        url: str,
        *,
        overrides: Mapping[str, bool] | None = None,
        layer: SemanticLayer | None = None,
        row_limit: int = 100_000,
        timeout_s: float = 20.0,
    ) -> DatabaseSource:
        """Opens a database for reading and reads its schema.

        Args:
            url: SQLAlchemy URL; password and user may be ``${NAME}`` of an environment variable, a literal password is
                refused. An SQLite file must exist: it is never created.
            overrides: A person's decisions on descriptive columns, ``{"Table.Column": bool}``.
            layer: What people call tables and columns, laid over what the rules propose; None for the rules alone.
            row_limit: The most rows a query may return.
            timeout_s: Seconds of work after which a query is stopped: processor time for a file, waiting for a server.
                Rows earn more (`ROWS_PER_SECOND`), and what the caller does between them does not count.

        Raises:
            InvalidInput: The address cannot be used, or the database has no table or no readable column.
            DestinationRefused: The server may not be called, or a variable may not go there.
            UnreadableFile: The file is empty or no database.
            SourceUnavailable: The file or server does not answer, or its driver is missing.
            LimitExceeded: A table could not be counted in time.
        """
        reader = SandboxedReader(read_address(url))
        try:
            schema = read_schema(reader, overrides or {}, timeout_s=timeout_s, layer=layer)
            _check_usable(schema, url)
        except BaseException:
            reader.close()
            raise
        return cls(reader, schema, row_limit=row_limit, timeout_s=timeout_s)

    @property
    def schema(self) -> Schema:
        """Tables, columns, keys and row counts as they were when the database was connected."""
        return self._schema

    def query(
        self, sql: str, params: Mapping[str, object] | None = None, *, row_limit: int | None = None
    ) -> QueryResult:
        """Runs one SELECT after the guard has allowed it.

        Args:
            sql: One SELECT; parameters are written ``:name``.
            params: A value for each parameter; values are bound, never written into the statement.
            row_limit: The most rows wanted: the result is cut there and marked so. Without it, more rows than the
                source's limit are an error, because a cut result would look like the whole one.

        Raises:
            UnsafeSql: The guard refuses the statement.
            InvalidInput: A parameter has no value, or the database refuses the statement.
            LimitExceeded: Too many rows, or the time is over.
        """
        limit = self._row_limit if row_limit is None else row_limit
        with self.stream(sql, params) as result:
            rows = tuple(islice(result.rows, limit + 1))
        if len(rows) > limit and row_limit is None:
            raise LimitExceeded(
                f"The query returns more than {limit:,} rows.",
                "Add a condition that narrows it, or ask for fewer rows.",
            )
        return QueryResult(columns=result.columns, rows=rows[:limit], truncated=len(rows) > limit)

    @contextmanager
    def stream(self, sql: str | SafeSelect, params: Mapping[str, object] | None = None) -> Iterator[Rows]:
        """Runs one SELECT and gives its rows while they are read, without a row limit; the timeout holds.

        Args:
            sql: One SELECT, or one that the guard has allowed already.
            params: A value for each parameter.

        Raises:
            UnsafeSql, InvalidInput, LimitExceeded: As :meth:`query`.
        """
        safe = sql if isinstance(sql, SafeSelect) else check_select(sql, self._schema)
        parameters = dict(params or {})
        missing = [name for name in safe.parameters if name not in parameters]
        if missing:
            raise InvalidInput(f"The statement needs a value for :{missing[0]}.", "Give a value for each parameter.")
        values = {name: parameters[name] for name in safe.parameters}
        with self._reader.run(safe.statement, values, timeout_s=self._timeout_s) as rows:
            yield rows

    def sample_values(self, table: str, column: str, n: int = 5) -> tuple[object, ...]:
        """Different values of a column that are not NULL, in the database's order.

        Raises:
            NotFound: There is no such table or column.
        """
        schema_table = self._schema.table(table)
        dialect = self._schema.dialect
        name = quoted(schema_table.column(column).name, dialect)
        sql = f"SELECT {name} FROM {quoted_table(schema_table, dialect)} WHERE {name} IS NOT NULL"  # noqa: S608
        with self.stream(sql) as result:
            distinct: dict[object, None] = {}
            for row in islice(result.rows, 50 * n):
                distinct[row[0]] = None
                if len(distinct) >= n:
                    break
        return tuple(distinct)

    def close(self) -> None:
        """Closes the connections."""
        self._reader.close()

    def __enter__(self) -> DatabaseSource:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _check_usable(schema: Schema, url: str) -> None:
    if schema.tables:
        return
    if "schemas=" in url or "search_path" in url:
        raise InvalidInput(
            "The schemas that the address names have no tables.",
            "Check their names, or leave them out of the address to read all schemas of the database.",
        )
    raise InvalidInput("The database has no tables.", "Choose a database that holds at least one table with rows.")
