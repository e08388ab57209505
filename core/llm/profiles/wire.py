"""A question as one endpoint takes it: what is asked for, in the words of its profile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from core.domain.llm import Message, Structured
from core.domain.model_profiles import Api, Capabilities, TokenLimit
from core.llm.calls.responses import PATH as RESPONSES
from core.llm.calls.responses import as_responses
from core.llm.calls.transport import Route
from core.llm.questions import Question
from core.llm.replies.structured import enforcing

SCHEMA, GRAMMAR, JSON_MODE = "json_schema", "json_object.schema", "json_object"
OPTION = {Structured.SCHEMA: SCHEMA, Structured.GRAMMAR: GRAMMAR, Structured.JSON: JSON_MODE}
"""The option by which each way of holding a reply to a form may be refused."""

TEMPERATURE, LIMIT, SYSTEM = "temperature", "max_tokens", "system"
EFFORT, EXTRA, STREAM_USAGE = "reasoning_effort", "extra_body", "stream_options"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A request.

    Attributes:
        messages: The conversation.
        parameters: What is sent beside it.
        route: Where to.
        options: What of it an endpoint may refuse and can be left out or put in other words.
    """

    messages: tuple[Message, ...]
    parameters: Mapping[str, object]
    route: Route
    options: frozenset[str]


def wire_of(question: Question, capabilities: Capabilities, model: str) -> Wire:
    """The request for a question."""
    options: set[str] = set()
    parameters = dict(question.parameters)
    if "temperature" in parameters:
        if capabilities.temperature:
            options.add(TEMPERATURE)
        else:
            del parameters["temperature"]
    limit = parameters.pop("max_tokens", capabilities.reply_tokens)
    if limit is not None and capabilities.token_limit is not TokenLimit.NONE:
        parameters[capabilities.token_limit.value] = limit
        options.add(LIMIT)
    if question.form is not None and (mode := enforced(capabilities)) is not Structured.NONE:
        parameters |= enforcing(question.form, mode)
        options.add(OPTION[mode])
    if capabilities.reasoning_effort and EFFORT not in capabilities.refused:
        parameters["reasoning_effort"] = capabilities.reasoning_effort
        options.add(EFFORT)
    if capabilities.extra_body and EXTRA not in capabilities.refused:
        parameters |= capabilities.extra_body
        options.add(EXTRA)
    if capabilities.stream:
        parameters["stream"] = True
        if STREAM_USAGE not in capabilities.refused and capabilities.api is not Api.RESPONSES:
            parameters["stream_options"] = {"include_usage": True}
            options.add(STREAM_USAGE)
    messages = question.messages
    if any(message.role == "system" for message in messages):
        if capabilities.system:
            options.add(SYSTEM)
        else:
            messages = folded(messages)
    if capabilities.api is Api.RESPONSES:
        parameters = as_responses(parameters)
    return Wire(messages=messages, parameters=parameters, route=_route(capabilities, model), options=frozenset(options))


def enforced(capabilities: Capabilities) -> Structured:
    """How a form is enforced: the strictest way that is wanted and was not refused."""
    mode = capabilities.structured
    if mode is Structured.AUTO:
        mode = Structured.SCHEMA
    if mode in (Structured.SCHEMA, Structured.GRAMMAR) and OPTION[mode] in capabilities.refused:
        mode = Structured.JSON
    return Structured.NONE if mode is Structured.JSON and JSON_MODE in capabilities.refused else mode


def folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    r"""A conversation without system messages: what they say stands before the first words of the user.

    >>> folded((Message("system", "Judge."), Message("user", "Who?")))
    (Message(role='user', content='Judge.\n\nWho?'),)
    """
    said = "\n\n".join(message.content for message in messages if message.role == "system")
    rest = [message for message in messages if message.role != "system"]
    if not rest or rest[0].role != "user":
        return (Message("user", said), *rest)
    return (Message("user", f"{said}\n\n{rest[0].content}"), *rest[1:])


def chosen(capabilities: Capabilities) -> dict[str, object]:
    """What a person has set that decides the answer, and is part of what is asked."""
    more = dict(capabilities.extra_body)
    more |= {"reply_tokens": capabilities.reply_tokens} if capabilities.reply_tokens else {}
    return more | ({"reasoning_effort": capabilities.reasoning_effort} if capabilities.reasoning_effort else {})


def _route(capabilities: Capabilities, model: str) -> Route:
    azure = capabilities.api is Api.AZURE
    path = "/chat/completions"
    if capabilities.api is Api.RESPONSES:
        path = RESPONSES
    elif azure:
        path = f"/openai/deployments/{quote(model, safe='')}/chat/completions"
    return Route(path=path, api_version=capabilities.api_version, api_key=azure or bool(capabilities.api_version))
