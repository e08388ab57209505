"""What a generation will take before it is started, and where its budget stops it."""

from decimal import Decimal

import pytest

from core import jobs
from core.domain.errors import InvalidInput
from core.domain.jobs import JobState
from core.domain.llm import Price
from core.llm import Limits
from core.llm.calls import log
from core.llm.spending.estimates import Between, Outlook
from core.store.models import prices
from core.testset.templates.generating import generation_result, start_generation
from core.testset.templates.generation_cost import expected_cost
from core.testset.templates.llm_requests import Generation
from tests.core.testset.conftest import CITY, CITY_SHORT, MANAGER
from tests.core.testset.grounded.llm.script import part, rejected
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

UNKNOWN = "SELECT street FROM branch WHERE name = '[branch.name]'"
WAIT_S = 300


def script(body):
    if part(body, "query"):
        return {"wordings": [CITY_SHORT]}
    if part(body, "tables") == "branch":
        return {"templates": [MANAGER] if rejected(body) else [CITY, UNKNOWN]}
    return {"templates": []}


@pytest.fixture
def server():
    with LlmServer(script) as started:
        yield started


def priced(bank, per_million="1000000"):
    """A coin for each token of a request, unless it is said otherwise."""
    price = Price(model="m", input_per_million=Decimal(per_million), output_per_million=Decimal(0), currency="EUR")
    with bank.store.pulse() as connection:
        prices.replace(connection, bank.project_id, [price])


def sql(server, **more):
    return Generation(what="sql", model=server.spec(), sizes=(1,), tables=("branch",), per_set=2, **more)


@pytest.mark.slow
def test_an_estimate_holds_what_then_comes(bank, server):
    priced(bank, "1000")
    generation = sql(server)
    (found,) = expected_cost(bank.store, bank.project_id, generation)
    assert (server.bodies, server.probes) == ([], []), "nothing is sent for an estimate"
    # One table set: asked once, or twice where something is rejected; a call or two find out how it is held to a form.
    assert found.calls == Between(low=2, high=4)
    assert found.currency == "EUR"
    job = start_generation(bank.store, bank.project_id, generation, actor=ACTOR)
    assert jobs.wait(bank.store, job.id, seconds=WAIT_S).state is JobState.FINISHED
    spent = log.of_job(bank.store, bank.project_id, job.id)
    assert found.calls.low <= spent.calls <= found.calls.high
    assert (spent.priced, spent.cost) == (spent.calls, pytest.approx(spent.prompt_tokens / 1000))
    characters = sum(len(message["content"]) for body in server.bodies for message in body["messages"])
    assert found.prompt_tokens.low < characters / 4 < found.prompt_tokens.high


def test_wordings_and_round_trips_are_two_parts(bank, server):
    bank.approved_sql(CITY)
    wanted = Generation(what="text", model=server.spec(), forms={"short": "", "long": ""}, n=3, round_trip=True)
    outlook = Outlook(parts=expected_cost(bank.store, bank.project_id, wanted))
    assert [part.purpose for part in outlook.parts] == ["generate_text", "round_trip"]
    # Two pairs, each asked once or twice, and the probe; six wordings turned back.
    assert [part.calls for part in outlook.parts] == [Between(low=3, high=6), Between(low=6, high=6)]
    assert (outlook.money, outlook.priced) == (None, 0), "no price is known"
    alone = Generation(what="text", model=server.spec(), forms={"short": ""}, n=1)
    assert [part.purpose for part in expected_cost(bank.store, bank.project_id, alone)] == ["generate_text"]
    nothing = Generation(what="round_trip", model=server.spec())
    assert expected_cost(bank.store, bank.project_id, nothing) == ()


@pytest.mark.slow
def test_a_spent_number_of_calls_stops_the_job_which_goes_on_with_more(bank, server):
    job = start_generation(bank.store, bank.project_id, sql(server, limits=Limits(calls=2)), actor=ACTOR)
    ended = jobs.wait(bank.store, job.id, seconds=WAIT_S)
    assert ended.state is JobState.FAILED
    assert "The budget of 2 calls is used up" in ended.error
    assert "resume" in ended.hint
    assert bank.sql() == []
    assert generation_result(bank.store, job.id) is None
    assert log.of_job(bank.store, bank.project_id, job.id).calls == 2
    jobs.resume(bank.store, job.id, ACTOR)
    assert jobs.wait(bank.store, job.id, seconds=WAIT_S).state is JobState.FAILED, "what was spent counts on"
    asked = len(server.bodies)
    jobs.change(bank.store, job.id, ACTOR, **Limits(calls=3).as_params())
    jobs.resume(bank.store, job.id, ACTOR)
    assert jobs.wait(bank.store, job.id, seconds=WAIT_S).state is JobState.FINISHED
    assert len(server.bodies) == asked + 1, "what was answered is not asked again"
    assert {template.sql for template in bank.sql()} == {CITY, MANAGER}
    assert generation_result(bank.store, job.id)["budget_calls"] == 3


@pytest.mark.slow
def test_a_spent_sum_stops_the_job(bank, server):
    priced(bank)
    job = start_generation(bank.store, bank.project_id, sql(server, limits=Limits(money=1.0)), actor=ACTOR)
    ended = jobs.wait(bank.store, job.id, seconds=WAIT_S)
    assert ended.state is JobState.FAILED
    assert "The budget of 1 is used up" in ended.error
    assert log.of_job(bank.store, bank.project_id, job.id).calls == 1


def test_a_budget_in_money_needs_a_price(bank, server):
    with pytest.raises(InvalidInput, match="no price for the model m"):
        start_generation(bank.store, bank.project_id, sql(server, limits=Limits(money=1.0)), actor=ACTOR)
    with pytest.raises(InvalidInput, match="-1"):
        start_generation(bank.store, bank.project_id, sql(server, limits=Limits(calls=-1)), actor=ACTOR)


def test_limits_come_back_from_the_parameters_of_a_job(server):
    wanted = sql(server, limits=Limits(money=2.5, calls=7))
    assert Generation.of(wanted.as_params()) == wanted
    assert Generation.of(sql(server).as_params()).limits == Limits()
    with pytest.raises(InvalidInput, match="not a number"):
        Limits.of({"budget": "much"})
