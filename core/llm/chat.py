"""A model as the rest of Plumbline talks to it: ask, and have the reply from the endpoint or from the ledger."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from core.domain.errors import InvalidInput
from core.domain.identity import content_hash, new_id
from core.domain.llm import Call, CallState, Endpoint, Message, Price, PromptRef, Structured, Use
from core.domain.responses import Status
from core.llm import loop
from core.llm.addresses import check, nameless, split_spec
from core.llm.budgets import Budget, Spending
from core.llm.failures import CallFailed
from core.llm.gate import Gate, gate_of
from core.llm.ledger import Ledger, ledger_of
from core.llm.outcomes import Reply as Reply
from core.llm.outcomes import ended, failure_of, reply_of
from core.llm.probing import PURPOSE, probe
from core.llm.replies import Completion, sendable
from core.llm.structured import Malformed, held_to, read_form, repair_request
from core.store import endpoints, model_prices
from core.store.database import Store

Form = TypeVar("Form", bound=BaseModel)

SPARE_THREADS = 4
"""Callers beyond the calls in flight: while one has its reply committed, another sends."""


class ChatModel:
    """One model at one endpoint; its methods block and may be called from any thread but the loop's.

    Attributes:
        spec: ``MODEL@BASE_URL``.
        model: The model's name.
        base_url: The endpoint's address.
        concurrency: From how many threads it is worth calling; the endpoint gets no more calls at once than its own
            ceiling allows, whoever makes them.
    """

    def __init__(
        self,
        model: str,
        endpoint: Endpoint,
        gate: Gate,
        ledger: Ledger,
        *,
        project_id: str = "",
        run_id: str = "",
        budget: Budget | None = None,
        prices: Mapping[str, Price] | None = None,
    ) -> None:
        self.model, self.base_url = model, endpoint.base_url
        self.spec = f"{model}@{endpoint.base_url}"
        self.concurrency = endpoint.concurrency + max(SPARE_THREADS, endpoint.concurrency // 4)
        self._endpoint, self._gate, self._ledger = endpoint, gate, ledger
        self._project_id, self._run_id, self._budget = project_id, run_id, budget
        self._prices = prices or {}
        self._structured = endpoint.structured
        self._probing: Future[tuple[Structured, Call | None]] | None = None
        self._lock = threading.Lock()

    @property
    def faults(self) -> Mapping[str, int]:
        """Attempts of this process at this endpoint that failed, by reason."""
        return dict(self._gate.faults)

    def ask(
        self,
        messages: Sequence[Message],
        *,
        purpose: str,
        case_id: str = "",
        prompt: PromptRef | None = None,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        sample: int = 0,
    ) -> Reply:
        """Has the model's reply to a conversation.

        Args:
            messages: The conversation.
            purpose: What the reply is for, a short name.
            case_id: The test case it belongs to, if any.
            prompt: What the messages were rendered from.
            temperature: None leaves it to the endpoint, for models that take none.
            max_tokens: The longest reply; None leaves it to the endpoint.
            sample: Tells repeated draws of one question apart.

        Raises:
            CallFailed: There is no usable reply; its status says why.
            BudgetSpent: Nothing more may be sent.
        """
        parameters = _parameters(temperature, max_tokens)
        call, cached = self._made(_sendable(messages), parameters, purpose, case_id, prompt, sample, lambda text: None)
        return reply_of(call, cached)

    def ask_for(
        self,
        form: type[Form],
        messages: Sequence[Message],
        *,
        purpose: str,
        case_id: str = "",
        prompt: PromptRef | None = None,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        sample: int = 0,
    ) -> tuple[Form, Reply]:
        """Has a reply of a given form.

        The endpoint is held to the form as far as it can be (JSON schema, JSON, or the instruction alone). A reply that
        is not of the form is sent back once with what is wrong with it; what then still is not, is kept in the ledger
        and fails the call.

        Args:
            form: The reply's form.
            messages: As for `ask`, like all that follows.
            purpose: What the reply is for.
            case_id: The test case.
            prompt: What the messages were rendered from.
            temperature: None leaves it to the endpoint.
            max_tokens: The longest reply.
            sample: Tells repeated draws apart.

        Returns:
            What was read, and the reply it was read from.

        Raises:
            CallFailed: As for `ask`; with the status ``parse_failed`` and the raw reply where it is not of the form.
            BudgetSpent: Nothing more may be sent.
        """
        held, more = held_to(form, _sendable(messages), self._mode())
        parameters = _parameters(temperature, max_tokens) | more

        def read_from(asked: tuple[Message, ...]) -> tuple[Form, Reply]:
            read = partial(read_form, form)
            call, cached = self._made(asked, parameters, purpose, case_id, prompt, sample, read)
            try:
                return read(call.reply), reply_of(call, cached)
            except Malformed as malformed:  # it answered an equal question, whose form took more
                raise failure_of(replace(call, state=CallState.MALFORMED, error=str(malformed))) from None

        if (again := self._repair(form, held, parameters, sample)) is not None:
            return read_from(again)
        try:
            return read_from(held)
        except CallFailed as error:
            if error.status is not Status.PARSE_FAILED:
                raise
            raw = error.raw
        return read_from(_repaired(form, held, raw))

    def structured(self) -> Structured:
        """How the endpoint is held to a form; where its settings leave that open it is asked, once in a project.

        Raises:
            CallFailed: It cannot be reached, or refuses us.
            BudgetSpent: Nothing more may be sent.
        """
        return self._mode()

    def _mode(self) -> Structured:
        """The way replies are held to a form; whoever comes while it is found out shares what comes of it."""
        if self._structured is not Structured.AUTO:
            return self._structured
        with self._lock:
            first = self._probing is None
            going = self._probing = self._probing or Future()
        if first:
            try:
                mode, failed = probe(self._probe, self._recall)
                if failed is None:
                    self._structured = mode
                going.set_result((mode, failed))
            except BaseException as error:
                going.set_exception(error)
                raise
            finally:
                self._probing = None
        mode, failed = going.result()
        if failed is not None:
            raise failure_of(failed)
        return mode

    def _probe(self, messages: tuple[Message, ...], parameters: Mapping[str, object]) -> Call:
        fresh, use = self._fresh(messages, parameters, PURPOSE, None, 0), self._use(PURPOSE, "")
        call, shared = self._ledger.once(self._project_id, fresh.key, lambda: self._send(fresh, use, lambda text: None))
        if shared:
            self._ledger.commit(None, _used(use, call, cached=True))
        return call

    def _recall(self, messages: tuple[Message, ...], parameters: Mapping[str, object]) -> Call | None:
        fresh = self._fresh(messages, parameters, PURPOSE, None, 0)
        return self._ledger.find(self._project_id, fresh.key, answered=False)

    def _repair(
        self, form: type[BaseModel], held: tuple[Message, ...], parameters: Mapping[str, object], sample: int
    ) -> tuple[Message, ...] | None:
        """The request that repaired the reply to a question before; so that asking it again sends nothing."""
        latest = self._ledger.find(self._project_id, self._key(held, parameters, sample), answered=False)
        if latest is None or latest.state is not CallState.MALFORMED:
            return None
        again = _repaired(form, held, latest.reply)
        known = self._ledger.find(self._project_id, self._key(again, parameters, sample))
        return None if known is None else again

    def _made(
        self,
        messages: tuple[Message, ...],
        parameters: Mapping[str, object],
        purpose: str,
        case_id: str,
        prompt: PromptRef | None,
        sample: int,
        read: Callable[[str], object],
    ) -> tuple[Call, bool]:
        """The answered call and whether it was there already; one that is not is made, committed and checked."""
        fresh, use = self._fresh(messages, parameters, purpose, prompt, sample), self._use(purpose, case_id)
        call, shared = self._ledger.once(self._project_id, fresh.key, lambda: self._send(fresh, use, read))
        if shared:
            self._ledger.commit(None, _used(use, call, cached=True))
        if call.state is not CallState.ANSWERED:
            raise failure_of(call)
        return call, shared

    def _use(self, purpose: str, case_id: str) -> Use:
        return Use(
            project_id=self._project_id, call_id="", purpose=purpose, run_id=self._run_id, case_id=case_id, at=_now()
        )

    def _fresh(
        self,
        messages: tuple[Message, ...],
        parameters: Mapping[str, object],
        purpose: str,
        prompt: PromptRef | None,
        sample: int,
    ) -> Call:
        """A call that was not sent yet, under the key of all that decides its answer."""
        return Call(
            id="",
            project_id=self._project_id,
            key=self._key(messages, parameters, sample),
            endpoint=self.base_url,
            model=self.model,
            parameters=parameters,
            messages=messages,
            sample=sample,
            purpose=purpose,
            prompt_id=prompt.id if prompt else "",
            prompt_version=prompt.version if prompt else "",
            prompt_hash=prompt.hash if prompt else "",
            state=CallState.FAILED,
        )

    def _key(self, messages: tuple[Message, ...], parameters: Mapping[str, object], sample: int) -> str:
        decides = {
            "endpoint": self.base_url,
            "api_version": self._endpoint.api_version,
            "model": self.model,
            "parameters": parameters,
            "messages": [(message.role, message.content) for message in messages],
            "sample": sample,
        }
        return content_hash(decides)

    def _send(self, fresh: Call, use: Use, read: Callable[[str], object]) -> Call:
        with self._budget.reserve() if self._budget else nullcontext(Spending()) as spending:
            outcome = loop.call(self._gate.call(self.model, fresh.messages, fresh.parameters))
            call = replace(ended(fresh, outcome, read, self._prices), id=new_id("call"), at=_now())
            spending.sent, spending.cost = True, call.cost
            spending.uncounted = call.cost is None and isinstance(outcome.result, Completion)
        self._ledger.commit(call, _used(use, call, cached=False))
        return call


def open_chat(store: Store, project_id: str, spec: str, *, run_id: str = "", budget: Budget | None = None) -> ChatModel:
    """Opens a model; nothing is sent yet.

    Args:
        store: Where the ledger, the endpoints and the prices are.
        project_id: Whose model it is; "" for work outside any project.
        spec: ``MODEL@BASE_URL``. An endpoint of the project with this address lends its settings.
        run_id: The run it is asked for, if any.
        budget: What the run may spend.

    Raises:
        InvalidInput: The spec or the endpoint cannot be used, its host is not allowed, a variable it refers to is not
            set, or there is a budget in money and no price of the model.
    """
    model, base_url = split_spec(spec)
    with store.read() as connection:
        endpoint = endpoints.at(connection, project_id, base_url) if project_id else None
        prices = model_prices.all(connection, project_id) if project_id else {}
    endpoint = endpoint or nameless(base_url)
    check(endpoint)
    if budget is not None and budget.money is not None and model not in prices:
        raise InvalidInput(
            f"There is a budget in money and no price of the model {model}.",
            "Give its price on the Models page, or limit the number of calls instead.",
        )
    return ChatModel(
        model, endpoint, gate_of(endpoint), ledger_of(store),
        project_id=project_id, run_id=run_id, budget=budget, prices=prices,
    )  # fmt: skip


def _parameters(temperature: float | None, max_tokens: int | None) -> dict[str, object]:
    # 0 and 0.0 are one temperature, and must be one key.
    given = {"temperature": None if temperature is None else float(temperature), "max_tokens": max_tokens}
    return {name: value for name, value in given.items() if value is not None}


def _sendable(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(Message(message.role, sendable(message.content)) for message in messages)


def _repaired(form: type[BaseModel], held: tuple[Message, ...], raw: str) -> tuple[Message, ...]:
    """The request for a reply that could not be read; it depends on that reply alone."""
    try:
        read_form(form, raw)
        fault = "it is not of the form asked for"
    except Malformed as malformed:
        fault = str(malformed)
    return repair_request(held, raw, f"{fault}.")


def _used(use: Use, call: Call, *, cached: bool) -> Use:
    return replace(use, call_id=call.id, cached=cached)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
