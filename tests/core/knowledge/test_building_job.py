"""The documents are built by a worker, and a model that was asked is not asked again."""

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.domain.sources.projects import SourceKind
from core.knowledge.building import Build, build_documents, build_result, start_documents
from core.store import sources
from core.store.models import endpoints
from tests.support.processes.stopped_job import ask_to_stop
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR


@pytest.mark.slow
def test_a_worker_builds_them_and_a_model_is_not_asked_again(store, bank):
    with LlmServer(lambda body: body["messages"][-1]["content"]) as server:
        build = Build(model=server.spec("m"), tables=("branch",), method="llm", send_rows=True)
        job = start_documents(store, bank, build, actor=ACTOR)
        ended = jobs.wait(store, job.id, seconds=120)
        assert ended.state is JobState.FINISHED, ended.error
        assert len(server.bodies) == 6
        with store.read() as connection:
            source = sources.latest(connection, bank, SourceKind.CORPUS)
            assert sources.count_documents(connection, source.id) == 6
        assert source.id == job.params["source_id"]
        assert build_result(store, source).build == build
        build_documents(store, bank, build, actor=ACTOR)
        assert len(server.bodies) == 6


@pytest.mark.slow
def test_a_stopped_build_goes_on_and_asks_nothing_twice(store, bank):
    with LlmServer(lambda body: body["messages"][-1]["content"], hold_after=2) as server:
        with store.write(ACTOR, "test.endpoint", project_id=bank) as connection:
            where = Endpoint(id="end_1", project_id=bank, name="Slow", base_url=server.base_url, concurrency=1)
            endpoints.put(connection, where)
        build = Build(method="llm", model=server.spec("m"), send_rows=True, tables=("account",))
        job = start_documents(store, bank, build, actor=ACTOR)
        server.wait_for_requests(3)
        ask_to_stop(store, job.id)
        server.release()
        assert jobs.wait(store, job.id, seconds=120).state is JobState.STOPPED
        assert 3 <= len(server.bodies) < 12
        with store.read() as connection:
            assert sources.latest(connection, bank, SourceKind.CORPUS) is None
        jobs.resume(store, job.id, ACTOR)
        ended = jobs.wait(store, job.id, seconds=120)
        assert ended.state is JobState.FINISHED, ended.error
        assert len(server.bodies) == 12
        with store.read() as connection:
            source = sources.latest(connection, bank, SourceKind.CORPUS)
            assert sources.count_documents(connection, source.id) == 12
