"""One server with the habits of many services, over real HTTP: the model's name chooses which.

Each refuses as the service it is named after does, with the body that service sends. What it answers is the same
everywhere: a verdict where a form is stated or enforced, one word where one is asked for, else a sentence.

    with Personalities() as server:
        open_chat(store, project_id, server.spec("no_temperature"))
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

Body = dict[str, Any]
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
ANSWER = "The branch in Alpine has 72 lockers."
THOUGHT = 'The clerk says {"verdict": "Incorrect"}, but the page says 72.'


@dataclass(frozen=True)
class Request:
    """What came.

    Attributes:
        path: Without its query.
        query: The query's parameters.
        body: The document.
    """

    path: str
    query: dict[str, str]
    body: Body

    @property
    def form(self) -> str:
        """The type of its `response_format`."""
        return str((self.body.get("response_format") or {}).get("type", ""))

    @property
    def said(self) -> str:
        """All messages as one text."""
        messages = self.body.get("messages") or self.body.get("input") or []
        return "\n".join(str(message["content"]) for message in messages)


Answer = tuple[int, "Body | bytes"]
Personality = Callable[[Request], Answer]
PERSONALITIES: dict[str, Personality] = {}


def personality(act: Personality) -> Personality:
    """Registers one under its name."""
    PERSONALITIES[act.__name__] = act
    return act


@dataclass
class Personalities:
    """The server; a context manager.

    Attributes:
        requests: What came, with the status it was answered with, by model.
    """

    requests: list[tuple[str, int, Request]] = field(default_factory=list)
    port: int = 0

    def __enter__(self) -> Personalities:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                parts = urlsplit(self.path)
                body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"{}")
                query = {name: values[0] for name, values in parse_qs(parts.query).items()}
                request = Request(path=parts.path, query=query, body=body)
                model = str(body.get("model", ""))
                status, answer = PERSONALITIES[model](request)
                server.requests.append((model, status, request))
                raw = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-type", "text/event-stream" if raw[:5] == b"data:" else "application/json")
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def spec(self, model: str, base: str = "/v1") -> str:
        """``MODEL@BASE_URL``."""
        return f"{model}@http://127.0.0.1:{self.port}{base}"

    def sent(self, model: str) -> int:
        """Requests for a model, answered or not."""
        return sum(name == model for name, _, _ in self.requests)

    def paid(self, model: str, marked: str) -> Counter[str]:
        """How often each question was answered: those whose messages hold a mark, by their words."""
        return Counter(
            request.said
            for name, status, request in self.requests
            if name == model and status == 200 and marked in request.said
        )


@contextmanager
def serving() -> Iterator[Personalities]:
    """A server for a whole module of tests."""
    with Personalities() as server:
        yield server


def filled(schema: Body, root: Body | None = None) -> Any:
    """A document of a schema."""
    root = root or schema
    if "$ref" in schema:
        return filled(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root)
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], root)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: filled(part, root) for name, part in schema.get("properties", {}).items()}
    if kind == "array":
        return []
    return {"integer": 2, "number": 0.5, "boolean": True, "null": None}.get(str(kind), "The page says 72.")


def words_of(request: Request, *, enforced: bool = True) -> str:
    """What the model says.

    Args:
        request: What it is asked.
        enforced: Whether the service keeps to `response_format`.
    """
    if enforced and request.form == "json_schema":
        return json.dumps(filled(request.body["response_format"]["json_schema"]["schema"]))
    if stated := re.search(r"must match this JSON schema:\n(\{.*\})", request.said):
        return json.dumps(filled(json.loads(stated[1])))
    if enforced and request.form == "json_object":
        return '{"number": 2}'
    if "Which number comes after 1?" in request.said:
        return "two"
    return ANSWER


def completion(request: Request, text: object = None, **message: object) -> Body:
    """A chat completion."""
    said = words_of(request) if text is None else text
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": request.body["model"],
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": said, **message}}
        ],
        "usage": usage(request),
    }


def usage(request: Request, most: int = 10**9) -> Body:
    """Tokens as a usual tokeniser counts them: a third more than there are words."""
    count = min(most, round(len(request.said.split()) * 1.3) + 8)
    return {"prompt_tokens": count, "completion_tokens": 9, "total_tokens": count + 9}


def openai_error(message: str, param: str | None, code: str | None, status: int = 400) -> Answer:
    """An error as OpenAI sends it."""
    return status, {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


@personality
def plain(request: Request) -> Answer:
    """Takes everything and keeps to it."""
    return 200, completion(request)


@personality
def no_temperature(request: Request) -> Answer:
    """OpenAI's models that reason."""
    if request.body.get("temperature", 1) != 1:
        value = request.body["temperature"]
        said = (
            f"Unsupported value: 'temperature' does not support {value} with this model. "
            "Only the default (1) value is supported."
        )
        return openai_error(said, "temperature", "unsupported_value")
    return 200, completion(request)


@personality
def max_completion_tokens(request: Request) -> Answer:
    """The same, of the parameter that limits a reply."""
    if "max_tokens" in request.body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        return openai_error(said, "max_tokens", "unsupported_parameter")
    return 200, completion(request)


@personality
def ignores_form(request: Request) -> Answer:
    """Services that take a `response_format` and let it go."""
    return 200, completion(request, words_of(request, enforced=False))


@personality
def form_500(request: Request) -> Answer:
    """llama-cpp-python's server: JSON mode by a grammar, and 500 for a schema."""
    if request.form == "json_schema":
        said = (
            "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or "
            "'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}]"
        )
        return 500, {"error": {"message": said, "type": "internal_server_error", "param": None, "code": None}}
    return 200, completion(request)


@personality
def form_500_silent(request: Request) -> Answer:
    """A proxy that hides why."""
    if request.form == "json_schema":
        return 500, {"error": {"message": "Internal Server Error", "type": "server_error"}}
    return 200, completion(request)


@personality
def thoughts_field(request: Request) -> Answer:
    """DeepSeek, and vLLM with a reasoning parser."""
    return 200, completion(request, reasoning_content=THOUGHT)


@personality
def thoughts_tags(request: Request) -> Answer:
    """Ollama, and most servers of models that reason."""
    return 200, completion(request, f"<think>\n{THOUGHT}\n</think>\n\n{words_of(request)}")


@personality
def thoughts_bare(request: Request) -> Answer:
    """Models whose template opens the thoughts in the prompt."""
    return 200, completion(request, f"{THOUGHT}\n</think>\n\n{words_of(request)}")


@personality
def thoughts_harmony(request: Request) -> Answer:
    """gpt-oss behind a server that does not read its channels."""
    said = (
        f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>"
        f"{words_of(request)}<|return|>"
    )
    return 200, completion(request, said)


@personality
def content_list(request: Request) -> Answer:
    """Gateways that send the answer as parts."""
    return 200, completion(request, [{"type": "text", "text": words_of(request)}])


@personality
def no_usage(request: Request) -> Answer:
    """Services that count nothing."""
    document = completion(request)
    del document["usage"]
    return 200, document


@personality
def n_ignored(request: Request) -> Answer:
    """Ollama and llama.cpp: one answer, whatever `n` says."""
    return 200, completion(request)


@personality
def azure(request: Request) -> Answer:
    """Azure: a path of the deployment, and 404 without an api-version."""
    path = f"/openai/deployments/{request.body['model']}/chat/completions"
    if request.path != path or "api-version" not in request.query:
        return 404, {"error": {"code": "404", "message": "Resource not found"}}
    return 200, completion(request)


@personality
def responses_only(request: Request) -> Answer:
    """OpenAI's models that have no chat completions."""
    if request.path != RESPONSES:
        said = "This model is only supported in v1/responses and not in v1/chat/completions."
        return openai_error(said, "model", None, 404)
    if "messages" in request.body or "max_tokens" in request.body:
        return openai_error("Unknown parameter: 'messages'.", "messages", "unknown_parameter")
    form = (request.body.get("text") or {}).get("format") or {}
    as_chat = {**request.body}
    if form:
        as_chat["response_format"] = {"type": form["type"], "json_schema": form}
    asked = Request(path=request.path, query=request.query, body=as_chat)
    count = usage(request)
    return 200, {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": THOUGHT}]},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": words_of(asked), "annotations": []}],
            },
        ],
        "usage": {"input_tokens": count["prompt_tokens"], "output_tokens": 9, "total_tokens": 0},
    }


@personality
def cuts_prompts(request: Request) -> Answer:
    """Ollama with a small num_ctx: the front of what is too long is gone, and nobody is told."""
    return 200, {**completion(request), "usage": usage(request, most=2048)}


@personality
def streams_only(request: Request) -> Answer:
    """DashScope's models that reason."""
    if not request.body.get("stream"):
        said = "This model only support stream mode, please enable the stream parameter to access the model. "
        return 400, {
            "error": {
                "code": "invalid_parameter_error",
                "param": None,
                "message": said,
                "type": "invalid_request_error",
            },
            "id": "chatcmpl-7",
            "request_id": "7ed765de-de61-9a89-87f2-da9f2e39f825",
        }
    said = words_of(request)
    half = len(said) // 2
    deltas: list[Body] = [{"role": "assistant", "content": ""}, {"content": said[:half]}, {"content": said[half:]}]
    events: list[Body] = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events += [{"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}]
    events += [{"choices": [], "usage": usage(request)}]
    lines = [f"data: {json.dumps(event)}" for event in events]
    return 200, "\n\n".join([*lines, "data: [DONE]", ""]).encode()
