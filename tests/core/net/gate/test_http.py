"""HTTP through the gate: redirects, names that change where they lead, proxies; watched at real servers."""

import asyncio
import threading

import httpx2
import pytest

from core.domain.errors import CallFailed, DestinationRefused, NoReply
from core.domain.llm import Endpoint, Message
from core.llm import endpoint_settings, open_chat
from core.net import loop
from core.net.gate import Destination, resolving_with
from core.net.gate.http import SyncGate
from core.net.gate.policy import open_socket
from core.net.pacing import Pace
from core.net.pools import http_client
from core.net.tls import trust
from core.project.service import create_project
from core.targets.over_http.client import HttpClient
from core.targets.over_http.config import check_config
from tests.support.servers.answer_server import AnswerServer, Reply
from tests.support.servers.llm_server import LlmServer

METADATA = "169.254.169.254"


@pytest.fixture(autouse=True)
def own_machine(monkeypatch):
    for name in ("ALLOWED_HOSTS", "HOST_VARIABLES", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)


def port_of(server):
    return int(server.url.rsplit(":", 1)[1].split("/")[0])


def sync_client():
    return httpx2.Client(transport=SyncGate(), follow_redirects=True, timeout=5)


def get(url, **options):
    async def ask():
        async with http_client(1, trust(), **options) as client:
            return await client.get(url)

    return asyncio.run(ask())


def test_a_name_is_connected_at_the_address_that_was_checked(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "rag.bank.example,127.0.0.1")
    with AnswerServer(lambda request: {"host": request.headers["host"]}) as server:
        port = port_of(server)
        with resolving_with(lambda host, port: ["127.0.0.1"]):
            assert get(f"http://rag.bank.example:{port}/").json() == {"host": f"rag.bank.example:{port}"}
            with sync_client() as client:
                assert client.get(f"http://rag.bank.example:{port}/").status_code == 200
            open_socket(Destination("rag.bank.example", port), port, 5).close()


def test_a_name_that_leads_elsewhere_the_second_time_is_refused_at_the_second_connection():
    answers = [["127.0.0.1"], [METADATA]]

    def rebinding(host, port):
        return answers.pop(0)

    with AnswerServer(lambda request: Reply({}, headers={"Connection": "close"})) as server, sync_client() as client:
        port = port_of(server)
        with resolving_with(rebinding):
            assert client.get(f"http://x.localhost:{port}/").status_code == 200
            with pytest.raises(DestinationRefused, match=f"leads to {METADATA}"):
                client.get(f"http://x.localhost:{port}/")
    assert answers == []


@pytest.mark.parametrize("host", ["evil.example", METADATA, "2130706433", "[::ffff:169.254.169.254]", "localhost."])
def test_each_hop_of_a_redirect_is_checked_where_redirects_are_followed(monkeypatch, host):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1,0.0.0.0/0,::/0")
    to = {"Location": f"http://{host}:9/latest"}
    with (
        AnswerServer(lambda request: Reply({}, status=302, headers=to)) as server,
        sync_client() as client,
        pytest.raises(DestinationRefused, match="may not call"),
    ):
        client.get(server.url)


def test_a_redirect_to_an_allowed_host_is_followed_there_and_only_by_the_hub():
    with AnswerServer(lambda request: {"answer": "there"}) as end:
        to = {"Location": end.url}
        with AnswerServer(lambda request: Reply({}, status=307, headers=to)) as server:
            with sync_client() as client:
                assert client.get(server.url).json() == {"answer": "there"}
            assert get(server.url).status_code == 307
            target = HttpClient(check_config(server.config()), retries=0)
            with pytest.raises(NoReply, match=r"redirect to 127\.0\.0\.1, which is not followed"):
                target.send("Q?", "c", Pace())
    assert len(end.requests) == 1


def test_a_target_whose_name_leads_to_this_machine_fails_its_case_with_the_reason():
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        url = server.url.replace("127.0.0.1", "rag.bank.example")
        client = HttpClient(check_config(server.config(url=url)), retries=3)
        with resolving_with(lambda host, port: ["127.0.0.1"]), pytest.raises(NoReply) as error:
            client.send("Q?", "c", Pace())
        assert "which leads to 127.0.0.1: it is this machine under another name" in error.value.message
        assert "write localhost" in error.value.hint
        assert "asked" not in error.value.message, "it is not tried again"
        assert server.requests == []


def test_a_model_whose_name_leads_to_this_machine_is_not_called(store):
    project = create_project(store, "Bank", actor="local")
    with LlmServer() as server:
        url = server.base_url.replace("127.0.0.1", "llm.bank.example")
        endpoint_settings.save(store, Endpoint(id="", project_id=project.id, name="E", base_url=url), actor="local")
        chat = open_chat(store, project.id, f"m@{url}")
        with resolving_with(lambda host, port: ["::1", "127.0.0.1"]), pytest.raises(CallFailed) as error:
            chat.ask([Message("user", "Who?")], purpose="judge")
        assert "which leads to ::1: it is this machine under another name" in error.value.message
        assert server.bodies == []


def test_behind_a_proxy_the_names_of_both_are_checked(monkeypatch):
    with AnswerServer(lambda request: {"path": request.path}) as proxy:
        through = proxy.url.removesuffix("/ask")
        assert get("http://rag.bank.example/x", proxy=through).json() == {"path": "http://rag.bank.example/x"}
        for hosts, refused in {"127.0.0.1": "rag.bank.example", "rag.bank.example": "127.0.0.1"}.items():
            monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", hosts)
            with pytest.raises(DestinationRefused, match=f"may not call {refused}"):
                get("http://rag.bank.example/x", proxy=through)
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "")
        for url in (f"http://{METADATA}/x", "http://2852039166/x"):
            with pytest.raises(DestinationRefused, match="may not call"):
                get(url, proxy=through)
    assert len(proxy.requests) == 1


def test_the_operators_proxy_needs_no_place_in_the_list_and_what_is_behind_it_does(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "hub.example")
    with (
        AnswerServer(lambda request: {}) as proxy,
        httpx2.Client(transport=SyncGate(proxy.url.removesuffix("/ask"))) as client,
    ):
        assert client.get("http://hub.example/x").status_code == 200
        with pytest.raises(DestinationRefused, match=r"may not call evil\.example"):
            client.get("http://evil.example/x")
    assert len(proxy.requests) == 1


def test_no_proxy_of_the_environment_is_used(monkeypatch):
    with AnswerServer(lambda request: {}) as proxy, AnswerServer(lambda request: {}) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/ask"))
        assert get(server.url).status_code == 200
        with sync_client() as client:
            assert client.get(server.url).status_code == 200
    assert (len(proxy.requests), len(server.requests)) == (0, 2)


def test_where_the_first_address_does_not_answer_the_next_is_tried():
    with AnswerServer(lambda request: {}) as server:
        port = port_of(server)
        with resolving_with(lambda host, port: ["127.0.0.9", "127.0.0.1"]), sync_client() as client:
            assert client.get(f"http://x.localhost:{port}/").status_code == 200
            assert get(f"http://x.localhost:{port}/").status_code == 200
            open_socket(Destination("x.localhost", port), port, 5).close()


def test_a_client_that_is_busy_looking_up_a_name_keeps_nobody_waiting():
    """The look-up is done beside the loop that all calls share."""
    looking, go = threading.Event(), threading.Event()

    def slow(host, port):
        looking.set()
        go.wait(5)
        return ["127.0.0.1"]

    async def both(port):
        async with http_client(2, trust()) as client:
            slow_one = asyncio.create_task(client.get(f"http://x.localhost:{port}/"))
            await asyncio.get_running_loop().run_in_executor(None, looking.wait, 5)
            quick = await client.get(f"http://127.0.0.1:{port}/")
            go.set()
            return quick.status_code, (await slow_one).status_code

    with AnswerServer(lambda request: {}) as server, resolving_with(slow):
        assert loop.call(both(port_of(server))) == (200, 200)
