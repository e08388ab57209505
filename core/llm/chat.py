"""A model as the rest of Plumbline talks to it: ask, and have the reply from the endpoint or from the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from core.domain.errors import CallFailed, InvalidInput
from core.domain.llm import CallState, Message, PromptRef, PromptVariant, Structured
from core.domain.status import Status
from core.llm.addresses import check, nameless, split_spec
from core.llm.calls.gate import gate_of
from core.llm.calls.ledger import ledger_of
from core.llm.calls.outcomes import Reply as Reply
from core.llm.calls.outcomes import failure_of, reply_of
from core.llm.calls.sender import Sender
from core.llm.probing import Way
from core.llm.prompts.catalogue import SHORT
from core.llm.questions import Question, Scope, parameters_of, sendable_messages
from core.llm.shapes import shape_of
from core.llm.spending.budgets import Budget
from core.llm.structured import Malformed, held_to, read_form, repair_request
from core.llm.variants import variant_of
from core.store.database import Store
from core.store.models import endpoints
from core.store.models import prices as model_prices

Form = TypeVar("Form", bound=BaseModel)

SPARE_THREADS = 4
"""Callers beyond the calls in flight: while one has its reply committed, another sends."""


class ChatModel:
    """One model at one endpoint; its methods block and may be called from any thread but the loop's.

    Args:
        sender: What its questions go through.
        prompts: The variant of the prompts it is asked with.

    Attributes:
        spec: ``MODEL@BASE_URL``.
        model: The model's name.
        base_url: The endpoint's address.
        concurrency: From how many threads it is worth calling; the endpoint gets no more calls at once than its own
            ceiling allows, whoever makes them.
        prompts: In which variant whoever asks it loads a prompt.
    """

    def __init__(self, sender: Sender, *, prompts: PromptVariant = PromptVariant.FULL) -> None:
        endpoint = sender.endpoint
        self.model, self.base_url = sender.model, endpoint.base_url
        self.spec = f"{sender.model}@{endpoint.base_url}"
        self.concurrency = endpoint.concurrency + max(SPARE_THREADS, endpoint.concurrency // 4)
        self.prompts = prompts
        self._sender = sender
        self._way = Way(sender)

    @property
    def faults(self) -> Mapping[str, int]:
        """Attempts of this process at this endpoint that failed, by reason."""
        return dict(self._sender.gate.faults)

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
        question = Question(
            messages=sendable_messages(messages),
            parameters=parameters_of(temperature, max_tokens),
            purpose=purpose,
            case_id=case_id,
            prompt=prompt,
            sample=sample,
        )
        return reply_of(*self._sender.answer(question))

    def knows(
        self,
        messages: Sequence[Message],
        *,
        temperature: float | None = 0.0,
        max_tokens: int | None = None,
        sample: int = 0,
    ) -> bool:
        """Whether `ask` would have the reply from the ledger, without sending anything."""
        question = Question(
            messages=sendable_messages(messages),
            parameters=parameters_of(temperature, max_tokens),
            purpose="",
            sample=sample,
        )
        return self._sender.recall(question, answered=True) is not None

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

        The endpoint is held to the form as far as it can be (JSON schema, JSON, or the instruction alone); a short
        prompt has an example in place of the instruction. A reply that
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
        by_example = prompt is not None and prompt.id.endswith(SHORT)
        form_messages, more = held_to(form, sendable_messages(messages), self._way.structured(), by_example=by_example)
        question = Question(
            messages=form_messages,
            parameters=parameters_of(temperature, max_tokens) | more,
            purpose=purpose,
            case_id=case_id,
            prompt=prompt,
            sample=sample,
        )
        if (again := self._repair(form, question)) is not None:
            return self._read(form, again)
        try:
            return self._read(form, question)
        except CallFailed as error:
            if error.status is not Status.PARSE_FAILED:
                raise
            raw = error.raw
        return self._read(form, _repaired(form, question, raw))

    def structured(self) -> Structured:
        """How the endpoint is held to a form; where its settings leave that open it is asked, once in a project.

        Raises:
            CallFailed: It cannot be reached, or refuses us.
            BudgetSpent: Nothing more may be sent.
        """
        return self._way.structured()

    def _read(self, form: type[Form], question: Question) -> tuple[Form, Reply]:
        read = partial(read_form, form)
        call, cached = self._sender.answer(question, read)
        try:
            return read(call.reply), reply_of(call, cached)
        except Malformed as malformed:  # it answered an equal question, whose form took more
            raise failure_of(replace(call, state=CallState.MALFORMED, error=str(malformed))) from None

    def _repair(self, form: type[BaseModel], question: Question) -> Question | None:
        """The request that repaired the reply to a question before; so that asking it again sends nothing."""
        latest = self._sender.recall(question, answered=False)
        if latest is None or latest.state is not CallState.MALFORMED:
            return None
        again = _repaired(form, question, latest.reply)
        return None if self._sender.recall(again, answered=True) is None else again


def open_chat(
    store: Store,
    project_id: str,
    spec: str,
    *,
    run_id: str = "",
    job_id: str = "",
    budget: Budget | None = None,
    prompts: PromptVariant | None = None,
) -> ChatModel:
    """Opens a model; nothing is sent yet.

    Args:
        store: Where the ledger, the endpoints and the prices are.
        project_id: Whose model it is; "" for work outside any project.
        spec: ``MODEL@BASE_URL``. An endpoint of the project with this address lends its settings.
        run_id: The run it is asked for, if any.
        job_id: The job it is asked for, where there is no run.
        budget: What may be spent.
        prompts: The variant of the prompts it is asked with; None leaves that to what is known of the model.

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
            f"There is a budget in money but no price for the model {model}.",
            "Give its price on the Models page, or limit the number of calls instead.",
        )
    scope = Scope(project_id=project_id, run_id=run_id, job_id=job_id)
    return ChatModel(
        Sender(
            model=model,
            endpoint=endpoint,
            gate=gate_of(endpoint),
            ledger=ledger_of(store),
            scope=scope,
            budget=budget,
            prices=prices,
        ),
        prompts=variant_of(store, project_id, spec, prompts),
    )


def _repaired(form: type[BaseModel], question: Question, raw: str) -> Question:
    """The request for a reply that could not be read; it depends on that reply alone."""
    try:
        read_form(form, raw)
        fault = "it is not of the form asked for"
    except Malformed as malformed:
        fault = str(malformed)
    shape = shape_of(form) if question.prompt is not None and question.prompt.id.endswith(SHORT) else ""
    return replace(question, messages=repair_request(question.messages, raw, f"{fault}.", shape))
