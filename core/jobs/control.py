"""Starting, watching, stopping and resuming jobs, from whatever process."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import psutil

from core import installation
from core.data_folder import PRIVATE_FILE, private_folder
from core.domain.errors import Conflict, LimitExceeded
from core.domain.identity import new_id
from core.domain.jobs import Job, JobState
from core.domain.sources.projects import Role
from core.jobs.follower import Follower, with_follower
from core.jobs.liveness import interrupted, looks_dead, mark, process_of, running, silence
from core.project.service import require
from core.settings import child_environment, settings
from core.store import jobs
from core.store.database import Store

COMMAND = (*installation.COMMAND, "worker")
"""What starts a worker; the job's id is added."""

POLL_SECONDS = 0.1


def start(
    store: Store,
    *,
    project_id: str,
    kind: str,
    params: Mapping[str, object],
    actor: str,
    subject: str = "",
    then: Follower | None = None,
    command: Sequence[str] = COMMAND,
) -> Job:
    """Stores a job and starts a worker process for it, which outlives this one.

    Args:
        store: Where the work is.
        project_id: The project, or empty for a job of no project.
        kind: A registered kind.
        params: What the job's function gets; plain JSON, no secret.
        actor: Who starts it.
        subject: Id of what it works on, such as a run.
        then: What the same worker does once all of it is done.
        command: What starts a worker.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor may not start work in it.
    """
    if project_id:
        require(store, project_id, actor, Role.VALIDATOR)
    job_id = new_id("job")
    job = Job(
        id=job_id,
        project_id=project_id,
        kind=kind,
        params=with_follower(params, then),
        actor=actor,
        subject=subject,
        created_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
        log=str((store.folder or settings().data) / "jobs" / f"{job_id}.log"),
    )
    with store.write(
        actor, "job.start", project_id=project_id, subject=job_id, detail={"kind": kind, "subject": subject}
    ) as connection:
        jobs.add(connection, job)
    spawn(store, job, command)
    return get(store, job_id)


def get(store: Store, job_id: str) -> Job:
    """A job with its present state; one whose worker is gone is interrupted.

    Raises:
        NotFound: There is none of that id.
    """
    with store.read() as connection:
        job = jobs.get(connection, job_id)
    return present(store, job)


def list_jobs(store: Store, project_id: str | None = None, *, limit: int | None = None) -> list[Job]:
    """The jobs of a project, or of every project, with their present states; newest first."""
    with store.read() as connection:
        stored = jobs.all(connection, project_id, limit=limit)
    return [present(store, job) for job in stored]


def stop(store: Store, job_id: str, actor: str) -> Job:
    """Asks a job to stop at its next safe point; one without a worker is stopped at once.

    Raises:
        NotFound: There is no such job.
        Forbidden: The actor may not stop it.
        Conflict: It ended already.
    """
    job = _allowed(store, job_id, actor)
    if job.state in (JobState.STOPPED, JobState.STOPPING):
        return job
    _refuse_ended(job)
    with store.write(actor, "job.stop", project_id=job.project_id, subject=job_id) as connection:
        stored = jobs.get(connection, job_id)
        _refuse_ended(stored)
        gone = stored.state in (JobState.QUEUED, JobState.INTERRUPTED) or looks_dead(stored)
        if gone:
            jobs.replace_state(connection, stored, JobState.STOPPED)
        else:
            jobs.ask_to_stop(connection, job_id)
    if gone:
        _end(stored)
    return get(store, job_id)


def resume(store: Store, job_id: str, actor: str, *, command: Sequence[str] = COMMAND) -> Job:
    """Starts a new worker for a job that was stopped, failed or interrupted; it does what is left.

    A worker of this machine that still runs but no longer shows itself is ended first.

    Raises:
        NotFound: There is no such job.
        Forbidden: The actor may not resume it.
        Conflict: It is finished, or has a worker.
    """
    job = _allowed(store, job_id, actor)
    _refuse_unless_resumable(job)
    with store.write(actor, "job.resume", project_id=job.project_id, subject=job_id) as connection:
        stored = jobs.get(connection, job_id)
        if not looks_dead(stored):
            _refuse_unless_resumable(stored)
        jobs.replace_state(connection, stored, JobState.QUEUED)
    _end(stored)
    spawn(store, job, command)
    return get(store, job_id)


def change(store: Store, job_id: str, actor: str, **params: object) -> Job:
    """Changes parameters of a job that has no worker, such as its budget; a resume goes on with them.

    Raises:
        NotFound: There is no such job.
        Forbidden: The actor may not change it.
        Conflict: It is finished, or has a worker.
    """
    job = _allowed(store, job_id, actor)
    _refuse_unless_resumable(job)
    with store.write(actor, "job.change", project_id=job.project_id, subject=job_id, detail=params) as connection:
        stored = jobs.get(connection, job_id)
        if not looks_dead(stored):
            _refuse_unless_resumable(stored)
        jobs.put_params(connection, job_id, {**stored.params, **params})
    return get(store, job_id)


def wait(
    store: Store, job_id: str, *, seconds: float | None = None, watch: Callable[[Job], None] = lambda job: None
) -> Job:
    """Waits until a job has no worker any more; `watch` sees it about ten times a second.

    Raises:
        LimitExceeded: It still goes on after so many seconds.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    while True:
        job = get(store, job_id)
        watch(job)
        if not job.state.active:
            return job
        if deadline is not None and time.monotonic() > deadline:
            raise LimitExceeded(
                f"Job {job_id} is {job.state.value} after {seconds:g} seconds.", "It continues; check again later."
            )
        time.sleep(POLL_SECONDS)


def present(store: Store, job: Job) -> Job:
    """A stored job with its present state.

    A worker may end its job between our look at the row and our look at the process, so a job that seems
    dead is read again: it is interrupted only when nothing was written meanwhile.
    """
    while looks_dead(job):
        with store.read() as connection:
            again = jobs.get(connection, job.id)
        if again == job:
            return interrupted(job)
        job = again
    return job


def spawn(store: Store, job: Job, command: Sequence[str] = COMMAND) -> None:
    """Starts a worker process for a queued job, in a session of its own."""
    log = Path(job.log)
    private_folder(log.parent)
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE), "ab") as output:
        process = subprocess.Popen(
            [*command, job.id],
            cwd=installation.WORKING_FOLDER,
            env=child_environment(PLUMBLINE_DATABASE_URL=store.url, PLUMBLINE_DATA=str(settings().data)),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    worker = mark(process.pid)
    # Somebody has to take note when it ends, or it stays in the process table as long as we live.
    threading.Thread(target=process.wait, name=f"reap-{job.id}", daemon=True).start()
    with store.pulse() as connection:
        jobs.note_process(connection, job.id, worker)


def _allowed(store: Store, job_id: str, actor: str) -> Job:
    job = get(store, job_id)
    if job.project_id:
        require(store, job.project_id, actor, Role.VALIDATOR)
    return job


def _refuse_ended(job: Job) -> None:
    if job.state in (JobState.FINISHED, JobState.FAILED):
        raise Conflict(f"Job {job.id} has {job.state.value} already.", "There is nothing to stop.")


def _refuse_unless_resumable(job: Job) -> None:
    if job.state is JobState.FINISHED:
        raise Conflict(f"Job {job.id} is finished.", "Start a new one.")
    if job.state.active:
        raise Conflict(f"Job {job.id} is {job.state.value}.", silence(job) or "Wait for it, or stop it.")


def _end(job: Job) -> None:
    """Ends a worker that lost its job while its process still runs: it hangs, or was only suspended."""
    process = process_of(job.worker) if job.state.active and running(job.worker) else None
    if process is not None:
        with suppress(psutil.Error):  # it may end by itself meanwhile
            process.kill()
