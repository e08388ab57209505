"""What documents by a model will take before they are built, and where their budget stops them."""

from decimal import Decimal

import pytest

from core import jobs
from core.domain.errors import InvalidInput
from core.domain.jobs import JobState
from core.domain.llm import Price
from core.domain.sources.projects import SourceKind
from core.knowledge.building import Build, start_documents
from core.knowledge.cost import expected_cost
from core.llm import Limits
from core.llm.calls import log
from core.llm.spending.estimates import Between
from core.store import sources
from core.store.models import prices
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

WAIT_S = 300


@pytest.fixture
def server():
    """A model that says what it is asked, so that every fact is in it."""
    with LlmServer(lambda body: body["messages"][-1]["content"]) as started:
        yield started


def build(server, **more):
    return Build(method="llm", model=server.spec(), tables=("branch",), send_rows=True, **more)


@pytest.mark.slow
def test_an_estimate_holds_what_then_comes_and_sends_nothing(store, bank, server):
    price = Price(model="m", input_per_million=Decimal(1000), output_per_million=Decimal(0), currency="EUR")
    with store.pulse() as connection:
        prices.replace(connection, bank, [price])
    (part,) = expected_cost(store, bank, build(server))
    assert server.bodies == []
    assert part.calls == Between(low=6, high=12), "six branches, each asked once or twice"
    assert part.money.low < part.money.high
    job = start_documents(store, bank, build(server), actor=ACTOR)
    assert jobs.wait(store, job.id, seconds=WAIT_S).state is JobState.FINISHED
    characters = sum(len(message["content"]) for body in server.bodies for message in body["messages"])
    assert part.prompt_tokens.low < characters / 4 < part.prompt_tokens.high
    spent = log.of_job(store, bank, job.id)
    assert (spent.calls, spent.priced) == (6, 6)


def test_by_rules_nothing_is_estimated(store, bank):
    assert expected_cost(store, bank, Build()) == ()


@pytest.mark.slow
def test_a_spent_budget_stops_the_build_which_goes_on_with_more(store, bank, server):
    job = start_documents(store, bank, build(server, limits=Limits(calls=4)), actor=ACTOR)
    ended = jobs.wait(store, job.id, seconds=WAIT_S)
    assert (ended.state, len(server.bodies)) == (JobState.FAILED, 4)
    assert "The budget of 4 calls is used up" in ended.error
    with store.read() as connection:
        assert sources.latest(connection, bank, SourceKind.CORPUS) is None
    jobs.change(store, job.id, ACTOR, **Limits(calls=6).as_params())
    jobs.resume(store, job.id, ACTOR)
    assert jobs.wait(store, job.id, seconds=WAIT_S).state is JobState.FINISHED
    assert len(server.bodies) == 6, "what was answered is not asked again"


def test_a_budget_in_money_needs_a_price(store, bank, server):
    with pytest.raises(InvalidInput, match="no price for the model m"):
        start_documents(store, bank, build(server, limits=Limits(money=1.0)), actor=ACTOR)
