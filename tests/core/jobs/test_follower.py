"""What follows a job: done by its worker once all of it is done, and part of it when it fails or is resumed."""

import pytest

import tests.support.processes.worker  # noqa: F401 - registers the kinds
from core.domain.jobs import Job, JobState
from core.jobs import Follower, execute, get, start
from core.jobs.follower import THEN, with_follower
from core.store import jobs
from tests.support.processes.worker import COMMAND
from tests.support.stores import with_run

ACTOR = "local"


def queued(store, then, **params):
    made = Job(
        id="job_1", project_id="", kind="test.leave", actor=ACTOR, params=with_follower(params, then), log="nowhere"
    )
    with store.write(ACTOR, "job.start") as connection:
        jobs.add(connection, made)


def refusal(value):
    return Follower(kind="test.refuse", params={"value": value})


def test_the_follower_gets_its_own_parameters_and_its_failure_is_the_job_s(store):
    queued(store, refusal("B"), complete=True, value="A")
    assert execute(store, "job_1") is JobState.FAILED
    assert get(store, "job_1").error == "The value B is no good."


def test_nothing_follows_a_job_that_was_stopped(store):
    queued(store, refusal("B"), complete=False)
    assert execute(store, "job_1") is JobState.STOPPED


def test_nothing_follows_where_nothing_is_named(store):
    queued(store, None, complete=True)
    assert execute(store, "job_1") is JobState.FINISHED


def test_a_follower_may_be_followed(store):
    queued(store, Follower(kind="test.leave", params=with_follower({"complete": True}, refusal("C"))), complete=True)
    assert execute(store, "job_1") is JobState.FAILED
    assert get(store, "job_1").error == "The value C is no good."


@pytest.mark.parametrize(("complete", "state"), [(True, JobState.FINISHED), (False, JobState.STOPPED)])
def test_the_follower_says_whether_all_is_done(store, complete, state):
    queued(store, Follower(kind="test.leave", params={"complete": complete}), complete=True)
    assert execute(store, "job_1") is state


def test_a_resumed_job_comes_by_its_follower_again(store):
    queued(store, refusal("B"), complete=True)
    assert execute(store, "job_1") is JobState.FAILED
    with store.write(ACTOR, "job.resume") as connection:
        assert jobs.replace_state(connection, jobs.get(connection, "job_1"), JobState.QUEUED)
    assert execute(store, "job_1") is JobState.FAILED
    found = get(store, "job_1")
    assert (found.attempts, found.error) == (2, "The value B is no good.")


def test_it_is_stored_with_the_job(store):
    with_run(store)
    job = start(
        store,
        project_id="",
        kind="test.leave",
        params={"complete": True},
        actor=ACTOR,
        then=refusal("B"),
        command=COMMAND,
    )
    assert get(store, job.id).params[THEN] == {"kind": "test.refuse", "params": {"value": "B"}}
