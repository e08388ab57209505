"""The worker processes of this process: started when one is needed, used again, ended with it."""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from core.domain.errors import SourceUnavailable
from core.sources.database.sandbox.messages import Address
from core.sources.database.sandbox.worker import WorkerProcess

MOST = 8
"""Workers at a time: each may have its memory."""
MOST_IDLE = 2
PATIENCE_S = 120.0
"""Seconds a query waits for a worker while all run others."""


class Workers:
    """Lends workers to threads, one thread each."""

    def __init__(self) -> None:
        self._idle: list[WorkerProcess] = []
        self._lent = 0
        self._changed = Condition()

    @contextmanager
    def lent(self, address: Address) -> Iterator[WorkerProcess]:
        """A worker for one request: one that is connected to the database already, if there is one.

        Raises:
            SourceUnavailable: All workers are busy and stay so.
        """
        worker = self._take(address)
        try:
            worker.address = address
            yield worker
        finally:
            self._give_back(worker)

    @property
    def idle(self) -> tuple[int, ...]:
        """The process ids of those that wait for a request."""
        with self._changed:
            return tuple(worker.pid for worker in self._idle)

    def leave(self, address: Address) -> None:
        """Closes the connections of idle workers to a database."""
        with self._changed:
            connected = [worker for worker in self._idle if worker.address == address]
            self._idle = [worker for worker in self._idle if worker.address != address]
            self._lent += len(connected)
        for worker in connected:
            worker.leave()
            self._give_back(worker)

    def stop(self) -> None:
        """Ends the idle workers."""
        with self._changed:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.stop()

    def _take(self, address: Address) -> WorkerProcess:
        with self._changed:
            if not self._changed.wait_for(lambda: self._lent < MOST, PATIENCE_S):
                raise SourceUnavailable(
                    f"All {MOST} processes that run queries are busy.", "Try again when other queries have ended."
                )
            self._lent += 1
            dead = [worker for worker in self._idle if not worker.usable]
            self._idle = sorted(
                (worker for worker in self._idle if worker.usable), key=lambda worker: worker.address == address
            )
            worker = self._idle.pop() if self._idle else None
        for gone in dead:
            gone.stop()
        if worker is not None:
            return worker
        try:
            return WorkerProcess()
        except BaseException:
            self._count_back()
            raise

    def _give_back(self, worker: WorkerProcess) -> None:
        with self._changed:
            keep = worker.usable and len(self._idle) < MOST_IDLE
            if keep:
                self._idle.append(worker)
        if not keep:
            worker.stop()
        self._count_back()
        if worker.session and worker.address is not None:
            _end(worker.address, worker.session)

    def _count_back(self) -> None:
        with self._changed:
            self._lent -= 1
            self._changed.notify()


def _end(address: Address, session: int) -> None:
    """Ends what a worker that was killed still has running on a server, by another one of its own."""
    try:
        other = WorkerProcess()
    except SourceUnavailable:  # the server ends it by itself, later
        return
    try:
        other.end(address, session)
    finally:
        other.stop()


_current = Workers()


def workers() -> Workers:
    """The workers of this process."""
    return _current


def _forget() -> None:
    """A forked process has workers of its own, not its parent's."""
    global _current
    _current = Workers()


os.register_at_fork(after_in_child=_forget)
atexit.register(lambda: _current.stop())
