"""The ledger: every call is committed as it returns, serves later equal questions, and shows what was said.

One thread of a process commits what has arrived, many calls in one transaction; a caller has its reply only when it is
on disk. So a killed process loses what was in flight and nothing else.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
import weakref
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace

from sqlalchemy.exc import DBAPIError, IntegrityError

from core.domain.errors import Conflict, PlumblineError
from core.domain.identity import new_id
from core.domain.llm import Call, CallState, Use
from core.store.database import Store
from core.store.models import calls as llm_calls

GATHER_SECONDS = 0.05
"""What arrives within this time is committed together, as long as other calls are in flight."""

MOST_TOGETHER = 500

IDLE_SECONDS = 5.0

TRIES = 3
"""How often a commit is tried against a store that others keep locked; what was paid for is worth waiting for."""

Arrival = tuple[Call | None, Use | None, Future[None]]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedLedger:
    """A ledger that several stores use besides their own, so that the second asks nothing that the first paid for.

    Attributes:
        store: Where its rows are.
        project_id: Whose calls they are there; "" for work outside any project.
    """

    store: Store
    project_id: str = ""


class Ledger:
    """The calls of one store as this process sees them.

    Args:
        store: Where the rows are.
        shared: Looked into as well, and given a copy of each call.
    """

    def __init__(self, store: Store, shared: SharedLedger | None = None) -> None:
        self._store = store
        self._shared = shared
        self._arrived: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self._flying: dict[tuple[str, str], Future[Call]] = {}
        self._lock = threading.Lock()
        self._writer: threading.Thread | None = None

    @property
    def ended(self) -> bool:
        """Whether a store of it was closed; who opens that again has a ledger of their own."""
        return self._store.disposed or (self._shared is not None and self._shared.store.disposed)

    def find(self, project_id: str, key: str) -> Call | None:
        """The first answered call with this key, None where there is none."""
        return _answered(self._own(project_id, key)) or _answered(self._of_others(project_id, key))

    def once(
        self,
        project_id: str,
        key: str,
        make: Callable[[], Call],
        before: Callable[[Call], object] = lambda latest: None,
    ) -> tuple[Call, bool]:
        """Makes a call, unless an equal one was answered or is in flight: then its result serves both.

        Args:
            project_id: Whose call.
            key: What makes calls equal.
            make: Sends it and has it committed.
            before: Told of the latest call with this key, where none was answered, before another is made; what it
                raises ends this one.

        Returns:
            The call, and whether it was made before or by somebody else.
        """
        with self._lock:
            flying = self._flying.get((project_id, key))
            mine: Future[Call] = Future()
            if flying is None:
                self._flying[project_id, key] = mine
        if flying is not None:
            return flying.result(), True
        try:
            # Only now, when no equal call can begin: one looked for earlier may have been committed since.
            own = self._own(project_id, key)
            entry, latest = _answered(own), own
            if entry is None:
                other = self._of_others(project_id, key)
                latest = own or other
                if (entry := _answered(other)) is not None:
                    self._committed(entry, None)
                elif latest is not None:
                    before(latest)
            call = entry or make()
        except BaseException as error:
            mine.set_exception(error)
            raise
        else:
            mine.set_result(call)
            return call, entry is not None
        finally:
            with self._lock:
                del self._flying[project_id, key]

    def commit(self, call: Call | None, use: Use) -> None:
        """Writes a call and its use, or the use alone of one that is there; returns when they are committed.

        Raises:
            Conflict: The store stayed locked.
        """
        self._committed(call, use)

    def _own(self, project_id: str, key: str) -> Call | None:
        with self._store.read() as connection:
            return llm_calls.standing(connection, project_id, key)

    def _of_others(self, project_id: str, key: str) -> Call | None:
        """A call of the shared ledger, as it would stand here."""
        if self._shared is None:
            return None
        with self._shared.store.read() as connection:
            call = llm_calls.standing(connection, self._shared.project_id, key)
        return None if call is None else replace(call, id=new_id("call"), project_id=project_id)

    def _committed(self, call: Call | None, use: Use | None) -> None:
        done: Future[None] = Future()
        self._arrived.put((call, use, done))
        with self._lock:
            if self._writer is None or not self._writer.is_alive():
                self._writer = threading.Thread(target=self._write, name="ledger", daemon=True)
                self._writer.start()
        done.result()

    def _write(self) -> None:
        """Commits what arrives; leaves when nothing has for a while, so that no idle store keeps a thread."""
        while True:
            try:
                batch = [self._arrived.get(timeout=IDLE_SECONDS)]
            except queue.Empty:
                with self._lock:
                    if self._arrived.empty():
                        self._writer = None
                        return
                continue
            until = time.monotonic() + GATHER_SECONDS
            while self._more_than(batch) and (remaining := until - time.monotonic()) > 0:
                try:
                    batch.append(self._arrived.get(timeout=remaining))
                except queue.Empty:
                    break
            self._commit(batch)

    def _more_than(self, batch: list[Arrival]) -> bool:
        """Whether somebody else may yet arrive: who asks one question after another waits for nobody."""
        return len(batch) < min(MOST_TOGETHER, len(self._flying))

    def _commit(self, batch: list[Arrival]) -> None:
        calls = [call for call, _, _ in batch if call is not None]
        uses = [use for _, use, _ in batch if use is not None]
        projects = {call.project_id for call in calls} | {use.project_id for use in uses}
        project_id = projects.pop() if len(projects) == 1 else ""
        for attempt in range(TRIES):
            try:
                with self._store.pulse(project_id) as connection:
                    llm_calls.add(connection, calls, uses)
            except Exception as error:  # noqa: BLE001 - whoever waits for the commit gets it
                if isinstance(error, Conflict) and not isinstance(error.__cause__, IntegrityError):
                    if attempt < TRIES - 1:
                        continue
                elif len(batch) > 1:
                    # One that cannot be kept, such as of a run that was deleted, takes no other with it.
                    for arrival in batch:
                        self._commit([arrival])
                    return
                for _, _, done in batch:
                    done.set_exception(error)
                return
            break
        self._share(batch)
        for _, _, done in batch:
            done.set_result(None)

    def _share(self, batch: list[Arrival]) -> None:
        """Copies calls that were sent into the shared ledger; where that fails the reply is kept here all the same."""
        if self._shared is None:
            return
        store, project_id = self._shared.store, self._shared.project_id
        calls, uses = [], []
        for call, use, _ in batch:
            if call is not None and use is not None:
                copy = replace(call, id=new_id("call"), project_id=project_id)
                calls.append(copy)
                uses.append(replace(use, call_id=copy.id, project_id=project_id, run_id="", job_id=""))
        if not calls:
            return
        try:
            with store.pulse(project_id) as connection:
                llm_calls.add(connection, calls, uses)
        except (PlumblineError, DBAPIError) as error:
            log.warning("%d replies could not be copied to the shared ledger: %s", len(calls), error)


def _answered(call: Call | None) -> Call | None:
    return call if call is not None and call.state is CallState.ANSWERED else None


_ledgers: weakref.WeakValueDictionary[tuple[object, ...], Ledger] = weakref.WeakValueDictionary()
_ledgers_lock = threading.Lock()


def ledger_of(store: Store, shared: SharedLedger | None = None) -> Ledger:
    """The ledger of a store; one for all who use the same store, and share with the same other, in this process."""
    key = (os.getpid(), store.url, *((shared.store.url, shared.project_id) if shared else ()))
    with _ledgers_lock:
        ledger = _ledgers.get(key)
        if ledger is None or ledger.ended:
            ledger = Ledger(store, shared)
            _ledgers[key] = ledger
        return ledger
