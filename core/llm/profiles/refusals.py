"""What a refusal is about: which part of a request an endpoint names, and what to send instead.

The words are those of OpenAI, Azure, vLLM, Ollama, llama.cpp, LM Studio, Mistral, Google, LiteLLM, DashScope and the
validators of their frameworks. A name in an error is a hint and no proof: what is changed for it counts only where the
same refusal does not come back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain.llm import Structured
from core.domain.model_profiles import Api, Capabilities, TokenLimit
from core.llm.calls.transport import Fault
from core.llm.profiles.wire import (
    EFFORT,
    EXTRA,
    GRAMMAR,
    JSON_MODE,
    LIMIT,
    OPTION,
    SCHEMA,
    STREAM_USAGE,
    SYSTEM,
    TEMPERATURE,
    Wire,
)

DOUBTFUL = frozenset({400, 404, 405, 406, 415, 422, 500, 501})
"""HTTP statuses of a request that may be answered in other words."""

API_VERSION = "2024-10-21"
"""Sent where an endpoint asks for an ``api-version`` and its settings name none: Azure's last one that is not a preview
of the dated interface."""

_ABOUT_ELSE = re.compile(
    r"content[_ ](?:filter|management)|context[_ ](?:length|window|size)|maximum context|too many tokens|"
    r"prompt is too long|exceeds? (?:the )?(?:available )?context|invalid[_ ]api[_ ]key|insufficient[_ ]quota|"
    r"model[_ ]not[_ ]found|DeploymentNotFound|no such model|"
    r"model\b.{0,80}\b(?:not found|does not exist|not exist|not available)",
    re.IGNORECASE,
)
"""Refusals of what is asked and of whom, which no other wording of the request cures."""

_NAMES = {
    SCHEMA: r"response_?format|json[_ ]?schema|structured[_ ]outputs?|text\.format|\bgrammar\b|guided|additionalProp",
    GRAMMAR: r"response_?format|json[_ ]?schema|\bschema\b|json_object|\bgrammar\b|additionalProp",
    JSON_MODE: r"response_?format|json_object|json[_ ]mode|text\.format|\bgrammar\b",
    TEMPERATURE: r"\btemperature\b",
    LIMIT: r"max_(?:completion_|output_|new_)?tokens",
    EFFORT: r"reasoning[_. ]?effort|\breasoning\b|\bthinking\b",
    STREAM_USAGE: r"stream_options|include_usage",
    SYSTEM: r"\bsystem\b.{0,40}(?:role|message|prompt|instruction)|(?:role|message|instruction)s?\b.{0,40}\bsystem\b|"
    r"developer instruction|roles? must alternate|\.role\b|system_instruction",
}

_STREAM = re.compile(r"\bstream(?:ing)?\b(?!_options)", re.IGNORECASE)
_VERSION = re.compile(r"api[-_ ]version", re.IGNORECASE)
_RESPONSES = re.compile(r"\bresponses\b|not (?:a chat|supported in the v1/chat)", re.IGNORECASE)
_OTHER_LIMIT = re.compile(r"max_completion_tokens", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of a request that may cure a refusal.

    Attributes:
        name: The capability it changes.
        after: What the endpoint is taken for then.
        text: What was seen, where it helps.
    """

    name: str
    after: Capabilities
    text: str


def doubtful(fault: Fault, wire: Wire, *, proven: bool) -> bool:
    """Whether a fault may be about how something is asked rather than what.

    Args:
        fault: What came back.
        wire: What was sent.
        proven: Whether the endpoint took a request with the same options before.
    """
    if fault.http_status not in DOUBTFUL or (_ABOUT_ELSE.search(_words(fault)) and not _limit_alone(fault, wire)):
        return False
    return not proven or bool(_named(fault, wire))


def steps(fault: Fault, wire: Wire, now: Capabilities) -> Iterator[Step]:
    """What may cure a refusal, what its words name first."""
    said = _words(fault)
    if _VERSION.search(said) and not now.api_version:
        yield _step(now, fault, "api_version", api_version=API_VERSION)
    if _STREAM.search(said) and not now.stream:
        yield _step(now, fault, "stream", stream=True)
    if _RESPONSES.search(said) and now.api is not Api.RESPONSES:
        yield _step(now, fault, "api", api=Api.RESPONSES)
    for name in _named(fault, wire):
        yield from _without(name, fault, now)
    if fault.http_status in (404, 405) and now.api is Api.CHAT:
        yield _step(now, fault, "api", api=Api.RESPONSES)
        if not now.api_version:
            yield _step(now, fault, "api_version", api_version=API_VERSION)
        yield _step(now, fault, "api", api=Api.AZURE, api_version=now.api_version or API_VERSION)


def without(name: str, now: Capabilities) -> Capabilities:
    """An endpoint that does not take an option."""
    if name == TEMPERATURE:
        return replace(now, temperature=False)
    if name == LIMIT:
        return replace(now, token_limit=TokenLimit.NONE)
    if name == SYSTEM:
        return replace(now, system=False)
    after = replace(now, refused=tuple(sorted({*now.refused, name})))
    if name in OPTION.values() and now.structured in OPTION:
        return replace(after, structured=Structured.NONE if name == JSON_MODE else Structured.JSON)
    return after


def capability(name: str) -> str:
    """The capability that an option is about."""
    names = {**dict.fromkeys(OPTION.values(), "structured"), LIMIT: "token_limit", EFFORT: "effort"}
    return names.get(name, name)


def same(one: Fault, other: Fault) -> bool:
    """Whether two refusals say the same; figures and quoted values aside, which change with the request."""
    return one.http_status == other.http_status and kind_of(one) == kind_of(other)


def kind_of(fault: Fault) -> str:
    """The words of a fault without what changes from one request to the next."""
    return re.sub(r"[0-9a-f]{8,}|\d+", "#", f"{fault.param} {fault.reason}", flags=re.IGNORECASE)


def _without(name: str, fault: Fault, now: Capabilities) -> Iterator[Step]:
    if name == LIMIT:
        if _limit_is_long(fault):
            return  # this one is too long, another may not be
        if now.token_limit is TokenLimit.MAX_TOKENS:
            yield _step(now, fault, "token_limit", token_limit=TokenLimit.MAX_COMPLETION_TOKENS)
        elif not _OTHER_LIMIT.search(fault.reason) or now.token_limit is TokenLimit.MAX_COMPLETION_TOKENS:
            yield _step(now, fault, "token_limit", token_limit=TokenLimit.MAX_TOKENS)
    yield Step(name=capability(name), after=without(name, now), text=fault.reason)


def _step(now: Capabilities, fault: Fault, name: str, **changes: object) -> Step:
    return Step(name=name, after=replace(now, **changes), text=fault.reason)  # type: ignore[arg-type]


def _named(fault: Fault, wire: Wire) -> list[str]:
    """The options of a request that a fault names; the one in a field of its own first."""
    said = _words(fault)
    named = [name for name in wire.options if name != EXTRA and re.search(_NAMES[name], said, re.IGNORECASE)]
    if EXTRA in wire.options and any(
        re.search(rf"\b{re.escape(name)}\b", said) for name in wire.parameters if len(name) > 1 and name not in _OURS
    ):
        named.append(EXTRA)
    return sorted(named, key=lambda name: (not re.search(_NAMES.get(name, "$^"), fault.param, re.I), name))


_OURS = frozenset(
    {"temperature", "max_tokens", "max_completion_tokens", "response_format", "reasoning_effort", "stream"}
)


def _words(fault: Fault) -> str:
    return f"{fault.param} {fault.code} {fault.reason}"


def _limit_is_long(fault: Fault) -> bool:
    return bool(re.search(r"too (?:large|long|high)|at most|maximum|less than|exceed", fault.reason, re.IGNORECASE))


def _limit_alone(fault: Fault, wire: Wire) -> bool:
    """Whether a refusal for want of context may be one of the limit of the reply rather than of the prompt."""
    return LIMIT in wire.options and bool(re.search(_NAMES[LIMIT], _words(fault)))
