"""The way into a database that everything else uses: a reader whose work is done in worker processes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

from core.domain.errors import SourceUnavailable
from core.domain.sources.schema import Table
from core.net.gate.databases import DatabaseAddress
from core.net.gate.policy import RULES
from core.settings import environment_value
from core.sources.database.readers.protocol import Rows, Statement, statement_of
from core.sources.database.sandbox.limits import Limits
from core.sources.database.sandbox.messages import Address, Describe, Reply, Run
from core.sources.database.sandbox.workers import workers


class SandboxedReader:
    """Reads one database in worker processes; see :class:`Reader`.

    This process opens neither the file nor a connection to the server. A worker is lent for each statement, so that
    several threads may read at once; it stays connected until another database needs it or this one is closed.

    Args:
        address: Of the database, its secrets still references: the worker fills them in for connecting.
        limits: Of each query; the seconds are those that :meth:`run` is given.
    """

    def __init__(self, address: DatabaseAddress, *, limits: Limits | None = None) -> None:
        self.dialect = address.url.get_backend_name()
        self._name = address.shown
        self._address = Address(self.dialect, _location(address), _environment(address))
        self._limits = limits or Limits()
        self._closed = False

    def tables(self) -> tuple[Table, ...]:
        """Tables and views in name order; row counts are left at 0."""
        with workers().lent(self._address) as worker:
            replies = list(worker.ask(Describe(self._address)))
        return cast("tuple[Table, ...]", replies[-1].content)

    @contextmanager
    def run(
        self, sql: str | Statement, params: Mapping[str, object], *, timeout_s: float, guarded: bool = True
    ) -> Iterator[Rows]:
        """Runs one SELECT; leaving before its end cancels it."""
        if self._closed:
            raise SourceUnavailable(f"The database {self._name} was closed.", "Connect it again.")
        limits = replace(self._limits, seconds=timeout_s)
        request = Run(self._address, statement_of(sql), dict(params), limits, guarded)
        with workers().lent(self._address) as worker, closing(worker.ask(request)) as replies:
            first = next(replies)
            yield Rows(columns=first.columns, rows=_rows(first, replies))

    def cancel(self) -> None:
        """Does nothing: whoever leaves :meth:`run` cancels it."""

    def end(self, session: int) -> None:
        """Does nothing: it is done by itself for a worker that was killed."""

    def close(self) -> None:
        """Closes the connections; those in use close when their statement ends."""
        self._closed = True
        workers().leave(self._address)


def _rows(first: Reply, replies: Iterator[Reply]) -> Iterator[tuple[object, ...]]:
    yield from cast("tuple[tuple[object, ...], ...]", first.content)
    for reply in replies:
        yield from cast("tuple[tuple[object, ...], ...]", reply.content)


def _location(address: DatabaseAddress) -> str:
    """A file's path, absolute because a worker runs in another folder, or the whole address of a server."""
    if address.kind != "sqlite":
        return address.url.render_as_string(hide_password=False)
    path = address.url.database or ""
    return path if not path or path == ":memory:" else str(Path(path).absolute())


def _environment(address: DatabaseAddress) -> tuple[tuple[str, str], ...]:
    """What a worker's gate needs: a worker has none of our settings, and may have been started before a variable."""
    if address.kind == "sqlite":
        return ()
    names = (*RULES, *address.variables)
    return tuple((name, value) for name in names if (value := environment_value(name)) is not None)
