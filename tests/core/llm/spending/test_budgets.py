"""What a run may spend: never more calls, hardly more money, and counted on where it is resumed."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal

import pytest

from core.domain.errors import BudgetSpent, InvalidInput
from core.domain.llm import Message, Price
from core.domain.status import Status
from core.llm import Budget, open_chat
from core.store.database import Store
from core.store.models import calls as llm_calls
from core.store.models import prices
from tests.support.models.ledger_calls import QUESTIONS, plain_call, plain_use
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url, with_run


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        with_run(opened)
        yield opened


def spend(budget, calls, cost, *, seconds=0.002, threads=10):
    """So many calls from so many threads; how many were let through."""
    sent, stopped = [], []

    def one(number):
        try:
            with budget.reserve() as spending:
                time.sleep(seconds)
                spending.sent, spending.cost = True, cost
                sent.append(number)
        except BudgetSpent as error:
            stopped.append(error.status)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(one, range(calls)))
    assert set(stopped) <= {Status.BUDGET_STOPPED}
    return len(sent)


@pytest.mark.parametrize("limit", [{"money": -1.0}, {"calls": -1}, {"money": float("nan")}])
def test_a_limit_that_is_none_is_refused(store, limit):
    with pytest.raises(InvalidInput):
        Budget(store, "run_1", **limit)


@pytest.mark.parametrize("limit", [{}, {"money": float("inf")}])
def test_without_a_limit_all_go(store, limit):
    assert spend(Budget(store, "run_1", **limit), 50, 1.0) == 50


@pytest.mark.parametrize("calls", [0, 1, 7])
def test_never_more_calls_than_the_limit(store, calls):
    assert spend(Budget(store, "run_1", calls=calls), 60, None) == calls


def test_nothing_goes_for_no_money(store):
    assert spend(Budget(store, "run_1", money=0.0), 5, 0.1) == 0


@pytest.mark.parametrize(("money", "at_most"), [(1.0, 11), (0.05, 1), (0.5, 6), (3.0, 31)])
def test_money_ends_the_run_one_call_above_it_at_most(store, money, at_most):
    # 0.1 a call, 10 at once: a limit that looked only at what is back would let 9 more through.
    sent = spend(Budget(store, "run_1", money=money), 100, 0.1)
    assert at_most - 1 <= sent <= at_most


def test_the_first_call_goes_alone_so_that_no_batch_of_unknown_cost_does(store):
    assert spend(Budget(store, "run_1", money=0.01), 40, 5.0, seconds=0.03, threads=40) == 1


def test_calls_that_fail_do_not_hold_up_the_others(store):
    budget, together = Budget(store, "run_1", money=1.0), threading.Barrier(10)
    assert spend(budget, 1, None) == 1  # the first goes alone

    def one(_):
        with budget.reserve() as spending:
            together.wait(60)  # whoever goes on alone waits in vain
            spending.sent, spending.cost = True, None

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(one, range(40)))


def test_a_call_that_was_not_sent_is_not_counted(store):
    budget = Budget(store, "run_1", calls=1)
    with pytest.raises(ValueError, match="before it went out"), budget.reserve():
        raise ValueError("before it went out")
    assert spend(budget, 3, None) == 1


def test_who_waits_for_the_first_call_goes_on_when_it_breaks(store):
    budget, begun = Budget(store, "run_1", money=1.0), threading.Event()

    def breaks():
        with suppress(ValueError), budget.reserve():
            begun.set()
            time.sleep(0.05)
            raise ValueError("broken")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(breaks)
        begun.wait(60)
        assert pool.submit(spend, budget, 1, 0.1).result(60) == 1
        first.result(60)


def test_a_resumed_budget_counts_what_was_sent_and_not_what_was_shared(store):
    with store.pulse() as connection:
        llm_calls.add(
            connection,
            [plain_call(number, project="prj_1", cost=cost) for number, cost in enumerate((0.25, 0.25, None, 9.0))],
            [
                *(plain_use(number, project="prj_1", run_id="run_1") for number in range(3)),
                plain_use(3, project="prj_1", run_id="run_1", cached=True),
                plain_use(3, project="prj_1"),
            ],
        )
    assert spend(Budget(store, "run_1", calls=5), 10, None) == 2
    # 0.50 is spent: 0.25 more comes to 0.75, and the next to 1.00.
    assert spend(Budget(store, "run_1", money=1.0), 10, 0.25, threads=1) == 2
    assert spend(Budget(store, "run_2", calls=5), 10, None) == 5, "another run has its own"


def priced(store, per_million="1000000"):
    """A coin for each token of a request."""
    price = Price(model="m", input_per_million=Decimal(per_million), output_per_million=Decimal(0))
    with store.pulse() as connection:
        prices.replace(connection, "prj_1", [price])


def test_a_budget_in_money_needs_a_price(store):
    with pytest.raises(InvalidInput, match="no price for the model m"):
        open_chat(store, "prj_1", "m@http://127.0.0.1:9/v1", budget=Budget(store, "run_1", money=1.0))
    priced(store)
    assert open_chat(store, "prj_1", "m@http://127.0.0.1:9/v1", budget=Budget(store, "run_1", money=1.0))


def test_a_run_ends_with_its_money_and_goes_on_with_more(store):
    priced(store)
    with LlmServer(latency=0.01) as server:

        def run(money):
            budget = Budget(store, "run_1", money=money)
            chat = open_chat(store, "prj_1", server.spec(), run_id="run_1", budget=budget)
            done = 0
            for number in range(10):
                try:
                    chat.ask((Message("user", f"one two {number}"),), purpose="judge")  # three tokens, three coins
                    done += 1
                except BudgetSpent:
                    pass
            return done

        assert run(9.0) == 3
        assert len(server.bodies) == 3
        assert run(15.0) == 5, "three from the ledger, two more for six coins"
        assert len(server.bodies) == 5


def test_an_endpoint_that_counts_no_tokens_cannot_keep_a_budget_in_money(store):
    priced(store)
    body = b'{"choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}'
    with LlmServer(lambda _: Fault(raw=body)) as server:
        chat = open_chat(store, "prj_1", server.spec(), run_id="run_1", budget=Budget(store, "run_1", money=100.0))
        assert chat.ask(QUESTIONS[0], purpose="judge").text == "yes"
        with pytest.raises(BudgetSpent, match="does not report the tokens"):
            chat.ask(QUESTIONS[1], purpose="judge")
        assert chat.ask(QUESTIONS[0], purpose="judge").cached, "what is in the ledger costs nothing"
        assert len(server.bodies) == 1
