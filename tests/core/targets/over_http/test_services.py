"""Services as banks run them: streams, jobs, questions in the address, tokens, certificates, words for "no answer"."""

from __future__ import annotations

import base64
import gc
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from core.domain.errors import InvalidInput, TargetFailed
from core.domain.results.responses import Context
from core.targets import open_target
from core.targets.http import try_http
from core.targets.over_http.config import check_config
from core.targets.over_http.file import dump_config, save_config
from core.targets.over_http.tokens import Tokens
from tests.support.processes.killed_job import until
from tests.support.servers.answer_server import AnswerServer, Reply

SECRET = "the-secret-of-the-client"
CERTIFICATES = Path(__file__).parents[3] / "support" / "certificates"
FEES = Context(document_id="fees.md", text="The fee is 12 EUR.", score=0.5)


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("RAG_CLIENT_SECRET", SECRET)
    monkeypatch.setenv("RAG_KEY_PASSWORD", "pw-of-the-test")
    monkeypatch.delenv("PLUMBLINE_ALLOWED_HOSTS", raising=False)


@pytest.fixture
def opened(tmp_path):
    def opened(document, **options):
        return open_target(f"http:{save_config(check_config(document), tmp_path)}", None, **options)

    return opened


def failed(target, case_id="c", question="Q?"):
    with pytest.raises(TargetFailed) as error:
        target.answer(case_id, question)
    return str(error.value)


def streamed(*events, kind="text/event-stream"):
    return Reply("".join(events), headers={"Content-Type": kind})


def data(value):
    return f"data: {value if isinstance(value, str) else json.dumps(value)}\n\n"


SOURCES = {"sources": [{"text": "The fee is 12 EUR.", "source": "fees.md", "score": 0.5}]}


def test_a_reply_without_paths_is_read_as_it_is(opened):
    body = {"result": {"answer": "12 EUR", **SOURCES}, "usage": {"total_tokens": 7}}
    with AnswerServer(lambda request: body) as server:
        response = opened({"url": server.url, "request": {"q": "{{question}}"}}).answer("c", "Q?")
        named = server.config(response={"document_id": "no", "contexts": "$.result.sources"})
        body["result"]["sources"][0]["no"] = 7
        assert opened(named).answer("c", "Q?").document_ids == ("7",)
    assert (response.answer, response.contexts, response.tokens) == ("12 EUR", (FEES,), 7)


def test_scores_are_found_by_a_path_and_belong_to_the_passages(opened):
    body = {"answer": "x", "c": ["a", "b"], "s": [0.75, 0.5]}
    with AnswerServer(lambda request: body) as server:
        paths = {"answer": "$.answer", "contexts": "$.c", "scores": "$.s"}
        target = opened(server.config(response=paths))
        assert [context.score for context in target.answer("c", "Q?").contexts] == [0.75, 0.5]
        body["s"] = [1]
        assert "2 contexts and 1 context scores" in failed(target)


STREAMS = {
    "deltas": (
        streamed(
            ": hello\n\n",
            data({"choices": [{"delta": {"role": "assistant"}}]}),
            data({"choices": [{"delta": {"content": "12 "}}]}),
            data({"choices": [{"delta": {"content": "EUR"}}]}),
            data({"choices": [], **SOURCES}),
            data("[DONE]"),
        ),
        {"answer": "$.choices[0].delta.content", "contexts": "$.sources"},
    ),
    "events": (
        streamed(
            "event: status\n" + data({"message": "Searching"}),
            "event: token\ndata: 12 \n\n",
            "event: token\ndata: EUR\n\n",
            "event: sources\n" + data(SOURCES["sources"]),
        ),
        None,
    ),
    "a last event with all": (
        streamed(data({"token": "12 "}), data({"token": "EUR"}), data({"final": True, "answer": "12 EUR", **SOURCES})),
        {"answer": "$.token", "contexts": "$.sources[*]"},
    ),
    "lines": (
        streamed(
            '{"message": {"content": "12 "}}\n{"message": {"content": "EUR"}}\n',
            json.dumps({"done": True, **SOURCES}) + "\n",
            kind="application/x-ndjson",
        ),
        {"answer": "$.message.content", "contexts": "$.sources"},
    ),
}


@pytest.mark.parametrize("stream", STREAMS)
def test_a_stream_is_put_together_with_paths_and_without(opened, stream):
    reply, paths = STREAMS[stream]
    with AnswerServer(lambda request: reply) as server:
        for response in filter(None, ({}, paths)) if paths else ({},):
            answer = opened(server.config(response=response)).answer("c", "Q?")
            assert (answer.answer, answer.contexts) == ("12 EUR", (FEES,)), response
        answer = opened(server.config(response={})).answer("c", "Q?")
    assert (answer.answer, answer.contexts) == ("12 EUR", (FEES,))


def test_a_stream_that_breaks_off_with_an_error_is_no_answer(opened):
    reply = streamed(data({"answer": "12 "}), "event: error\n" + data({"message": "index is down"}))
    with AnswerServer(lambda request: reply) as server:
        assert "The stream ended in an error: index is down" in failed(opened(server.config(response={})))
        trial = try_http(check_config(server.config(response={})), "Q?")
    assert trial.raw.startswith("data: {")


@pytest.mark.parametrize(
    ("said", "values", "abstained"),
    [
        ("NO_ANSWER", [], True),
        ("no answer found", [], True),
        ("OK", [], False),
        ("E-204", ["E-2*", "none"], True),
        ("e-500", ["E-2*", "none"], False),
        (0, ["0"], True),
        (True, ["false"], False),
    ],
)
def test_words_and_patterns_say_that_the_system_declined(opened, said, values, abstained):
    paths = {"answer": "$.answer", "abstained": "$.status", "abstained_values": values}
    with AnswerServer(lambda request: {"status": said, "answer": None if abstained else "12"}) as server:
        response = opened(server.config(response=paths)).answer("c", "Q?")
    assert (response.abstained, response.answer) == (abstained, "" if abstained else "12")


def test_a_word_that_nobody_explained_names_the_remedy(opened):
    with AnswerServer(lambda request: {"status": "E-204", "answer": "x"}) as server:
        target = opened(server.config(response={"answer": "$.answer", "abstained": "$.status"}))
        assert "Say in response.abstained_values which words mean that it declined" in failed(target)


def test_the_question_stands_in_the_path_and_in_the_query(opened):
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        base = server.url.removesuffix("/ask")
        url = f"{base}/ask/{{{{ question }}}}/one?case={{{{case_id}}}}&talk={{{{session_id}}}}"
        target = opened({"url": url, "method": "GET"})
        target.answer("c 1", "a/b?c=#%")
        target.answer("c 1", "..")
        opened({"url": f"{base}/ask?q={{{{question}}}}"}).answer("c", "Q & A?")
    first, second, third = (urlsplit(request.path) for request in server.requests)
    assert first.path == "/ask/a%2Fb%3Fc%3D%23%25/one"
    assert second.path == "/ask/%2E%2E/one"
    talks = [parse_qs(parts.query)["talk"][0] for parts in (first, second)]
    assert parse_qs(first.query)["case"] == ["c 1"]
    assert talks[0] != talks[1], "every question is a conversation of its own"
    assert (parse_qs(third.query), server.requests[2].method, server.requests[2].body) == (
        {"q": ["Q & A?"]},
        "POST",
        None,
    )


def jobs(*states, result=None):
    """A service that takes a question and goes through these states, one a request."""
    place = count()

    def script(request):
        if request.method == "POST":
            return Reply({"job": {"id": 7}, "status": "queued"}, status=202)
        if request.path.endswith("/result"):
            return result
        state = states[min(next(place), len(states) - 1)]
        return state if isinstance(state, Reply) else {"status": state, "output": {"answer": "12 EUR", **SOURCES}}

    return script


def job(server, **changes):
    base = server.url.removesuffix("/ask")
    settings = {
        "id": "$.job.id",
        "url": f"{base}/jobs/{{{{job_id}}}}",
        "status": "$.status",
        "every_s": 0.01,
        **changes,
    }
    return server.config(job=settings, response={}, retries=1)


def test_a_job_is_asked_for_until_it_is_done(opened):
    with AnswerServer(jobs("running", Reply(status=503), "Succeeded")) as server:
        response = opened(job(server)).answer("c", "Q?")
    assert (response.answer, response.contexts) == ("12 EUR", (FEES,))
    assert [request.path for request in server.requests] == ["/ask", *["/jobs/7"] * 3]
    with AnswerServer(jobs("READY", result={"answer": "elsewhere"})) as server:
        base = server.url.removesuffix("/ask")
        config = job(server, done=["ready"], result_url=f"{base}/jobs/{{{{job_id}}}}/result")
        assert opened(config).answer("c", "Q?").answer == "elsewhere"


def test_a_job_that_fails_or_never_ends_says_so(opened):
    with AnswerServer(jobs("running", "failed")) as server:
        assert "The job 7 ended as 'failed'" in failed(opened(job(server)))
    with AnswerServer(jobs("thinking")) as server:
        message = failed(opened(job(server, timeout_s=0.05)))
        assert "The job 7 was not done within 0.05 seconds; its state is 'thinking'" in message
        assert "job.id: the reply has no text or number at $.jobs" in failed(opened(job(server, id="$.jobs")))


class Bank:
    """A service behind OAuth: issues tokens that are good for some questions, and answers whoever shows a good one."""

    def __init__(self, *, questions=10**9, expires_in=3600):
        self.issued, self.left, self.questions, self.expires_in = [], 0, questions, expires_in
        self.asked_with = []

    def __call__(self, request):
        if request.path == "/token":
            self.issued.append((request.headers, request.body))
            self.left = self.questions
            return {"access_token": f"token-number-{len(self.issued)}", "expires_in": self.expires_in}
        shown = request.headers.get("authorization")
        self.asked_with.append(shown)
        if shown != f"Bearer token-number-{len(self.issued)}" or not self.left:
            return Reply({"error": f"bad token {shown}"}, status=401)
        self.left -= 1
        return {"answer": f"12 EUR, {shown}"}


def behind_oauth(server, **changes):
    url = f"{server.url.removesuffix('/ask')}/token"
    oauth = {"token_url": url, "client_id": "plumbline", "client_secret": "${RAG_CLIENT_SECRET}", **changes}
    return server.config(oauth=oauth, headers={"X-Tenant": "retail"}, retries=0)


def test_a_token_is_fetched_once_and_goes_with_every_question(opened, tmp_path):
    bank = Bank()
    with AnswerServer(bank) as server:
        document = behind_oauth(server, scope="rag.read", audience="rag")
        target = opened(document)
        with ThreadPoolExecutor(4) as pool:
            answers = list(pool.map(lambda n: target.answer(f"c{n}", "Q?").answer, range(8)))
        trial = try_http(check_config(document), "Q?")
    headers, body = bank.issued[0]
    assert len(bank.issued) == 2, "one for the target, one for the trial"
    assert base64.b64decode(headers["authorization"].removeprefix("Basic ")).decode() == f"plumbline:{SECRET}"
    assert body == {"grant_type": "client_credentials", "scope": "rag.read", "audience": "rag"}
    assert "x-tenant" not in headers, "what is meant for the service goes to no other"
    assert bank.asked_with[:8] == ["Bearer token-number-1"] * 8
    texts = [*answers, str(trial), repr(target), str(vars(target)), *(p.read_text() for p in tmp_path.iterdir())]
    assert all(SECRET not in text and "token-number" not in text for text in texts)


@pytest.mark.slow
def test_a_token_is_renewed_when_it_is_refused_and_when_it_is_over(opened):
    bank = Bank(questions=2)
    with AnswerServer(bank) as server:
        target = opened(behind_oauth(server, send="body"))
        assert [target.answer("c", "Q?").answer for _ in range(5)] == ["12 EUR, Bearer (hidden)"] * 5
        assert len(bank.issued) == 3
        assert bank.issued[0][1]["client_secret"] == SECRET
        bank.questions = bank.left = 0
        assert "HTTP 401" in failed(target), "a new token that is refused as well is an error"
    short = Bank(expires_in=0.001)
    with AnswerServer(short) as server:
        target = opened(behind_oauth(server))
        for _ in range(3):
            target.answer("c", "Q?")
    assert len(short.issued) == 3


def test_no_token_is_told_without_the_secret(opened, monkeypatch):
    refusal = Reply({"error": "invalid_client", "hint": SECRET}, status=401)
    with AnswerServer(lambda request: refusal) as server:
        message = failed(opened(behind_oauth(server)))
        assert "127.0.0.1 issued no token (HTTP 401" in message
        assert "invalid_client" in message
        assert SECRET not in message
        monkeypatch.delenv("RAG_CLIENT_SECRET")
        with pytest.raises(InvalidInput, match="RAG_CLIENT_SECRET is not set"):
            opened(behind_oauth(server))
    monkeypatch.setenv("RAG_CLIENT_SECRET", SECRET)
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "rag.bank.example")
    document = {
        "url": "https://rag.bank.example/{{question}}",
        "oauth": {"token_url": "http://127.0.0.1:9/t", "client_id": "p", "client_secret": "${RAG_CLIENT_SECRET}"},
    }
    with pytest.raises(InvalidInput, match=r"may not call 127\.0\.0\.1"):
        check_config(document)
    assert repr(Tokens).startswith("<class")


@pytest.mark.slow
def test_connections_end_with_a_target_that_never_had_a_token(opened):
    refusal = Reply({"error": "invalid_client"}, status=401)
    with AnswerServer(lambda request: refusal) as server:
        target = opened(behind_oauth(server))
        failed(target)
        client = target._client._tokens.client()
        del target
        gc.collect()
        until(lambda: client.is_closed, "the client of the tokens is closed")


def test_a_client_certificate_is_shown_to_who_asks_for_it(opened, monkeypatch):
    files = {
        "ca_bundle": str(CERTIFICATES / "authority.pem"),
        "client_certificate": str(CERTIFICATES / "client.pem"),
        "client_key": str(CERTIFICATES / "client-key.pem"),
        "client_key_password": "${RAG_KEY_PASSWORD}",
    }
    with AnswerServer(lambda request: {"answer": "x"}, certificates=CERTIFICATES) as server:
        assert opened(server.config(**files)).answer("c", "Q?").answer == "x"
        nobody = failed(opened(server.config(ca_bundle=files["ca_bundle"], retries=0)))
        assert "client_certificate" in nobody, "some systems tell it, others end the connection"
        stranger = failed(opened(server.config(retries=0)))
        assert "is not trusted" in stranger
        assert "pw-of-the-test" not in dump_config(check_config(server.config(**files)))
        monkeypatch.setenv("RAG_KEY_PASSWORD", "another")
        with pytest.raises(InvalidInput, match=r"client\.pem \(client_certificate\) cannot be used"):
            opened(server.config(**files))
