"""Replies of other interfaces that a proxy passes on as they are, in the words of a chat completion.

Anthropic's messages, Gemini's candidates, Bedrock's Converse, completions without a message, a form that was made a
tool and left in its call; and a document within other text, such as a proxy's warning before it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

_ENDS: Final = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "refusal": "content_filter",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
    "prohibited_content": "content_filter",
    "blocklist": "content_filter",
    "recitation": "content_filter",
    "spii": "content_filter",
}
"""Words of other interfaces for how a reply ended."""

_FORMS: Final = frozenset({"choices", "output", "content", "candidates", "error"})
"""Names one of which the document of a reply has."""


def document_in(text: str) -> Any:
    """The document of a body that has other text before or behind it, or is the text of a document.

    Raises:
        ValueError: It holds none, or several.
    """
    plain = text.removeprefix("\ufeff").strip()
    try:
        value = json.loads(plain)
    except ValueError:
        value = _among(plain)
    return json.loads(value) if isinstance(value, str) and value[:1] == "{" else value


def _among(text: str) -> Any:
    decoder, place = json.JSONDecoder(), 0
    found: list[dict[str, Any]] = []
    while (start := text.find("{", place)) >= 0 and len(found) < 2:
        try:
            value, place = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if not found:
                raise
            place = max(start + 1, error.pos)
            continue
        if isinstance(value, dict) and value.keys() & _FORMS:
            found.append(value)
    if len(found) != 1:
        raise ValueError("the body holds no document")
    return found[0]


def as_chat(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply of another interface as a chat completion; any other document as it is."""
    if isinstance(document.get("choices"), list):
        return {**document, "choices": [_choice(choice) for choice in document["choices"]]}
    if isinstance(content := document.get("content"), list) and document.get("type") == "message":
        return _completion(content, document.get("stop_reason"), document.get("usage"), "input_tokens", "output_tokens")
    output = document.get("output")
    if isinstance(output, Mapping) and isinstance(message := output.get("message"), Mapping):
        ended, usage = document.get("stopReason"), document.get("usage")
        return _completion(message.get("content"), ended, usage, "inputTokens", "outputTokens")
    if "candidates" in document or "promptFeedback" in document:
        return _of_gemini(document)
    return document


def _of_gemini(document: Mapping[str, Any]) -> Mapping[str, Any]:
    candidates, feedback = document.get("candidates"), document.get("promptFeedback")
    first = candidates[0] if isinstance(candidates, list) and candidates else {}
    content = first.get("content") if isinstance(first, Mapping) else None
    ended = first.get("finishReason") if isinstance(first, Mapping) else None
    if not ended and isinstance(feedback, Mapping) and feedback.get("blockReason"):
        ended = "content_filter"
    if not ended and content is None:
        return document
    parts = content.get("parts") if isinstance(content, Mapping) else []
    usage = document.get("usageMetadata")
    return _completion(parts, ended, usage, "promptTokenCount", "candidatesTokenCount")


def _completion(parts: object, ended: object, usage: object, sent: str, received: str) -> Mapping[str, Any]:
    blocks = [_block(part) for part in parts] if isinstance(parts, list) else []
    counts = usage if isinstance(usage, Mapping) else {}
    reason = str(ended or "").lower()
    said = [block for block in blocks if block is not None]
    return {
        "choices": [{"message": {"content": said or None}, "finish_reason": _ENDS.get(reason, reason)}],
        "usage": {"prompt_tokens": counts.get(sent), "completion_tokens": counts.get(received)},
    }


def _block(part: object) -> object:
    if not isinstance(part, Mapping):
        return part
    if isinstance(thought := part.get("reasoningContent"), Mapping):
        inner = thought.get("reasoningText")
        return {"type": "thinking", "thinking": inner.get("text") if isinstance(inner, Mapping) else ""}
    if part.get("thought") is True:
        return {"type": "thinking", "thinking": part.get("text")}
    return _called(part.get("input")) if part.get("type") == "tool_use" else part


def _choice(choice: object) -> object:
    if not isinstance(choice, Mapping):
        return choice
    message = choice.get("message")
    if not isinstance(message, Mapping):
        return {**choice, "message": {"content": choice["text"]}} if isinstance(choice.get("text"), str) else choice
    calls = message.get("tool_calls")
    if message.get("content") or not isinstance(calls, list) or len(calls) != 1 or message.get("refusal"):
        return choice
    function = calls[0].get("function") if isinstance(calls[0], Mapping) else None
    arguments = function.get("arguments") if isinstance(function, Mapping) else None
    return choice if arguments is None else {**choice, "message": {**message, "content": _called(arguments)}}


def _called(arguments: object) -> object:
    """What a tool was called with: no tool was offered, so it is the form that was asked for."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
