"""Questions to one model: served from the ledger where they can be, else sent within the budget and committed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from threading import Semaphore

from core.domain.identity import new_id
from core.domain.llm import Call, CallState, Endpoint, Price
from core.llm.calls.gate import Gate
from core.llm.calls.ledger import Ledger
from core.llm.calls.outcomes import ended, failure_of
from core.llm.calls.replies import Completion
from core.llm.questions import Question, Scope, now, unsent, use_of
from core.llm.spending.budgets import Budget, Spending
from core.net import loop

Read = Callable[[str], object]
"""Reads a reply; raises `Malformed` where it is not of the form asked for."""


def as_it_is(text: str) -> str:
    """Reads a reply of any form."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """One model at one endpoint, asked for somebody.

    Attributes:
        model: The model's name.
        endpoint: Where it is.
        gate: All that is sent there goes through it.
        ledger: What was asked before.
        scope: Whose questions they are.
        budget: What they may cost.
        prices: By model.
        slots: Of the calls in flight that this one may have, whatever the gate would let through; None for no limit.
    """

    model: str
    endpoint: Endpoint
    gate: Gate
    ledger: Ledger
    scope: Scope
    budget: Budget | None
    prices: Mapping[str, Price]
    slots: Semaphore | None = None

    def answer(self, question: Question, read: Read = as_it_is) -> tuple[Call, bool]:
        """The answered call and whether it was there already.

        Raises:
            CallFailed: There is no usable reply.
            BudgetSpent: Nothing more may be sent.
        """
        call, shared = self.call(question, read)
        if call.state is not CallState.ANSWERED:
            raise failure_of(call)
        return call, shared

    def call(self, question: Question, read: Read = as_it_is) -> tuple[Call, bool]:
        """The call however it ended, and whether it was there already or made by somebody else.

        Raises:
            BudgetSpent: Nothing more may be sent.
        """
        fresh = self._unsent(question)
        call, shared = self.ledger.once(fresh.project_id, fresh.key, lambda: self._send(question, fresh, read))
        if shared:
            self.ledger.commit(None, use_of(question, call, self.scope, cached=True))
        return call, shared

    def recall(self, question: Question, *, answered: bool) -> Call | None:
        """The answered call to a question, or the latest however it ended; None where there is none."""
        fresh = self._unsent(question)
        return self.ledger.find(fresh.project_id, fresh.key, answered=answered)

    def _unsent(self, question: Question) -> Call:
        return unsent(question, self.model, self.endpoint, self.scope)

    def _send(self, question: Question, fresh: Call, read: Read) -> Call:
        with self.budget.reserve() if self.budget else nullcontext(Spending()) as spending:
            with self.slots or nullcontext():
                outcome = loop.call(self.gate.call(self.model, fresh.messages, fresh.parameters))
            call = replace(ended(fresh, outcome, read, self.prices), id=new_id("call"), at=now())
            spending.sent, spending.cost = True, call.cost
            spending.uncounted = call.cost is None and isinstance(outcome.result, Completion)
        self.ledger.commit(call, use_of(question, call, self.scope, cached=False))
        return call
