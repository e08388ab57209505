"""Parts of the settings of an HTTP target that not every service needs: jobs that are asked about, OAuth."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import parse_qsl

from pydantic import BaseModel, ConfigDict, Field, field_validator

from core.net.addresses import split_address
from core.net.secrets import REFERENCE, holds_secret
from core.targets.over_http.json_paths import JsonPath, compile_path

_BLANKS = re.compile(r"\{\{\s*(\w*)\s*\}\}")
DONE = ("done", "completed", "complete", "succeeded", "success", "finished", "ready")
FAILED = ("failed", "error", "cancelled", "canceled", "expired", "timeout", "aborted")


def check_address(url: str, *, holes: bool) -> str:
    """An address as it may stand in the settings.

    Args:
        url: The address.
        holes: Whether path and query may have placeholders such as ``{{question}}``.

    Raises:
        ValueError: It is none, carries a secret, or has a placeholder where none may be.
    """
    url = _BLANKS.sub(r"{{\1}}", url.strip())
    try:
        parts = split_address(url)
    except ValueError as error:
        raise ValueError(f"it {error}") from None
    if "${" in parts.netloc or "{{" in parts.netloc:
        raise ValueError("its host is written out")
    if "{{" in url and not holes:
        raise ValueError("it has a placeholder, which has no value here")
    if "@" in parts.netloc:
        raise ValueError("it carries a user or a password, which belong in a header as ${NAME}")
    if REFERENCE.search(parts.path):
        raise ValueError("its path refers to an environment variable, which belongs in a header")
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if REFERENCE.search(value):
            raise ValueError(f"its parameter {name} refers to an environment variable, which belongs in a header")
        if holds_secret(name, value) and "{{" not in value:
            raise ValueError(f"its parameter {name} would keep a secret in the file; send it in a header as ${{NAME}}")
    return url


class Job(BaseModel):
    """How the answer of a service is fetched that takes a question first and answers later.

    Attributes:
        id: JSONPath of the job's id in the first reply.
        url: What is asked with GET for the state, with ``{{job_id}}``; on the host of the question.
        status: JSONPath of the state.
        done: States in which the answer is there, in any letters.
        failed: States in which it will never be.
        result_url: What is asked for the answer once it is there; without it the reply with the state has it.
        every_s: Seconds between two questions for the state.
        timeout_s: Seconds from the first reply to the answer.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    id: str = Field(min_length=1, max_length=500)
    url: str = Field(max_length=2_000)
    status: str = Field(min_length=1, max_length=500)
    done: tuple[str, ...] = Field(default=DONE, min_length=1, max_length=50)
    failed: tuple[str, ...] = Field(default=FAILED, max_length=50)
    result_url: str = Field(default="", max_length=2_000)
    every_s: float = Field(default=1.0, ge=0.01, le=600)
    timeout_s: float = Field(default=300.0, gt=0, le=3_600)

    @field_validator("id", "status")
    @classmethod
    def _is_path(cls, path: str) -> str:
        compile_path(path)
        return path

    @field_validator("url", "result_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        if url and "{{" not in url:
            raise ValueError("it does not say where the job's id goes, as {{job_id}}")
        return check_address(url, holes=True) if url else ""

    def path(self, field: str) -> JsonPath:
        """The path of the id or of the state, ready to use."""
        text: str = getattr(self, field)
        return compile_path(text)


class OAuth(BaseModel):
    """OAuth 2.0 with client credentials: a token is fetched before the first question, and again when it is over.

    Attributes:
        token_url: Where tokens are issued.
        client_id: Written out, or ``${NAME}`` of an environment variable.
        client_secret: ``${NAME}`` of an environment variable.
        scope: What is asked for, several parted by blanks; empty for what the service gives by itself.
        audience: Whom the token is for, where the service wants to know.
        send: Whether id and secret go into the header Authorization, or into the body.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True, hide_input_in_errors=True)

    token_url: str = Field(max_length=2_000)
    client_id: str = Field(min_length=1, max_length=500)
    client_secret: str = Field(min_length=4, max_length=200)
    scope: str = Field(default="", max_length=2_000)
    audience: str = Field(default="", max_length=2_000)
    send: Literal["header", "body"] = "header"

    @field_validator("token_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        return check_address(url, holes=False)

    @field_validator("client_secret")
    @classmethod
    def _is_reference(cls, value: str) -> str:
        if not REFERENCE.fullmatch(value):
            raise ValueError("it is ${NAME} of an environment variable; a secret is never kept in the file")
        return value
