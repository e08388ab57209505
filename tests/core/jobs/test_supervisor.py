"""Looking after jobs, in a thread and in an event loop."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
from sqlalchemy import text

import tests.support.processes.worker  # noqa: F401 - registers the kinds
from core.domain.jobs import Job
from core.jobs import JobState, execute, get, start, stop, supervise, tend, wait
from core.store import jobs
from tests.core.jobs.test_control import LIMIT_S, begin, silent_for, until
from tests.support.processes.worker import COMMAND
from tests.support.stores import with_run


def stored(store, job_id):
    with store.read() as connection:
        return jobs.get(connection, job_id)


def forgotten(store):
    """A queued job for which nobody started a worker."""
    with store.write("local", "job.start") as connection:
        jobs.add(
            connection,
            Job(id="job_1", project_id="prj_1", kind="test.silent", actor="local", log=str(store.folder / "l")),
        )
    silent_for(store, "job_1", 60)


def in_a_loop(work):
    """Runs a coroutine in a thread of its own: after journeys the browser's event loop is still going in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result(timeout=2 * LIMIT_S)


@pytest.mark.slow
def test_a_lost_job_is_marked(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    assert tend(store) == []
    psutil.Process(get(store, job.id).worker.pid).kill()
    until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
    assert stored(store, job.id).state is JobState.RUNNING
    assert tend(store) == [job.id]
    assert stored(store, job.id).state is JobState.INTERRUPTED
    assert tend(store) == []


@pytest.mark.slow
def test_a_forgotten_job_is_started(store):
    with_run(store)
    forgotten(store)
    assert tend(store, command=COMMAND) == ["job_1"]
    until(lambda: stored(store, "job_1").state is JobState.RUNNING)
    stop(store, "job_1", "local")
    assert wait(store, "job_1", seconds=LIMIT_S).state is JobState.STOPPED


def test_a_queued_job_is_stopped_before_it_begins(store):
    with_run(store)
    with store.write("local", "job.start") as connection:
        jobs.add(connection, Job(id="job_1", project_id="", kind="test.silent", actor="local"))
    assert get(store, "job_1").state is JobState.QUEUED
    assert stop(store, "job_1", "local").state is JobState.STOPPED


@pytest.mark.slow
def test_the_loop_ends_when_asked(store):
    with_run(store)
    job = start(store, project_id="prj_1", kind="test.silent", params={}, actor="local", command=COMMAND)
    until(lambda: get(store, job.id).state is JobState.RUNNING)

    async def lifespan():
        ending = asyncio.Event()
        task = asyncio.create_task(supervise(store, ending, interval=0.05))
        psutil.Process(get(store, job.id).worker.pid).kill()
        async with asyncio.timeout(LIMIT_S):
            while stored(store, job.id).state is not JobState.INTERRUPTED:
                await asyncio.sleep(0.02)
        ending.set()
        await asyncio.wait_for(task, LIMIT_S)

    in_a_loop(lifespan())


def test_a_store_that_fails_for_a_while_does_not_end_the_loop(store, caplog):
    with store.pulse() as connection:
        connection.execute(text("ALTER TABLE jobs RENAME TO away"))

    async def lifespan():
        ending = asyncio.Event()
        task = asyncio.create_task(supervise(store, ending, interval=0.02))
        async with asyncio.timeout(LIMIT_S):
            while "could not be supervised" not in caplog.text:
                await asyncio.sleep(0.02)
        with store.pulse() as connection:
            connection.execute(text("ALTER TABLE away RENAME TO jobs"))
        assert not task.done()
        ending.set()
        await asyncio.wait_for(task, LIMIT_S)

    in_a_loop(lifespan())


def test_a_pulse_that_fails_for_a_while_goes_on(store, caplog, monkeypatch):
    monkeypatch.setattr("core.jobs.context.BEAT_SECONDS", 0.05)
    with store.write("local", "job.start") as connection:
        jobs.add(connection, Job(id="job_1", project_id="", kind="test.silent", actor="local"))
    thread = threading.Thread(target=execute, args=(store, "job_1"))
    thread.start()
    until(lambda: get(store, "job_1").state is JobState.RUNNING)
    with store.pulse() as connection:
        connection.execute(text("ALTER TABLE jobs RENAME TO away"))
    until(lambda: "could not report" in caplog.text)
    with store.pulse() as connection:
        connection.execute(text("ALTER TABLE away RENAME TO jobs"))
    stop(store, "job_1", "local")
    thread.join(LIMIT_S)
    assert get(store, "job_1").state is JobState.STOPPED
