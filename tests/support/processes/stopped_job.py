"""A job that is asked to stop, and the moment from which its worker knows it."""

from __future__ import annotations

import time

from core import jobs
from core.store.database import Store
from tests.support.small_bank import ACTOR

LIMIT_S = 120.0
"""How long a test waits for what has to come; only a test that fails waits so long."""

BEATS = 2
"""The first pulse after the wish reads it, and when the second comes the first has been dealt with."""


def ask_to_stop(store: Store, job_id: str) -> None:
    """Asks a running job to stop and waits until its worker knows."""
    jobs.stop(store, job_id, ACTOR)
    wait_until_told(store, job_id)


def wait_until_told(store: Store, job_id: str) -> None:
    """Waits until a worker knows what is stored about its job now."""
    until = time.monotonic() + LIMIT_S
    seen = {_heartbeat(store, job_id)}
    while len(seen) <= BEATS:
        if time.monotonic() > until:
            raise TimeoutError(f"the worker of job {job_id} shows no sign of life")
        time.sleep(0.02)
        seen.add(_heartbeat(store, job_id))


def _heartbeat(store: Store, job_id: str) -> float:
    return jobs.get(store, job_id).worker.heartbeat
