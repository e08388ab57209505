"""Long work in its own process: the records of a job and its progress."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class JobState(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FINISHED = "finished"
    FAILED = "failed"
    INTERRUPTED = "interrupted"

    @property
    def active(self) -> bool:
        """Whether a worker has it or is about to."""
        return self in (JobState.QUEUED, JobState.RUNNING, JobState.STOPPING)

    @property
    def resumable(self) -> bool:
        """Whether it ended with work left that a new worker can do."""
        return self in (JobState.STOPPED, JobState.FAILED, JobState.INTERRUPTED)


class Report(Protocol):
    """Receives progress: the stage, items done, items in all, and the name of the present item where it has one."""

    def __call__(self, stage: str, done: int, total: int, item: str = "") -> None:
        """Receives one report."""


def silent(stage: str, done: int, total: int, item: str = "") -> None:
    """Ignores progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a job is in its present stage.

    Attributes:
        stage: What it does now, for people ("Asking").
        done: Items done, those of earlier attempts included.
        total: Items in all; 0 where it is not known.
        started_at: When the stage began in this attempt; UTC, ISO 8601.
        rate: Items per second in this stage and attempt, None before the first one.
        seconds_left: Expected seconds to the end of the stage, None where it cannot be estimated.
        item: The present item, such as a file's name; empty where its name would not help a person.
    """

    stage: str
    done: int
    total: int
    started_at: str = ""
    rate: float | None = None
    seconds_left: float | None = None
    item: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """The process that has, or had, a job.

    Attributes:
        token: Random; only the holder of the row's token may write to the row.
        host: Name of the machine.
        pid: Process id on that machine.
        born: When that process was created, seconds since the epoch; a reused pid has another.
        heartbeat: When it last reported, or when the job began to wait for a worker; seconds since the epoch.
    """

    token: str = ""
    host: str = ""
    pid: int = 0
    born: float = 0.0
    heartbeat: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of long work.

    Attributes:
        kind: The registered function that does it.
        params: What the function gets; plain JSON.
        actor: Who started it.
        subject: Id of what it works on, such as a run.
        attempts: How many workers have taken it.
        progress: None before the first report.
        error: Why it failed, or empty.
        hint: What to do about it, or empty.
        created_at: UTC, ISO 8601, like the other times.
        log: Path of the file with the worker's output.
    """

    id: str
    project_id: str
    kind: str
    actor: str
    params: Mapping[str, object] = field(default_factory=dict)
    subject: str = ""
    state: JobState = JobState.QUEUED
    attempts: int = 0
    progress: Progress | None = None
    stop_requested: bool = False
    error: str = ""
    hint: str = ""
    created_at: str = ""
    started_at: str = ""
    finished_at: str = ""
    log: str = ""
    worker: Worker = field(default_factory=Worker)
