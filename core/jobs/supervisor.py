"""Looking after jobs while the server runs: lost ones are marked, forgotten ones are started."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from sqlalchemy.exc import DBAPIError

from core.domain.errors import PlumblineError
from core.domain.jobs import JobState
from core.jobs.control import COMMAND, present, spawn
from core.store import jobs
from core.store.database import Store

INTERVAL_SECONDS = 2.0

log = logging.getLogger(__name__)


def tend(store: Store, *, command: Sequence[str] = COMMAND) -> list[str]:
    """One look at all unfinished jobs.

    A job whose worker is gone is stored as interrupted, where a person can resume it. A queued job for which
    nobody started a worker, because the process that should have ended in between, gets one now.

    Returns:
        Ids of the jobs that were changed or started.
    """
    with store.read() as connection:
        unfinished = jobs.unfinished(connection)
    touched = []
    for stored in unfinished:
        job = present(store, stored)
        if job.state is not JobState.INTERRUPTED:
            continue
        if stored.state is JobState.QUEUED and not stored.worker.pid:
            spawn(store, stored, command)
            touched.append(job.id)
            continue
        with store.pulse() as connection:
            if jobs.replace_state(connection, stored, JobState.INTERRUPTED, error=job.error, hint=job.hint):
                touched.append(job.id)
    return touched


async def supervise(
    store: Store,
    stop: asyncio.Event,
    *,
    interval: float = INTERVAL_SECONDS,
    command: Sequence[str] = COMMAND,
) -> None:
    """Tends jobs until `stop` is set; made for a server's lifespan."""
    while not stop.is_set():
        await asyncio.to_thread(_tend_once, store, command)
        try:
            await asyncio.wait_for(stop.wait(), interval)
        except TimeoutError:
            continue


def _tend_once(store: Store, command: Sequence[str]) -> None:
    try:
        tend(store, command=command)
    except (PlumblineError, DBAPIError, OSError) as error:
        log.warning("The jobs could not be supervised this time: %s", error)
