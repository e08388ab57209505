"""Long work in its own process: registered, started, watched, stopped and resumed.

A job never does work in the process that starts it. Everything it knows is in the store, so the page may be
closed, the server may end and the worker may be killed: what was committed stays, and a resume does the rest.
"""

from core.domain.jobs import Job, JobState, Progress
from core.jobs.context import JobContext
from core.jobs.control import change, get, list_jobs, resume, start, stop, wait
from core.jobs.follower import Follower
from core.jobs.liveness import silence
from core.jobs.registry import job, kinds
from core.jobs.supervisor import supervise, tend
from core.jobs.worker import execute

__all__ = [
    "Follower",
    "Job",
    "JobContext",
    "JobState",
    "Progress",
    "change",
    "execute",
    "get",
    "job",
    "kinds",
    "list_jobs",
    "resume",
    "silence",
    "start",
    "stop",
    "supervise",
    "tend",
    "wait",
]
