"""Further services for the server, written from what they send, not for what we do about it."""

from __future__ import annotations

import json
from itertools import count
from typing import Final

from tests.support.personalities.usual import (
    THOUGHT,
    Answer,
    Body,
    Request,
    completion,
    openai_error,
    personality,
    usage,
    words_of,
)

FURTHER: Final = (
    "mistral",
    "google_gemma",
    "lm_studio",
    "deepseek",
    "litellm_gpt5",
    "claude_compatible",
    "tgi",
    "streams_always",
    "openrouter",
    "o1_mini",
    "bedrock_gateway",
    "mute_400",
    "mute_500",
    "counts_otherwise",
    "thinks_long",
    "warms_up",
)

_calls, _starts, _lone_starts = count(), count(), count()


@personality
def mistral(request: Request) -> Answer:
    """Mistral: any parameter it does not know is an error of validation; thoughts are parts of the content."""
    known = {"model", "messages", "temperature", "max_tokens", "response_format", "stream", "n", "random_seed"}
    for name in request.body.keys() - known:
        detail = [
            {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": 1}
        ]
        return 422, {
            "object": "error",
            "message": {"detail": detail},
            "type": "invalid_request_error",
            "param": None,
            "code": None,
        }
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}], "closed": True}
    return 200, completion(request, [thinking, {"type": "text", "text": words_of(request)}])


@personality
def google_gemma(request: Request) -> Answer:
    """Google's compatible interface: errors are lists; Gemma takes no system message and no JSON mode."""
    if any(message["role"] == "system" for message in request.body["messages"]):
        said = "Developer instruction is not enabled for models/gemma-3-27b-it"
        return 400, json.dumps([{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}]).encode()
    if request.form:
        said = "JSON mode is not enabled for models/gemma-3-27b-it"
        return 400, json.dumps([{"error": {"code": 400, "message": said, "status": "INVALID_ARGUMENT"}}]).encode()
    return 200, completion(request)


@personality
def lm_studio(request: Request) -> Answer:
    """LM Studio: a schema is enforced, JSON mode is not known."""
    if request.form == "json_object":
        return 400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}
    return 200, completion(request)


@personality
def deepseek(request: Request) -> Answer:
    """DeepSeek: no schema, JSON mode only where the word stands in the messages."""
    if request.form == "json_schema":
        return openai_error("This response_format type is unavailable now", None, "invalid_request_error")
    if request.form == "json_object" and "json" not in request.said.lower():
        return openai_error("Prompt must contain the word 'json' in some form", None, "invalid_request_error")
    return 200, completion(request, reasoning_content=THOUGHT)


@personality
def litellm_gpt5(request: Request) -> Answer:
    """LiteLLM's proxy before a model that reasons."""
    if request.body.get("temperature", 1) != 1:
        said = (
            f"litellm.UnsupportedParamsError: gpt-5 models (including gpt-5-codex) don't support "
            f"temperature={request.body['temperature']}. Only temperature=1 is supported. For gpt-5.1, temperature is "
            "supported when reasoning_effort='none' (or not specified, as it defaults to 'none'). To drop unsupported "
            "params set `litellm.drop_params = True`. Received Model Group=gpt-5-mini\n"
            "Available Model Group Fallbacks=None"
        )
        return 400, {"error": {"message": said, "type": "None", "param": None, "code": "400"}}
    return 200, completion(request)


@personality
def claude_compatible(request: Request) -> Answer:
    """Anthropic's compatible interface: newer models take no temperature, a `response_format` is let go."""
    if "temperature" in request.body:
        error = {"type": "invalid_request_error", "message": "`temperature` is deprecated for this model."}
        return 400, {"type": "error", "error": error, "request_id": "req_011CdMnLzU4Di54GNtEgVsFb"}
    return 200, completion(request, words_of(request, enforced=False))


@personality
def tgi(request: Request) -> Answer:
    """Text Generation Inference with a template that knows no system message, and a context of 4096."""
    if request.body["messages"][0]["role"] == "system":
        said = "Template error: invalid operation: Conversation roles must alternate user/assistant/user/assistant/..."
        return 422, {"error": said, "error_type": "template_error"}
    tokens, limit = usage(request)["prompt_tokens"], request.body.get("max_tokens", 100)
    if tokens + limit > 4096:
        said = (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. "
            f"Given: {tokens} `inputs` tokens and {limit} `max_new_tokens`"
        )
        return 422, {"error": said, "error_type": "validation"}
    if request.form == "json_object":
        return 422, {"error": "Grammar error: missing value", "error_type": "grammar"}
    return 200, completion(request)


@personality
def streams_always(request: Request) -> Answer:
    """A gateway that streams to whoever asks for no stream, with the thoughts in a field of their own."""
    said = words_of(request)
    deltas: list[Body] = [
        {"role": "assistant", "reasoning_content": THOUGHT[:20]},
        {"reasoning_content": THOUGHT[20:]},
        {"content": said[:5]},
        {"content": said[5:]},
    ]
    events: list[Body] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage(request)})
    return 200, "".join([f"data:{json.dumps(event)}\r\n\r\n" for event in events]).encode()


@personality
def openrouter(request: Request) -> Answer:
    """OpenRouter: now and then an error of the provider with status 200."""
    if next(_calls) % 5 == 2:
        return 200, {"error": {"message": "Provider returned error", "code": 502}, "user_id": "user_1"}
    return 200, completion(request, reasoning=THOUGHT)


@personality
def o1_mini(request: Request) -> Answer:
    """OpenAI's o1-mini: one refusal after the other."""
    body = request.body
    if "max_tokens" in body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return openai_error(said, "max_tokens", "unsupported_parameter")
    if body["messages"][0]["role"] == "system":
        said = "Unsupported value: 'messages[0].role' does not support 'system' with this model."
        return openai_error(said, "messages[0].role", "unsupported_value")
    if request.form:
        said = f"Invalid parameter: 'response_format' of type '{request.form}' is not supported with this model."
        return openai_error(said, "response_format", None)
    if body.get("temperature", 1) != 1:
        said = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) is supported."
        return openai_error(said, "temperature", "unsupported_value")
    return 200, completion(request)


@personality
def bedrock_gateway(request: Request) -> Answer:
    """Bedrock behind a gateway: keys it does not know are extraneous."""
    if "response_format" in request.body:
        said = (
            "Malformed input request: #: extraneous key [response_format] is not permitted, please reformat your input "
            "and try again."
        )
        return 400, {"message": said}
    return 200, completion(request)


@personality
def mute_500(request: Request) -> Answer:
    """A server that fails on a temperature, and does not say so."""
    if "temperature" in request.body:
        return 500, {"detail": "Internal Server Error"}
    return 200, completion(request)


@personality
def counts_otherwise(request: Request) -> Answer:
    """A service that counts something else than the tokens of the prompt."""
    return 200, {**completion(request), "usage": {"prompt_tokens": 7, "completion_tokens": 3}}


@personality
def thinks_long(request: Request) -> Answer:
    """A model whose thoughts alone fill a small limit."""
    if request.body.get("max_tokens", 10**6) < 400:
        document = completion(request, f"<think>{THOUGHT}")
        document["choices"][0]["finish_reason"] = "length"
        return 200, document
    return 200, completion(request, f"<think>{THOUGHT}</think>{words_of(request)}")


@personality
def warms_up(request: Request) -> Answer:
    """A server that fails twice and then takes everything."""
    return (500, {"detail": "loading"}) if next(_starts) < 2 else (200, completion(request))


@personality
def starts(request: Request) -> Answer:
    """The same, for a test in which nobody else asks it."""
    return (500, {"detail": "loading"}) if next(_lone_starts) < 2 else (200, completion(request))


@personality
def mute_400(request: Request) -> Answer:
    """OpenRouter again: what the provider refuses is not told."""
    if "temperature" in request.body or request.form:
        return 400, {"error": {"message": "Provider returned error", "code": 400}}
    return 200, completion(request)
