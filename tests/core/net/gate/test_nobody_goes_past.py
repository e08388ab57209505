"""Nobody opens a connection past the gate: who may name what opens one, read from the source of every module."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
GATE = "core/net/gate/"

OPENERS = {
    # The server looks for a free port of this machine; the gate names the type alone.
    "socket.socket": {"pages/server/serve.py", f"{GATE}policy.py", f"{GATE}mail.py"},
    "socket.create_connection": {f"{GATE}policy.py"},
    "socket.getaddrinfo": {f"{GATE}resolving.py", "pages/server/serve.py"},
    "socket.socketpair": set(),
    "asyncio.open_connection": set(),
    "asyncio.open_unix_connection": set(),
    "httpx2.AsyncClient": {
        "core/net/pools.py",
        "core/targets/over_http/client.py",  # this and the next name the type alone
        "core/targets/over_http/tokens.py",
    },
    "httpx2.Client": {"core/encoders/hub.py"},
    "httpx2.AsyncHTTPTransport": {f"{GATE}http.py"},
    "httpx2.HTTPTransport": {f"{GATE}http.py"},
    "httpx2.get": set(),
    "httpx2.post": set(),
    "httpx2.put": set(),
    "httpx2.request": set(),
    "httpx2.stream": set(),
    "httpcore2.AnyIOBackend": {f"{GATE}http.py"},
    "httpcore2.SyncBackend": {f"{GATE}http.py"},
    "openai.AsyncOpenAI": {"core/llm/calls/transport.py"},
    "openai.OpenAI": set(),
    "sqlalchemy.create_engine": {f"{GATE}databases.py", "core/store/engines.py"},  # the operator's own store
    "sqlalchemy.engine_from_config": set(),
}
"""What opens connections, and the modules that may use it."""

MODULES = {
    "aiohttp": set(),
    "asyncpg": set(),
    "ftplib": set(),
    "http.client": set(),
    "httpcore2": {f"{GATE}http.py"},
    "httpx": set(),
    "imaplib": set(),
    "paramiko": set(),
    "poplib": set(),
    "psycopg": set(),
    "pymysql": set(),
    "requests": set(),
    "smtplib": {f"{GATE}mail.py"},
    "telnetlib": set(),
    "urllib.request": set(),
    "urllib3": set(),
    "websockets": set(),
    "xmlrpc.client": set(),
}
"""Libraries that go out by themselves, and the modules that may import them."""


def modules():
    for top in ("core", "pages", "app.py"):
        place = ROOT / top
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def names_in(tree):
    """The dotted names that a module uses, with its imports put in their place."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                known[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
                yield alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                yield f"{node.module}.{alias.name}"
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            parts, inner = [node.attr], node.value
            while isinstance(inner, ast.Attribute):
                parts.append(inner.attr)
                inner = inner.value
            if isinstance(inner, ast.Name) and inner.id in known:
                yield ".".join([known[inner.id], *reversed(parts)])


def breaches(source, place):
    found = set()
    for name in names_in(ast.parse(source)):
        if name in OPENERS and place not in OPENERS[name]:
            found.add(name)
        for module, allowed in MODULES.items():
            if (name == module or name.startswith(f"{module}.")) and place not in allowed:
                found.add(module)
    return found


@pytest.mark.slow
def test_no_module_opens_a_connection_past_the_gate():
    found = {
        str(path.relative_to(ROOT)): names
        for path in modules()
        if (names := breaches(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT))))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import urllib.request\nurllib.request.urlopen('x')", "urllib.request"),
        ("from urllib import request", "urllib.request"),
        ("import httpx2 as h\nh.AsyncClient()", "httpx2.AsyncClient"),
        ("from httpx2 import get", "httpx2.get"),
        ("from sqlalchemy import create_engine as make", "sqlalchemy.create_engine"),
        ("import sqlalchemy as sa\nsa.create_engine('x')", "sqlalchemy.create_engine"),
        ("def f():\n    import psycopg", "psycopg"),
        ("import socket\nsocket.create_connection(('x', 1))", "socket.create_connection"),
        ("from smtplib import SMTP", "smtplib"),
    ],
)
def test_the_check_can_fail(source, name):
    assert name in breaches(source, "core/somewhere.py")


def test_who_may_is_still_there():
    """An entry that nobody uses any more is taken out."""
    for name, places in {**OPENERS, **MODULES}.items():
        for place in places:
            used = set(names_in(ast.parse((ROOT / place).read_text(encoding="utf-8"))))
            assert any(one == name or one.startswith(f"{name}.") for one in used), (name, place)
