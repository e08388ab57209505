"""What an HTTP target is asked and how it is called: a YAML file or a form, checked alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal
from urllib.parse import quote, urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from core.domain.errors import InvalidInput
from core.net.gate import Destination, admit, destination_of
from core.net.gate.variables import TARGET_PREFIX, is_setting
from core.net.secrets import REFERENCE, SET_BY_US, holds_secret, looks_secret
from core.targets.over_http.parts import Job, OAuth, check_address
from core.targets.over_http.paths import ReplyPaths

PLACEHOLDERS = ("question", "case_id", "session_id")
_PLACEHOLDER = re.compile(r"\{\{\s*(\w*)\s*\}\}")
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
MOST_SHOWN = 5

_REMEDIES = {
    "url": "Give the address that answers one question, such as https://rag.example.com/ask or .../ask/{{question}}.",
    "method": "Give POST, PUT, PATCH or GET.",
    "headers": "Give names and values, secrets as ${NAME} of an environment variable.",
    "request": 'Give the JSON to send, with "{{question}}" in quotes where the question goes.',
    "response": "Give a JSONPath for the answer, such as answer: $.answer, or leave it out to read the reply as it is.",
    "job": "Give id, url with {{job_id}} and status, or leave it out.",
    "oauth": "Give token_url, client_id and client_secret as ${NAME}, or leave it out.",
    "client_certificate": "Give the path of a PEM file, with client_key beside it, or leave both out.",
    "client_key_password": "Give it as ${NAME} of an environment variable.",
    "timeout_s": "Give seconds above 0 and at most 3600.",
    "concurrency": "Give a whole number from 1 to 256.",
    "rate": "Give requests a second, above 0 and at most 10000, or leave it out.",
    "retries": "Give a whole number from 0 to 10.",
    "max_bytes": "Give a whole number from 1000 to 100000000.",
    "verify": "Give true, or false for a server whose certificate is not to be checked.",
    "ca_bundle": "Give the path of a PEM file, or leave it out.",
}


class HttpConfig(BaseModel):
    """An HTTP target, whole.

    Attributes:
        url: What is called; its path and its query may hold placeholders, its host is written out.
        method: GET sends the request template as query parameters, the others as JSON.
        headers: By name; secrets are references ``${NAME}`` to environment variables.
        request: JSON in which ``{{question}}``, ``{{case_id}}`` and ``{{session_id}}`` (a new one for every question)
            stand for their values; None where the address has the question.
        response: Where the reply keeps what; without a path of the answer it is read as it is.
        job: How the answer is fetched from a service that answers later.
        oauth: How a token is fetched.
        timeout_s: Seconds one request may take from the first to the last byte.
        concurrency: Requests in flight at most.
        rate: Requests a second at most; None for no limit.
        retries: How often a request is sent again after a failed connection or a status that may pass.
        max_bytes: Largest reply that is read.
        verify: Whether the server's certificate is checked.
        ca_bundle: File of certificates to trust instead of the usual ones.
        client_certificate: File of the certificate with which Plumbline shows who it is (mutual TLS).
        client_key: File of its key; empty where the certificate's file has it.
        client_key_password: ``${NAME}`` of the variable with the key's password.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    url: str = Field(max_length=2_000)
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict, max_length=50)
    request: JsonValue = None
    response: ReplyPaths = Field(default_factory=ReplyPaths)
    job: Job | None = None
    oauth: OAuth | None = None
    timeout_s: float = Field(default=60.0, gt=0, le=3_600)
    concurrency: int = Field(default=4, ge=1, le=256)
    rate: float | None = Field(default=None, gt=0, le=10_000)
    retries: int = Field(default=3, ge=0, le=10)
    max_bytes: int = Field(default=5_000_000, ge=1_000, le=100_000_000)
    verify: bool = True
    ca_bundle: str = Field(default="", max_length=1_000)
    client_certificate: str = Field(default="", max_length=1_000)
    client_key: str = Field(default="", max_length=1_000)
    client_key_password: str = Field(default="", max_length=200)

    @field_validator("url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        url = check_address(url, holes=True)
        _known(_PLACEHOLDER.findall(url))
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
    def _asks(cls, request: JsonValue, info: ValidationInfo) -> JsonValue:
        placeholders = set()
        for name, text in _texts_in(request, ""):
            placeholders.update(_PLACEHOLDER.findall(text))
            if REFERENCE.search(text):
                raise ValueError(f"{name} refers to an environment variable, which belongs in a header")
            if looks_secret(name) and not _PLACEHOLDER.search(text) and holds_secret(name, text):
                raise ValueError(f"{name} would keep a secret in the file; send it in a header as ${{NAME}}")
        _known(placeholders)
        if "question" not in {*placeholders, *_PLACEHOLDER.findall(str(info.data.get("url", "")))}:
            raise ValueError("it does not say where the question goes")
        return request

    @field_validator("client_key_password")
    @classmethod
    def _is_reference(cls, value: str) -> str:
        if value and not REFERENCE.fullmatch(value):
            raise ValueError("it is ${NAME} of an environment variable; a secret is never kept in the file")
        return value

    @model_validator(mode="after")
    def _fits(self) -> HttpConfig:
        if self.request is None and "question" not in _PLACEHOLDER.findall(self.url):
            raise ValueError("request: it does not say where the question goes")
        flat = isinstance(self.request, dict) and not any(
            isinstance(value, (dict, list)) for value in self.request.values()
        )
        if self.method == "GET" and not (self.request is None or flat):
            raise ValueError("request: with GET it must be names and plain values, which become query parameters")
        if self.client_key and not self.client_certificate:
            raise ValueError("client_certificate: it is missing beside client_key")
        if self.oauth is not None and "authorization" in {name.lower() for name in self.headers}:
            raise ValueError("headers: Authorization is set by oauth")
        for url in (self.job.url, self.job.result_url) if self.job else ():
            if url and destination_of(url) != self.destination:
                raise ValueError("job: its address is on another host than the question's")
        return self

    @property
    def host(self) -> str:
        """The host that is called."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int | None:
        """The port that is called, None for the usual one of the scheme or one that a variable gives."""
        try:
            return urlsplit(self.url).port
        except ValueError:
            return None

    @property
    def destination(self) -> Destination:
        """Where requests go."""
        return destination_of(self.url)

    @property
    def addresses(self) -> tuple[str, ...]:
        """Every address that is called: of the questions, and of the tokens."""
        return (self.url, self.oauth.token_url) if self.oauth else (self.url,)


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
    for address in config.addresses:
        admit(destination_of(address))
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


def filled_url(url: str, values: Mapping[str, str]) -> str:
    """An address with its placeholders replaced; no text can lead to another path than its place.

    >>> filled_url("https://rag.example/ask/{{question}}?id={{ case_id }}", {"question": "a/b ?", "case_id": "."})
    'https://rag.example/ask/a%2Fb%20%3F?id=%2E'
    """

    def value(match: re.Match[str]) -> str:
        text = values.get(match[1], match[0])
        return "%2E" * len(text) if set(text) == {"."} else quote(text, safe="")

    return _PLACEHOLDER.sub(value, url)


def _known(placeholders: Iterable[str]) -> None:
    if unknown := sorted(set(placeholders) - set(PLACEHOLDERS)):
        known = f"{', '.join(f'{{{{{name}}}}}' for name in PLACEHOLDERS[:-1])} and {{{{{PLACEHOLDERS[-1]}}}}}"
        raise ValueError(f"it has {{{{{unknown[0]}}}}}, and only {known} are known")


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
