"""Which way an endpoint can be held to a form: found out by asking once, remembered in the ledger."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future

from pydantic import BaseModel

from core.domain.llm import Call, CallState, Message, Structured
from core.llm.calls.outcomes import failure_of
from core.llm.calls.sender import Sender
from core.llm.questions import Question
from core.llm.structured import Malformed, held_to, read_form

PURPOSE = "probe"
QUESTION = (Message("user", "Which number comes after 1? Reply with JSON that has one field, number."),)
FORM_REFUSED = frozenset({"HTTP 400", "HTTP 404", "HTTP 415", "HTTP 422", "HTTP 501"})

STYLES = (Structured.SCHEMA, Structured.JSON, Structured.NONE)
"""From the strictest to the one that every endpoint takes."""

Ask = Callable[[tuple[Message, ...], Mapping[str, object]], Call]
"""Makes a call with these messages and parameters, however it ends."""

Recall = Callable[[tuple[Message, ...], Mapping[str, object]], Call | None]
"""Has the latest call with these messages and parameters, or None."""


class Probe(BaseModel):
    """What a probe asks for."""

    number: int


def probe(ask: Ask, recall: Recall) -> tuple[Structured, Call | None]:
    """The strictest way an endpoint keeps to.

    What it said before counts as long as it took one way: one that refused all of them, for want of the model or at a
    wrong address, is asked anew.

    Args:
        ask: Makes a call.
        recall: Has it from the ledger.

    Returns:
        The way; and the call that failed for another reason than the form, where the endpoint cannot be used at all.
    """
    for from_ledger in (True, False):
        for mode in STYLES:
            question = held_to(Probe, QUESTION, mode)
            call = recall(*question) if from_ledger else ask(*question)
            if call is None:
                break
            if call.state is CallState.ANSWERED and (mode is Structured.NONE or _kept_to(call.reply)):
                return mode, None
            if mode is Structured.NONE and call.state in (CallState.MALFORMED, CallState.TRUNCATED):
                return mode, None
            failed = call.state in (CallState.FAILED, CallState.TIMEOUT)
            if failed and (mode is Structured.NONE or not _refused(call)):
                if from_ledger:
                    break
                return mode, call
    return Structured.NONE, None


class Way:
    """How one model is held to a form: as its endpoint's settings say, else as it turns out.

    Args:
        sender: What the questions go through that find it out.
    """

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._way = sender.endpoint.structured
        self._going: Future[tuple[Structured, Call | None]] | None = None
        self._lock = threading.Lock()

    def structured(self) -> Structured:
        """The way; whoever comes while it is found out shares what comes of it.

        Raises:
            CallFailed: The endpoint cannot be reached, or refuses us.
            BudgetSpent: Nothing more may be sent.
        """
        if self._way is not Structured.AUTO:
            return self._way
        with self._lock:
            first = self._going is None
            going = self._going = self._going or Future()
        if first:
            try:
                way, failed = probe(self._ask, self._recall)
                if failed is None:
                    self._way = way
                going.set_result((way, failed))
            except BaseException as error:
                going.set_exception(error)
                raise
            finally:
                self._going = None
        way, failed = going.result()
        if failed is not None:
            raise failure_of(failed)
        return way

    def _ask(self, messages: tuple[Message, ...], parameters: Mapping[str, object]) -> Call:
        return self._sender.call(Question(messages=messages, parameters=parameters, purpose=PURPOSE))[0]

    def _recall(self, messages: tuple[Message, ...], parameters: Mapping[str, object]) -> Call | None:
        question = Question(messages=messages, parameters=parameters, purpose=PURPOSE)
        return self._sender.recall(question, answered=False)


def _refused(call: Call) -> bool:
    """Whether the endpoint said no to the request itself, as one does that does not know a parameter."""
    return call.error.split(":")[0] in FORM_REFUSED


def _kept_to(reply: str) -> bool:
    try:
        read_form(Probe, reply)
    except Malformed:
        return False
    return True
