"""A worker that writes templates is killed: what comes of it is what an unhurt one writes, and no answer is lost."""

import pytest

from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.store.models import endpoints
from core.testset.grounded.wording.checks import ROUND_TRIP
from core.testset.templates.generating import generation_result, start_generation
from core.testset.templates.llm_requests import Generation
from tests.core.testset.conftest import CITY, MANAGER
from tests.core.testset.grounded.llm.script import part, rejected
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

AT_ONCE = 2
FEE = "SELECT monthly_fee FROM account WHERE name = '[account.name]'"
STREET = "SELECT street FROM account WHERE name = '[account.name]'"
OF_PAIR = "SELECT branch.city FROM account JOIN branch USING (branch_id) WHERE account.name = '[account.name]'"
WORDINGS = ("City of branch '[branch.name]'", "In which city is '[branch.name]'", "'[branch.name]': city")


def script(body):
    """Every table set is answered; of accounts one proposal is rejected at first and replaced."""
    if part(body, "question"):
        return {"sql": CITY, "reason": ""}
    if part(body, "query"):
        place = len(part(body, "form")) % len(WORDINGS)
        return {"wordings": [WORDINGS[place]]}
    proposals = {
        "branch": [CITY, MANAGER],
        "account": [FEE] if rejected(body) else [STREET],
        "account\nbranch": [OF_PAIR],
    }
    return {"templates": proposals[part(body, "tables")]}


def held(bank, server):
    """Registers the server as an endpoint that takes two calls at once and waits for as long as it must."""
    with bank.store.write(ACTOR, "test.endpoint", project_id=bank.project_id) as connection:
        where = Endpoint(
            id="end_1",
            project_id=bank.project_id,
            name="Held",
            base_url=server.base_url,
            concurrency=AT_ONCE,
            timeout_s=600,
            deadline_s=600,
        )
        endpoints.put(connection, where)


@pytest.mark.slow
def test_sql_templates_of_a_killed_worker_are_all_there_once(bank):
    generation = Generation(what="sql", sizes=(1, 2), per_set=2)
    with LlmServer(script, hold_after=2) as server:
        held(bank, server)
        job = start_generation(bank.store, bank.project_id, with_model(generation, server), actor=ACTOR)
        ended = killed_and_resumed(bank.store, job, server, at_once=AT_ONCE)
        assert ended.state is JobState.FINISHED, ended.error
    assert sorted(template.sql for template in bank.sql()) == sorted([CITY, MANAGER, FEE, OF_PAIR])
    told = generation_result(bank.store, job.id)
    assert (told["requested"], told["delivered"], told["rejected_in_all"], told["calls"]) == (6, 4, 1, 4)
    assert told["calls_from_cache"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("answers", [2, 4], ids=["among wordings", "among round trips"])
def test_wordings_and_their_round_trips_outlive_a_kill(bank, answers):
    bank.approved_sql(CITY)
    generation = Generation(what="text", forms={"one": "A.", "two": "Bb.", "three": "Ccc."}, n=1, round_trip=True)
    with LlmServer(script, hold_after=answers) as server:
        held(bank, server)
        job = start_generation(bank.store, bank.project_id, with_model(generation, server), actor=ACTOR)
        ended = killed_and_resumed(bank.store, job, server, at_once=AT_ONCE)
        assert ended.state is JobState.FINISHED, ended.error
    assert sorted(text.text for text in bank.texts()) == sorted(WORDINGS)
    assert all(check.passed for text in bank.texts() for check in text.checks if check.name == ROUND_TRIP)
    told = generation_result(bank.store, job.id)
    assert (told["delivered"], told["round_trips"]["passed"]) == (3, 3)
    assert told["calls"] == 3


def with_model(generation, server):
    """The generation, asked of the server."""
    return Generation.of({**generation.as_params(), "model": server.spec()})
