"""The worker's side, in this process."""

import threading

import pytest
from sqlalchemy import update

import tests.support.processes.worker
from core.domain.errors import Conflict
from core.domain.jobs import Job, JobState
from core.jobs import JobContext, execute, get, job, kinds, resume, silence
from core.jobs.liveness import this_process
from core.store import jobs, tables
from tests.core.jobs.test_control import LIMIT_S, silent_for, until
from tests.support.stores import with_run


def queued(store, kind="test.silent", **params):
    with store.write("local", "job.start") as connection:
        jobs.add(connection, Job(id="job_1", project_id="", kind=kind, actor="local", params=params, log="l"))


def claimed(store, token="t", **options):
    with store.pulse() as connection:
        assert jobs.claim(connection, "job_1", this_process(token))
        return JobContext(store, jobs.get(connection, "job_1"), **options)


def test_one_of_many_workers_gets_the_job(store):
    with_run(store)
    queued(store, "test.leave", complete=True)
    outcomes = []
    threads = [threading.Thread(target=lambda: outcomes.append(execute(store, "job_1"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(str(outcome) for outcome in outcomes) == ["None"] * 7 + ["finished"]
    assert get(store, "job_1").attempts == 1


def test_progress_tells_rate_and_time_left_of_this_attempt(store):
    queued(store)
    times = iter([1_000.0, 1_004.0, 1_005.0])
    context = claimed(store, clock=lambda: next(times))
    context.progress("Asking", 40, 100)  # 40 were done by an earlier worker
    context.progress("Asking", 50, 100)
    assert context.has_news
    context.beat()
    assert not context.has_news
    progress = get(store, "job_1").progress
    assert (progress.stage, progress.done, progress.total) == ("Asking", 50, 100)
    assert progress.rate == pytest.approx(10 / 4)
    assert progress.seconds_left == pytest.approx(50 / 2.5)
    context.progress("Judging", 0, 100)
    context.beat()
    progress = get(store, "job_1").progress
    assert (progress.stage, progress.rate, progress.seconds_left) == ("Judging", None, None)


def test_no_progress_yet(store):
    queued(store)
    assert get(store, "job_1").progress is None


def test_a_wish_to_stop_reaches_the_worker_with_its_next_beat(store):
    queued(store)
    context = claimed(store)
    assert not context.should_stop()
    with store.pulse() as connection:
        assert jobs.ask_to_stop(connection, "job_1")
    assert get(store, "job_1").state is JobState.STOPPING
    assert not context.should_stop()
    context.beat()
    assert context.should_stop()
    assert not context.lost


def test_a_worker_that_lost_its_job_leaves_without_a_word(store):
    queued(store)
    context = claimed(store, "first")
    with store.pulse() as connection:
        assert jobs.replace_state(connection, jobs.get(connection, "job_1"), JobState.QUEUED)
    claimed(store, "second")
    context.progress("Asking", 1, 2)
    context.beat()
    assert context.should_stop()
    assert context.lost
    with store.pulse() as connection:
        assert not jobs.close(connection, "job_1", "first", JobState.FINISHED)
    found = get(store, "job_1")
    assert (found.state, found.attempts, found.progress) == (JobState.RUNNING, 2, None)


def test_a_worker_that_loses_its_job_while_it_works(store):
    queued(store)
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(execute(store, "job_1")))
    thread.start()
    until(lambda: get(store, "job_1").state is JobState.RUNNING)

    def taken():
        with store.pulse() as connection:
            return jobs.replace_state(connection, jobs.get(connection, "job_1"), JobState.INTERRUPTED)

    until(taken)
    thread.join(LIMIT_S)
    assert outcomes == [None]
    assert get(store, "job_1").state is JobState.INTERRUPTED


def test_a_state_seen_too_long_ago_is_not_replaced(store):
    queued(store)
    with store.read() as connection:
        seen = jobs.get(connection, "job_1")
    claimed(store)
    with store.pulse() as connection:
        assert not jobs.replace_state(connection, seen, JobState.STOPPED)
        assert not jobs.claim(connection, "job_1", this_process("late"))


def test_failures_in_this_process(store):
    queued(store, "test.crash")
    assert execute(store, "job_1") is JobState.FAILED
    found = get(store, "job_1")
    assert found.error == "ZeroDivisionError: division by nothing"
    assert found.hint == "Resume it to try again; the details are in l."
    assert execute(store, "job_1") is None


def test_a_worker_of_another_machine_is_judged_by_its_heartbeat(store):
    queued(store)
    claimed(store)
    with store.pulse() as connection:
        connection.execute(update(tables.jobs).values(host="elsewhere"))
    assert get(store, "job_1").state is JobState.RUNNING
    silent_for(store, "job_1", 60)
    assert get(store, "job_1").state is JobState.INTERRUPTED


def test_a_silent_worker_of_another_machine_is_said_to_be_awaited(store):
    queued(store)
    claimed(store)
    silent_for(store, "job_1", 20)
    assert silence(get(store, "job_1")) == ""  # of this machine it is known whether it runs
    with store.pulse() as connection:
        connection.execute(update(tables.jobs).values(host="elsewhere"))
    said = silence(get(store, "job_1"))
    assert said.startswith("Its worker on elsewhere has said nothing for 2")
    assert said.endswith("After 45 it is taken for gone, and the job can be resumed.")
    with pytest.raises(Conflict) as caught:
        resume(store, "job_1", "local")
    assert caught.value.hint.startswith("Its worker on elsewhere")
    silent_for(store, "job_1", 60)
    assert silence(get(store, "job_1")) == ""


def test_a_kind_has_one_function():
    assert "test.count" in kinds()
    job("test.crash")(tests.support.processes.worker.crash)  # the same one again, as after a reload
    with pytest.raises(Conflict, match=r"registered as job test\.crash"):
        job("test.crash")(tests.support.processes.worker.refuse)
