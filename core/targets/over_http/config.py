"""What an HTTP target is asked and where its reply keeps what: a YAML file or a form, checked alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator, model_validator

from core.domain.errors import InvalidInput
from core.net.addresses import split_address
from core.net.gate import Destination, admit, destination_of
from core.net.gate.variables import TARGET_PREFIX, is_setting
from core.net.secrets import REFERENCE, SET_BY_US, holds_secret, looks_secret
from core.targets.over_http.json_paths import JsonPath, compile_path

PLACEHOLDERS = ("question", "case_id")
_PLACEHOLDER = re.compile(r"\{\{\s*(\w*)\s*\}\}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
MOST_SHOWN = 5

_REMEDIES = {
    "url": "Give the address that answers one question, such as https://rag.bank.example/ask.",
    "method": "Give POST, PUT, PATCH or GET.",
    "headers": "Give names and values, secrets as ${NAME} of an environment variable.",
    "request": 'Give the JSON to send, with "{{question}}" in quotes where the question goes.',
    "response": "Give a JSONPath for the answer, such as answer: $.answer, and for what else the reply has.",
    "timeout_s": "Give seconds above 0 and at most 3600.",
    "concurrency": "Give a whole number from 1 to 256.",
    "rate": "Give requests a second, above 0 and at most 10000, or leave it out.",
    "retries": "Give a whole number from 0 to 10.",
    "max_bytes": "Give a whole number from 1000 to 100000000.",
    "verify": "Give true, or false for a server whose certificate is not to be checked.",
    "ca_bundle": "Give the path of a PEM file, or leave it out.",
}


class ReplyPaths(BaseModel):
    """Where the reply keeps what, as JSONPaths; empty for what it does not have.

    Attributes:
        answer: The answer.
        contexts: The retrieved passages: texts, or objects with a text and an id.
        document_ids: The documents they are from, in the same order.
        latency: How long the system took; without it the time of the request counts.
        latency_unit: What that is given in.
        tokens: Prompt and completion tokens.
        abstained: Whether the system says it could not answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    answer: str = Field(min_length=1, max_length=500)
    contexts: str = Field(default="", max_length=500)
    document_ids: str = Field(default="", max_length=500)
    latency: str = Field(default="", max_length=500)
    latency_unit: Literal["s", "ms"] = "s"
    tokens: str = Field(default="", max_length=500)
    abstained: str = Field(default="", max_length=500)

    @field_validator("answer", "contexts", "document_ids", "latency", "tokens", "abstained")
    @classmethod
    def _is_path(cls, path: str) -> str:
        if path:
            compile_path(path)
        return path

    def path(self, field: str) -> JsonPath | None:
        """The path of a field, ready to use; None where there is none."""
        text: str = getattr(self, field)
        return compile_path(text) if text else None


class HttpConfig(BaseModel):
    """An HTTP target, whole.

    Attributes:
        url: What is called, written out whole.
        method: GET sends the request template as query parameters, the others as JSON.
        headers: By name; secrets are references ``${NAME}`` to environment variables.
        request: JSON in which ``{{question}}`` and ``{{case_id}}`` stand for their values.
        response: Where the reply keeps what.
        timeout_s: Seconds one request may take from the first to the last byte.
        concurrency: Requests in flight at most.
        rate: Requests a second at most; None for no limit.
        retries: How often a request is sent again after a failed connection or a status that may pass.
        max_bytes: Largest reply that is read.
        verify: Whether the server's certificate is checked.
        ca_bundle: File of certificates to trust instead of the usual ones.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str = Field(max_length=2_000)
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict, max_length=50)
    request: JsonValue
    response: ReplyPaths
    timeout_s: float = Field(default=60.0, gt=0, le=3_600)
    concurrency: int = Field(default=4, ge=1, le=256)
    rate: float | None = Field(default=None, gt=0, le=10_000)
    retries: int = Field(default=3, ge=0, le=10)
    max_bytes: int = Field(default=5_000_000, ge=1_000, le=100_000_000)
    verify: bool = True
    ca_bundle: str = Field(default="", max_length=1_000)

    @field_validator("url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        url = url.strip()
        try:
            parts = split_address(url)
        except ValueError as error:
            raise ValueError(f"it {error}") from None
        if "${" in parts.netloc or "{{" in url:
            raise ValueError("its host and path are written out, and the question goes into the request")
        if "@" in parts.netloc:
            raise ValueError("it carries a user or a password, which belong in a header as ${NAME}")
        for name, value in parse_qsl(parts.query, keep_blank_values=True):
            if REFERENCE.search(value):
                raise ValueError(f"its parameter {name} refers to an environment variable, which belongs in a header")
            if holds_secret(name, value):
                raise ValueError(
                    f"its parameter {name} would keep a secret in the file; send it in a header as ${{NAME}}"
                )
        return url

    @field_validator("method", mode="before")
    @classmethod
    def _upper(cls, method: object) -> object:
        return method.strip().upper() if isinstance(method, str) else method

    @field_validator("headers", mode="before")
    @classmethod
    def _texts(cls, headers: object) -> object:
        if headers is None:
            return {}
        if isinstance(headers, Mapping):  # a version such as 2 is a number in YAML
            return {str(name): str(value) if type(value) in (int, float) else value for name, value in headers.items()}
        return headers

    @field_validator("headers")
    @classmethod
    def _are_safe(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if not _HEADER.fullmatch(name):
                raise ValueError(f"{name[:60]!r} is not a valid header name")
            if name.lower() in SET_BY_US:
                raise ValueError(f"{name} is set by Plumbline itself")
            if not value.isascii() or not value.isprintable():
                raise ValueError(f"{name} has a character that a header cannot contain")
            _check_reference(value)
            if holds_secret(name, value):
                raise ValueError(f"{name} would keep a secret in the file; write ${{NAME}} in its place")
        return headers

    @field_validator("request")
    @classmethod
    def _asks(cls, request: JsonValue) -> JsonValue:
        placeholders = set()
        for name, text in _texts_in(request, ""):
            placeholders.update(_PLACEHOLDER.findall(text))
            if REFERENCE.search(text):
                raise ValueError(f"{name} refers to an environment variable, which belongs in a header")
            if looks_secret(name) and not _PLACEHOLDER.search(text) and holds_secret(name, text):
                raise ValueError(f"{name} would keep a secret in the file; send it in a header as ${{NAME}}")
        if unknown := sorted(placeholders - set(PLACEHOLDERS)):
            raise ValueError(f"it has {{{{{unknown[0]}}}}}, and only {{{{question}}}} and {{{{case_id}}}} are known")
        if "question" not in placeholders:
            raise ValueError("it does not say where the question goes")
        return request

    @model_validator(mode="after")
    def _get_is_flat(self) -> HttpConfig:
        if self.method == "GET" and not (
            isinstance(self.request, dict)
            and not any(isinstance(value, (dict, list)) for value in self.request.values())
        ):
            raise ValueError("request: with GET it must be names and plain values, which become query parameters")
        return self

    @property
    def host(self) -> str:
        """The host that is called."""
        return urlsplit(self.url).hostname or ""

    @property
    def destination(self) -> Destination:
        """Where requests go."""
        return destination_of(self.url)


def check_config(document: object) -> HttpConfig:
    """A settings document as a checked config.

    Args:
        document: What a YAML file or a form gave.

    Raises:
        InvalidInput: Something in it cannot be used; the message names each field, never a value that may be secret.
    """
    if not isinstance(document, Mapping):
        raise InvalidInput(
            "The settings of an HTTP target are not names and values.", "Give url, request and response."
        )
    try:
        config = HttpConfig.model_validate(dict(document))
    except ValidationError as error:
        raise _refusal(error) from None
    admit(config.destination)
    return config


def filled(request: JsonValue, values: Mapping[str, str]) -> JsonValue:
    """The request template with its placeholders replaced inside its values, so that no text can change its form.

    >>> filled({"q": "{{question}}", "n": [1, "Case {{ case_id }}"]}, {"question": 'a "b"', "case_id": "c1"})
    {'q': 'a "b"', 'n': [1, 'Case c1']}
    """
    if isinstance(request, str):
        return _PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), request)
    if isinstance(request, list):
        return [filled(item, values) for item in request]
    if isinstance(request, dict):
        return {name: filled(item, values) for name, item in request.items()}
    return request


def _texts_in(value: JsonValue, name: str) -> list[tuple[str, str]]:
    """Every text of a JSON value with the name it stands under."""
    if isinstance(value, str):
        return [(name, value)]
    if isinstance(value, list):
        return [text for item in value for text in _texts_in(item, name)]
    if isinstance(value, dict):
        return [text for key, item in value.items() for text in _texts_in(item, key)]
    return []


def _check_reference(text: str) -> None:
    for name in REFERENCE.findall(text):
        if is_setting(name):
            raise ValueError(f"${{{name}}} is a setting of Plumbline and is sent nowhere; name it {TARGET_PREFIX}...")


@cache
def field_names() -> tuple[str, ...]:
    """The fields of the settings, in the order in which they are written."""
    return tuple(HttpConfig.model_fields)


def _refusal(error: ValidationError) -> InvalidInput:
    faults = error.errors(include_url=False, include_context=False, include_input=False)
    messages, remedies = [], []
    for fault in faults[:MOST_SHOWN]:
        message = _message(fault)
        place = ".".join(str(part) for part in fault["loc"])
        messages.append(f"{place}: {message}" if place else message)
        remedies.append(_REMEDIES.get(str(fault["loc"][0]) if fault["loc"] else message.partition(":")[0], ""))
    more = f" and {len(faults) - MOST_SHOWN} more" if len(faults) > MOST_SHOWN else ""
    remedies = list(dict.fromkeys(remedy for remedy in remedies if remedy))
    fields = f"The fields are {', '.join(field_names())}."
    return InvalidInput(f"The settings cannot be used: {'; '.join(messages)}{more}.", " ".join(remedies) or fields)


def _message(fault: Mapping[str, Any]) -> str:
    if fault["type"] == "missing":
        return "it is missing"
    if fault["type"] == "extra_forbidden":
        return "there is no such field"
    message = str(fault["msg"])
    return (
        message.removeprefix("Value error, ") if fault["type"] == "value_error" else message[:1].lower() + message[1:]
    )
