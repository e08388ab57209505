"""The server as a visitor meets it: one line with the address, health, safe headers, a clean end."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator

import pytest

from core.domain.errors import InvalidInput
from core.installation import ROOT
from pages.server import serve
from tests.support.application.server import free_port
from tests.support.processes.printed import next_line

LIMIT_S = 60.0
"""How long a test waits for the server; only a test that fails waits so long."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[subprocess.Popen[str], str]]:
    data, port = tmp_path_factory.mktemp("server"), free_port()
    environment = {**os.environ, "PLUMBLINE_DATA": str(data), "PLUMBLINE_PORT": str(port)}
    process = subprocess.Popen(
        [sys.executable, "-m", "pages.server.serve", "--no-sample"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = next_line(process, LIMIT_S)
    yield process, line
    if process.poll() is None:
        process.kill()
    process.wait()
    process.stdout.close()


def address(line: str) -> str:
    return line.split(" at ")[1].split(" ")[0]


@pytest.mark.slow
def test_one_line_gives_the_address(server):
    assert server[1].startswith("Plumbline is at http://localhost:")


def test_health_says_that_the_store_answers(server):
    with urllib.request.urlopen(f"{address(server[1])}/healthz", timeout=LIMIT_S) as answer:
        assert json.load(answer) == {"status": "ok"}


@pytest.mark.parametrize("path", ["/", "/connect", "/healthz", "/_stcore/health"])
def test_every_answer_carries_the_safe_headers(server, path):
    with urllib.request.urlopen(f"{address(server[1])}{path}", timeout=LIMIT_S) as answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]


def test_another_sites_name_is_refused(server):
    port = int(address(server[1]).rsplit(":", 1)[1])

    def handshake(host: str) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as connection:
            connection.sendall(
                f"GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            return connection.recv(64)

    assert b" 101 " in handshake(f"localhost:{port}")
    assert b" 403 " in handshake("evil.example.com")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:8501", "a@localhost", ""])
def test_another_sites_name_gets_no_page_either(server, host):
    port = int(address(server[1]).rsplit(":", 1)[1])

    def status(host: str, path: str) -> bytes:
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return connection.recv(64).split(b"\r\n")[0]

    for path in ("/", "/healthz", "/connect", "/_stcore/host-config"):
        assert b" 200 " in status(f"localhost:{port}", path)
        assert b" 403 " in status(host, path) or b" 400 " in status(host, path)


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/_stcore/metrics/", "/%5Fstcore/metrics", "/_stcore//metrics"])
def test_the_figures_of_the_process_are_closed(server, path):
    port = int(address(server[1]).rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status in (404, 200)
    assert b"# TYPE" not in answer.read(), "another path is answered with the page"
    assert path.rstrip("/") != "/_stcore/metrics" or answer.status == 404
    connection.close()


def test_the_sources_are_not_served(server):
    with urllib.request.urlopen(f"{address(server[1])}/app/static/pages/server/serve.py", timeout=LIMIT_S) as answer:
        assert b"import" not in answer.read()[:200]


@pytest.mark.slow
def test_interrupting_ends_it_cleanly(server):
    server[0].send_signal(signal.SIGINT)
    assert server[0].wait(timeout=LIMIT_S) == 0


def test_a_taken_port_is_passed_over():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        first = taken.getsockname()[1]
        assert serve.free_port("localhost", first) > first


def test_an_address_that_is_not_ours_is_told():
    with pytest.raises(InvalidInput, match="no address"):
        serve.free_port("no.such.name.invalid", 8501)


@pytest.mark.slow
def test_a_server_for_this_machine_knows_its_names_and_a_network_server_is_told_them():
    assert serve.options("localhost", 8501)["server.allowedHosts"] == ["localhost", "127.0.0.1"]
    assert "server.allowedHosts" not in serve.options("0.0.0.0", 8501)
