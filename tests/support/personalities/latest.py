"""Services of 2026 for the server: gateways, caps, odd bodies; written before any was tried."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

from tests.support.personalities.usual import (
    ANSWER,
    THOUGHT,
    Answer,
    Request,
    completion,
    openai_error,
    personality,
    usage,
    words_of,
)

LATEST: Final = (
    "anthropic_body",
    "gateway_page_in_200",
    "byte_order_mark",
    "twice_encoded",
    "warning_before_the_json",
    "line_after_the_json",
    "tool_call_for_a_form",
    "guided_json",
    "effort_eats_the_limit",
    "legacy_text",
    "gemini_body",
    "bedrock_body",
    "usage_as_text",
    "resets_in_a_header",
)

_pages, _limits = count(), count()


@personality
def anthropic_body(request: Request) -> Answer:
    """A proxy that passes on Anthropic's own reply: blocks of content, and no choices."""
    blocks = [{"type": "thinking", "thinking": THOUGHT, "signature": "x"}, {"type": "text", "text": words_of(request)}]
    tokens = usage(request)
    return 200, {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": request.body["model"],
        "content": blocks,
        "stop_reason": "end_turn",
        "usage": {"input_tokens": tokens["prompt_tokens"], "output_tokens": 9},
    }


@personality
def gateway_page_in_200(request: Request) -> Answer:
    """A web gateway that shows a page with status 200 while its upstream restarts."""
    if next(_pages) < 2:
        return 200, b"<!DOCTYPE html><html><head><title>Please wait</title></head><body>Restarting</body></html>"
    return 200, completion(request)


@personality
def byte_order_mark(request: Request) -> Answer:
    """A .NET gateway: UTF-8 with a mark of the byte order."""
    return 200, b"\xef\xbb\xbf" + json.dumps(completion(request)).encode()


@personality
def twice_encoded(request: Request) -> Answer:
    """A lambda behind a gateway that writes the document as the text of a document."""
    return 200, json.dumps(json.dumps(completion(request))).encode()


@personality
def warning_before_the_json(request: Request) -> Answer:
    """A PHP proxy with its warnings on."""
    return 200, b"<br />\n<b>Warning</b>: Undefined key in proxy.php on line 7<br />\n" + _raw(request)


@personality
def line_after_the_json(request: Request) -> Answer:
    """A proxy that counts its seconds behind the document."""
    return 200, _raw(request) + b"\n<!-- served in 0.21 s by node 4 -->\n"


def _raw(request: Request) -> bytes:
    return json.dumps(completion(request)).encode()


@personality
def tool_call_for_a_form(request: Request) -> Answer:
    """A gateway that turns a schema into a tool, and leaves the reply in its call."""
    if not request.form:
        return 200, completion(request)
    body: dict[str, Any] = completion(request)
    call = {"id": "c1", "type": "function", "function": {"name": "json_tool_call", "arguments": words_of(request)}}
    body["choices"][0]["message"] |= {"content": None, "tool_calls": [call]}
    body["choices"][0]["finish_reason"] = "tool_calls"
    return 200, body


@personality
def guided_json(request: Request) -> Answer:
    """An older vLLM: `response_format` of a schema is not known, and says what is."""
    if request.form == "json_schema":
        said = "1 validation error: response_format.type: Input should be 'text' or 'json_object'"
        return 400, {"object": "error", "message": said, "type": "BadRequestError", "param": None, "code": 400}
    return 200, completion(request)


@personality
def effort_eats_the_limit(request: Request) -> Answer:
    """A model whose thoughts are not shown and fill a small limit: the content is empty, and the usage says why."""
    limit = request.body.get("max_tokens") or request.body.get("max_completion_tokens") or 10_000
    body: dict[str, Any] = completion(request, "" if limit < 600 else words_of(request))
    spent = min(limit, 580)
    body["usage"] |= {"completion_tokens": spent, "completion_tokens_details": {"reasoning_tokens": spent}}
    if limit < 600:
        body["choices"][0]["finish_reason"] = "length"
    return 200, body


@personality
def legacy_text(request: Request) -> Answer:
    """A proxy to a server of completions: the choice has a text and no message."""
    body: dict[str, Any] = completion(request)
    body["object"] = "text_completion"
    body["choices"] = [{"index": 0, "text": words_of(request), "logprobs": None, "finish_reason": "stop"}]
    return 200, body


@personality
def gemini_body(request: Request) -> Answer:
    """A proxy that passes on Gemini's own reply."""
    parts = [{"text": THOUGHT, "thought": True}, {"text": words_of(request)}]
    return 200, {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": usage(request)["prompt_tokens"], "candidatesTokenCount": 9},
        "modelVersion": request.body["model"],
    }


@personality
def bedrock_body(request: Request) -> Answer:
    """A proxy that passes on Bedrock's Converse reply."""
    content = [{"reasoningContent": {"reasoningText": {"text": THOUGHT}}}, {"text": words_of(request)}]
    return 200, {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": usage(request)["prompt_tokens"], "outputTokens": 9, "totalTokens": 0},
        "metrics": {"latencyMs": 7},
    }


@personality
def usage_as_text(request: Request) -> Answer:
    """A gateway of a bank's own: numbers as text, a choice as an object, finish reasons in capitals."""
    body: dict[str, Any] = completion(request)
    body["usage"] = {name: str(value) for name, value in body["usage"].items()}
    body["choices"][0]["finish_reason"] = "STOP"
    return 200, body


@personality
def resets_in_a_header(request: Request) -> Answer:
    """OpenAI and Groq: 429 with a body, at first."""
    if next(_limits) < 2:
        said = "Rate limit reached for requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20ms."
        return openai_error(said, None, "rate_limit_exceeded", 429)
    return 200, completion(request)


__all__ = ["ANSWER", "LATEST"]
