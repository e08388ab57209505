"""Stages that work side by side, each with its own limit: what one has committed, the next one takes up.

A piece is begun only when its stage has room, results are committed in batches by the one thread that runs the stages,
and what is passed on is what was committed. So the wall time is that of the slowest stage, and a kill costs at most
what was in flight.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from core.runs.stages.in_flight import COMMIT_SECONDS

Piece = TypeVar("Piece")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage(Generic[Piece, Result]):
    """One kind of work.

    Attributes:
        at_once: The most pieces in flight.
        ready: Whether a piece may be there to be taken, or it is to be found out that none is left.
        take: The next piece; None where there is none now.
        work: Does one piece; called from several threads. It may give several results.
        keep: Commits results and passes on what the next stage works with; called by the thread that runs the stages.
    """

    at_once: int
    ready: Callable[[], bool]
    take: Callable[[], Piece | None]
    work: Callable[[Piece], Sequence[Result]]
    keep: Callable[[list[Result]], None]


_Arrival = tuple["_Station[Any, Any]", Sequence[Any], BaseException | None]
"""A piece that is done: of which stage, its results, or what went wrong."""


class _Station(Generic[Piece, Result]):
    """A stage at work: its threads, what they have in hand, and what waits for its commit."""

    def __init__(self, stage: Stage[Piece, Result], arrived: queue.SimpleQueue[_Arrival], opened: float) -> None:
        self._stage = stage
        self._arrived = arrived
        self._opened = opened
        self._batch: list[Result] = []
        self.flying = 0
        self.pool = ThreadPoolExecutor(max_workers=stage.at_once, thread_name_prefix="stage")

    def begin(self, should_stop: Callable[[], bool]) -> bool:
        """Begins as many pieces as there are and as there is room for; whether it was told to stop."""
        while self.flying < self._stage.at_once and self._stage.ready():
            if should_stop():
                return True
            piece = self._stage.take()
            if piece is None:
                return False
            self.flying += 1
            self.pool.submit(self._do, piece)
        return False

    def end(self, results: Sequence[Result]) -> None:
        """Takes what came of a piece."""
        self.flying -= 1
        self._batch.extend(results)

    def due(self) -> float | None:
        """When its batch is to be committed; None where there is nothing to commit."""
        return self._opened + COMMIT_SECONDS if self._batch else None

    def commit(self, now: Callable[[], float]) -> None:
        """Commits what there is."""
        batch, self._batch = self._batch, []
        self._stage.keep(batch)
        self._opened = now()

    def _do(self, piece: Piece) -> None:
        try:
            results = self._stage.work(piece)
        except BaseException as error:  # noqa: BLE001 - raised by who runs the stages, once the others have landed
            self._arrived.put((self, (), error))
        else:
            self._arrived.put((self, results, None))


def _arrivals(arrived: queue.SimpleQueue[_Arrival], seconds: float | None) -> list[_Arrival]:
    """What has come back, waiting for the first so long at most."""
    arrivals: list[_Arrival] = []
    try:
        arrivals.append(arrived.get(timeout=seconds) if seconds != 0 else arrived.get_nowait())
        while True:
            arrivals.append(arrived.get_nowait())
    except queue.Empty:
        return arrivals


def flow(
    stages: Sequence[Stage[Any, Any]],
    should_stop: Callable[[], bool],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Runs stages until none has anything left.

    When a piece fails, no other is begun; those in flight are waited for and their results are committed before the
    failure is raised, so that nothing that was paid for is lost.

    Args:
        stages: In the order in which work passes through them.
        should_stop: Asked before each piece; what is in flight is still waited for and committed.
        clock: Tells the time by which commits are due, in seconds that never go back.

    Returns:
        False when it was asked to stop.
    """
    arrived: queue.SimpleQueue[_Arrival] = queue.SimpleQueue()
    stations = [_Station(stage, arrived, clock()) for stage in stages]
    failure: BaseException | None = None
    stopped = False
    with ExitStack() as pools:
        for station in stations:
            pools.enter_context(station.pool)
        while True:
            for station in stations:
                stopped = stopped or failure is not None or station.begin(should_stop)
            dues = [due for station in stations if (due := station.due()) is not None]
            if not any(station.flying for station in stations):
                if not dues:
                    break
                dues = [clock()]  # nothing else will come before what is committed is passed on
            if arrivals := _arrivals(arrived, None if not dues else max(0.0, min(dues) - clock())):
                for station, results, error in arrivals:
                    station.end(results)
                    failure = failure or error
                for station in stations:  # whose places are free waits for no commit
                    stopped = stopped or failure is not None or station.begin(should_stop)
            for station in stations:
                due = station.due()
                if due is not None and (due <= clock() or (not station.flying and not arrivals)):
                    station.commit(clock)
    if failure is not None:
        raise failure
    return not stopped
