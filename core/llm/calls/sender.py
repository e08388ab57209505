"""Questions to one model: served from the ledger where they can be, else sent within the budget and committed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from threading import Semaphore
from typing import Protocol

from core.domain.errors import CallFailed
from core.domain.identity import new_id
from core.domain.llm import Call, CallState, Endpoint, Message, Price
from core.domain.status import Status
from core.llm.calls.gate import Gate, Outcome
from core.llm.calls.ledger import Ledger
from core.llm.calls.outcomes import ended, failure_of
from core.llm.calls.replies import Completion
from core.llm.questions import Question, Scope, now, unsent, use_of
from core.llm.spending.budgets import Budget, Spending

Read = Callable[[str], object]
"""Reads a reply; raises `Malformed` where it is not of the form asked for."""


Again = Callable[[Call], "Question | None"]
"""The question that is asked in place of one whose latest call was not answered; None where that is asked itself."""

LONG_HINT = (
    "Give the model a larger context (num_ctx at Ollama, --ctx-size or --max-model-len elsewhere) and detect its "
    "profile again, or send fewer or shorter passages."
)


def as_it_is(text: str) -> str:
    """Reads a reply of any form."""
    return text


def nothing_else(latest: Call) -> Question | None:
    """Whatever came of it before, the question itself is asked again."""
    return None


class Superseded(Exception):
    """A question is not sent, since another one was answered in its place.

    Attributes:
        question: That one.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A question that was sent, and what came of it.

    Attributes:
        outcome: The completion or the last fault.
        messages: As they were sent.
        parameters: Likewise.
        cut: How the endpoint cut the prompt; "" where it did not.
        learnt: What is known of the model since, by name.
    """

    outcome: Outcome
    messages: tuple[Message, ...]
    parameters: Mapping[str, object]
    cut: str = ""
    learnt: tuple[str, ...] = ()


class Carrier(Protocol):
    """What puts questions in the words that an endpoint takes, and sends them."""

    def chosen(self) -> Mapping[str, object]:
        """What a person has set for this model that decides the answer."""
        ...

    def too_long(self, question: Question) -> str:
        """Why a question cannot be put to this model at all; "" where it can."""
        ...

    def deliver(self, question: Question) -> Delivery:
        """Sends a question; what the endpoint refuses of its words is put in others."""
        ...

    def witness(self, call: Call, learnt: Collection[str]) -> None:
        """Learns from a call that was committed, and that it is the ground of what was learnt."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """One model at one endpoint, asked for somebody.

    Attributes:
        model: The model's name.
        endpoint: Where it is.
        gate: All that is sent there goes through it.
        carrier: Sends a question through it, in the words of the model's profile.
        ledger: What was asked before.
        scope: Whose questions they are.
        budget: What they may cost.
        prices: By model.
        slots: Of the calls in flight that this one may have, whatever the gate would let through; None for no limit.
    """

    model: str
    endpoint: Endpoint
    gate: Gate
    carrier: Carrier
    ledger: Ledger
    scope: Scope
    budget: Budget | None
    prices: Mapping[str, Price]
    slots: Semaphore | None = None

    def answer(self, question: Question, read: Read = as_it_is, again: Again = nothing_else) -> tuple[Call, bool]:
        """The answered call and whether it was there already.

        Raises:
            CallFailed: There is no usable reply.
            BudgetSpent: Nothing more may be sent.
            Superseded: Another question was answered in its place.
        """
        call, shared = self.call(question, read, again)
        if call.state is not CallState.ANSWERED:
            raise failure_of(call)
        return call, shared

    def call(self, question: Question, read: Read = as_it_is, again: Again = nothing_else) -> tuple[Call, bool]:
        """The call however it ended, and whether it was there already or made by somebody else.

        Raises:
            BudgetSpent: Nothing more may be sent.
            Superseded: Another question was answered in its place.
        """
        fresh = self._unsent(question)

        def before(latest: Call) -> None:
            if (other := again(latest)) is not None:
                raise Superseded(other)

        make = partial(self._send, question, fresh, read)
        call, shared = self.ledger.once(fresh.project_id, fresh.key, make, before)
        if shared:
            self.ledger.commit(None, use_of(question, call, self.scope, cached=True))
        return call, shared

    def recall(self, question: Question) -> Call | None:
        """The answered call to a question; None where there is none."""
        fresh = self._unsent(question)
        return self.ledger.find(fresh.project_id, fresh.key)

    def note(self, question: Question, delivery: Delivery) -> Call:
        """Keeps a request that was made to find something out about the endpoint; nothing is sent."""
        sent = replace(self._unsent(question), messages=delivery.messages, parameters=delivery.parameters)
        call = replace(ended(sent, delivery.outcome, as_it_is, self.prices), id=new_id("call"), at=now())
        self.ledger.commit(call, use_of(question, call, self.scope, cached=False))
        self.carrier.witness(call, delivery.learnt)
        return call

    def _unsent(self, question: Question) -> Call:
        return unsent(question, self.model, self.endpoint, self.scope, self.carrier.chosen())

    def _send(self, question: Question, fresh: Call, read: Read) -> Call:
        if why := self.carrier.too_long(question):
            raise CallFailed(why, LONG_HINT, status=Status.TRUNCATED)
        with self.budget.reserve() if self.budget else nullcontext(Spending()) as spending:
            with self.slots or nullcontext():
                delivery = self.carrier.deliver(question)
            outcome = delivery.outcome
            sent = replace(fresh, messages=delivery.messages, parameters=delivery.parameters)
            call = replace(ended(sent, outcome, read, self.prices, delivery.cut), id=new_id("call"), at=now())
            spending.sent, spending.cost = True, call.cost
            spending.uncounted = call.cost is None and isinstance(outcome.result, Completion)
        self.ledger.commit(call, use_of(question, call, self.scope, cached=False))
        self.carrier.witness(call, delivery.learnt)
        return call
