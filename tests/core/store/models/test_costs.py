"""What calls cost when their price was given only after they were made, on each database."""

from decimal import Decimal

import pytest

from core.domain.llm import Price
from core.store.models import calls as llm_calls
from core.store.models import prices, reads
from core.store.models.reads import CallFilter
from tests.support.models.ledger_calls import plain_call, plain_use
from tests.support.stores import with_run


def priced(store, model, sent, received):
    with store.pulse() as connection:
        price = Price(model=model, input_per_million=Decimal(sent), output_per_million=Decimal(received))
        prices.replace(connection, "prj_1", [price])


@pytest.fixture
def asked(store):
    """Five calls of a run: one with a cost of its own, one without tokens, one of another model, one of no project."""
    with_run(store)
    calls = [
        plain_call(1, project="prj_1", prompt_tokens=1000, completion_tokens=500, cost=9.0),
        plain_call(2, project="prj_1", prompt_tokens=1000, completion_tokens=500),
        plain_call(3, project="prj_1", prompt_tokens=1000),
        plain_call(4, project="prj_1", model="other", prompt_tokens=1000, completion_tokens=500),
        plain_call(5, prompt_tokens=1000, completion_tokens=500),
    ]
    uses = [plain_use(number, project="prj_1", run_id="run_1") for number in (1, 2, 3, 4, 5)]
    with store.pulse() as connection:
        llm_calls.add(connection, calls, uses)
    return store


def test_a_price_that_is_given_later_counts_for_calls_without_a_cost_and_no_others(asked):
    with asked.read() as connection:
        assert llm_calls.spent(connection, "run_1") == (5, 9.0, 4)
    priced(asked, "m", "2.50", "1E+1")
    # 1,000 x 2.50 / 1,000,000 + 500 x 10 / 1,000,000 = 0.0075
    with asked.read() as connection:
        assert llm_calls.spent(connection, "run_1") == (5, pytest.approx(9.0075), 3)
        rows, _ = reads.page(connection, "prj_1", CallFilter())
        costs = {row.id: row.cost for row in rows}
        whole = {call.id: call.cost for call in reads.whole(connection, "prj_1", CallFilter())}
        (tally,) = reads.tallies(connection, "prj_1", CallFilter(run_id="run_1", model="other"))
        together = reads.tallies(connection, "prj_1", CallFilter(run_id="run_1", model="m"))
        assert llm_calls.get(connection, "call_2").cost == pytest.approx(0.0075)
        assert llm_calls.get(connection, "call_1").cost == 9.0
    assert costs == whole == {"call_1": 9.0, "call_2": pytest.approx(0.0075), "call_3": None, "call_4": None}
    assert (tally.uses, tally.priced, tally.cost) == (1, 0, 0.0)
    assert [(row.uses, row.priced, row.cost) for row in together] == [(4, 2, pytest.approx(9.0075))]


def test_a_corrected_price_corrects_what_had_none_of_its_own(asked):
    for sent, cost in (("25", 0.025), ("2.5", 0.0025)):
        priced(asked, "m", sent, "0")
        with asked.read() as connection:
            assert llm_calls.get(connection, "call_2").cost == pytest.approx(cost)
    priced(asked, "other", "1", "1")
    with asked.read() as connection:
        assert llm_calls.get(connection, "call_2").cost is None


def test_what_a_job_spent_is_told_from_what_runs_did(asked):
    uses = [plain_use(1, project="prj_1", job_id="job_1"), plain_use(2, project="prj_1", job_id="job_1", cached=True)]
    with asked.pulse() as connection:
        llm_calls.add(connection, [], uses)
    with asked.read() as connection:
        assert llm_calls.spent(connection, job_id="job_1") == (1, 9.0, 0)
        assert llm_calls.spent(connection, job_id="job_2") == (0, 0.0, 0)
        assert llm_calls.spent(connection) == (0, 0.0, 0), "of nobody"
        assert [row.id for row in reads.page(connection, "prj_1", CallFilter(job_id="job_1"))[0]] == [
            "call_2",
            "call_1",
        ]
        assert sum(row.uses for row in reads.tallies(connection, "prj_1", CallFilter(job_id="job_1"))) == 2
