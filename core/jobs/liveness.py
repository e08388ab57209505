"""Whether the worker of a job is alive."""

from __future__ import annotations

import os
import socket
import time
from dataclasses import replace

import psutil

from core.domain.jobs import Job, JobState, Worker

STALE_SECONDS = 45.0
"""A worker that has not shown itself for so long is taken for dead; a busy store may keep its pulse waiting for 30."""

FRESH_SECONDS = 3.0
"""A heartbeat so young speaks for itself, whatever the clock says about the process's birth."""

SILENT_SECONDS = 10.0
"""A worker of another machine that has said nothing for so long may be gone; until it is stale, a person waits."""

_SAME_BIRTH = 2.0


def this_process(token: str) -> Worker:
    """This process as the holder of a job."""
    return mark(os.getpid(), token)


def mark(pid: int, token: str = "") -> Worker:
    """A process of this machine as a job's worker, as of now."""
    try:
        born = psutil.Process(pid).create_time()
    except psutil.Error:
        born = 0.0  # it ended already
    return Worker(token=token, host=socket.gethostname(), pid=pid, born=born, heartbeat=time.time())


def running(worker: Worker) -> bool | None:
    """Whether a worker's process runs; None for a process of another machine."""
    if worker.host != socket.gethostname():
        return None
    return process_of(worker) is not None


def process_of(worker: Worker) -> psutil.Process | None:
    """The worker's process on this machine; None when it ended, even where another one has its number now."""
    try:
        process = psutil.Process(worker.pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        reused = abs(process.create_time() - worker.born) > _SAME_BIRTH
    except psutil.Error:
        return None
    fresh = time.time() - worker.heartbeat <= FRESH_SECONDS
    return None if reused and not fresh else process


def looks_dead(job: Job) -> bool:
    """Whether a job that is stored as queued or running has no worker any more."""
    worker = job.worker
    if job.state is JobState.QUEUED:
        return running(worker) is False if worker.pid else time.time() - worker.heartbeat > STALE_SECONDS
    if job.state in (JobState.RUNNING, JobState.STOPPING):
        return time.time() - worker.heartbeat > STALE_SECONDS or running(worker) is False
    return False


def silence(job: Job) -> str:
    """What is awaited where the worker of a job is on another machine and says nothing; "" where nothing is.

    That machine may be the same one under another name, such as a container that was started again.
    """
    worker, silent = job.worker, time.time() - job.worker.heartbeat
    if not job.state.active or not worker.host or silent < SILENT_SECONDS or running(worker) is not None:
        return ""
    return (
        f"Its worker on {worker.host} has said nothing for {silent:.0f} seconds. After {STALE_SECONDS:.0f} it is taken "
        "for gone, and the job can be resumed."
    )


def interrupted(job: Job) -> Job:
    """The job as it is shown when its worker is gone."""
    began = job.state is not JobState.QUEUED
    return replace(
        job,
        state=JobState.INTERRUPTED,
        error="The worker ended without a message." if began else "The worker ended before it started.",
        hint="Resume it; what was done is kept. If it ends again, the machine may be short of memory."
        if began
        else f"Resume it; if that fails, read {job.log}.",
    )
