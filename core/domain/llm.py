"""Conversations with language models: endpoints, prompts, calls, replies and their cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum


class CallState(StrEnum):
    """How a call ended; only an answered one is used again."""

    ANSWERED = "answered"
    MALFORMED = "malformed"
    TRUNCATED = "truncated"
    TIMEOUT = "timeout"
    FAILED = "failed"


class Structured(StrEnum):
    """How an endpoint is made to reply in a required form.

    ``grammar`` is JSON mode with the schema beside it (``{"type": "json_object", "schema": ...}``), as llama.cpp and
    servers built on it take it.
    """

    AUTO = "auto"
    SCHEMA = "schema"
    GRAMMAR = "grammar"
    JSON = "json"
    NONE = "none"


class PromptVariant(StrEnum):
    """How long a prompt is: in full, or short with one example, for small models."""

    FULL = "full"
    SHORT = "short"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRef:
    """Which prompt made a call: its id (``claims``, or ``claims/short``), its version, and the hash of its text."""

    id: str
    version: str
    hash: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation; the role is ``system``, ``user`` or ``assistant``."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible service.

    Attributes:
        base_url: Up to and without ``/chat/completions``.
        key_env: Name of the environment variable that holds the key; empty for a service without one.
        headers: Further headers; a value may refer to environment variables as ``${NAME}``.
        api_version: Sent as the query parameter ``api-version``, where the service wants one.
        ca_bundle: File of certificates to trust instead of the system's.
        proxy: URL of a proxy; a password in it must be a reference ``${NAME}``.
        timeout_s: Seconds one attempt may take from first to last byte.
        deadline_s: Seconds one call may take with all its attempts, from its first attempt.
        concurrency: The most calls in flight at once.
        structured: How replies are held to a form; ``auto`` finds out with one call.
    """

    id: str
    project_id: str
    name: str
    base_url: str
    key_env: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    api_version: str = ""
    ca_bundle: str = ""
    proxy: str = ""
    timeout_s: float = 60.0
    deadline_s: float = 300.0
    concurrency: int = 8
    structured: Structured = Structured.AUTO
    created_at: str = ""
    created_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a model, as the ledger stores it.

    Attributes:
        key: Hash of everything that was asked for: endpoint, model, parameters, messages, sample.
        endpoint: The base URL.
        parameters: As they were sent, which is what was asked for as far as the endpoint takes it; likewise messages.
        sample: Which of several draws of the same question it is.
        purpose: What it was made for ("judge", "generate_sql").
        reasoning: What the model thought before it answered; no part of the reply.
        error: Why there is no usable reply, or empty.
        cost: In the currency of the price table; None where the model has no price or the tokens are unknown.
        latency_s: Seconds of the last attempt.
        attempts: How often it was sent.
    """

    id: str
    project_id: str
    key: str
    endpoint: str
    model: str
    parameters: Mapping[str, object]
    messages: tuple[Message, ...]
    sample: int
    purpose: str
    prompt_id: str = ""
    prompt_version: str = ""
    prompt_hash: str = ""
    state: CallState
    reply: str = ""
    reasoning: str = ""
    finish_reason: str = ""
    error: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost: float | None = None
    latency_s: float = 0.0
    attempts: int = 1
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of a call's reply: a new call is used at once, a later equal request uses it again.

    Attributes:
        run_id: The run that made the request, or empty.
        job_id: The job that made the request where there is no run, such as one that writes templates.
        cached: Whether the reply came from the ledger and nothing was sent.
    """

    project_id: str
    call_id: str
    purpose: str
    run_id: str = ""
    job_id: str = ""
    case_id: str = ""
    cached: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """What a model costs.

    Attributes:
        input_per_million: Money for a million tokens of a request.
        output_per_million: Money for a million tokens of a reply.
        currency: As the user writes it.
    """

    model: str
    input_per_million: Decimal
    output_per_million: Decimal
    currency: str = ""
