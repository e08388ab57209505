"""Which form of reply an endpoint enforces: proven by a form that the words do not state.

A model may well reply in JSON because it was told to. So the question asks for one word in plain English, and only the
schema, or JSON mode, asks for an object: who gets the object has an endpoint that enforces it, who gets the word has
one that lets it go. JSON mode is asked for with the schema beside it, as llama.cpp's server takes it: an object of the
form shows a grammar, any other one JSON mode alone. Where that is refused, JSON mode is asked for by itself.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from pydantic import BaseModel

from core.domain.llm import Call, CallState, Message, Structured
from core.domain.model_profiles import Ground
from core.llm.calls.outcomes import failure_of
from core.llm.calls.sender import Sender
from core.llm.profiles.adapting import PURPOSE
from core.llm.profiles.known import Known
from core.llm.profiles.wire import OPTION
from core.llm.questions import Question
from core.llm.replies.structured import enforcing

SYSTEM: Final = Message("system", "You answer questions about small numbers.")
_NOT_IN_JSON: Final = Message(
    "user", "Which number comes after 1? Answer with one word in plain English, and not in JSON."
)
FREE: Final = {
    Structured.SCHEMA: Message("user", "Which number comes after 1? Answer with one word in plain English."),
    Structured.GRAMMAR: _NOT_IN_JSON,
    Structured.JSON: _NOT_IN_JSON,
    Structured.NONE: Message("user", "Which number comes after 1? Answer with one word."),
}
"""What is asked in each way; a service's JSON mode may want the word JSON in the messages."""

LIMIT, THINKING_LIMIT = 60, 1_000
"""Tokens of a reply: of one word or a small object, which a weak model that may write nothing but JSON follows with
blanks until it is stopped; and of one that may be thoughts so far."""

REFUSED: Final = frozenset({"HTTP 400", "HTTP 404", "HTTP 415", "HTTP 422", "HTTP 500", "HTTP 501"})
HELD: Final = {
    Structured.SCHEMA: "A reply had the fields of a schema that the words did not state.",
    Structured.GRAMMAR: "A reply had the fields of a schema that stood beside JSON mode and not in the words.",
    Structured.JSON: "A reply was JSON though the words asked for plain English.",
    Structured.NONE: "A schema and JSON mode were taken and not kept to, or refused.",
}

_FENCE: Final = re.compile(r"^```\w*\s*|\s*```$")
"""Around JSON, as some services send what they hold to a form."""

Ask = Callable[[Question], Call]
"""Makes a call, however it ends."""


class Probe(BaseModel):
    """A form that no free answer has."""

    kestrel: int
    basalt: bool


def question_of(mode: Structured, *, sample: int = 0, limit: int = LIMIT) -> Question:
    """What is asked to see whether a way is enforced."""
    return Question(
        messages=(SYSTEM, FREE[mode]),
        parameters={"temperature": 0.0, "max_tokens": limit, **enforcing(Probe, mode)},
        purpose=PURPOSE,
        sample=sample,
    )


def prove(ask: Ask, *, sample: int = 0, seen: Callable[[], object] = lambda: None) -> tuple[Structured, Call]:
    """The strictest way that an endpoint enforces, and the call that showed it.

    Where the endpoint cannot be used at all, the call has failed, and the way says nothing.

    Args:
        ask: Makes a call.
        sample: Tells the calls apart from those of before; 0 takes what the ledger has.
        seen: What is known of the endpoint; where a plain question changes that, the ways are asked once more.
    """
    refused: set[Structured] = set()
    unexplained: list[Structured] = []
    before = seen()
    for mode in (Structured.SCHEMA, Structured.GRAMMAR, Structured.JSON):
        if mode is Structured.JSON and Structured.GRAMMAR not in refused:
            break  # that was asked for JSON as well
        call = _asked(ask, mode, sample)
        if _said(call) == "HTTP 500" and not _names_form(call):
            call = _asked(ask, mode, sample + 1)  # it may have been a hiccup
        if call.state in (CallState.FAILED, CallState.TIMEOUT):
            if _said(call) not in REFUSED:
                return mode, call
            refused.add(mode)
            if _said(call) == "HTTP 500" and not _names_form(call):
                unexplained.append(mode)
        elif way := shown(mode, call.reply):
            if refused and seen() != before:  # somebody found out meanwhile that it was not the schema that was refused
                return prove(ask, sample=sample + 2, seen=seen)
            return _once_up(ask, unexplained, sample) or (way, call)
    if len(refused) == len(OPTION):
        call = ask(question_of(Structured.NONE, sample=sample))
        if call.state not in (CallState.FAILED, CallState.TIMEOUT) and seen() != before:
            return prove(ask, sample=sample + 2, seen=seen)  # it was not the form that was refused
    return _once_up(ask, unexplained, sample) or (Structured.NONE, call)


def _once_up(ask: Ask, unexplained: list[Structured], sample: int) -> tuple[Structured, Call] | None:
    """The strictest way that failed without a word of it while the server may have been starting, and is kept now."""
    for mode in unexplained:
        call = _asked(ask, mode, sample + 2)
        if call.state not in (CallState.FAILED, CallState.TIMEOUT) and (way := shown(mode, call.reply)):
            return way, call
    return None


def shown(mode: Structured, reply: str) -> Structured | None:
    """The way that a reply shows to be enforced, asked for in one; a schema that is let go may leave JSON mode."""
    if holds(mode, reply):
        return mode
    return Structured.JSON if mode is Structured.GRAMMAR and holds(Structured.JSON, reply) else None


def holds(mode: Structured, reply: str) -> bool:
    """Whether a reply shows that a way is enforced; one that was cut off may show it by how it begins."""
    text = _FENCE.sub("", reply.strip())
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return text.startswith("{") and (mode is Structured.JSON or '"kestrel"' in text)
    if not isinstance(document, dict):
        return False
    return mode is Structured.JSON or set(document) == set(Probe.model_fields)


class Way:
    """How one model is held to a form: as its endpoint's settings or a person say, else as it turns out.

    Args:
        sender: What the questions go through that find it out.
        known: What is known of the model.
    """

    def __init__(self, sender: Sender, known: Known) -> None:
        self._sender = sender
        self._known = known
        self._going: Future[Call] | None = None
        self._lock = threading.Lock()

    @property
    def open(self) -> bool:
        """Whether nobody has found it out yet."""
        return self._known.now().structured is Structured.AUTO

    def structured(self) -> Structured:
        """The way; whoever comes while it is found out shares what comes of it.

        Raises:
            CallFailed: The endpoint cannot be reached, or refuses us.
            BudgetSpent: Nothing more may be sent.
        """
        if (way := self._known.now().structured) is not Structured.AUTO:
            return way
        with self._lock:
            first = self._going is None
            going = self._going = self._going or Future()
        if first:
            try:
                way, call = prove(lambda question: self._sender.call(question)[0], seen=self._known.now)
                if call.state not in (CallState.FAILED, CallState.TIMEOUT):
                    learn(self._known, way, call)
                going.set_result(call)
            except BaseException as error:
                going.set_exception(error)
                raise
            finally:
                self._going = None
        call = going.result()
        if call.state in (CallState.FAILED, CallState.TIMEOUT):
            raise failure_of(call)
        return self._known.now().structured


def learn(known: Known, way: Structured, call: Call) -> None:
    """Keeps which way an endpoint enforces."""
    known.learn({"structured": way}, [Ground(name="structured", text=HELD[way], call_id=call.id)])


def _asked(ask: Ask, mode: Structured, sample: int) -> Call:
    call = ask(question_of(mode, sample=sample))
    if call.state is not CallState.TRUNCATED or shown(mode, call.reply):
        return call
    longer = ask(question_of(mode, sample=sample, limit=THINKING_LIMIT))  # it may not have thought to the end
    return call if longer.state is CallState.TIMEOUT else longer


def _said(call: Call) -> str:
    return call.error.split(":")[0] if call.state is CallState.FAILED else ""


def _names_form(call: Call) -> bool:
    return any(word in call.error for word in ("response_format", "json_schema", "json_object", "schema", "grammar"))
