"""A scripted OpenAI-compatible server over real HTTP, with latency, a cap and faults.

    with LlmServer(lambda body: "an answer") as server:
        open_chat(store, project_id, server.spec("m"))

As a program it answers every call after a given latency until it is ended, ``python -m tests.support.servers.llm_server
0.2``, with a verdict where a judge asks for one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Body = dict[str, Any]
Script = Callable[[Body], "str | Body | Fault"]

LIMIT_S = 60.0
"""How long a test waits for requests that have to come; only a test that fails waits so long."""

_taken: set[int] = set()

STYLES = ("json_schema", "json_object", "none")
PROBE_REPLIES = {"json_schema": '{"kestrel": 2, "basalt": true}', "json_object": '{"number": 2}', "none": "two"}
"""What an endpoint that enforces a form answers where the words ask for another."""


@dataclass(frozen=True)
class Fault:
    """What goes wrong with one call.

    Attributes:
        status: HTTP status; 200 with a `raw` body is a broken reply.
        text: The reply's text where the status is 200 and there is no raw body.
        raw: The body as it is sent.
        hang: Seconds without any answer.
        drop: Whether the connection is cut instead of answered.
        headers: Further header lines of a reply with a raw body.
    """

    status: int = 200
    retry_after: float | None = None
    finish_reason: str = "stop"
    text: str = ""
    raw: bytes | None = None
    hang: float = 0.0
    drop: bool = False
    code: str = ""
    headers: tuple[str, ...] = ()


@dataclass
class LlmServer:
    """The server; a context manager.

    Attributes:
        script: What it answers to the body of a request: a text, a document sent as JSON, or a fault.
        latency: Seconds before an answer.
        cap: Calls it takes at once; beyond that it answers 429.
        cap_retry_after: What it tells those it refuses.
        hold_after: It answers so many requests and holds the replies to all others until `release`; None for none held.
        style: The strictest `response_format` it takes.
        grammar: Whether it keeps to a schema beside ``json_object``.
        bodies: The requests that came, in order; `headers` likewise.
        probes: Requests that only asked how replies are held to a form; they are answered and not among the bodies.
        most_at_once: The most calls it had in work.
        refused: How many it refused for its cap.
    """

    script: Script = lambda body: "answer"
    latency: float = 0.0
    cap: int | None = None
    cap_retry_after: float | None = None
    hold_after: int | None = None
    style: str = "json_schema"
    grammar: bool = False
    bodies: list[Body] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    probes: list[Body] = field(default_factory=list)
    most_at_once: int = 0
    refused: int = 0
    port: int = 0
    _working: int = 0

    def __enter__(self) -> LlmServer:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="llm-server", daemon=True)
        self._thread.start()
        if not self._ready.wait(LIMIT_S):
            raise RuntimeError("the scripted server did not start")
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    @property
    def base_url(self) -> str:
        """What an endpoint is given."""
        return f"http://127.0.0.1:{self.port}/v1"

    def release(self) -> None:
        """Lets the replies go that it holds, and holds no more."""
        self.hold_after = None
        self._loop.call_soon_threadsafe(self._released.set)

    def wait_for_requests(self, count: int) -> None:
        """Waits until so many requests have come."""
        until = time.monotonic() + LIMIT_S
        while len(self.bodies) < count:
            if time.monotonic() > until:
                raise TimeoutError(f"{len(self.bodies)} requests came, not {count}")
            time.sleep(0.01)

    def spec(self, model: str = "m") -> str:
        """``MODEL@BASE_URL``."""
        return f"{model}@{self.base_url}"

    async def _serve(self) -> None:
        self._loop, self._end, self._released = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        server = await self._listen()
        self.port = server.sockets[0].getsockname()[1]
        self._open: set[asyncio.Task[None]] = set()
        self._ready.set()
        await self._end.wait()
        server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _listen(self) -> asyncio.Server:
        """Takes a port that no other server of this process had: what is known of an endpoint goes with its address."""
        while True:
            server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, backlog=2048)
            port = int(server.sockets[0].getsockname()[1])
            if self.port or port not in _taken:
                _taken.add(port)
                return server
            server.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        self._working += 1
        self.most_at_once = max(self.most_at_once, self._working)
        try:
            status, extra, body = await self._answer(json.loads(content or b"{}"), headers)
        finally:
            self._working -= 1
        if status == 0:
            return False
        lines = [f"HTTP/1.1 {status} X", "content-type: application/json", f"content-length: {len(body)}", *extra]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await writer.drain()
        return True

    async def _answer(self, body: Body, headers: dict[str, str]) -> tuple[int, list[str], bytes]:
        if self.cap is not None and self._working > self.cap:
            self.refused += 1
            return _refusal(429, "too many at once", self.cap_retry_after)
        wanted = (body.get("response_format") or {}).get("type", "none")
        if STYLES.index(wanted) < STYLES.index(self.style):
            return _refusal(400, f"response_format of type {wanted} is not supported")
        if any("Which number comes after 1?" in message["content"] for message in body["messages"]):
            self.probes.append(body)
            held = "json_schema" if self.grammar and "schema" in body.get("response_format", {}) else wanted
            return _completion(body, PROBE_REPLIES[held], "stop")
        self.bodies.append(body)
        self.headers.append(headers)
        if self.hold_after is not None and len(self.bodies) > self.hold_after:
            await self._released.wait()
        if self.latency:
            await asyncio.sleep(self.latency)
        answer = self.script(body)
        if isinstance(answer, Fault):
            return await self._fault(body, answer)
        return _completion(body, answer if isinstance(answer, str) else json.dumps(answer), "stop")

    async def _fault(self, body: Body, fault: Fault) -> tuple[int, list[str], bytes]:
        if fault.hang:
            await asyncio.sleep(fault.hang)
        if fault.drop:
            return 0, [], b""
        if fault.raw is not None:
            return fault.status, list(fault.headers), fault.raw
        if fault.status != 200:
            return _refusal(fault.status, "scripted", fault.retry_after, fault.code)
        return _completion(body, fault.text, fault.finish_reason)


def _completion(body: Body, text: str, finish_reason: str) -> tuple[int, list[str], bytes]:
    asked = sum(len(message["content"].split()) for message in body["messages"])
    document = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": len(text.split()),
            "total_tokens": asked + len(text.split()),
        },
    }
    return 200, [], json.dumps(document).encode()


def _refusal(
    status: int, message: str, retry_after: float | None = None, code: str = ""
) -> tuple[int, list[str], bytes]:
    extra = [] if retry_after is None else [f"retry-after: {retry_after:g}"]
    return status, extra, json.dumps({"error": {"message": message, "type": "scripted", "code": code}}).encode()


VERDICT = '{"reason": "It says so.", "verdict": "Correct"}'


def answer_or_verdict(body: Body) -> str:
    """An answer, or a judge's verdict where the reply is to have a form."""
    return VERDICT if "response_format" in body else "answer"


def main() -> None:
    """Serves until it is ended; prints its port first. Arguments: latency, and the cap where there is one."""
    latency = float(sys.argv[1]) if len(sys.argv) > 1 else 0.0
    cap = int(sys.argv[2]) if len(sys.argv) > 2 else None
    with LlmServer(answer_or_verdict, latency=latency, cap=cap) as server:
        print(server.port, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
