"""Services of today for the server: each from its documentation, before it was first tried."""

from __future__ import annotations

import json
from itertools import count
from typing import Any, Final

from tests.support.personalities.usual import (
    THOUGHT,
    Answer,
    Request,
    completion,
    filled,
    openai_error,
    personality,
    words_of,
)

NEWEST: Final = (
    "vllm_reasoning",
    "gemini_thinking",
    "bedrock_gpt_oss",
    "litellm_error_in_200",
    "openrouter_error_in_200",
    "openrouter_keeps_alive",
    "mistral_references",
    "fireworks_grammar",
)

_tries, _providers = count(), count()


def _cut(request: Request, **message: object) -> dict[str, Any]:
    body = completion(request, **message)
    body["choices"][0]["finish_reason"] = "length"
    body["choices"][0]["message"]["content"] = None
    return body


@personality
def vllm_reasoning(request: Request) -> Answer:
    """vLLM with a reasoning parser: `reasoning` beside the content, which is null where thinking used up the limit."""
    limit = request.body.get("max_tokens") or request.body.get("max_completion_tokens") or 10_000
    if limit < 100:
        return 200, _cut(request, reasoning=THOUGHT, reasoning_content=None)
    return 200, completion(request, reasoning=THOUGHT, reasoning_content=None, tool_calls=[])


@personality
def gemini_thinking(request: Request) -> Answer:
    """Gemini's compatible interface: errors are lists, no `additionalProperties`, and JSON mode in a code fence."""
    if "additionalProperties" in json.dumps(request.body.get("response_format", {})):
        said = (
            'Invalid JSON payload received. Unknown name "additionalProperties" at '
            "'generation_config.response_schema': Cannot find field."
        )
        return 400, json.dumps([{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}]).encode()
    limit = request.body.get("max_tokens") or request.body.get("max_completion_tokens") or 10_000
    if limit < 100:
        body = _cut(request)
        del body["choices"][0]["message"]["content"]
        del body["usage"]["completion_tokens"]
        return 200, body
    text = words_of(request)
    return 200, completion(request, f"```json\n{text}\n```" if request.form else text)


@personality
def bedrock_gpt_oss(request: Request) -> Answer:
    """Bedrock's OpenAI interface with gpt-oss: its thoughts stand in the content, between tags of their own."""
    if request.form:
        return 400, {"message": "response_format is not supported by this model", "__type": "ValidationException"}
    return 200, completion(request, f"<reasoning>{THOUGHT}</reasoning>{words_of(request)}")


@personality
def litellm_error_in_200(request: Request) -> Answer:
    """A gateway that answers its upstream's overload with status 200, at first."""
    if next(_tries) < 2:
        said = "litellm.RateLimitError: RateLimitError: OpenAIException - upstream is overloaded, retry later"
        return 200, {"error": {"message": said, "type": "throttling_error", "param": None, "code": "429"}}
    return 200, completion(request)


@personality
def openrouter_error_in_200(request: Request) -> Answer:
    """OpenRouter: a provider that failed after the headers were sent; the choice has the error and no text."""
    if next(_providers) < 2:
        body = completion(request, "")
        body["choices"][0] |= {
            "finish_reason": "error",
            "native_finish_reason": "error",
            "error": {"code": 502, "message": "Provider disconnected", "metadata": {"provider_name": "X"}},
        }
        return 200, body
    return 200, completion(request, refusal=None, reasoning=None)


@personality
def openrouter_keeps_alive(request: Request) -> Answer:
    """OpenRouter again: blank lines before the document keep the connection open."""
    return 200, b"\n         \n         \n" + json.dumps(completion(request)).encode()


@personality
def mistral_references(request: Request) -> Answer:
    """Mistral with citations: parts that refer to a source stand between those of the text."""
    known = {"model", "messages", "temperature", "max_tokens", "response_format", "stream", "n", "random_seed"}
    if unknown := request.body.keys() - known:
        detail = [{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs"} for name in unknown]
        return 422, {"object": "error", "message": {"detail": detail}, "type": "invalid_request_error", "code": None}
    text = words_of(request)
    half = len(text) // 2
    return 200, completion(
        request,
        [
            {"type": "text", "text": text[:half]},
            {"type": "reference", "reference_ids": [0, 3]},
            {"type": "text", "text": text[half:]},
        ],
    )


@personality
def fireworks_grammar(request: Request) -> Answer:
    """Fireworks and llama.cpp: a schema stands beside `json_object`; the type json_schema is not known."""
    if request.form == "json_schema":
        return openai_error("Input should be 'text', 'json_object' or 'grammar': response_format.type", None, None, 422)
    schema = request.body.get("response_format", {}).get("schema")
    if schema:
        return 200, completion(request, f"<think>{THOUGHT}</think>\n{json.dumps(filled(schema))}")
    return 200, completion(request, f"<think>{THOUGHT}</think>\n{words_of(request)}")
