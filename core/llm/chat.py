"""A model as the rest of Plumbline talks to it: ask, and have the reply from the endpoint or from the ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Semaphore
from typing import TypeVar

from pydantic import BaseModel

from core.domain.errors import CallFailed, InvalidInput
from core.domain.llm import Call, CallState, Endpoint, Message, PromptRef, PromptVariant, Structured
from core.domain.model_profiles import Profile
from core.domain.status import Status
from core.llm.addresses import check, nameless, split_spec
from core.llm.calls.gate import gate_of
from core.llm.calls.ledger import SharedLedger, ledger_of
from core.llm.calls.outcomes import Reply as Reply
from core.llm.calls.outcomes import failure_of, reply_of
from core.llm.calls.sender import Again, Sender, Superseded, nothing_else
from core.llm.profiles.adapting import Adapter
from core.llm.profiles.discovery import discover
from core.llm.profiles.forms import Way
from core.llm.profiles.known import Known, known_of
from core.llm.prompts.catalogue import SHORT
from core.llm.questions import Question, Scope, parameters_of, sendable_messages
from core.llm.replies.reading import Copied, Malformed, read_form, read_reply
from core.llm.replies.structured import repair_request, stated
from core.llm.spending.budgets import Budget
from core.store.database import Store
from core.store.models import endpoints
from core.store.models import prices as model_prices

Form = TypeVar("Form", bound=BaseModel)

SPARE_THREADS = 4
"""Callers beyond the calls in flight, at the least: while one has its reply committed, another sends."""

SPARE_SHARE = 2
"""One more caller for so many calls in flight: a reply of a fifth of a second takes half as long again to be judged by
the rules, committed and read, on a busy machine."""


class ChatModel:
    """One model at one endpoint; its methods block and may be called from any thread but the loop's.

    Args:
        sender: What its questions go through.
        adapter: What puts them in the words that the endpoint takes.
        known: What is known of it.
        at_once: The most of them in flight; None for as many as the endpoint allows.
        prompts: The variant of the prompts it is asked with; None leaves that to what is known of it.

    Attributes:
        spec: ``MODEL@BASE_URL``.
        model: The model's name.
        base_url: The endpoint's address.
        at_once: The most of its questions in flight.
        concurrency: From how many threads it is worth calling; the endpoint gets no more calls at once than its own
            ceiling allows, whoever makes them.
        prompts: In which variant whoever asks it loads a prompt.
    """

    def __init__(
        self,
        sender: Sender,
        adapter: Adapter,
        known: Known,
        *,
        at_once: int | None = None,
        prompts: PromptVariant | None = None,
    ) -> None:
        endpoint = sender.endpoint
        self.model, self.base_url = sender.model, endpoint.base_url
        self.spec = f"{sender.model}@{endpoint.base_url}"
        self.at_once = min(endpoint.concurrency, at_once or endpoint.concurrency)
        self.concurrency = self.at_once + max(SPARE_THREADS, self.at_once // SPARE_SHARE)
        self.prompts = prompts or known.now().prompts
        self._sender = sender
        self._adapter, self._known = adapter, known
        self._way = Way(sender, known)

    @property
    def faults(self) -> Mapping[str, int]:
        """Attempts of this process at this endpoint that failed, by reason."""
        return dict(self._sender.gate.faults)

    @property
    def profile(self) -> Profile:
        """What the model takes and how it replies, as it is known now; with what a person has set."""
        return self._known.profile

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
        return self._sender.recall(question) is not None

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

        The form is stated in words, and the endpoint is held to it as far as it can be (JSON schema, JSON, or the words
        alone); a short prompt has an example in place of the words. A reply that is not of the form, or copies that
        example, is sent back once with what is wrong with it; what then still is not, is kept in the ledger and fails
        the call.

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
        plain = self._plain
        by_example = _by_example(prompt)
        question = Question(
            messages=stated(form, sendable_messages(messages), plain=plain, by_example=by_example),
            parameters=parameters_of(temperature, max_tokens),
            form=form,
            purpose=purpose,
            case_id=case_id,
            prompt=prompt,
            sample=sample,
        )
        if self._way.open and self._sender.recall(question) is None:
            self._way.structured()
        try:
            return self._read(form, question, partial(self._repair, form, question))
        except Superseded as error:
            return self._read(form, error.question)
        except CallFailed as error:
            if error.status is not Status.PARSE_FAILED:
                raise
            raw = error.raw
        return self._read(form, _repaired(form, question, raw, plain=plain))

    def structured(self) -> Structured:
        """How the endpoint is held to a form; where its settings leave that open it is asked, once in a project.

        Raises:
            CallFailed: It cannot be reached, or refuses us.
            BudgetSpent: Nothing more may be sent.
        """
        return self._way.structured()

    def discover(self, progress: Callable[[str], None] = lambda stage: None) -> Profile:
        """Finds out all that the model takes, by a dozen calls; what was found before is asked anew.

        Args:
            progress: Called with what is asked next.

        Raises:
            CallFailed: The endpoint cannot be used; what was known before stands.
        """
        return discover(self._sender, self._adapter, self._known, progress=progress)

    @property
    def _plain(self) -> bool:
        """Whether a form is told field by field: a model that gets the short prompts replies with a schema's words."""
        return self.prompts is PromptVariant.SHORT

    def _read(self, form: type[Form], question: Question, again: Again = nothing_else) -> tuple[Form, Reply]:
        read = _reader(form, question)
        call, cached = self._sender.answer(question, read, again)
        try:
            return read(call.reply), reply_of(call, cached)
        except Malformed as malformed:  # it answered an equal question, whose form took more
            raise failure_of(replace(call, state=CallState.MALFORMED, error=str(malformed))) from None

    def _repair(self, form: type[BaseModel], question: Question, latest: Call) -> Question | None:
        """The request that repaired the latest reply to a question; so that asking it again sends nothing."""
        if latest.state is not CallState.MALFORMED:
            return None
        again = _repaired(form, question, latest.reply, plain=self._plain)
        return None if self._sender.recall(again) is None else again


def open_chat(
    store: Store,
    project_id: str,
    spec: str,
    *,
    run_id: str = "",
    job_id: str = "",
    purpose: str = "",
    budget: Budget | None = None,
    endpoint: Endpoint | None = None,
    at_once: int | None = None,
    shared: SharedLedger | None = None,
    prompts: PromptVariant | None = None,
) -> ChatModel:
    """Opens a model; nothing is sent yet.

    Args:
        store: Where the ledger, the endpoints and the prices are.
        project_id: Whose model it is; "" for work outside any project.
        spec: ``MODEL@BASE_URL``. An endpoint of the project with this address lends its settings.
        run_id: The run it is asked for, if any.
        job_id: The job it is asked for, where there is no run.
        purpose: What all its calls are for, in place of what each caller says; "" leaves it to them.
        budget: What may be spent.
        endpoint: With whose settings it is called where the project keeps no endpoint at this address.
        at_once: The most of its calls in flight. An endpoint that somebody set up has a ceiling of its own beside it;
            an address that was only named has none but this, which each stage that calls it has for itself.
        shared: A ledger that is looked into besides the store's own, and gets a copy of each call.
        prompts: The variant of the prompts it is asked with; None leaves that to what is known of the model.

    Raises:
        InvalidInput: The spec or the endpoint cannot be used, its host is not allowed, a variable it refers to is not
            set, or there is a budget in money and no price of the model.
    """
    model, base_url = split_spec(spec)
    with store.read() as connection:
        kept = endpoints.at(connection, project_id, base_url) if project_id else None
        prices = model_prices.all(connection, project_id) if project_id else {}
    endpoint = kept or endpoint or nameless(base_url, at_once)
    check(endpoint)
    if budget is not None and budget.money is not None and model not in prices:
        raise InvalidInput(
            f"There is a budget in money but no price for the model {model}.",
            "Give its price on the Models page, or limit the number of calls instead.",
        )
    gate, known = gate_of(endpoint), known_of(store, project_id, model, endpoint)
    carrier = Adapter(model, gate, known)
    sender = Sender(
        model=model,
        endpoint=endpoint,
        gate=gate,
        carrier=carrier,
        ledger=ledger_of(store, shared),
        scope=Scope(project_id=project_id, run_id=run_id, job_id=job_id, purpose=purpose),
        budget=budget,
        prices=prices,
        slots=Semaphore(at_once) if at_once else None,
    )
    carrier.note = sender.note
    return ChatModel(sender, carrier, known, at_once=at_once, prompts=prompts)


def _repaired(form: type[BaseModel], question: Question, raw: str, *, plain: bool) -> Question:
    """The request for a reply that could not be read; it depends on that reply alone."""
    fault, is_copy = "it is not of the form asked for", False
    try:
        _reader(form, question)(raw)
    except Malformed as malformed:
        fault, is_copy = str(malformed), isinstance(malformed, Copied)
    told = _by_example(question.prompt)
    again = repair_request(question.messages, raw, f"{fault}.", form, plain=plain, by_example=told, is_copy=is_copy)
    return replace(question, messages=again)


def _reader(form: type[Form], question: Question) -> Callable[[str], Form]:
    """What reads a reply to a question; a copy of the example in a short prompt is none."""
    if _by_example(question.prompt):
        return partial(read_reply, form, question.messages)
    return partial(read_form, form, asked=question.messages)


def _by_example(prompt: PromptRef | None) -> bool:
    """Whether a prompt shows the form of its reply by an example, as the short ones do."""
    return prompt is not None and prompt.id.endswith(SHORT)
