"""What an endpoint sent back, read without trust: any shape but the expected one is a fault of the endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.net.secrets import Mask

MOST_SHOWN = 300
MOST_TOKENS = 2**53
LONGEST_REASON = 100
"""Letters of a finish reason or a code."""

CUT_SHORT = frozenset({"length", "max_tokens", "model_length"})
"""Finish reasons of a reply that reached the most tokens it may have, as services word it."""

WITHHELD = frozenset({"content_filter", "safety"})
"""Finish reasons of a reply that the service did not let through, or not all of it."""

NO_MASK = Mask()


class Unreadable(ValueError):
    """A body that is not a chat completion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The first choice of a chat completion, with its tokens where the endpoint counts them."""

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None


def read_completion(body: bytes, mask: Mask = NO_MASK) -> Completion:
    """Reads the body of a chat completion.

    A reply that was cut off or withheld may have no text at all; that is said by its finish reason.

    Args:
        body: As it came.
        mask: Takes out what the endpoint may have sent back of our secrets.

    Raises:
        Unreadable: It is not JSON, or has no choice with a text.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the body is no JSON ({type(error).__name__}): {_shown(body, mask)}") from None
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(first, dict) or not isinstance(message, dict):
        raise Unreadable(f"the body has no choice with a message: {_shown(body, mask)}")
    reason = first.get("finish_reason")
    finish_reason = mask.error(storable(reason if isinstance(reason, str) else ""))[:LONGEST_REASON]
    text = _text(message)
    if text is None and finish_reason.lower() not in CUT_SHORT | WITHHELD:
        raise Unreadable(f"the message has no text: {_shown(body, mask)}")
    usage = document.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text=mask.reply(storable(text or "")),
        finish_reason=finish_reason,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def read_refusal(body: bytes, mask: Mask = NO_MASK) -> tuple[str, str]:
    """Message and code of an error body; whatever it says, cut, where it has neither."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return _shown(body, mask), ""
    error = document.get("error", document) if isinstance(document, dict) else document
    if isinstance(error, dict):
        code = error.get("code") or error.get("type") or ""
        return _cut(error.get("message"), mask) or _shown(body, mask), mask.error(storable(str(code)))[:LONGEST_REASON]
    return _cut(error, mask) or _shown(body, mask), ""


def storable(text: str) -> str:
    """A text as every store can keep it."""
    return sendable(text).replace("\0", "\ufffd")


def sendable(text: str) -> str:
    """A text as it can be sent; what cannot be is half of a pair, which no text should hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return text


def _text(message: Mapping[str, Any]) -> str | None:
    """What the message says, as one text or in parts; else why it refuses to."""
    content, refusal = message.get("content"), message.get("refusal")
    if isinstance(content, list):
        parts = [
            part if isinstance(part, str) else part.get("text") for part in content if isinstance(part, str | dict)
        ]
        texts = [part for part in parts if isinstance(part, str)]
        content = "".join(texts) if texts else None
    if isinstance(content, str) and (content or not isinstance(refusal, str)):
        return content
    return refusal if isinstance(refusal, str) else None


def _count(value: object) -> int | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    valid = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return value if valid else None  # type: ignore[return-value]


def _shown(body: bytes, mask: Mask) -> str:
    return _cut(body.decode("utf-8", "replace"), mask)


def _cut(text: object, mask: Mask) -> str:
    # What is hidden is hidden first: half a secret would not be known again.
    return mask.error(storable("" if text is None else str(text)))[:MOST_SHOWN]
