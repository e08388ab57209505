"""What a worker process does with its job."""

from __future__ import annotations

import logging
import secrets
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from core.domain.errors import PlumblineError
from core.domain.jobs import JobState
from core.jobs import memory
from core.jobs.context import JobContext
from core.jobs.follower import follower
from core.jobs.liveness import this_process
from core.jobs.registry import function_of
from core.net.gate.refusals import watched
from core.store import jobs
from core.store.database import Store

log = logging.getLogger(__name__)


def execute(store: Store, job_id: str) -> JobState | None:
    """Takes a queued job, does it and stores how it ended.

    Whatever goes wrong in the job is kept: message and hint of our own errors, type and message of any
    other, with the traceback in the worker's log.

    Args:
        store: Where the job is.
        job_id: The job.

    Returns:
        How it ended; None when another worker has it, or it is not queued.

    Raises:
        NotFound: There is no such job.
    """
    with _stop_on_signal() as stop:
        return _execute(store, job_id, stop)


def _execute(store: Store, job_id: str, stop: threading.Event) -> JobState | None:
    worker = this_process(secrets.token_hex(16))
    with store.pulse() as connection:
        claimed = jobs.claim(connection, job_id, worker)
        job = jobs.get(connection, job_id)
    if not claimed:
        log.info("Job %s is not waiting for a worker.", job_id)
        return None
    context = JobContext(store, job, stop)
    with _pulse(context):
        state, error, hint = _outcome(context)
    if context.lost:
        log.warning("Job %s went to another worker; this one leaves.", job_id)
        return None
    if context.has_news:
        context.beat()
    with store.pulse() as connection:
        mine = jobs.close(connection, job_id, worker.token, state, error=error, hint=hint)
    return state if mine else None


def _outcome(context: JobContext) -> tuple[JobState, str, str]:
    """Does the work: the state it ends in, with error and hint where it failed."""
    try:
        with watched(context.store, context.job.project_id, context.actor):
            stopped = _work(context)
    except PlumblineError as error:
        log.exception("Job %s failed.", context.job.id)
        return JobState.FAILED, error.message, error.hint
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        # The last stop of any failure: without it the reason would be lost with the process.
        log.exception("Job %s failed.", context.job.id)
        if memory.ran_out(error):
            return JobState.FAILED, memory.message(context.latest), memory.HINT
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        return JobState.FAILED, reason, f"Resume it to try again; the details are in {context.job.log}."
    return (JobState.STOPPED if stopped else JobState.FINISHED), "", ""


def _work(context: JobContext) -> bool:
    """Runs the job's function and, once all of that is done, what follows it; whether it was stopped."""
    kind = context.job.kind
    while True:
        complete = function_of(kind)(context)
        stopped = context.stop_seen if complete is None else not complete
        then = follower(context.params)
        if stopped or then is None:
            return stopped
        kind, context.params = then.kind, then.params


@contextmanager
def _pulse(context: JobContext) -> Iterator[None]:
    done = threading.Event()
    pulse = threading.Thread(target=context.beat_until, args=(done,), name=f"pulse-{context.job.id}", daemon=True)
    pulse.start()
    try:
        yield
    finally:
        done.set()
        pulse.join()


@contextmanager
def _stop_on_signal() -> Iterator[threading.Event]:
    """A polite end of the process (SIGTERM) is a wish to stop; the work committed so far is kept either way.

    It holds from before the job is claimed: between the claim and the first line of work a signal would otherwise
    end the process without a word.
    """
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def on_term(number: int, frame: FrameType | None) -> None:
        stop.set()

    before = signal.signal(signal.SIGTERM, on_term)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)
