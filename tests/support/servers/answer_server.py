"""A system under test over real HTTP: answers as a test says, or misbehaves as it says."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

LIMIT_S = 60.0
"""How long a reply is held back at most; only a test that fails waits so long."""


@dataclass(frozen=True)
class Reply:
    """One reply.

    Attributes:
        body: Bytes as they are, a text, or JSON.
        drip: Seconds between two bytes of the body; None to send it at once.
        head_drip: The same for the status line and the headers.
        wait: Seconds before anything is sent.
        last_after: Holds the last byte back until it is set.
        cut: Whether the connection is closed without a reply.
    """

    body: object = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: float | None = None
    head_drip: float | None = None
    wait: float = 0.0
    last_after: threading.Event | None = None
    cut: bool = False

    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class AnswerServer:
    """Serves ``script(request) -> Reply | JSON``; a request has method, path, headers and the decoded body.

    Args:
        script: What it answers.
        certificates: Folder with ``authority.pem`` and ``server.pem``: it speaks TLS, and wants a certificate of who
            calls.

    Attributes:
        requests: What was received, in order of arrival.
        most: How many requests were in work at once at most; one is in work until its reply begins.
    """

    def __init__(self, script: Callable[[Request], object], *, certificates: Path | None = None) -> None:
        self.requests: list[Request] = []
        self.most = 0
        self._in_work = 0
        self._lock = threading.Lock()
        self._script = script
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                with suppress(OSError):
                    outer._serve(self)

            do_POST = do_GET = do_PUT = do_PATCH = handle_any  # noqa: N815 - the names the base class calls

            def handle(self) -> None:
                with suppress(ssl.SSLError):  # who shows no certificate is not answered
                    super().handle()

            def log_message(self, *arguments: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._scheme = "https" if certificates else "http"
        if certificates:  # whoever calls shows a certificate of the same authority
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=certificates / "authority.pem")
            context.load_cert_chain(certificates / "server.pem")
            context.verify_mode = ssl.CERT_REQUIRED
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )

    def __enter__(self) -> AnswerServer:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}/ask"

    def config(self, **changes: object) -> dict[str, object]:
        """Settings of a target that asks this server, as a document."""
        return {
            "url": self.url,
            "request": {"question": "{{question}}", "case": "{{case_id}}"},
            "response": {"answer": "$.answer"},
            **changes,
        }

    def _serve(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("Content-Length") or 0)
        raw = handler.rfile.read(length)
        request = Request(
            method=handler.command,
            path=handler.path,
            headers={name.lower(): value for name, value in handler.headers.items()},
            body=_body(raw, handler.headers.get("Content-Type", "")),
            at=time.monotonic(),
        )
        with self._lock:
            self.requests.append(request)
            self._in_work += 1
            self.most = max(self.most, self._in_work)
        try:
            made = self._script(request)
            reply = made if isinstance(made, Reply) else Reply(made)
            time.sleep(reply.wait)
        finally:
            # Before the reply: who has it may ask again before this thread goes on.
            with self._lock:
                self._in_work -= 1
        if reply.cut:
            handler.close_connection = True
            return
        _send(handler, reply)


@dataclass(frozen=True)
class Request:
    """What the server received."""

    method: str
    path: str
    headers: dict[str, str]
    body: object
    at: float


def _body(raw: bytes, kind: str) -> object:
    if not raw:
        return None
    return dict(parse_qsl(raw.decode())) if kind.startswith("application/x-www-form-urlencoded") else json.loads(raw)


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    data = reply.data()
    sent = {"Content-Type": "application/json", "Content-Length": str(len(data)), **reply.headers}
    head = f"HTTP/1.1 {reply.status} Scripted\r\n" + "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    body, last = (data[:-1], data[-1:]) if reply.last_after else (data, b"")
    for piece in (*_pieces(head.encode() + b"\r\n", reply.head_drip), *_pieces(body, reply.drip)):
        handler.wfile.write(piece)
        handler.wfile.flush()
    if reply.last_after:
        reply.last_after.wait(LIMIT_S)
        handler.wfile.write(last)


def _pieces(data: bytes, drip: float | None) -> Iterator[bytes]:
    if drip is None:
        yield data
        return
    for place in range(len(data)):
        time.sleep(drip)
        yield data[place : place + 1]
