"""A reply that came as a stream of events, put together as the one document it would have been."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

DONE = "[DONE]"
RESPONSE_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed"})


class Broken(ValueError):
    """A stream that ended before its reply did, or told of an error."""


def is_stream(body: bytes) -> bool:
    r"""Whether a body is a stream of events; some services send one to whoever asked for none.

    >>> is_stream(b": ping\n\ndata: {}"), is_stream(b'{"choices": []}')
    (True, False)
    """
    head = body.lstrip()[:6]
    return head.startswith((b"data:", b"event:", b":", b"id:", b"retry:"))


def whole(body: bytes) -> dict[str, Any]:
    """The document that the events of a stream add up to.

    Raises:
        Broken: An event is no JSON, tells of an error, or the reply has no end.
    """
    message: dict[str, Any] = {}
    parts: dict[str, list[Any]] = {}
    finish_reason: object = None
    usage: object = None
    done = any_choice = False
    for data in _events(body):
        if data == DONE:
            done = True
            break
        try:
            event = json.loads(data)
        except (ValueError, RecursionError):
            raise Broken("an event of the stream is no JSON") from None
        if not isinstance(event, dict):
            continue
        if event.get("type") in RESPONSE_ENDS and isinstance(event.get("response"), dict):
            return event["response"]  # type: ignore[no-any-return]
        if event.get("error"):
            error = event["error"]
            raise Broken(f"the stream told of an error: {error.get('message') if isinstance(error, dict) else error}")
        usage = event.get("usage") or usage
        choices = event.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(first, dict) or first.get("index") not in (0, None):
            continue
        any_choice = True
        finish_reason = first.get("finish_reason") or finish_reason
        delta = first.get("delta") if isinstance(first.get("delta"), dict) else first.get("message")
        for name, value in (delta or {}).items():
            if isinstance(value, str | list):
                parts.setdefault(name, []).append(value)
    if not any_choice or not (done or finish_reason):
        raise Broken("the stream ended before the reply did")
    message = {name: _joined(values) for name, values in parts.items()}
    return {"choices": [{"message": {"content": "", **message}, "finish_reason": finish_reason}], "usage": usage}


def _joined(values: list[Any]) -> Any:
    if all(isinstance(value, str) for value in values):
        return "".join(values)
    return [item for value in values for item in (value if isinstance(value, list) else [value])]


def _events(body: bytes) -> Iterator[str]:
    """What each event holds; these services put one on one line."""
    for line in body.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        if line.startswith("data:") and (data := line[5:].strip()):
            yield data
