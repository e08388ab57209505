"""HTTP targets against a real server: what is sent, what is read, and what becomes of a server that misbehaves."""

from __future__ import annotations

import gzip
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from core.domain.errors import InvalidInput, TargetFailed
from core.domain.results.responses import Context
from core.domain.testset.cases import TestCase
from core.runs.stages.ask_and_judge import ask
from core.targets import open_target
from core.targets.http import HttpTarget, try_http
from core.targets.over_http.config import check_config
from core.targets.over_http.file import save_config
from core.targets.over_http.paths import ReplyPaths
from core.targets.over_http.reply import extract
from tests.support.application.server import refusing_port
from tests.support.servers.answer_server import LIMIT_S, AnswerServer, Reply

SECRET = "s3cr3t-value-of-the-test"
NASTY = 'She said "no", \\ and {{case_id}} ${RAG_TOKEN}\nnew line\ttab {"answer": "x"} Zürich \U0001f600'


@pytest.fixture(autouse=True)
def token(monkeypatch):
    monkeypatch.setenv("RAG_TOKEN", SECRET)
    monkeypatch.delenv("PLUMBLINE_ALLOWED_HOSTS", raising=False)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody answers there


@pytest.fixture
def opened(tmp_path):
    def opened(document, **options):
        return open_target(f"http:{save_config(check_config(document), tmp_path)}", None, **options)

    return opened


def replying(*replies):
    """A script that gives these replies in turn, the last one for ever."""
    place = count()
    return lambda request: replies[min(next(place), len(replies) - 1)]


def failed(target, case_id="c", question="Q?"):
    with pytest.raises(TargetFailed) as error:
        target.answer(case_id, question)
    return str(error.value)


def test_the_question_arrives_as_it_is_and_everything_told_is_read(opened):
    body = {
        "answer": "42 EUR",
        "sources": [{"id": 7.0, "text": "The fee is 42 EUR.", "score": 0.9}, {"id": "b", "text": "Else."}],
        "usage": {"total": 120},
        "ms": 1500,
        "declined": False,
    }
    with AnswerServer(lambda request: body) as server:
        target = opened(
            server.config(
                headers={"Authorization": "Bearer ${RAG_TOKEN}", "X-Version": 2},
                response={
                    "answer": "$.answer",
                    "contexts": "$.sources[*].text",
                    "document_ids": "$.sources[*].id",
                    "tokens": "$.usage.total",
                    "latency": "$.ms",
                    "latency_unit": "ms",
                    "abstained": "$.declined",
                },
            )
        )
        response = target.answer("case 1", NASTY)
    (request,) = server.requests
    assert (request.method, request.body) == ("POST", {"question": NASTY, "case": "case 1"})
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert (request.headers["x-version"], request.headers["accept-encoding"]) == ("2", "identity")
    assert response.answer == "42 EUR"
    assert response.contexts == (
        Context(document_id="7", text="The fee is 42 EUR."),
        Context(document_id="b", text="Else."),
    )
    assert (response.tokens, response.latency_s, response.abstained) == (120, 1.5, False)


def test_a_get_sends_query_parameters_beside_those_of_the_url(opened):
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        config = server.config(method="get", url=f"{server.url}?v=2", request={"q": "{{question}}", "n": 3})
        opened(config).answer("c", "a&b=c ?")
    assert server.requests[0].path == "/ask?v=2&q=a%26b%3Dc+%3F&n=3"
    assert server.requests[0].body is None


@pytest.mark.parametrize(
    ("contexts", "body", "expected"),
    [
        ("$.c", {"c": ["one", "two"]}, [("", "one"), ("", "two")]),
        ("$.c", {"c": [{"page_content": "one", "id": 1}]}, [("1", "one")]),
        ("$.c[*]", {"c": []}, []),
        ("$.c[*]", {}, []),
        ("$.c", {"c": None}, []),
        ("$..text", {"c": [{"text": "one"}, {"deep": {"text": "two"}}]}, [("", "one"), ("", "two")]),
    ],
)
def test_contexts_of_many_forms(opened, contexts, body, expected):
    with AnswerServer(lambda request: {"answer": "x", **body}) as server:
        found = opened(server.config(response={"answer": "$.answer", "contexts": contexts})).answer("c", "Q?").contexts
    assert [(item.document_id, item.text) for item in found] == expected


def test_a_path_with_several_answers_is_told_how_to_name_one():
    with pytest.raises(TargetFailed) as refused:
        extract({"a": [{"t": "x"}, {"t": "y"}]}, ReplyPaths(answer="$.a[*].t"))
    assert refused.value.hint.startswith("Name one, as in $.a[0].t.")
    assert extract({"a": [{"t": "x"}, {"t": "y"}]}, ReplyPaths(answer="$.a[0].t")).answer == "x"
    with pytest.raises(TargetFailed, match="names 2 values") as refused:
        extract({"a": "x", "b": {"a": "y"}}, ReplyPaths(answer="$..a"))
    assert refused.value.hint.startswith("Name one. ")


@pytest.mark.parametrize(
    ("reply", "paths", "message"),
    [
        ({"reply": "x", "id": 3}, {}, "answer: the reply has nothing at $.answer. At its top it has reply, id."),
        (["x"], {}, "answer: the reply has nothing at $.answer. It is a list."),
        ("x", {}, "not JSON; it begins with 'x'"),
        ('"x"', {}, "It is the text 'x'"),
        ({"answer": None}, {}, "answer: at $.answer the reply has nothing (null), not text"),
        ({"answer": {"text": "x"}}, {}, "answer: at $.answer the reply has an object, not text"),
        ({"answer": True}, {}, "answer: at $.answer the reply has true, not text"),
        ({"a": ["x", "y"]}, {"answer": "$.a[*]"}, "answer: $.a[*] names 2 values"),
        ({"answer": "x"}, {"contexts": "$.contexts"}, "contexts: the reply has nothing at $.contexts"),
        ({"answer": "x"}, {"document_ids": "$.ids"}, "document_ids: the reply has nothing at $.ids"),
        ({"answer": "x", "c": [3]}, {"contexts": "$.c"}, "a context that is int"),
        (
            {"answer": "x", "c": ["a", "b"], "i": [1]},
            {"contexts": "$.c", "document_ids": "$.i"},
            "2 contexts and 1 document ids. (contexts: $.c and document_ids: $.i)".replace(". (", ". ("),
        ),
        ({"answer": "x", "t": "many"}, {"tokens": "$.t"}, "tokens: at $.t the reply has the text 'many', not a number"),
        ({"answer": "x", "t": -1}, {"latency": "$.t"}, "latency: at $.t the reply has -1"),
        ({"answer": "x", "t": "no"}, {"abstained": "$.t"}, "abstained: at $.t the reply has the text 'no'"),
        (b"", {}, "The reply is empty"),
        ("<html><body>Sign in</body></html>", {}, "not JSON; it begins with '<html>"),
        ("data: {}\n\n", {}, "answer: none of the 1 events of the stream has anything at $.answer."),
        (b'{"answer": "\xff"}', {}, "not UTF-8"),
        ("[" * 100_000, {}, "not JSON"),
        ('{"answer": "x", "n": ' + '{"k":' * 300 + "1" + "}" * 301, {"contexts": "$..nothing"}, "contexts: $..nothing"),
        (b'{"answer": NaN}', {}, "answer: at $.answer the reply has nothing (null)"),
    ],
)
def test_a_reply_that_does_not_fit_names_field_and_remedy(opened, reply, paths, message):
    with AnswerServer(lambda request: Reply(reply)) as server:
        target = opened(server.config(response={"answer": "$.answer", **paths}))
        assert message in failed(target)


def test_an_abstention_needs_no_answer(opened):
    with AnswerServer(lambda request: {"answer": None, "declined": True}) as server:
        target = opened(server.config(response={"answer": "$.answer", "abstained": "$.declined"}))
        response = target.answer("c", "Q?")
    assert (response.answer, response.abstained) == ("", True)


def test_a_deadline_holds_for_the_whole_reply_also_one_that_trickles(opened):
    # No reply is whole before all were given up: who waited for one would have an answer.
    given_up = threading.Event()
    slow = {
        "body": Reply({"answer": "x" * 200}, drip=0.02, last_after=given_up),
        "head": Reply({"answer": "x"}, headers={"X-Long": "y" * 200}, head_drip=0.02, last_after=given_up),
    }

    def script(request):
        if request.body["case"] in slow:
            return slow[request.body["case"]]
        given_up.wait(LIMIT_S)
        return {"answer": "x"}

    with AnswerServer(script) as server:
        target = opened(server.config(timeout_s=0.3))
        for case_id in (*slow, "silence"):
            assert "No whole reply from 127.0.0.1 within 0.3 seconds" in failed(target, case_id)
        given_up.set()
    asked = [request.body["case"] for request in server.requests]
    assert len(asked) == len(set(asked)), "what took too long once is not asked again"


def test_a_run_option_shortens_the_deadline(opened):
    given_up = threading.Event()
    with AnswerServer(lambda request: Reply({"answer": "x"}, last_after=given_up)) as server:
        assert "within 0.2 seconds" in failed(opened(server.config(), timeout_s=0.2, concurrency=9))
        given_up.set()
        assert opened(server.config(), concurrency=9).concurrency == 9


def bomb(size):
    return gzip.compress(b'{"answer": "' + b"x" * size + b'"}')


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"answer": "x" * 5_000}),
        Reply(bomb(5_000_000), headers={"Content-Encoding": "gzip"}),
        Reply(b"x", headers={"Content-Length": "999999999"}),
    ],
    ids=["large", "packed", "announced"],
)
def test_a_reply_has_a_largest_size(opened, reply):
    with AnswerServer(lambda request: reply) as server:
        assert "more than 1,000 bytes" in failed(opened(server.config(max_bytes=1_000)))


def test_a_packed_reply_that_nobody_asked_for_is_read(opened):
    with AnswerServer(lambda request: Reply(bomb(3), headers={"Content-Encoding": "gzip"})) as server:
        assert opened(server.config()).answer("c", "Q?").answer == "xxx"
    with AnswerServer(lambda request: Reply(b"??", headers={"Content-Encoding": "br"})) as server:
        assert "compressed as br" in failed(opened(server.config()))


def test_a_redirect_is_not_followed(opened):
    with AnswerServer(lambda request: {"answer": "elsewhere"}) as other:
        reply = Reply(status=307, headers={"Location": other.url})
        with AnswerServer(lambda request: reply) as server:
            assert "HTTP 307: the service answers with a redirect to 127.0.0.1" in failed(opened(server.config()))
    assert other.requests == []


def test_no_cookie_goes_from_one_question_to_the_next(opened):
    with AnswerServer(lambda request: Reply({"answer": "x"}, headers={"Set-Cookie": "talk=1; Path=/"})) as server:
        target = opened(server.config())
        target.answer("a", "Q?")
        target.answer("b", "Q?")
    assert all("cookie" not in request.headers for request in server.requests)


def test_retry_after_is_honoured_and_the_question_answered(opened):
    script = replying(Reply("slow down", status=429, headers={"Retry-After": "0.4"}), Reply({"answer": "x"}))
    with AnswerServer(script) as server:
        assert opened(server.config()).answer("c", "Q?").answer == "x"
    assert server.requests[1].at - server.requests[0].at >= 0.4


def test_a_retry_after_of_an_hour_fails_the_case_at_once(opened):
    with AnswerServer(lambda request: Reply(status=429, headers={"Retry-After": "3600"})) as server:
        message = failed(opened(server.config()))
    assert "HTTP 429" in message
    assert "Lower rate or concurrency" in message
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        (Reply(status=503, body="down"), 3),
        (Reply(cut=True), 3),
        (Reply(status=400, body={"error": "no field q"}), 1),
        (Reply(status=401), 1),
        (Reply(status=404), 1),
    ],
)
def test_retries_are_bounded_and_only_where_they_may_help(opened, reply, asked):
    with AnswerServer(lambda request: reply) as server:
        message = failed(opened(server.config(retries=2)))
    assert len(server.requests) == asked
    assert ("It was asked 3 times" in message) == (asked == 3)
    if reply.status == 400:
        assert "no field q" in message


def test_a_broken_connection_is_tried_again(opened):
    with AnswerServer(replying(Reply(cut=True), Reply(status=500), Reply({"answer": "x"}))) as server:
        assert opened(server.config()).answer("c", "Q?").answer == "x"


def test_nobody_there(opened):
    with AnswerServer(lambda request: {}) as server:
        config = server.config(retries=0)
    with refusing_port() as port:
        assert "No reply from 127.0.0.1: ConnectError" in failed(
            opened({**config, "url": f"http://127.0.0.1:{port}/ask"})
        )


def test_rate_and_concurrency_are_kept(opened):
    with AnswerServer(lambda request: Reply({"answer": "x"}, wait=0.05)) as server:
        target = opened(server.config(concurrency=3), rate=40)
        with ThreadPoolExecutor(target.concurrency) as pool:
            started = time.monotonic()
            list(pool.map(lambda n: target.answer(f"c{n}", "Q?"), range(12)))
    # A slow machine takes longer and none takes less: the rate itself is held in test_pacing.py.
    assert time.monotonic() - started >= 11 / 40
    assert server.most <= 3


def test_a_host_the_settings_do_not_name_is_never_called(opened, monkeypatch, tmp_path):
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        path = save_config(check_config(server.config()), tmp_path)
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "rag.bank.example")
        with pytest.raises(InvalidInput, match=r"may not call 127\.0\.0\.1"):
            open_target(f"http:{path}", None)
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1,rag.bank.example")
        assert open_target(f"http:{path}", None).answer("c", "Q?").answer == "x"


def test_a_missing_variable_is_named(opened, monkeypatch):
    monkeypatch.delenv("RAG_TOKEN")
    config = {"url": "https://rag.bank.example/", "request": "{{question}}", "response": {"answer": "$"}}
    with pytest.raises(InvalidInput, match="RAG_TOKEN is not set"):
        opened({**config, "headers": {"Authorization": "Bearer ${RAG_TOKEN}"}})


def echo(request):
    said = request.headers.get("authorization", "")
    if request.body["case"] == "refused":
        return Reply({"detail": f"bad key {said}"}, status=401)
    if request.body["case"] == "text":
        return Reply(f"you sent {said}")
    return {"answer": f"you sent {said} and {said.removeprefix('Bearer ')}"}


def test_a_secret_is_nowhere_but_on_the_wire(opened, tmp_path):
    with AnswerServer(echo) as server:
        document = server.config(
            headers={"Authorization": "Bearer ${RAG_TOKEN}"},
            request={"q": "{{question}}", "case": "{{case_id}}"},
        )
        config = check_config(document)
        target = opened(document)
        said = [
            target.answer("plain", "Q?").answer,
            failed(target, "refused"),
            failed(target, "text"),
            str(try_http(config, "Q?", case_id="plain")),
            str(try_http(config, "Q?", case_id="refused")),
            repr(config),
            repr(target),
            target.name,
            str(vars(target)),
            *(path.read_text() for path in tmp_path.iterdir()),
        ]
    assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
    assert said[0] == "you sent Bearer (hidden) and (hidden)"
    assert all(SECRET not in text for text in said)


def test_a_case_that_fails_keeps_its_reason():
    document = {"url": "http://127.0.0.1:9/", "request": "{{question}}", "response": {"answer": "$"}, "retries": 0}
    response = ask(HttpTarget("http:x", check_config(document)).answer, TestCase(case_id="c", question="Q?"))
    assert response.answer is None
    assert "No reply from 127.0.0.1" in response.error


def test_a_trial_shows_what_was_sent_what_came_and_what_was_found():
    body = {"answer": "x", "c": [{"text": "t", "id": 1}], "more": "y" * 30_000}
    with AnswerServer(lambda request: body) as server:
        paths = {"answer": "$.answer", "contexts": "$.c[*]", "tokens": "$.usage"}
        trial = try_http(check_config(server.config(response=paths)), "Q?")
        assert json.loads(trial.sent) == {"question": "Q?", "case": "test"}
        assert (trial.status, trial.error) == (200, "")
        assert trial.raw.startswith('{\n  "answer": "x"')
        assert trial.raw.endswith("more characters)")
        assert len(trial.raw) < 21_000
        assert trial.extracted.contexts == (Context(document_id="1", text="t"),)
        assert trial.extracted.missing == ("tokens",)
        wrong = try_http(check_config(server.config(response={"answer": "$.reply"})), "Q?")
        assert (wrong.status, wrong.extracted) == (200, None)
        assert wrong.raw.startswith('{\n  "answer"')
        assert "answer: the reply has nothing at $.reply" in wrong.error
    with AnswerServer(lambda request: Reply({"detail": "no"}, status=422)) as server:
        refused = try_http(check_config(server.config()), "Q?")
    assert (refused.status, refused.raw) == (422, '{\n  "detail": "no"\n}')
    assert "HTTP 422" in refused.error
    assert len(server.requests) == 1
