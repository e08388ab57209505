"""A build whose model says nothing usable: it fails with its reason and stores no rule texts in the model's name."""

import pytest

from core import jobs
from core.domain.errors import NothingAnswered
from core.domain.jobs import JobState
from core.domain.sources.projects import SourceKind
from core.knowledge.building import Build, build_documents, build_result, start_documents
from core.knowledge.fluent import PATIENCE
from core.llm import open_chat
from core.project.service import create_project
from core.sources.service import connect_database
from core.store import sources
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR


def corpus(store, project_id):
    with store.read() as connection:
        return sources.latest(connection, project_id, SourceKind.CORPUS)


@pytest.mark.slow
def test_a_build_whose_calls_all_fail_has_failed_and_its_resume_builds(store, bank):
    with LlmServer(lambda body: Fault(status=401)) as server:
        build = Build(method="llm", model=server.spec(), send_rows=True, tables=("branch",))
        job = start_documents(store, bank, build, actor=ACTOR)
        ended = jobs.wait(store, job.id, seconds=120)
        assert ended.state is JobState.FAILED
        assert ended.error.startswith("No usable reply for 6 of 6 documents. The call failed: The model m gave")
        assert "401" in ended.error
        assert corpus(store, bank) is None
        server.script = lambda body: body["messages"][-1]["content"]
        jobs.resume(store, job.id, ACTOR)
        ended = jobs.wait(store, job.id, seconds=120)
        assert ended.state is JobState.FINISHED, ended.error
    assert build_result(store, corpus(store, bank)).writers == {"model": 6}


@pytest.mark.slow
def test_a_model_that_answered_once_is_given_its_chance_with_every_document(store, bank):
    def script(body):
        asked = body["messages"][-1]["content"]
        return asked if "Dalby" in asked else Fault(status=400)

    with LlmServer(script) as server:
        build = Build(method="llm", model=server.spec(), send_rows=True, tables=("branch",))
        _, result = build_documents(store, bank, build, actor=ACTOR)
    assert result.writers == {"model": 1, "rules, the model failed": 5}


def test_texts_that_lack_a_fact_are_answers(store, bank):
    with LlmServer(lambda body: "Nothing of it.") as server:
        build = Build(method="llm", model=server.spec(), send_rows=True, tables=("branch",))
        _, result = build_documents(store, bank, build, actor=ACTOR)
    assert result.writers == {"rules, the model failed": 6}


def test_a_silent_model_is_not_asked_about_every_row(store, tmp_path):
    rows = ", ".join(f"({number}, 'Plan {number}')" for number in range(5 * PATIENCE))
    address = sqlite_file(
        tmp_path / "plans.sqlite",
        f"CREATE TABLE plan (plan_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO plan VALUES {rows}",
    )
    project_id = create_project(store, "Plans", ACTOR).id
    connect_database(store, project_id, address, actor=ACTOR)
    with LlmServer(lambda body: Fault(status=400)) as server:
        build = Build(method="llm", model=server.spec(), send_rows=True)
        at_once = open_chat(store, project_id, build.model).concurrency
        with pytest.raises(NothingAnswered, match="No usable reply for"):
            build_documents(store, project_id, build, actor=ACTOR)
        assert PATIENCE <= len(server.bodies) <= PATIENCE + 2 * at_once < 5 * PATIENCE
    assert corpus(store, project_id) is None
