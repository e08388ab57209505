"""The Responses interface in the words of chat completions: what is sent there, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PATH = "/responses"

_ENDS = {"max_output_tokens": "length", "content_filter": "content_filter"}


def as_responses(parameters: Mapping[str, object]) -> dict[str, object]:
    """The parameters of a chat completion as this interface calls them; nothing is kept by the service."""
    sent: dict[str, object] = {"store": False}
    for name, value in parameters.items():
        if name in ("max_tokens", "max_completion_tokens"):
            sent["max_output_tokens"] = value
        elif name == "reasoning_effort":
            sent["reasoning"] = {"effort": value}
        elif name == "response_format" and isinstance(value, Mapping):
            form = value.get("json_schema")
            sent["text"] = {"format": {"type": value.get("type"), **form} if isinstance(form, Mapping) else dict(value)}
        elif name not in ("stream_options", "n", "logprobs", "seed"):  # it has none of these
            sent[name] = value
    return sent


def as_chat(document: Mapping[str, Any]) -> dict[str, Any]:
    """A response as the chat completion it would have been."""
    said: list[str] = []
    thoughts: list[str] = []
    refusals: list[str] = []
    for item in document["output"]:
        kind = item.get("type") if isinstance(item, dict) else None
        if kind == "reasoning":
            thoughts += _texts(item.get("content"), "text") or _texts(item.get("summary"), "text")
        elif kind == "message":
            said += _texts(item.get("content"), "text")
            refusals += _texts(item.get("content"), "refusal")
    details = document.get("incomplete_details")
    why = details.get("reason") if isinstance(details, dict) else None
    usage = document.get("usage")
    counts = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}
    message = {
        "content": "".join(said) if said or not refusals else "",
        **({"reasoning": "\n\n".join(thoughts)} if thoughts else {}),
        **({"refusal": " ".join(refusals)} if refusals else {}),
    }
    return {
        "choices": [{"message": message, "finish_reason": _ENDS.get(str(why), str(why)) if why else "stop"}],
        "usage": {ours: usage.get(theirs) for ours, theirs in counts.items()} if isinstance(usage, dict) else None,
    }


def _texts(parts: object, name: str) -> list[str]:
    if isinstance(parts, str):
        return [parts] if name == "text" else []
    listed = parts if isinstance(parts, list) else []
    return [part[name] for part in listed if isinstance(part, dict) and isinstance(part.get(name), str)]
