"""A job may name what it is at; its rate is that of the stage."""

import os

import pytest

from core.jobs import Job, JobContext, get
from core.jobs.context import LONGEST_ITEM
from core.jobs.liveness import mark
from core.project.service import create_project
from core.store import jobs as rows


@pytest.fixture
def context(store):
    project = create_project(store, "Bank", "local")
    job = Job(id="job_1", project_id=project.id, kind="test", actor="local")
    with store.write("local", "test.job") as connection:
        rows.add(connection, job)
        rows.claim(connection, job.id, mark(os.getpid(), "token"))
    ticks = iter(range(100))
    return JobContext(store, get(store, job.id), clock=lambda: float(next(ticks)))


def told(context):
    context.beat()
    return get(context.store, context.job.id).progress


def test_the_item_is_told_and_the_rate_goes_on(context):
    context.progress("Reading documents", 0, 4, "fees.md")
    context.progress("Reading documents", 2, 4, "line\nend.md")
    progress = told(context)
    assert (progress.stage, progress.item, progress.done) == ("Reading documents", "line\nend.md", 2)
    assert (progress.rate, progress.seconds_left) == (2.0, 1.0)  # 2 documents in 1 s, 2 left
    context.progress("Reading documents", 4, 4)
    assert told(context).item == ""
    context.progress("Cutting", 0, 4, "x" * 1_000)
    progress = told(context)
    assert (progress.rate, len(progress.item)) == (None, LONGEST_ITEM)
