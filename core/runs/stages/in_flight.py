"""Work that waits for somebody, so many pieces at a time, its results as they arrive."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

COMMIT_SECONDS = 0.2
"""Results of fast work are committed together, this often; one of slow work waits no longer than this."""


def batches(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    at_once: int,
    should_stop: Callable[[], bool],
    *,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[list[Result]]:
    """Results as they arrive, a commit's worth at a time; never more than `at_once` in flight.

    When a piece fails, no other is begun; those in flight are waited for and their results are given out before the
    failure is raised, so that nothing that was paid for is lost.

    Args:
        work: Does one piece; called from several threads.
        items: What to do, in order; read only as far as there is room.
        at_once: The most pieces in flight.
        should_stop: Asked before each piece; what is in flight is still waited for.
        clock: Tells the time by which commits are due, in seconds that never go back.
    """
    waiting = iter(items)
    batch: list[Result] = []
    opened = clock()
    failure: BaseException | None = None
    with ThreadPoolExecutor(max_workers=at_once, thread_name_prefix="flight") as pool:
        flying: set[Future[Result]] = set()
        more = True
        while True:
            while more and len(flying) < at_once:
                if failure is not None or should_stop():
                    more = False
                    break
                item = next(waiting, waiting)
                if item is waiting:
                    more = False
                    break
                flying.add(pool.submit(work, item))  # type: ignore[arg-type]
            if not flying:
                break
            due = max(0.0, opened + COMMIT_SECONDS - clock()) if batch else None
            arrived, flying = wait(flying, timeout=due, return_when=FIRST_COMPLETED)
            for future in arrived:
                if (error := future.exception()) is not None:
                    failure = failure or error
                else:
                    batch.append(future.result())
            if batch and clock() >= opened + COMMIT_SECONDS:
                yield batch
                batch, opened = [], clock()
    if batch:
        yield batch
    if failure is not None:
        raise failure


def in_turn(
    work: Callable[[Item], Result], items: Iterable[Item], at_once: int, should_stop: Callable[[], bool]
) -> Iterator[list[Result]]:
    """Results of work that waits for nobody, done here in chunks; `should_stop` is asked before each.

    Args:
        work: Does one piece.
        items: What to do, in order.
        at_once: Pieces in a chunk.
        should_stop: Whether to leave.
    """
    waiting = iter(items)
    while not should_stop():
        chunk = [work(item) for _, item in zip(range(at_once), waiting, strict=False)]
        if not chunk:
            return
        yield chunk
