"""A model that says nothing usable at all: the work fails with its reason, stores nothing and can be tried again."""

import pytest
from sqlalchemy import func, select

from core import jobs
from core.domain.errors import NothingAnswered
from core.domain.jobs import JobState
from core.domain.llm import Endpoint, Structured
from core.llm import load_prompt, open_chat
from core.sources.service import open_database, project_database
from core.store.models import endpoints
from core.store.tables import llm_calls
from core.testset.grounded.llm.sql_generator import PROMPT, generate_sql_templates_by_llm
from core.testset.templates.generating import generate, generation_result, start_generation
from core.testset.templates.llm_requests import Generation
from tests.core.testset.conftest import CITY, CITY_SHORT
from tests.core.testset.grounded.llm.script import part
from tests.core.testset.templates.test_generating import context_of, script
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR


def known(bank, server):
    """Registers the server as an endpoint whose way of holding replies to a form need not be found out."""
    with bank.store.write(ACTOR, "test.endpoint", project_id=bank.project_id) as connection:
        where = Endpoint(
            id="end_1",
            project_id=bank.project_id,
            name="Known",
            base_url=server.base_url,
            structured=Structured.SCHEMA,
        )
        endpoints.put(connection, where)


@pytest.mark.slow
def test_a_job_whose_calls_all_fail_has_failed_and_its_resume_writes_what_is_left(bank):
    with LlmServer(lambda body: Fault(status=401)) as server:
        known(bank, server)
        generation = Generation(what="sql", model=server.spec(), sizes=(1,), per_set=2)
        job = start_generation(bank.store, bank.project_id, generation, actor=ACTOR)
        ended = jobs.wait(bank.store, job.id, seconds=120)
        assert ended.state is JobState.FAILED
        assert ended.error.startswith("No usable reply for 2 of 2 table sets. The model m gave no usable reply")
        assert "401" in ended.error
        assert "Models page" in ended.hint
        assert bank.sql() == []
        assert generation_result(bank.store, job.id) is None
        server.script = script
        jobs.resume(bank.store, job.id, ACTOR)
        ended = jobs.wait(bank.store, job.id, seconds=120)
        assert ended.state is JobState.FINISHED, ended.error
    assert CITY in [template.sql for template in bank.sql()]


def test_an_endpoint_that_takes_nobody_is_tried_once_and_not_for_every_table_set(bank):
    with LlmServer(cap=0) as server:
        with bank.store.write(ACTOR, "test.endpoint", project_id=bank.project_id) as connection:
            where = Endpoint(
                id="end_1",
                project_id=bank.project_id,
                name="Full",
                base_url=server.base_url,
                timeout_s=1,
                deadline_s=1,
            )
            endpoints.put(connection, where)
        with (
            open_database(project_database(bank.store, bank.project_id)) as database,
            pytest.raises(NothingAnswered, match="3 of 3 table sets"),
        ):
            generate_sql_templates_by_llm(
                open_chat(bank.store, bank.project_id, server.spec()),
                load_prompt(PROMPT),
                database,
                [("branch",), ("account",), ("account", "branch")],
            )
    with bank.store.read() as connection:
        assert connection.scalar(select(func.count()).select_from(llm_calls)) == 1


@pytest.mark.slow
def test_wordings_and_round_trips_without_any_reply_fail_too(bank):
    bank.saved_text(bank.approved_sql(CITY), CITY_SHORT)
    with LlmServer(lambda body: Fault(status=400)) as server:
        for place, (wanted, says) in enumerate(
            (
                ({"what": "text", "forms": {"short": "", "long": ""}}, "2 of 2 pairs of template and form"),
                ({"what": "round_trip"}, "1 of 1 wordings"),
            )
        ):
            job_id = f"job_{place}"
            with pytest.raises(NothingAnswered, match=says):
                generate(context_of(bank, Generation(model=server.spec(), **wanted), job_id))
            assert generation_result(bank.store, job_id) is None


def test_wordings_are_kept_where_only_their_round_trips_fail(bank):
    bank.approved_sql(CITY)
    with LlmServer(lambda body: Fault(status=400) if part(body, "question") else script(body)) as server:
        generation = Generation(what="text", model=server.spec(), forms={"short": ""}, n=2, round_trip=True)
        generate(context_of(bank, generation))
    assert len(bank.texts()) == 2
    told = generation_result(bank.store, "job_1")
    assert (told["delivered"], told["round_trips"]["failed"]) == (2, 2)


def test_what_had_no_reply_is_counted_beside_what_had_one(bank):
    with LlmServer(lambda body: Fault(status=400) if part(body, "tables") == "account" else script(body)) as server:
        generate(context_of(bank, Generation(what="sql", model=server.spec(), sizes=(1,), per_set=2)))
    told = generation_result(bank.store, "job_1")
    assert (told["delivered"], told["unanswered"]) == (2, 1)
