"""Rows of jobs: the work requested, and the worker's reports.

Only the worker whose token the row holds may change it; a worker that lost its job writes nothing more.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Update, insert, select, update

from core.domain.errors import NotFound
from core.domain.jobs import Job, JobState, Progress, Worker
from core.store.codec import encode, from_row, to_row
from core.store.tables import jobs
from core.store.writing.versions import QUIET


def add(connection: Connection, job: Job) -> None:
    """Stores a new, queued job.

    Raises:
        Conflict: Its project does not exist.
    """
    row = to_row(job)
    del row["progress"], row["worker"]
    connection.execute(insert(jobs), {**row, "project_id": job.project_id or None, **_nothing_done(), **_nobody()})


def get(connection: Connection, job_id: str) -> Job:
    """A job as it is stored; the store does not know whether its worker still lives.

    Raises:
        NotFound: There is none of that id.
    """
    row = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no job {job_id}.", "Choose one from the project's list of jobs.")
    return _job(row)


def all(connection: Connection, project_id: str | None = None, *, limit: int | None = None) -> list[Job]:
    """The jobs of a project, or of every project; newest first."""
    query = select(jobs).order_by(jobs.c.seq.desc()).limit(limit)
    if project_id is not None:
        query = query.where(jobs.c.project_id == project_id)
    return [_job(row) for row in connection.execute(query).mappings()]


def unfinished(connection: Connection) -> list[Job]:
    """Jobs that are stored as queued or running, oldest first."""
    query = select(jobs).where(jobs.c.state.in_([JobState.QUEUED.value, JobState.RUNNING.value])).order_by(jobs.c.seq)
    return [_job(row) for row in connection.execute(query).mappings()]


def note_process(connection: Connection, job_id: str, worker: Worker) -> None:
    """Remembers the process that was started for a queued job, until it takes the job itself."""
    _change(connection, _queued(job_id), host=worker.host, pid=worker.pid, born=worker.born)


def claim(connection: Connection, job_id: str, worker: Worker) -> bool:
    """Gives a queued job to a worker; of several workers exactly one gets it.

    Returns:
        Whether this worker has it.
    """
    return _change(
        connection,
        _queued(job_id).values(attempts=jobs.c.attempts + 1),
        state=JobState.RUNNING.value,
        started_at=_now(),
        finished_at="",
        **_nothing_done(),
        **to_row(worker),
    )


def beat(
    connection: Connection, job_id: str, token: str, at: float, *, report: Mapping[str, object] | None = None
) -> bool | None:
    """Reports that the worker lives, and its progress.

    Args:
        connection: From the store's pulse.
        job_id: The job.
        token: The worker's.
        at: Seconds since the epoch.
        report: New values of stage, done, total, stage_first, stage_since, reported; None for no news.

    Returns:
        Whether the worker is asked to stop; None when another worker has the job.
    """
    beaten = _update_held(job_id, token).values(heartbeat=at, **(report or {})).returning(jobs.c.stop_requested)
    return connection.execute(beaten, execution_options=QUIET).scalar_one_or_none()


def close(connection: Connection, job_id: str, token: str, state: JobState, *, error: str = "", hint: str = "") -> bool:
    """Stores how a worker ended its job; returns False when another worker has the job."""
    return _change(
        connection,
        _update_held(job_id, token),
        state=state.value,
        finished_at=_now(),
        error=error,
        hint=hint,
        stop_requested=False,
    )


def put_params(connection: Connection, job_id: str, params: Mapping[str, object]) -> None:
    """Stores other parameters of a job; its next worker gets them."""
    connection.execute(update(jobs).where(jobs.c.id == job_id).values(params=encode(dict(params))))


def ask_to_stop(connection: Connection, job_id: str) -> bool:
    """Asks the worker of a running job to stop; returns False where none is running."""
    running = update(jobs).where(jobs.c.id == job_id, jobs.c.state == JobState.RUNNING.value)
    return _change(connection, running, stop_requested=True)


def replace_state(connection: Connection, seen: Job, state: JobState, *, error: str = "", hint: str = "") -> bool:
    """Changes the state of a job whose worker is gone; returns False when the job changed since it was read.

    That worker loses the job: whatever it still reports is ignored.
    """
    stored = JobState.RUNNING if seen.state is JobState.STOPPING else seen.state
    unchanged = update(jobs).where(
        jobs.c.id == seen.id,
        jobs.c.state == stored.value,
        jobs.c.attempts == seen.attempts,
        jobs.c.token == seen.worker.token,
        jobs.c.heartbeat == seen.worker.heartbeat,
    )
    released = _nobody() if state is JobState.QUEUED else {"token": ""}
    return _change(
        connection,
        unchanged,
        state=state.value,
        stop_requested=False,
        error=error,
        hint=hint,
        finished_at="" if state is JobState.QUEUED else _now(),
        **released,
    )


def _queued(job_id: str) -> Update:
    return update(jobs).where(jobs.c.id == job_id, jobs.c.state == JobState.QUEUED.value)


def _update_held(job_id: str, token: str) -> Update:
    return update(jobs).where(jobs.c.id == job_id, jobs.c.state == JobState.RUNNING.value, jobs.c.token == token)


def _change(connection: Connection, statement: Update, **values: object) -> bool:
    return connection.execute(statement.values(**values)).rowcount == 1


def _job(row: RowMapping) -> Job:
    values: dict[str, Any] = dict(row)
    values["project_id"] = row["project_id"] or ""
    values["progress"] = _progress(row)
    values["worker"] = encode({name: row[name] for name in ("token", "host", "pid", "born", "heartbeat")})
    if row["state"] == JobState.RUNNING.value and row["stop_requested"]:
        values["state"] = JobState.STOPPING.value
    return from_row(Job, values)


def stage_text(stage: str, item: str) -> str:
    r"""A stage and its present item as the column of the stage holds them: the item behind a line end.

    >>> stage_text("Reading documents", "fees.md")
    'Reading documents\nfees.md'
    """
    return f"{stage}\n{item}" if item else stage


def _progress(row: RowMapping) -> dict[str, Any] | None:
    """The progress of a row; the rate counts only what this attempt did in this stage."""
    if not row["stage"]:
        return None
    done, total, seconds = row["done"], row["total"], row["reported"] - row["stage_since"]
    fresh = done - row["stage_first"]
    rate = fresh / seconds if fresh > 0 and seconds > 0 else None
    stage, _, item = row["stage"].partition("\n")
    progress = Progress(
        stage=stage,
        item=item,
        done=done,
        total=total,
        started_at=datetime.fromtimestamp(row["stage_since"], UTC).isoformat(timespec="seconds"),
        rate=rate,
        seconds_left=max(total - done, 0) / rate if rate and total else None,
    )
    return to_row(progress)


def _nothing_done() -> dict[str, object]:
    return {"stage": "", "done": 0, "total": 0, "stage_first": 0, "stage_since": 0.0, "reported": 0.0}


def _nobody() -> dict[str, object]:
    """No worker; the heartbeat is when the job began to wait for one."""
    return to_row(Worker(heartbeat=time.time()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
