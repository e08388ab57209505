"""A question to a model: all that is asked for, the key it is kept under, and what the answer is for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from pydantic import BaseModel

from core.domain.identity import content_hash
from core.domain.llm import Call, CallState, Endpoint, Message, PromptRef, Use
from core.llm.calls.texts import sendable


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose question it is.

    Attributes:
        project_id: Whose ledger serves it; "" for work outside any project.
        run_id: The run it is asked for, if any.
        job_id: The job it is asked for, where there is no run.
        purpose: What all its questions are for, in place of what each says; "" leaves it to them.
    """

    project_id: str = ""
    run_id: str = ""
    job_id: str = ""
    purpose: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked, and what for.

    Attributes:
        messages: The conversation.
        parameters: What is asked for beside it, such as the temperature; the endpoint's profile says how it is sent.
        form: The form the reply must have; the messages state it in words, and it is no part of the key besides.
        purpose: What the reply is for, a short name.
        case_id: The test case it belongs to, if any.
        prompt: What the messages were rendered from.
        sample: Tells repeated draws of one question apart.
    """

    messages: tuple[Message, ...]
    parameters: Mapping[str, object] = field(default_factory=dict)
    form: type[BaseModel] | None = None
    purpose: str
    case_id: str = ""
    prompt: PromptRef | None = None
    sample: int = 0


def parameters_of(temperature: float | None, max_tokens: int | None) -> dict[str, object]:
    """What is sent for a temperature and a longest reply; None leaves either to the endpoint."""
    # 0 and 0.0 are one temperature, and must be one key.
    parameters = {"temperature": None if temperature is None else float(temperature), "max_tokens": max_tokens}
    return {name: value for name, value in parameters.items() if value is not None}


def sendable_messages(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages as they can be sent; see `sendable`."""
    return tuple(Message(message.role, sendable(message.content)) for message in messages)


def unsent(
    question: Question, model: str, endpoint: Endpoint, scope: Scope, chosen: Mapping[str, object] | None = None
) -> Call:
    """A call that was not sent yet, under the key of all that was asked for.

    How an endpoint takes it is no part of the key: the question is the same whether a temperature is sent or the
    endpoint refuses one, and whether its form is enforced or only stated. So a profile may change, and what was
    answered before is found.

    Args:
        question: What is asked.
        model: The model's name.
        endpoint: Where.
        scope: Whose question it is.
        chosen: Further parameters that a person has set for this model, which do decide the answer.
    """
    prompt = question.prompt
    decides = {
        "endpoint": endpoint.base_url,
        "api_version": endpoint.api_version,
        "model": model,
        "parameters": {**question.parameters, **(chosen or {})},
        "messages": [(message.role, message.content) for message in question.messages],
        "sample": question.sample,
    }
    return Call(
        id="",
        project_id=scope.project_id,
        key=content_hash(decides),
        endpoint=endpoint.base_url,
        model=model,
        parameters=question.parameters,
        messages=question.messages,
        sample=question.sample,
        purpose=scope.purpose or question.purpose,
        prompt_id=prompt.id if prompt else "",
        prompt_version=prompt.version if prompt else "",
        prompt_hash=prompt.hash if prompt else "",
        state=CallState.FAILED,
    )


def use_of(question: Question, call: Call, scope: Scope, *, cached: bool) -> Use:
    """One use of a call's reply, now."""
    return Use(
        project_id=scope.project_id,
        call_id=call.id,
        purpose=scope.purpose or question.purpose,
        run_id=scope.run_id,
        job_id=scope.job_id,
        case_id=question.case_id,
        cached=cached,
        at=now(),
    )


def now() -> str:
    """The time as the ledger keeps it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
