"""A worker that runs out of memory says so, and its job can be resumed."""

import pytest

import tests.support.processes.worker  # noqa: F401
from core.domain.jobs import Job, JobState, Progress
from core.jobs import execute, get, memory
from core.store import jobs


@pytest.mark.parametrize(
    "error",
    [
        MemoryError("Unable to allocate 12 GiB"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:117] . DefaultCPUAllocator: can't allocate memory"),
        OSError(12, "Cannot allocate memory"),
    ],
)
def test_a_lack_of_memory_is_known_by_what_libraries_say(error):
    assert memory.ran_out(error)
    wrapped = ValueError("the batch failed")
    wrapped.__cause__ = error
    assert memory.ran_out(wrapped)
    assert not memory.ran_out(ValueError("out of memory, says the question"))


def test_where_it_happened_is_said():
    assert memory.message(None) == "The worker ran out of memory."
    assert (
        memory.message(Progress(stage="Scoring", done=3, total=9)) == "The worker ran out of memory at Scoring, 3 of 9."
    )
    assert JobState.FAILED.resumable


def test_a_worker_out_of_memory_says_where_and_its_job_is_resumed(store):
    with store.write("local", "job.start") as connection:
        jobs.add(connection, Job(id="job_1", project_id="", kind="test.exhaust", actor="local", log="l"))
    assert execute(store, "job_1") is JobState.FAILED
    failed = get(store, "job_1")
    assert failed.error == "The worker ran out of memory at Scoring, 3 of 9."
    assert failed.hint == memory.HINT
    assert failed.state.resumable
    with store.pulse() as connection:
        assert jobs.replace_state(connection, failed, JobState.QUEUED)
    assert execute(store, "job_1") is JobState.FINISHED
