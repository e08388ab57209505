"""Asking a model: what makes two questions equal, what is kept, what is sent and what never is."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from pydantic import BaseModel, field_validator

from core.domain.errors import CallFailed, InvalidInput
from core.domain.llm import CallState, Endpoint, Message, PromptRef, Structured
from core.domain.status import Status
from core.llm import open_chat
from core.store.database import Store
from core.store.models import calls, endpoints
from core.store.tables import llm_calls as calls_table
from core.store.tables import llm_uses as uses_table
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url, with_run

ASKED = (Message("system", "Judge."), Message("user", "Who?"))
SECRET = "sk-top/secret+0123456789"


class Verdict(BaseModel):
    verdict: str


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    """The keys of whoever runs the tests have no part in them."""
    for name in ("PLUMBLINE_LLM_KEY", "PLUMBLINE_LLM_KEY_HOSTS", "OPENAI_API_KEY", "PLUMBLINE_ALLOWED_HOSTS"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        with_run(opened)
        yield opened


@pytest.fixture
def server():
    with LlmServer(lambda body: "an answer") as running:
        yield running


def rows(store, table):
    with store.read() as connection:
        return [dict(row) for row in connection.execute(table.select()).mappings()]


def kept(store):
    with store.read() as connection:
        return calls.calls_of(calls_table.select().order_by(calls_table.c.seq), connection)


def named(store, server, **settings):
    """An endpoint of the project at the server's address."""
    given = {"name": "Bank", "structured": Structured.SCHEMA, **settings}
    with store.pulse() as connection:
        endpoints.put(connection, Endpoint(id="end_1", project_id="prj_1", base_url=server.base_url, **given))
    return open_chat(store, "prj_1", server.spec())


def ask(chat, messages=ASKED, **more):
    return chat.ask(messages, **{"purpose": "judge", **more})


def test_a_reply_comes_with_all_that_is_known_of_it_and_is_kept(store, server):
    chat = open_chat(store, "prj_1", server.spec(), run_id="run_1")
    ref = PromptRef(id="p", version="2", hash="ab")
    reply = ask(chat, case_id="c1", prompt=ref, max_tokens=9)
    assert (reply.text, reply.finish_reason, reply.cached) == ("an answer", "stop", False)
    assert (reply.prompt_tokens, reply.completion_tokens, reply.cost) == (2, 2, None)
    assert server.bodies == [
        {
            "model": "m",
            "messages": [{"role": "system", "content": "Judge."}, {"role": "user", "content": "Who?"}],
            "temperature": 0.0,
            "max_tokens": 9,
        }
    ]
    (call,) = kept(store)
    assert (call.id, call.state, call.messages, call.reply) == (reply.call_id, CallState.ANSWERED, ASKED, "an answer")
    assert (call.prompt_id, call.prompt_version, call.prompt_hash) == ("p", "2", "ab")
    (use,) = rows(store, uses_table)
    assert (use["call_id"], use["run_id"], use["case_id"], use["cached"]) == (call.id, "run_1", "c1", False)


def test_what_says_nothing_about_the_answer_does_not_part_equal_questions(store, server):
    ask(open_chat(store, "prj_1", server.spec(), run_id="run_1"), case_id="c1")
    other = open_chat(store, "prj_1", server.spec())
    again = ask(other, purpose="claims", case_id="c2", prompt=PromptRef(id="q", version="1", hash="c"), temperature=0)
    assert again.cached
    assert len(server.bodies) == 1
    uses = rows(store, uses_table)
    assert [(use["purpose"], use["case_id"], use["cached"]) for use in uses] == [
        ("judge", "c1", False),
        ("claims", "c2", True),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    "differs",
    [
        {"messages": (Message("system", "Judge."), Message("user", "Who? "))},
        {"messages": (Message("user", "Judge."), Message("user", "Who?"))},
        {"messages": ASKED[::-1]},
        {"messages": (Message("system", "Judge.Who?"),)},
        {"temperature": 0.5},
        {"temperature": None},
        {"max_tokens": 5},
        {"sample": 1},
    ],
    ids=str,
)
def test_what_decides_the_answer_parts_questions(store, server, differs):
    chat = open_chat(store, "prj_1", server.spec())
    ask(chat)
    assert not ask(chat, **differs).cached
    assert ask(chat, **differs).cached
    assert len(server.bodies) == 2


def test_model_endpoint_version_and_project_part_questions(store, server):
    chats = [open_chat(store, "prj_1", server.spec()), open_chat(store, "prj_1", server.spec("other"))]
    chats += [open_chat(store, "", server.spec()), named(store, server, api_version="2024-10-21")]
    with LlmServer(lambda body: "elsewhere") as elsewhere:
        chats.append(open_chat(store, "prj_1", elsewhere.spec()))
        assert [ask(chat).cached for chat in chats] == [False] * 5
        assert [ask(chat).cached for chat in chats] == [True] * 5
    assert len({call.key for call in kept(store)}) == 4, "a project's calls have the same keys as those of none"


def test_draws_of_one_question_differ_and_each_is_kept(store):
    drawn = iter("abc")
    with LlmServer(lambda body: next(drawn)) as server:
        chat = open_chat(store, "prj_1", server.spec())
        first = [ask(chat, sample=sample, temperature=1.0).text for sample in range(3)]
        assert first == ["a", "b", "c"]
        assert [ask(chat, sample=sample, temperature=1.0).text for sample in range(3)] == first


def test_equal_questions_at_once_are_sent_once_and_every_use_is_kept(store):
    with LlmServer(latency=0.1) as server:
        chat = open_chat(store, "prj_1", server.spec(), run_id="run_1")
        with ThreadPoolExecutor(20) as pool:
            replies = list(pool.map(lambda number: ask(chat, case_id=f"c{number}"), range(20)))
        assert len(server.bodies) == 1
    assert sorted(reply.cached for reply in replies) == [False] + [True] * 19
    assert {use["case_id"] for use in rows(store, uses_table)} == {f"c{number}" for number in range(20)}


REPAIRED = ["no JSON", '{"verdict": "Correct"}']


def asked_again(body):
    return any("could not be read" in message["content"] for message in body["messages"])


def test_a_malformed_reply_is_repaired_once_and_the_second_run_sends_nothing(store):
    with LlmServer(lambda body: REPAIRED[asked_again(body)]) as server:
        chat = named(store, server)
        value, reply = chat.ask_for(Verdict, ASKED, purpose="judge")
        assert (value, reply.cached, len(server.bodies)) == (Verdict(verdict="Correct"), False, 2)
        assert [call.state for call in kept(store)] == [CallState.MALFORMED, CallState.ANSWERED]
        again, reply = open_chat(store, "prj_1", server.spec()).ask_for(Verdict, ASKED, purpose="judge")
        assert (again, reply.cached, len(server.bodies)) == (value, True, 2)


def test_a_repair_is_the_same_question_however_often_the_first_was_sent(store):
    faults = iter([Fault(status=500), Fault(status=500)])
    with LlmServer() as server:
        server.script = lambda body: next(faults, None) or REPAIRED[asked_again(body)]
        named(store, server).ask_for(Verdict, ASKED, purpose="judge")
    malformed, answered = (call for call in kept(store) if call.purpose != "probe")
    assert malformed.attempts == 3
    assert answered.messages[-1].content.startswith("That reply could not be read: it holds no JSON object. Give")


def test_what_stays_malformed_fails_with_its_text_and_is_kept(store):
    with LlmServer(lambda body: "I think so.") as server:
        with pytest.raises(CallFailed, match="no JSON object") as caught:
            named(store, server).ask_for(Verdict, ASKED, purpose="judge")
        assert len(server.bodies) == 2, "one repair and no more"
    assert (caught.value.status, caught.value.raw) == (Status.PARSE_FAILED, "I think so.")
    assert caught.value.call_id == kept(store)[-1].id
    assert [call.reply for call in kept(store)] == ["I think so."] * 2


def test_a_stored_reply_that_a_stricter_form_does_not_take_is_repaired(store):
    class Strict(BaseModel):
        verdict: str

        @field_validator("verdict")
        @classmethod
        def known(cls, verdict):
            if verdict not in ("Correct", "Incorrect"):
                raise ValueError("no such verdict")
            return verdict

    Strict.__name__ = "Verdict"
    Strict.model_config["title"] = "Verdict"
    with LlmServer(lambda body: {"verdict": "Correct" if asked_again(body) else "Perhaps"}) as server:
        chat = named(store, server)
        assert chat.ask_for(Verdict, ASKED, purpose="judge")[0].verdict == "Perhaps"
        assert chat.ask_for(Strict, ASKED, purpose="judge")[0].verdict == "Correct"
        assert len(server.bodies) == 2


@pytest.mark.parametrize("form", [None, Verdict])
@pytest.mark.parametrize("reason", ["length", "max_tokens"])
def test_a_reply_that_was_cut_off_is_no_answer_though_it_reads_well(store, form, reason):
    with LlmServer(lambda body: Fault(text='{"verdict": "Correct"}', finish_reason=reason)) as server:
        chat = named(store, server)
        for sent in (1, 2):
            with pytest.raises(CallFailed) as caught:
                ask(chat) if form is None else chat.ask_for(form, ASKED, purpose="judge")
            assert (caught.value.status, caught.value.raw) == (Status.TRUNCATED, '{"verdict": "Correct"}')
            assert len(server.bodies) == sent, "not sent again by itself, and never served"


def test_a_reply_that_the_service_withheld_is_no_answer(store):
    with LlmServer(lambda body: Fault(text="Half an", finish_reason="content_filter")) as server:
        with pytest.raises(CallFailed, match="withheld") as caught:
            ask(open_chat(store, "prj_1", server.spec()))
        assert caught.value.status is Status.API_ERROR
        assert len(server.bodies) == 1


def test_a_reply_no_store_could_keep_loses_no_call(store):
    raw = b'{"choices": [{"message": {"content": "a\\u0000 \\ud800"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 1e99}}'  # noqa: E501
    with LlmServer(lambda body: Fault(raw=raw)) as server:
        assert ask(open_chat(store, "prj_1", server.spec())).text.startswith("a\ufffd")
    assert len(kept(store)) == 1


def test_a_question_no_one_could_send_is_sent_without_what_cannot_be(store, server):
    ask(open_chat(store, "prj_1", server.spec()), (Message("user", "half \ud800 of a pair"),))
    assert server.bodies[0]["messages"][0]["content"].startswith("half \ufffd")


def test_headers_come_from_the_environment_and_are_never_stored(store, server, monkeypatch):
    monkeypatch.setenv("A_TEST_KEY", f" {SECRET}\n")
    monkeypatch.setenv("A_TEST_TOKEN", "tok-9876543210")
    chat = named(store, server, key_env="A_TEST_KEY", headers={"X-Token": "${A_TEST_TOKEN}", "X-Team": "quality"})
    ask(chat)
    (sent,) = server.headers
    assert sent["authorization"] == f"Bearer {SECRET}", "without the line break it was read from a file with"
    assert (sent["x-token"], sent["x-team"]) == ("tok-9876543210", "quality")
    assert not in_store(store, SECRET, "tok-9876543210")


def in_store(store, *secrets):
    """Whether any file of the store's folder holds a secret."""
    return [
        path.name
        for path in store.folder.iterdir()
        for secret in secrets
        if path.is_file() and secret.encode() in path.read_bytes()
    ]


def test_a_keyless_endpoint_is_sent_no_key_and_nothing_of_the_environment(store, server, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, f"{name}-value-of-another-service")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Stray: another-service\nAuthorization: Bearer another-service")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    ask(open_chat(store, "prj_1", server.spec()))
    (sent,) = server.headers
    assert "authorization" not in sent
    assert "another-service" not in json.dumps(sent)
    assert not [name for name in sent if name.startswith(("openai-", "x-stray"))]


def test_the_key_of_openai_goes_to_openai_alone(store, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    chat = open_chat(store, "", "gpt@https://api.openai.com/v1")
    assert chat._sender.endpoint.key_env == "OPENAI_API_KEY"
    for address in (
        "https://api.openai.com.evil.example/v1",
        "https://evil.example/api.openai.com",
        "http://openai.com",
        "http://api.openai.com/v1",
    ):
        assert open_chat(store, "", f"gpt@{address}")._sender.endpoint.key_env == ""


@pytest.mark.parametrize(
    ("hosts", "sent"),
    [(None, False), ("llm.bank.example", False), ("localhost", False), ("llm.bank.example, 127.0.0.1", True)],
)
def test_the_key_of_addresses_goes_to_the_hosts_it_was_named_for(store, server, monkeypatch, hosts, sent):
    monkeypatch.setenv("PLUMBLINE_LLM_KEY", SECRET)
    if hosts is not None:
        monkeypatch.setenv("PLUMBLINE_LLM_KEY_HOSTS", hosts)
    ask(open_chat(store, "", server.spec()))
    assert [headers.get("authorization") for headers in server.headers] == [f"Bearer {SECRET}" if sent else None]


def test_hosts_allowed_to_be_called_get_no_key_for_that(store, server, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_LLM_KEY", SECRET)
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
    ask(open_chat(store, "", server.spec()))
    assert "authorization" not in server.headers[0]


def test_an_endpoint_may_name_that_key_whatever_its_host(store, server, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_LLM_KEY", SECRET)
    ask(named(store, server, key_env="PLUMBLINE_LLM_KEY"))
    assert server.headers[0]["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize("status", [401, 403])
def test_a_refusal_for_want_of_a_key_says_so(store, monkeypatch, status):
    monkeypatch.setenv("BANK_KEY", SECRET)
    with LlmServer(lambda body: Fault(status=status)) as server:
        with pytest.raises(CallFailed, match="no key was sent") as failed:
            ask(open_chat(store, "", server.spec()))
        assert "PLUMBLINE_LLM_KEY_HOSTS" in failed.value.hint
        with pytest.raises(CallFailed) as failed:
            ask(named(store, server, key_env="BANK_KEY"))
        assert "no key" not in failed.value.message


def test_a_variable_that_is_not_set_is_named(store, server):
    with pytest.raises(InvalidInput, match="A_KEY_NOBODY_SET"):
        named(store, server, key_env="A_KEY_NOBODY_SET")


def test_proxies_of_the_environment_are_ignored(store, server, monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    assert ask(open_chat(store, "prj_1", server.spec())).text == "an answer"


def test_a_redirect_is_not_followed(store):
    with LlmServer() as elsewhere, LlmServer() as server:

        async def redirect(body, headers):
            return 307, [f"location: {elsewhere.base_url}/chat/completions"], b""

        server._answer = redirect
        with pytest.raises(CallFailed, match="HTTP 307"):
            ask(open_chat(store, "prj_1", server.spec()))
        assert elsewhere.bodies == []


class Echoing(LlmServer):
    """Sends back the headers it was asked with, where its status and its shape say."""

    shape = "error"

    async def _answer(self, body, headers):
        self.headers.append(headers)
        echo = f"headers were {dict(headers)}"
        if self.shape == "error":
            return 401, [], json.dumps({"error": {"message": echo, "code": headers["authorization"]}}).encode()
        if self.shape == "cut":
            return 401, [], b"x" * 280 + headers["authorization"].encode() + b"y" * 300
        if self.shape == "no JSON":
            return 200, [], headers["authorization"].encode()
        message = {"role": "assistant", "content": echo}
        return 200, [], json.dumps({"choices": [{"message": message, "finish_reason": headers["x-token"]}]}).encode()


@pytest.mark.parametrize("shape", ["error", "cut", "no JSON", "reply"])
def test_a_secret_that_the_endpoint_sends_back_is_in_nothing_we_keep_say_or_log(
    store, monkeypatch, caplog, shape, impatient
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("A_TEST_KEY", SECRET)
    monkeypatch.setenv("A_TEST_TOKEN", "tok-9876543210")
    with Echoing() as server:
        server.shape = shape
        chat = named(store, server, key_env="A_TEST_KEY", headers={"X-Token": "${A_TEST_TOKEN}"})
        said = ""
        try:
            said = repr(ask(chat))
        except CallFailed as error:
            said = f"{error!r} {error} {error.message} {error.hint} {error.raw} {error.__cause__!r}"
        assert SECRET in server.headers[0]["authorization"]
    said += repr(chat) + repr(vars(chat)) + caplog.text + repr(kept(store))
    for part in (SECRET, SECRET[:12], "tok-9876543210"):
        assert part not in said
    assert not in_store(store, SECRET, "tok-9876543210")


@pytest.mark.parametrize(
    ("settings", "value"),
    [
        ({"key_env": "A_TEST_KEY"}, "sk-sec\u2026ret"),
        ({"key_env": "A_TEST_KEY"}, "sk-secret\nX-Evil: 1"),
        ({"headers": {"X-Token": "${A_TEST_KEY}"}}, "sk-secret\x00"),
        ({"proxy": "http://u:${A_TEST_KEY}@127.0.0.1:9"}, "pass\nsk-secret"),
    ],
)
def test_a_value_that_no_header_can_hold_is_refused_by_the_name_of_its_variable(
    store, server, monkeypatch, settings, value
):
    if "\x00" in value:
        value = value.replace("\x00", "\x01")
    monkeypatch.setenv("A_TEST_KEY", value)
    with pytest.raises(InvalidInput, match="A_TEST_KEY") as caught:
        named(store, server, **settings)
    assert "sk-s" not in str(caught.value) + caught.value.hint


@pytest.mark.parametrize("password", ["p/a:s@s#w?rd-sk-secret", "sk-secret%41", "sk-secret with blanks"])
def test_a_proxy_is_used_with_its_password_which_nobody_sees(store, server, monkeypatch, password, impatient):
    monkeypatch.setenv("A_TEST_KEY", password)
    chat = named(store, server, proxy="http://user:${A_TEST_KEY}@127.0.0.1:9")
    with pytest.raises(CallFailed, match="no connection") as caught:
        ask(chat)
    assert server.bodies == [], "not around the proxy"
    assert "sk-secret" not in f"{caught.value} {caught.value.hint} {kept(store)}"
    assert not in_store(store, "sk-secret")


def test_a_proxy_gets_its_password_as_it_is(store, monkeypatch):
    import base64

    password = "p/a:s@s#w?rd%41"
    monkeypatch.setenv("A_TEST_KEY", password)
    with LlmServer(lambda body: "through the proxy") as proxy:
        given = Endpoint(
            id="end_1",
            project_id="prj_1",
            name="Bank",
            base_url="http://llm.example/v1",
            proxy=f"http://user:${{A_TEST_KEY}}@127.0.0.1:{proxy.port}",
        )
        with store.pulse() as connection:
            endpoints.put(connection, given)
        assert ask(open_chat(store, "prj_1", "m@http://llm.example/v1")).text == "through the proxy"
        word, _, coded = proxy.headers[0]["proxy-authorization"].partition(" ")
    assert (word, base64.b64decode(coded).decode()) == ("Basic", f"user:{password}")


def test_an_endpoint_of_another_project_lends_nothing(store, server, monkeypatch):
    monkeypatch.setenv("A_TEST_KEY", SECRET)
    named(store, server, key_env="A_TEST_KEY")
    ask(open_chat(store, "", server.spec()))
    assert "authorization" not in server.headers[0]


def test_a_model_that_cannot_be_had_says_so_in_time(store):
    slow = Fault(hang=5)
    with LlmServer(lambda body: slow) as server:
        chat = named(store, server, timeout_s=0.1, deadline_s=0.4)
        with pytest.raises(CallFailed) as caught:
            ask(chat)
        assert caught.value.status is Status.TIMEOUT
    (call,) = kept(store)
    assert call.state is CallState.TIMEOUT
    assert replace(call, reply="") == call
