"""The Run page's forms: a system over HTTP, a Python function, a language model, the judge, the budget."""

from __future__ import annotations

import json
import sys

import pytest

from core.domain.jobs import JobState
from core.domain.llm import Endpoint
from core.runs.execute import execute_run
from core.store.models import endpoints
from core.store.results import runs
from core.store.trail import audit
from core.targets.over_http.config import check_config
from core.targets.over_http.file import dump_config, read_config
from tests.pages.clicks import as_viewer, captions, keys, metrics
from tests.pages.conftest import window
from tests.pages.evaluate.test_run import runs_of, wait
from tests.support.servers.answer_server import AnswerServer, Reply
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said

SECRET = "s3cr3t-value-of-the-test"
SOURCE = "def answer(question):\n    return 'I do not know'\n"


@pytest.fixture(autouse=True)
def surroundings(monkeypatch):
    monkeypatch.setenv("RAG_TOKEN", SECRET)
    for name in ("ALLOWED_HOSTS", "LLM_KEY", "NLI"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)


@pytest.fixture
def chosen(open_page, bank):
    def chosen(target):
        app = open_page("run", project=bank.id)
        app.selectbox(key="target").set_value(target).run()
        assert not app.exception
        return app

    return chosen


def fill(app, **fields):
    for key, value in fields.items():
        widget = next(item for item in (*app.text_input, *app.text_area) if item.key == key)
        widget.set_value(value)
    app.run()
    assert not app.exception
    return app


def unscored(app):
    """Nothing besides the verdict, which is what these tests are about."""
    (scored,) = [item for item in app.multiselect if item.key.startswith("metrics_")]
    scored.set_value([]).run()
    return app


def answers(request):
    return {
        "answer": f"You asked: {request.body['question']}",
        "contexts": [{"id": "branch:1", "text": "A *passage*."}],
        "usage": {"total_tokens": 12},
    }


@pytest.mark.slow
def test_a_system_over_http_is_tried_and_run(chosen, finished, bank, data):
    app = chosen("http")
    assert "start_run" not in keys(app)
    assert "Give the URL" in captions(app)
    with AnswerServer(answers) as server:
        fill(
            app,
            http_url=server.url,
            http_headers="Authorization=Bearer ${RAG_TOKEN}",
            http_contexts="$.contexts[*]",
            http_tokens="$.usage.total_tokens",
        )
        assert "start_run" in keys(app)
        assert server.requests == []  # nothing is asked before a person wants it
        app.button(key="http_test").click().run()
        assert not app.exception
        assert len(server.requests) == 1
        assert server.requests[0].headers["authorization"] == f"Bearer {SECRET}"
        assert any("You asked:" in item.value for item in app.code)
        assert any("You asked:" in item.value for item in app.text)
        assert "1 passage, 12 tokens" in captions(app)
        assert "one request each, at most 4 at once" in said(app)
        unscored(app)
        app.button(key="start_run").click().run()
        assert not app.exception
        assert not app.error
        run = runs_of(finished, bank.id)[0]
        wait(finished, run.id, JobState.FINISHED)
    path = run.target.removeprefix("http:")
    assert read_config(path := data.__class__(path)).headers == {"Authorization": "Bearer ${RAG_TOKEN}"}
    assert data in path.parents
    with finished.read() as connection:
        tally = runs.tally(connection, run.id)
    assert (tally.answered, tally.failed) == (tally.cases, 0)
    assert len(server.requests) == tally.cases + 1
    assert all(SECRET.encode() not in file.read_bytes() for file in data.rglob("*") if file.is_file())
    assert SECRET not in said(app)


def test_what_was_entered_is_there_after_a_reload(chosen, bank, data):
    app = chosen("http")
    fill(
        app,
        http_url="https://rag.example.com/ask",
        http_headers="Authorization: Bearer ${RAG_TOKEN}\nX-Tenant=retail",
        http_request='{"q": "{{question}}"}',
        http_contexts="$.hits[*]",
    )
    app.number_input(key="http_rate").set_value(5.0).run()
    app.text_input(key="http_answer").set_value("$.reply").run()
    again = window("run", project=bank.id)
    assert not again.exception
    assert again.selectbox(key="target").value == "http"
    assert again.text_input(key="http_url").value == "https://rag.example.com/ask"
    assert again.text_area(key="http_headers").value == "Authorization: Bearer ${RAG_TOKEN}\nX-Tenant: retail"
    assert json.loads(again.text_area(key="http_request").value) == {"q": "{{question}}"}
    assert (again.text_input(key="http_answer").value, again.text_input(key="http_contexts").value) == (
        "$.reply",
        "$.hits[*]",
    )
    assert (again.number_input(key="http_rate").value, again.number_input(key="http_timeout").value) == (5.0, 60.0)
    assert "start_run" in keys(again)
    fill(again, http_headers=f"Authorization: Bearer {SECRET}")
    assert again.error, "a secret is neither used nor kept"
    assert all(SECRET.encode() not in file.read_bytes() for file in data.rglob("*") if file.is_file())
    again.selectbox(key="target").set_value("bm25").run()
    assert window("run", project=bank.id).selectbox(key="target").value == "bm25"


def test_a_form_for_an_openai_compatible_service_is_filled_in(chosen):
    app = chosen("http")
    app.button(key="http_chat").click().run()
    assert not app.exception
    with AnswerServer(lambda request: {"choices": [{"message": {"content": "Mara Lindt."}}]}) as server:
        fill(app, http_url=server.url)
        app.button(key="http_test").click().run()
        assert server.requests[0].body["messages"][0]["role"] == "user"
    assert any("Mara Lindt." in item.value for item in app.text)


def test_a_run_of_a_system_that_does_not_answer_is_not_started(chosen, finished, bank):
    before = runs_of(finished, bank.id)
    app = chosen("http")
    with AnswerServer(lambda request: Reply({"error": "down"}, status=503)) as server:
        fill(app, http_url=server.url)
        unscored(app)
        app.button(key="start_run").click().run()
        assert len(server.requests) == 1
    assert not app.exception
    assert "The run was not started" in said(app)
    assert "503" in said(app)
    assert runs_of(finished, bank.id) == before


@pytest.mark.slow
def test_a_mistake_in_the_form_is_told_and_nothing_typed_is_lost(chosen):
    app = chosen("http")
    fill(
        app,
        http_url="https://rag.bank.example/ask",
        http_headers=f"Authorization=Bearer {SECRET}",
        http_request='{"q": "no place"}',
        http_answer="answer",
    )
    told = said(app)
    assert "headers: Authorization would keep a secret" in told
    assert "request: it does not say where the question goes" in told
    assert "response.answer: 'answer' is not a JSONPath" in told
    assert "start_run" not in keys(app)
    assert all(SECRET not in error.value for error in app.error)
    fill(app, http_request='{"q": ')
    assert "The request is not JSON" in said(app)
    app.selectbox(key="target").set_value("bm25").run()
    app.selectbox(key="target").set_value("http").run()
    assert app.text_input(key="http_url").value == "https://rag.bank.example/ask"
    assert app.text_area(key="http_request").value == '{"q": '
    fill(app, http_request='{"q": {{question}}}', http_headers="X-Tenant: retail", http_answer="$.answer")
    assert not app.error
    assert "start_run" in keys(app)


@pytest.mark.slow
def test_a_file_gives_the_same_settings_and_a_reply_that_does_not_fit_is_told(chosen):
    app = chosen("http")
    app.segmented_control(key="http_way").set_value("Upload a YAML file").run()
    with AnswerServer(lambda request: Reply({"reply": "x"})) as server:
        config = check_config(server.config(rate=7, response={"answer": "$.answer"}))
        app.file_uploader(key="http_file").upload("rag.yaml", dump_config(config).encode(), "application/yaml")
        app.run()
        assert not app.exception
        assert "at most 7 a second" in said(app)
        app.button(key="http_test").click().run()
    assert "answer: the reply has nothing at $.answer" in said(app)
    assert any('"reply": "x"' in item.value for item in app.code)


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"url: [", b"- 3", b"url: ftp://x", b"a: &a 1\nb: *a"])
def test_a_file_that_is_no_settings_is_told(chosen, content):
    app = chosen("http")
    app.segmented_control(key="http_way").set_value("Upload a YAML file").run()
    app.file_uploader(key="http_file").upload("rag.yaml", content, "application/yaml")
    app.run()
    assert not app.exception
    assert app.error
    assert "start_run" not in keys(app)


def test_a_host_that_may_not_be_called_is_told(chosen, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "rag.bank.example")
    app = fill(chosen("http"), http_url="https://elsewhere.example/ask")
    assert "may not call elsewhere.example" in said(app)
    assert "start_run" not in keys(app)


def test_a_host_that_may_not_be_called_is_in_the_audit_trail_once(chosen, finished, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "rag.bank.example")
    fill(chosen("http"), http_url="https://elsewhere.example/ask").run()
    with finished.read() as connection:
        trail = [entry for entry in audit.entries(connection) if entry.action == "destination.refuse"]
    assert [entry.subject for entry in trail] == ["elsewhere.example"]


def test_a_viewer_sends_nothing(chosen, finished, bank, monkeypatch):
    app = fill(chosen("http"), http_url="https://rag.bank.example/ask")
    assert "http_test" in keys(app)
    as_viewer(app, finished, bank, monkeypatch)
    assert not app.exception
    assert {"http_test", "start_run"}.isdisjoint(keys(app))


@pytest.mark.slow
def test_a_python_function_is_run_and_not_offered_behind_a_sign_in(chosen, finished, bank, tmp_path, monkeypatch):
    (tmp_path / "rag_on_the_page.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    app = chosen("python")
    assert "runs with all that Plumbline may do" in said(app)
    fill(app, target_function="rag_on_the_page:missing")
    unscored(app)
    app.button(key="start_run").click().run()
    assert "has no missing" in said(app)
    assert app.text_input(key="target_function").value == "rag_on_the_page:missing"
    fill(app, target_function="rag_on_the_page:answer")
    app.number_input(key="target_rate").set_value(500.0).run()
    assert "one call of your function each, at most 500 a second" in said(app)
    app.button(key="start_run").click().run()
    assert not app.error
    run = runs_of(finished, bank.id)[0]
    assert (run.target, run.options["rate"]) == ("python:rag_on_the_page:answer", 500.0)
    assert execute_run(finished, run.id, actor=ACTOR) or wait(finished, run.id, JobState.FINISHED)
    as_viewer(app, finished, bank, monkeypatch)
    assert "A Python function" not in app.selectbox(key="target").options
    sys.modules.pop("rag_on_the_page", None)


@pytest.mark.slow
def test_a_model_answers_and_judges_and_kin_is_told(chosen, finished, bank):
    app = chosen("openai")
    assert "Give the model and its address" in captions(app)
    with LlmServer(lambda body: "I do not know.") as server:
        fill(app, target_model_url=server.base_url, target_model_model="gpt-test")
        assert "cost unknown" in said(app)
        assert app.number_input(key="k_openai").value == 3
        app.segmented_control(key="target_mode").set_value("closed_book").run()
        assert not [item for item in app.number_input if item.key == "k_openai"]
        app.selectbox(key="judge").set_value("llm").run()
        assert "start_run" not in keys(app)
        fill(app, judge_model_url=server.base_url, judge_model_model="gpt-test")
        assert "the same model" in said(app)
        app.toggle(key="judge_match_first").set_value(True).run()
        app.number_input(key="cost_budget_calls").set_value(3).run()
        unscored(app)
        app.button(key="start_run").click().run()
        assert not app.error
        run = runs_of(finished, bank.id)[0]
        assert (run.target, run.judge) == (f"openai:{server.spec('gpt-test')}", f"llm:{server.spec('gpt-test')}")
        assert dict(run.options) == {
            "mode": "closed_book",
            "judge_repeats": 1,
            "judge_match_first": True,
            "budget_calls": 3,
        }
        wait(finished, run.id, JobState.FAILED)
        assert len(server.bodies) <= 4
        app.run()
        assert not app.exception
        assert "This run has a budget" in said(app)
        app.number_input(key=f"raise_{run.id}_calls").set_value(500)
        app.button(key="change_budget").click().run()
        assert not app.exception
        assert runs_of(finished, bank.id)[0].options["budget_calls"] == 500
        app.button(key="run_job_resume").click().run()
        wait(finished, run.id, JobState.FINISHED)
        app.run()
    assert metrics(app)["Target failed"] == "0"
    assert "closed book" in str(app.dataframe[-1].value.to_dict()) or "closed book" in said(app)


@pytest.mark.slow
def test_what_match_accepts_is_chosen_and_kept_with_the_run(chosen, finished, bank):
    app = chosen("bm25")
    assert app.selectbox(key="judge").value == "match"
    app.selectbox(key="judge_tolerance").set_value("0.01").run()
    app.segmented_control(key="judge_coarse_dates").set_value("partly").run()
    unscored(app)
    app.button(key="start_run").click().run()
    assert not app.exception
    options = dict(runs_of(finished, bank.id)[0].options)
    assert (options["judge_tolerance"], options["judge_coarse_dates"]) == (0.01, "partly")


@pytest.mark.slow
def test_the_endpoints_of_the_project_are_offered(chosen, finished, bank):
    endpoint = Endpoint(id="e1", project_id=bank.id, name="Bank LLM", base_url="https://llm.bank.example/v1")
    with finished.write(ACTOR, "test.endpoint", project_id=bank.id) as connection:
        endpoints.put(connection, endpoint)
    app = chosen("openai")
    assert app.selectbox(key="target_model_endpoint").options == ["Bank LLM", "Another address"]
    fill(app, target_model_model="m")
    assert "start_run" in keys(app)
    app.selectbox(key="target_model_endpoint").set_value("").run()
    fill(app, target_model_url="not an address")
    assert app.error
    assert "start_run" not in keys(app)
