"""Which hosts are contacted: those that the settings name, and no other, watched at the socket."""

import socket

import pytest

from core.domain.errors import InvalidInput
from core.domain.llm import Endpoint, Message
from core.llm import open_chat
from core.llm.addresses import check, checked_url, split_spec
from core.store.database import Store
from tests.support.servers.llm_server import LlmServer
from tests.support.stores import blank_url

ASKED = (Message("user", "Who?"),)


class Refused(OSError):
    """A connection that no setting named."""


@pytest.fixture
def guard(monkeypatch):
    """Refuses every connection and every look-up of a name but those to the allowed ports of this machine."""
    allowed, tried = set(), []
    connect, connect_ex, lookup = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo

    def watch(sock, address):
        tried.append(address)
        if sock.family != socket.AF_UNIX and address[:2] not in allowed:
            raise Refused(f"{address} is named by no setting")

    def guarded(sock, address):
        watch(sock, address)
        return connect(sock, address)

    def guarded_ex(sock, address):
        watch(sock, address)
        return connect_ex(sock, address)

    def guarded_lookup(host, port, *args, **more):
        tried.append((host, port))
        if (host, port) not in allowed:
            raise Refused(f"{host} is named by no setting")
        return lookup(host, port, *args, **more)

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_lookup)
    monkeypatch.delenv("PLUMBLINE_LLM_KEY", raising=False)
    monkeypatch.delenv("PLUMBLINE_LLM_KEY_HOSTS", raising=False)
    return allowed, tried


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


def test_a_call_opens_connections_to_its_endpoint_alone(store, guard):
    allowed, tried = guard
    with LlmServer() as server:
        allowed.add(("127.0.0.1", server.port))
        chat = open_chat(store, "", server.spec())
        assert tried == [], "opening a model sends nothing"
        for number in range(3):
            chat.ask((Message("user", f"Who {number}?"),), purpose="judge")
        assert {tuple(address[:2]) for address in tried} == {("127.0.0.1", server.port)}


def test_the_guard_can_fail(guard):
    with pytest.raises(Refused):
        socket.create_connection(("127.0.0.1", 9))
    with pytest.raises(Refused):
        socket.getaddrinfo("llm.example", 443)


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/v1",
        "https://llm.bank.example.evil.example/v1",
        "https://evil.example:443/llm.bank.example",
        "http://llm.bank.example.:80/v1",
        "http://127.0.0.2/v1",
        "http://[::1]/v1",
        "http://2130706433/v1",
    ],
)
def test_a_host_that_is_not_allowed_is_refused_before_any_socket_is_opened(store, guard, monkeypatch, address):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "llm.bank.example, 127.0.0.1")
    with pytest.raises(InvalidInput, match="may not call"):
        open_chat(store, "", f"m@{address}")
    assert guard[1] == []


def test_a_host_that_is_allowed_is_called_in_any_case_of_letters(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "LLM.bank.example")
    assert checked_url("https://llm.BANK.example/v1") == "https://llm.BANK.example/v1"


@pytest.mark.parametrize(
    "spec",
    [
        "gpt",
        "@https://h/v1",
        "gpt@",
        "gpt@h/v1",
        "gpt@ftp://h/v1",
        "gpt@https://",
        "gpt@https:///v1",
        "gpt@https://h:99999999/v1",
        "gpt@https://[::1/v1",
        "gpt@https://h v/v1",
        "gpt@https://h/v1\n",
        "gpt@http://h\\\t/v1",
        "gpt@http://h/v1?key=sk-secret",
        "gpt@http://h/v1#sk-secret",
        "gpt@http://user:sk-secret@h/v1",
        "gpt@http://sk-secret@h/v1",
        "gpt@http://:sk-secret@h/v1",
        "gpt@http://user:sk-secret@h:port/v1",
        "gpt@ftp://user:sk-secret@h/v1",
        "gpt@http://user:sk-secret@[::1/v1",
        "gpt@http://user:sk-secret@h v/v1",
        "gpt@http://h\u200b/v1",
    ],
)
def test_a_spec_that_names_no_plain_address_is_refused_and_not_quoted_with_its_secret(spec):
    if spec.endswith("\n"):
        assert split_spec(spec) == ("gpt", "https://h/v1")
        return
    with pytest.raises(InvalidInput) as caught:
        split_spec(spec)
    assert "sk-secret" not in f"{caught.value} {caught.value.hint} {caught.value.__cause__!r}"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("m@http://h", ("m", "http://h")),
        (" m @ http://h ", None),
        ("org/m@2@https://h:8000/v1/", ("org/m@2", "https://h:8000/v1")),
        ("m@http://h/v1/chat/completions", ("m", "http://h/v1")),
        ("m@http://h/v1//chat/completions/", ("m", "http://h/v1")),
        ("m@HTTP://h/v1", ("m", "HTTP://h/v1")),
        ("m@http://[::1]:80/v1", ("m", "http://[::1]:80/v1")),
    ],
)
def test_a_spec_is_a_model_and_an_address(spec, parts):
    if parts is None:
        with pytest.raises(InvalidInput):
            split_spec(spec)
    else:
        assert split_spec(spec) == parts


def endpoint(**settings):
    return Endpoint(id="", project_id="", **{"name": "Bank", "base_url": "https://llm.bank.example/v1", **settings})


@pytest.mark.parametrize(
    "settings",
    [
        {"name": " "},
        {"key_env": "sk-secret-key"},
        {"key_env": "A KEY"},
        {"concurrency": 0},
        {"concurrency": 1_001},
        {"timeout_s": 0.0},
        {"timeout_s": float("nan")},
        {"timeout_s": 400.0},
        {"ca_bundle": "/nosuch.pem"},
        {"headers": {"X Y": "1"}},
        {"headers": {"Host": "internal.bank.example"}},
        {"headers": {"X-Y": "1\r\nX-Z: 2"}},
        {"headers": {"Authorization": "Bearer sk-secret"}},
        {"headers": {"api-key": "sk-0secret${NAME}"}},
        {"headers": {"api-key": "sk-secret ${NAME}"}},
        {"headers": {"X-Anything": "Bearer sk-secret"}},
        {"headers": {"X-Anything": "sk-secret-0123456789"}},
        {"key_env": "PLUMBLINE_DATABASE_URL"},
        {"headers": {"X-Db": "${plumbline_database_url}"}},
        {"proxy": "http://u:sk-secret@h:1"},
        {"proxy": "http://u:sk-secret${X}@h:1"},
        {"proxy": "h:1"},
        {"proxy": "http://u:sk-secret@h:port"},
        {"proxy": "ftp://h:1"},
        {"base_url": "http://u:sk-secret@h"},
    ],
    ids=str,
)
def test_an_endpoint_that_would_keep_a_secret_or_could_not_be_called_is_refused(settings):
    with pytest.raises(InvalidInput) as caught:
        check(endpoint(**settings))
    assert "sk-secret" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize(
    "settings",
    [
        {"key_env": "BANK_KEY"},
        {"key_env": "PLUMBLINE_LLM_KEY"},
        {"headers": {"Authorization": "Bearer ${BANK_KEY}"}},
        {"headers": {"api-key": "${BANK_KEY}", "X-Team": "quality"}},
        {"proxy": "http://u:${PW}@proxy.bank.example:3128"},
        {"proxy": "http://proxy.bank.example:3128"},
        {"concurrency": 1_000},
        {"timeout_s": 300.0},
    ],
    ids=str,
)
def test_an_endpoint_that_refers_to_its_secrets_is_taken(settings):
    check(endpoint(**settings))


def test_a_proxy_that_is_not_allowed_is_refused(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "llm.bank.example")
    with pytest.raises(InvalidInput, match="may not call proxy"):
        check(endpoint(proxy="http://proxy.evil.example:3128"))


def test_with_sign_in_only_named_hosts_are_called(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "true")
    monkeypatch.delenv("PLUMBLINE_ALLOWED_HOSTS", raising=False)
    with pytest.raises(InvalidInput, match="has sign-in and names no host") as refused:
        checked_url("https://llm.bank.example/v1")
    assert "PLUMBLINE_ALLOWED_HOSTS" in refused.value.hint
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "llm.bank.example")
    assert checked_url("https://llm.bank.example/v1") == "https://llm.bank.example/v1"
