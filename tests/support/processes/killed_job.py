"""A job whose worker is killed while its model keeps calls waiting, and what is left of it."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable

import psutil
from sqlalchemy import func, select

from core import jobs
from core.domain.jobs import Job, JobState
from core.domain.llm import CallState
from core.llm.chat import SPARE_THREADS
from core.llm.profiles.adapting import PURPOSE as PROBING
from core.store.database import Store
from core.store.tables import llm_calls as rows
from tests.support.servers.llm_server import Body, LlmServer
from tests.support.small_bank import ACTOR

LONG_ENOUGH = 120.0
"""Seconds after which a wait is given up; no test depends on how long anything takes."""


def committed(store: Store) -> int:
    """How many answered calls the ledger holds, without the tiny ones that only try the endpoint."""
    with store.read() as connection:
        found = connection.scalar(
            select(func.count()).where(rows.c.state == CallState.ANSWERED.value, rows.c.purpose != PROBING)
        )
    return int(found or 0)


def until(holds: Callable[[], bool], what: str) -> None:
    """Waits until something holds."""
    deadline = time.monotonic() + LONG_ENOUGH
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def killed_and_resumed(store: Store, job: Job, server: LlmServer, *, at_once: int) -> Job:
    """Kills a job's worker while calls are in flight, resumes it, and holds that nothing is sent twice but those.

    Args:
        store: Where the job is.
        job: A job that was just started.
        server: It answers as many calls as its `hold_after` says and holds the others.
        at_once: The endpoint's ceiling.

    Returns:
        The job as it ended.
    """
    answered = server.hold_after
    assert answered
    until(lambda: committed(store) >= answered, "the job did not get so far")
    until(lambda: len(server.bodies) > answered, "no call is in flight")
    psutil.Process(jobs.get(store, job.id).worker.pid).kill()
    until(lambda: jobs.get(store, job.id).state is JobState.INTERRUPTED, "the kill went unnoticed")
    assert committed(store) == answered
    before = [_key(body) for body in server.bodies]
    server.release()
    jobs.resume(store, job.id, ACTOR)
    ended = jobs.wait(store, job.id, seconds=LONG_ENOUGH)
    after = [_key(body) for body in server.bodies[len(before) :]]
    sent = Counter([*before, *after])
    twice = [key for key, times in sent.items() if times > 1]
    assert max(sent.values()) <= 2
    assert set(before[:answered]).isdisjoint(after), "a committed call was made again"
    # Not only those that the server had read by then: what the worker had just sent may arrive after its end.
    assert len(twice) <= at_once + SPARE_THREADS
    assert committed(store) == len(sent), "a call is missing from the ledger, or stands there twice"
    return ended


def _key(body: Body) -> str:
    return json.dumps(body, sort_keys=True)
