"""The fields of a system over HTTP: what stands in them at first, as entered before or from a preset."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from core.targets.over_http.config import HttpConfig
from core.targets.over_http.parts import DONE, FAILED
from pages.kit import state

REQUEST: Final = '{\n  "question": "{{question}}"\n}'
NONE, OAUTH = "Headers only", "OAuth client credentials"
PATHS: Final = ("contexts", "document_ids", "scores", "latency", "tokens", "abstained")

CHAT: Final[Mapping[str, str]] = {
    "request": json.dumps(
        {"model": "default", "messages": [{"role": "user", "content": "{{question}}"}]}, indent=2, ensure_ascii=False
    ),
    "answer": "$.choices[0].message.content",
    "tokens": "$.usage.total_tokens",
}
"""What an OpenAI-compatible service is asked, and where its reply keeps what."""

_FIRST: Final[Mapping[str, object]] = {
    "url": "",
    "method": "POST",
    "request": REQUEST,
    "headers": "",
    "answer": "$.answer",
    **dict.fromkeys(PATHS, ""),
    "document_id": "",
    "abstained_values": "",
    "unit": "s",
    "timeout": 60.0,
    "concurrency": 4,
    "rate": None,
    "retries": 3,
    "max_bytes": 5_000_000,
    "ca": "",
    "verify": True,
    "tokens_by": NONE,
    "oauth_url": "",
    "oauth_scope": "",
    "oauth_id": "",
    "oauth_secret": "",
    "oauth_send": "header",
    "client_certificate": "",
    "client_key": "",
    "client_key_password": "",
    "job_on": False,
    "job_url": "",
    "job_id": "",
    "job_status": "",
    "job_every": 1.0,
    "job_timeout": 300.0,
    "job_done": "",
    "job_failed": "",
}
"""What stands in the fields of a form that nobody has filled in; each field's key is its name behind ``http_``."""


def begin(project_id: str, entered: HttpConfig | None) -> None:
    """Fills the form once a session and project, before it is drawn; what is typed afterwards stays.

    Args:
        project_id: The project: another one has a form of its own.
        entered: What was entered before; None for an empty form.
    """
    if state.note("http_form_of") == project_id:
        return
    state.keep("http_form_of", project_id)
    _put({**_FIRST, **(_of(entered) if entered else {})})


def put_chat() -> None:
    """Fills in what an OpenAI-compatible service takes; before the form is drawn."""
    _put(CHAT)


def _put(values: Mapping[str, object]) -> None:
    for name, value in values.items():
        state.put(f"http_{name}", value)


def _of(config: HttpConfig) -> dict[str, object]:
    """The fields of settings."""
    paths = config.response
    fields: dict[str, object] = {
        "url": config.url,
        "method": config.method,
        "request": "" if config.request is None else json.dumps(config.request, indent=2, ensure_ascii=False),
        "headers": "\n".join(f"{name}: {value}" for name, value in config.headers.items()),
        "answer": paths.answer,
        **{name: getattr(paths, name) for name in PATHS},
        "document_id": paths.document_id,
        "abstained_values": ", ".join(paths.abstained_values),
        "unit": paths.latency_unit,
        "timeout": config.timeout_s,
        "concurrency": config.concurrency,
        "rate": config.rate,
        "retries": config.retries,
        "max_bytes": config.max_bytes,
        "ca": config.ca_bundle,
        "verify": config.verify,
        "client_certificate": config.client_certificate,
        "client_key": config.client_key,
        "client_key_password": config.client_key_password,
    }
    if config.oauth:
        fields |= {
            "tokens_by": OAUTH,
            "oauth_url": config.oauth.token_url,
            "oauth_scope": config.oauth.scope,
            "oauth_id": config.oauth.client_id,
            "oauth_secret": config.oauth.client_secret,
            "oauth_send": config.oauth.send,
        }
    if config.job:
        fields |= {
            "job_on": True,
            "job_url": config.job.url,
            "job_id": config.job.id,
            "job_status": config.job.status,
            "job_every": config.job.every_s,
            "job_timeout": config.job.timeout_s,
            "job_done": "" if config.job.done == DONE else ", ".join(config.job.done),
            "job_failed": "" if config.job.failed == FAILED else ", ".join(config.job.failed),
        }
    return fields
