"""What an endpoint sent back, read without trust: any shape but the expected one is a fault of the endpoint."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.domain.model_profiles import Thoughts
from core.llm.calls import foreign
from core.llm.calls.responses import as_chat
from core.llm.calls.streams import Broken, is_stream, whole
from core.llm.calls.texts import storable
from core.llm.calls.thoughts import part
from core.net.secrets import Mask

MOST_SHOWN = 300
MOST_TOKENS = 2**53
LONGEST_REASON = 100
"""Letters of a finish reason or a code."""

CUT_SHORT = frozenset({"length", "max_tokens", "model_length"})
"""Finish reasons of a reply that reached the most tokens it may have, as services word it."""

WITHHELD = frozenset({"content_filter", "safety"})
"""Finish reasons of a reply that the service did not let through, or not all of it."""

BROKEN_OFF = frozenset({"error"})
"""Finish reasons of a reply in whose midst the service failed; what there is of it is no answer."""

THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking", "thought")
"""Fields of a message that hold what the model thought."""

THOUGHT_PARTS = frozenset({"thinking", "reasoning", "reasoning_text", "redacted_thinking"})
"""Types of parts of a content that hold what the model thought."""

NO_MASK = Mask()


class Unreadable(ValueError):
    """A body that is not a chat completion."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The first choice of a completion, with its tokens where the endpoint counts them.

    Attributes:
        text: The answer, without what the model thought before it.
        reasoning: What it thought.
        thoughts: How that was marked.
        parts: Whether the answer came as a list of parts.
        choices: How many answers there are.
        logprobs: Whether the probabilities of its tokens are beside it.
    """

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning: str = ""
    thoughts: Thoughts = Thoughts.NONE
    parts: bool = False
    choices: int = 1
    logprobs: bool = False


def read_completion(body: bytes, mask: Mask = NO_MASK) -> Completion:
    """Reads the body of a completion, of either interface, as one document or as a stream of events.

    A reply that was cut off or withheld may have no text at all; that is said by its finish reason. What the model
    thought is parted from its answer, however it is marked.

    Args:
        body: As it came.
        mask: Takes out what the endpoint may have sent back of our secrets.

    Raises:
        Unreadable: It is not JSON, or has no choice with a text.
    """
    document = _document(body, mask)
    if isinstance(document, dict) and isinstance(document.get("output"), list) and "choices" not in document:
        document = as_chat(document)
    elif isinstance(document, dict):
        document = foreign.as_chat(document)
    choices = document.get("choices") if isinstance(document, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(choices, list) or not isinstance(first, dict) or not isinstance(message, dict):
        raise Unreadable(f"the body has no choice with a message: {_shown(body, mask)}")
    reason = first.get("finish_reason")
    finish_reason = mask.error(storable(reason if isinstance(reason, str) else ""))[:LONGEST_REASON]
    failure = first.get("error")
    if isinstance(failure, dict) or finish_reason.lower() in BROKEN_OFF:
        said = _cut(failure.get("message") if isinstance(failure, dict) else None, mask) or _shown(body, mask)
        raise Unreadable(f"the service failed within its reply: {said}")
    text, beside, style = _texts(message)
    if text is None and finish_reason.lower() not in CUT_SHORT | WITHHELD and not beside:
        raise Unreadable(f"the message has no text: {_shown(body, mask)}")
    parted = part(text or "")
    usage = document.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text=mask.reply(storable(parted.answer)),
        finish_reason=finish_reason,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        reasoning=mask.reply(storable("\n\n".join(filter(None, (beside, parted.reasoning))))),
        thoughts=parted.style if parted.style is not Thoughts.NONE else style,
        parts=isinstance(message.get("content"), list),
        choices=len(choices),
        logprobs=bool(first.get("logprobs")),
    )


def _document(body: bytes, mask: Mask) -> Any:
    if is_stream(body):
        try:
            return whole(body)
        except Broken as error:
            raise Unreadable(mask.error(storable(str(error)))[:MOST_SHOWN]) from None
    try:
        return foreign.document_in(body.decode(json.detect_encoding(body), "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the body is no JSON ({type(error).__name__}): {_shown(body, mask)}") from None


def refused_parameter(body: bytes) -> str:
    """The parameter that an error body names in a field of its own; "" where it has none."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = document.get("error", document) if isinstance(document, dict) else None
    param = error.get("param") if isinstance(error, dict) else None
    return storable(param)[:LONGEST_REASON] if isinstance(param, str) else ""


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


def _texts(message: Mapping[str, Any]) -> tuple[str | None, str, Thoughts]:
    """What the message says, as one text or in parts, else why it refuses to; and its thoughts beside that."""
    content, refusal = message.get("content"), message.get("refusal")
    thoughts = [message[name] for name in THOUGHT_FIELDS if isinstance(message.get(name), str) and message[name]]
    style = Thoughts.FIELD if thoughts else Thoughts.NONE
    if isinstance(content, list):
        said = [text for item in content if (text := _said(item)) is not None]
        if in_parts := [text for item in content if (text := _thought(item))]:
            thoughts, style = [*thoughts, *in_parts], Thoughts.PARTS
        content = "".join(said) if said else None
    # Both names may hold the same text.
    beside = "\n\n".join(dict.fromkeys(thoughts))
    if isinstance(content, str) and (content or not isinstance(refusal, str)):
        return content, beside, style
    return (refusal if isinstance(refusal, str) else None), beside, style


def _said(item: object) -> str | None:
    if isinstance(item, str):
        return item
    said = item.get("text") if isinstance(item, dict) and item.get("type") not in THOUGHT_PARTS else None
    return said if isinstance(said, str) else None


def _thought(item: object) -> str:
    """The thoughts in a part of a content: a text, or a list of parts of their own."""
    if not isinstance(item, dict) or item.get("type") not in THOUGHT_PARTS:
        return ""
    thought = item.get("thinking") or item.get("text") or item.get("summary")
    if isinstance(thought, list):
        texts = [inner.get("text") if isinstance(inner, dict) else inner for inner in thought]
        return "".join(text for text in texts if isinstance(text, str))
    return thought if isinstance(thought, str) else ""


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
