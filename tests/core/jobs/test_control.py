"""Jobs in real worker processes."""

import re
import signal
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
from sqlalchemy import event, update
from sqlalchemy.engine import Engine

import tests.support.processes.worker  # noqa: F401 - registers the kinds
from core.domain.errors import Conflict, Forbidden, LimitExceeded, NotFound
from core.domain.jobs import Job
from core.domain.sources.projects import Role
from core.jobs import JobState, execute, get, list_jobs, resume, start, stop, wait
from core.project.service import ensure_member
from core.store import jobs, projects, tables
from core.store.results import runs
from core.store.trail import audit
from tests.support.processes import held
from tests.support.processes.worker import COMMAND
from tests.support.stores import with_run

LIMIT_S = 120.0
"""How long a test waits for what has to come; only a test that fails waits so long."""


def begin(store, kind="test.count", command=COMMAND, **params):
    return start(store, project_id="prj_1", kind=kind, params=params, actor="local", subject="run_1", command=command)


def until(condition, seconds=LIMIT_S):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)


def silent_for(store, job_id, seconds):
    """Sets a job's last sign of life that far back, as if so much time had passed."""
    with store.pulse() as connection:
        connection.execute(
            update(tables.jobs).where(tables.jobs.c.id == job_id).values(heartbeat=time.time() - seconds)
        )


def answers(store):
    with store.read() as connection:
        return runs.responses(connection, "run_1")


def test_job_runs_to_its_end_in_another_process(store):
    with_run(store, 5)
    job = begin(store, run_id="run_1", total=5)
    assert job.state.active or job.state is JobState.FINISHED
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert (ended.state, ended.error, ended.attempts) == (JobState.FINISHED, "", 1)
    assert (ended.progress.stage, ended.progress.done, ended.progress.total) == ("Counting", 5, 5)
    assert ended.worker.pid not in (0, psutil.Process().pid)
    assert ended.started_at
    assert ended.finished_at
    assert sorted(answers(store)) == ["c0", "c1", "c2", "c3", "c4"]
    assert [job.id for job in list_jobs(store, "prj_1")] == [job.id]
    assert list_jobs(store, "prj_other") == []


@pytest.mark.slow
def test_stop_keeps_what_is_done_and_resume_does_the_rest(store):
    with_run(store, 40)
    job = begin(store, run_id="run_1", total=40, pause_after=2)
    until(lambda: len(answers(store)) == 2)
    assert stop(store, job.id, "local").state in (JobState.STOPPING, JobState.STOPPED)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert ended.state is JobState.STOPPED
    assert stop(store, job.id, "local").state is JobState.STOPPED  # asking again changes nothing
    before = answers(store)
    assert len(before) == 2
    resume(store, job.id, "local", command=COMMAND)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert (ended.state, ended.attempts) == (JobState.FINISHED, 2)
    after = answers(store)
    assert len(after) == 40
    assert {case_id: after[case_id] for case_id in before} == before
    with pytest.raises(Conflict, match="is finished"):
        resume(store, job.id, "local", command=COMMAND)
    with pytest.raises(Conflict, match="nothing to stop"):
        stop(store, job.id, "local")


@pytest.mark.slow
def test_a_running_job_cannot_be_resumed(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    with pytest.raises(Conflict, match="is running"):
        resume(store, job.id, "local", command=COMMAND)
    with pytest.raises(LimitExceeded, match="is running after"):
        wait(store, job.id, seconds=0.1)
    stop(store, job.id, "local")
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.STOPPED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "error", "hint"),
    [
        ("test.refuse", "The value 7 is no good.", "Give another one."),
        ("test.crash", "ZeroDivisionError: division by nothing", "Resume it to try again; the details are in "),
        ("test.unknown", "This version has no job of the kind test.unknown; it knows ", "Start it with the version"),
    ],
)
def test_a_failure_keeps_its_reason_and_the_traceback_stays_in_the_log(store, kind, error, hint):
    with_run(store)
    job = begin(store, kind=kind, value=7)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert ended.state is JobState.FAILED
    assert ended.error.startswith(error)
    assert ended.hint.startswith(hint)
    assert "Traceback" not in ended.error + ended.hint
    assert "Traceback" in Path(ended.log).read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("complete", "state"), [(True, JobState.FINISHED), (False, JobState.STOPPED)])
def test_a_job_may_say_itself_whether_all_is_done(store, complete, state):
    with_run(store)
    assert wait(store, begin(store, kind="test.leave", complete=complete).id, seconds=LIMIT_S).state is state


@pytest.mark.slow
def test_killed_at_random_moments_every_item_is_there_once(store):
    """20 kills: what was committed is neither lost nor done again; at most the one in flight is asked again."""
    drawn = held.moments(2, 20, "responses")
    expected, total = 0, sum(done for done, _ in drawn) + 5
    with_run(store, total)
    commands = [held.command(moment, "tests.support.processes.worker") for _, moment in drawn]
    job = begin(store, command=commands[0], run_id="run_1", total=total)
    first_seen = {}
    for kills, (done, _) in enumerate(drawn, start=1):
        held.wait_until_held(Path(job.log), kills)
        psutil.Process(get(store, job.id).worker.pid).send_signal(signal.SIGKILL)
        until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
        committed = answers(store)
        expected += done
        assert len(committed) == expected
        assert first_seen.items() <= committed.items()  # nothing lost, nothing replaced
        first_seen = committed
        resume(store, job.id, "local", command=commands[kills] if kills < len(drawn) else COMMAND)
    ended = wait(store, job.id, seconds=LIMIT_S)
    assert ended.state is JobState.FINISHED
    final = answers(store)
    assert sorted(final) == sorted(f"c{number}" for number in range(total))
    assert first_seen.items() <= final.items()
    asked = re.findall(r"asked (c\d+)", Path(ended.log).read_text())
    # Twice is asked what was asked and not committed when the kill came.
    assert len(asked) == total + sum(not moment.startswith("after", 2) for _, moment in drawn)
    with store.read() as connection:
        assert audit.verify(connection).ok
        saved = [entry for entry in audit.entries(connection, limit=None) if entry.action == "run.answer"]
    assert len(saved) == total


@pytest.mark.slow
def test_killed_worker_shows_as_interrupted_and_a_stop_ends_it_at_once(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    psutil.Process(get(store, job.id).worker.pid).kill()
    until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
    assert get(store, job.id).error == "The worker ended without a message."
    assert stop(store, job.id, "local").state is JobState.STOPPED


def test_a_worker_that_cannot_start_is_reported(store):
    with_run(store)
    job = start(
        store,
        project_id="prj_1",
        kind="test.silent",
        params={},
        actor="local",
        command=(sys.executable, "-c", "raise SystemExit('no such module')"),
    )
    until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
    shown = get(store, job.id)
    assert shown.error == "The worker ended before it started."
    assert shown.log in shown.hint
    assert "no such module" in Path(shown.log).read_text()
    resume(store, job.id, "local", command=COMMAND)
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    stop(store, job.id, "local")
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.STOPPED


@pytest.mark.slow
def test_polite_end_of_the_worker_counts_as_stopped(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    psutil.Process(get(store, job.id).worker.pid).terminate()
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.STOPPED


@pytest.mark.slow
def test_polite_end_between_the_claim_and_the_work_counts_as_stopped(store):
    """The signal comes with the claim; a handler set only afterwards would leave the job without a word."""
    with_run(store)
    with store.write("local", "job.start") as connection:
        jobs.add(connection, Job(id="job_1", project_id="prj_1", kind="test.silent", actor="local"))
    claims = []

    def signal_with_the_claim(connection, cursor, statement, *rest):
        if statement.startswith("UPDATE jobs") and not claims:
            claims.append(statement)
            signal.raise_signal(signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, lambda number, frame: pytest.fail("the worker was ended"))
    event.listen(Engine, "before_cursor_execute", signal_with_the_claim)
    try:
        assert execute(store, "job_1") is JobState.STOPPED
    finally:
        event.remove(Engine, "before_cursor_execute", signal_with_the_claim)
        signal.signal(signal.SIGTERM, before)
    assert "attempts" in claims[0]


@pytest.mark.slow
def test_suspended_worker_is_ended_when_its_job_goes_to_another(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    first = psutil.Process(get(store, job.id).worker.pid)
    first.suspend()
    silent_for(store, job.id, 60)
    assert get(store, job.id).state is JobState.INTERRUPTED
    resume(store, job.id, "local", command=COMMAND)
    until(lambda: not first.is_running() or first.status() == psutil.STATUS_ZOMBIE)
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    assert get(store, job.id).worker.pid != first.pid
    stop(store, job.id, "local")
    assert wait(store, job.id, seconds=LIMIT_S).state is JobState.STOPPED


@pytest.mark.slow
def test_two_resumes_start_one_worker(store):
    with_run(store)
    job = begin(store, kind="test.silent")
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    psutil.Process(get(store, job.id).worker.pid).kill()
    until(lambda: get(store, job.id).state is JobState.INTERRUPTED)
    outcomes = []

    def again():
        try:
            outcomes.append(resume(store, job.id, "local", command=COMMAND).id)
        except Conflict:
            outcomes.append("refused")

    threads = [threading.Thread(target=again) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == sorted([job.id, "refused", "refused", "refused"])
    until(lambda: get(store, job.id).state is JobState.RUNNING)
    assert get(store, job.id).attempts == 2
    stop(store, job.id, "local")
    wait(store, job.id, seconds=LIMIT_S)


def test_a_viewer_may_neither_start_nor_stop(store):
    with_run(store)
    with store.write("local", "test.role") as connection:
        projects.set_role(connection, "prj_1", "vera", Role.VIEWER)
    with pytest.raises(Forbidden, match="vera is viewer"):
        start(store, project_id="prj_1", kind="test.silent", params={}, actor="vera")
    assert list_jobs(store) == []
    ensure_member(store, "prj_1", "vera", Role.VALIDATOR, actor="local")
    with pytest.raises(NotFound, match="job_none"):
        stop(store, "job_none", "vera")


def test_execute_of_an_unknown_job(store):
    with pytest.raises(NotFound, match="job_none"):
        execute(store, "job_none")
