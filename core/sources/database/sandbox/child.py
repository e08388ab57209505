"""A worker process: it opens databases, runs one statement at a time, and sends the rows in parts.

Started as ``python -m core.sources.database.sandbox.child`` with a pipe to its parent at both ends. It ends when the
pipe closes, in whatever way the parent went, and cancels on the server what it runs at that moment.
"""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from multiprocessing.connection import Connection

from core.domain.errors import PlumblineError, SourceUnavailable
from core.sources.database.readers.protocol import Reader
from core.sources.database.readers.sqlite import SqliteReader
from core.sources.database.sandbox.limits import (
    HEAP,
    MEMORY,
    TEMPORARY_FILE,
    out_of_memory,
    out_of_time,
    too_many_bytes,
    too_many_rows,
)
from core.sources.database.sandbox.messages import (
    Address,
    Begun,
    Describe,
    End,
    Failure,
    Leave,
    Reply,
    Run,
    receive,
    send,
)
from core.sources.database.sandbox.watch import Watch

FIRST_PART = 100
MOST_ROWS = 2_000
PART_BYTES = 500_000
"""About as many bytes are sent at once."""
BACKSTOP_S = 600.0
"""Seconds more that a server is given on its own: it stops a query that neither the worker nor its parent could cancel.

A server counts the time in which the rows are taken, so it cannot be the limit of an honest query of millions.
"""


class Worker:
    """Answers requests until the parent is gone.

    Args:
        requests: What the parent asks.
        replies: What it is told.
    """

    def __init__(self, requests: Connection, replies: Connection) -> None:
        self._requests = requests
        self._replies = replies
        self._address: Address | None = None
        self._reader: Reader | None = None
        self._watch = Watch(requests, self._last_words)
        self._running: Run | None = None

    def serve(self) -> None:
        """Answers until the pipe closes."""
        self._watch.start()
        with suppress(EOFError, BrokenPipeError):
            while True:
                match receive(self._requests):
                    case Describe(address):
                        self._answer(self._described(address))
                    case Run() as run:
                        self._answer(self._ran(run))
                    case End(address, session):
                        self._answer(self._ended(address, session))
                    case Leave():
                        self._leave()
                        send(self._replies, Reply())
        self._leave()

    def _answer(self, parts: Iterator[Reply]) -> None:
        """Sends the parts, or the error that ended them."""
        try:
            for part in parts:
                send(self._replies, part)
            return
        except PlumblineError as error:
            failure = Failure.of(error)
        except MemoryError:
            failure = Failure.of(out_of_memory(), last=True)
        except (BrokenPipeError, EOFError):
            raise
        except Exception as error:  # noqa: BLE001 - the last stop: the parent must hear of it whatever it is
            failure = Failure.of(SourceUnavailable(f"The query failed: {type(error).__name__}: {error}.", "Try again."))
        send(self._replies, failure)
        if failure.last:
            raise EOFError  # a process that ran out of memory is not used again

    def _described(self, address: Address) -> Iterator[Reply]:
        yield Reply(self._opened(address).tables())

    def _ended(self, address: Address, session: int) -> Iterator[Reply]:
        self._opened(address).end(session)
        yield Reply()

    def _ran(self, run: Run) -> Iterator[Reply]:
        reader = self._opened(run.address)
        self._running = run
        self._watch.begin(reader, run.limits)
        try:
            yield from self._parts(reader, run)
        except PlumblineError:
            self._watch.end()
            match self._watch.ended:
                case "time":
                    raise out_of_time(run.limits, self._watch.rows) from None
                case "wish":
                    yield Reply()
                case "parent":
                    raise EOFError from None
                case _:
                    raise
        finally:
            self._watch.end()
            self._running = None
            if self._watch.ended:
                self._leave()  # what was cancelled at its very end must not cancel what comes next

    def _parts(self, reader: Reader, run: Run) -> Iterator[Reply]:
        size, total = FIRST_PART, 0
        backstop = run.limits.seconds + BACKSTOP_S
        with reader.run(run.statement, run.params, timeout_s=backstop, guarded=run.guarded) as result:
            columns = result.columns
            try:
                while True:
                    rows = tuple(islice(result.rows, size))
                    self._watch.rows += len(rows)
                    done = len(rows) < size
                    if self._watch.rows > run.limits.rows:
                        raise too_many_rows(run.limits)
                    if done:
                        break
                    self._watch.pause()
                    sent = send(self._replies, Reply(rows, columns, done=False))
                    self._watch.resume()
                    total += sent
                    if total > run.limits.bytes:
                        raise too_many_bytes(run.limits)
                    size = max(1, min(MOST_ROWS, PART_BYTES * len(rows) // sent))
            except BaseException:
                reader.cancel()  # else what is left would be read before the connection can close
                raise
        self._watch.end()
        yield Reply(rows, columns)

    def _opened(self, address: Address) -> Reader:
        if self._address != address:
            self._leave()
        if self._reader is None:
            self._reader = SqliteReader(address.location) if address.kind == "sqlite" else self._server(address)
            self._address = address
        return self._reader

    def _server(self, address: Address) -> Reader:
        # Not needed for a file, whose worker starts four times as fast without.
        from core.net.gate.databases import read_address
        from core.net.gate.policy import RULES
        from core.settings import take_environment
        from core.sources.database.readers.opening import open_reader

        take_environment(RULES, address.environment)
        return open_reader(read_address(address.location), begun=lambda session: send(self._replies, Begun(session)))

    def _leave(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _last_words(self) -> None:
        """Says why, before the process ends with its query."""
        run = self._running
        if self._watch.ended == "time" and run is not None:
            with suppress(OSError):
                send(self._replies, Failure.of(out_of_time(run.limits, self._watch.rows), last=True))


def main() -> None:
    """Takes the pipes from standard input and output, limits this process, and serves."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    requests, replies = Connection(os.dup(0), writable=False), Connection(os.dup(1), readable=False)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # whatever a driver prints must not stand among the replies
    limit_this_process()
    Worker(requests, replies).serve()
    sys.stdout.flush()
    os._exit(0)  # nothing here is worth waiting for


def limit_this_process() -> None:
    """Limits memory and files of the process, for good."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, TEMPORARY_FILE)
    # Data alone where the system counts it (Linux): threads reserve address space that they never use.
    _limit(resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS, MEMORY)
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA hard_heap_limit = {HEAP}")


def _limit(kind: int, most: int) -> None:
    hard = resource.getrlimit(kind)[1]
    with suppress(ValueError, OSError):  # some systems have the name and not the limit
        resource.setrlimit(kind, (min(most, hard) if hard != resource.RLIM_INFINITY else most, hard))


if __name__ == "__main__":
    main()
