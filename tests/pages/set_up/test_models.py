"""The Models page: endpoints, prompts, prices, calls."""

from __future__ import annotations

import pytest

from core import jobs
from core.domain.jobs import JobState
from core.domain.llm import Call, CallState, Message, Use
from core.llm import load_prompt, open_chat
from core.llm.prompts import versions
from core.llm.prompts.catalogue import built_in
from core.llm.spending import prices
from core.store.models import calls as llm_calls
from core.store.models import endpoints, profiles
from core.store.models import prices as model_prices
from pages.kit import workflow
from tests.pages.clicks import as_viewer, captions, holding, keys, metrics, select, table
from tests.support.personalities import Personalities
from tests.support.processes.killed_job import until
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR, said

PROMPT = "reference_verdict"
SECRET = "sk-secret-value-0123456789"


def of(store, project, reads):
    with store.read() as connection:
        return reads(connection, project.id)


def call(project, number, **more):
    given = {"state": CallState.ANSWERED, "reply": f"reply {number}", "purpose": "judge", "model": "m", **more}
    return Call(
        id=f"call_{number}",
        project_id=project.id,
        key=f"k{number}",
        endpoint="http://llm.example/v1",
        messages=(Message("system", "Be fair."), Message("user", f"Question {number}")),
        parameters={},
        sample=0,
        prompt_tokens=100,
        completion_tokens=10,
        at="2026-01-01T00:00:00+00:00",
        **given,
    )


def keep(store, project, *calls):
    uses = [Use(project_id=project.id, call_id=one.id, purpose=one.purpose, case_id=f"c_{one.id}") for one in calls]
    with store.pulse() as connection:
        llm_calls.add(connection, calls, uses)


def fill(app, name, url, key=""):
    app.text_input(key="name_new").set_value(name)
    app.text_input(key="url_new").set_value(url)
    app.text_input(key="key_new").set_value(key)
    return app.button(key="save_new").click().run()


def test_an_empty_project_is_told_that_no_model_is_needed(open_page, store, project):
    assert workflow.steps(store, project.id)["models"].mark is workflow.Mark.READY
    app = open_page("models", project=project.id)
    assert app.title[0].value == "Which language models may Plumbline ask, and what did they answer?"
    assert "No endpoint is set up yet" in said(app)
    assert "None is named in this project" in captions(app)
    app = open_page("models", project=project.id, view="calls")
    assert app.title[0].value == "What was asked, and what did the models answer?"
    assert "No language model has been asked yet" in said(app)


@pytest.mark.slow
def test_an_endpoint_is_added_tested_and_removed(open_page, store, project, monkeypatch):
    monkeypatch.setenv("BANK_LLM_KEY", SECRET)
    with LlmServer(lambda body: "ready") as server:
        app = open_page("models", project=project.id)
        app.button(key="add_endpoint").click().run()
        fill(app, "Bank LLM", server.base_url, "BANK_LLM_KEY")
        assert not app.exception
        (made,) = of(store, project, endpoints.all)
        assert (made.name, made.base_url, made.key_env) == ("Bank LLM", server.base_url, "BANK_LLM_KEY")
        assert list(holding(app, "Key")["Key"]) == ["BANK_LLM_KEY (set)"]
        assert list(holding(app, "Host")["Named by"]) == ["endpoint Bank LLM"]
        app.text_input(key=f"try_model_{made.id}").set_value("m").run()
        app.button(key=f"try_{made.id}").click().run()
        assert "m answered in" in said(app)
        assert "ready" in [item.value for item in app.code]
        assert "Form enforced by: JSON schema" in captions(app)
        assert server.headers[0]["authorization"] == f"Bearer {SECRET}"
        assert SECRET not in str(app)
        app.button(key=f"confirm_remove_{made.id}").click().run()
    assert of(store, project, endpoints.all) == []
    assert "is removed" in said(app)


@pytest.mark.slow
def test_a_key_that_is_not_set_and_one_that_is_no_name(open_page, store, project, monkeypatch):
    monkeypatch.delenv("MISSING_KEY", raising=False)
    app = open_page("models", project=project.id)
    app.button(key="add_endpoint").click().run()
    fill(app, "Bank LLM", "http://127.0.0.1:9/v1", SECRET)
    assert "is not the name of an environment variable" in said(app)
    assert SECRET not in said(app)
    fill(app, "Bank LLM", "http://127.0.0.1:9/v1", "MISSING_KEY")
    assert list(holding(app, "Key")["Key"]) == ["MISSING_KEY (not set here)"]
    (made,) = of(store, project, endpoints.all)
    app.text_input(key=f"try_model_{made.id}").set_value("m").run()
    app.button(key=f"try_{made.id}").click().run()
    assert "MISSING_KEY is not set" in said(app)


@pytest.mark.slow
def test_an_endpoint_that_refuses_says_so(open_page, store, project):
    with LlmServer(lambda body: Fault(status=401, text="no")) as server:
        app = open_page("models", project=project.id)
        app.button(key="add_endpoint").click().run()
        fill(app, "Bank LLM", server.base_url)
        (made,) = of(store, project, endpoints.all)
        app.text_input(key=f"try_model_{made.id}").set_value("m").run()
        app.button(key=f"try_{made.id}").click().run()
    assert "HTTP 401" in said(app).replace("\\", "")
    assert not app.exception


def test_the_hosts_the_settings_allow_are_shown(open_page, project, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "llm.bank.example")
    app = open_page("models", project=project.id)
    assert "allows these and no other: llm.bank.example" in captions(app)


def test_prices_are_saved_and_a_wrong_one_is_told(open_page, store, project):
    prices.save(store, project.id, [prices.price_of("m", "2.50", "10", "EUR")], actor=ACTOR)
    keep(store, project, call(project, 1, model="other"))
    app = open_page("models", project=project.id, view="prices")
    assert "without a price: other" in said(app)
    app.button(key="save_prices").click().run()
    assert "1 price saved" in said(app)
    (kept,) = of(store, project, model_prices.all).values()
    assert str(kept.input_per_million) == "2.50"


def test_prices_come_from_a_file(open_page, store, project):
    app = open_page("models", project=project.id, view="prices")
    table_file = b"model,input_per_million,output_per_million,currency\nm,0.10,0.40,EUR\n"
    app.file_uploader(key="prices_file").set_value(("prices.csv", table_file, "text/csv")).run()
    app.button(key="replace_prices").click().run()
    assert str(of(store, project, model_prices.all)["m"].output_per_million) == "0.40"
    app.file_uploader(key="prices_file").set_value(("prices.csv", b"model\nm\n", "text/csv")).run()
    app.button(key="replace_prices").click().run()
    assert "has no column input_per_million" in said(app).replace("\\", "")
    assert list(of(store, project, model_prices.all)) == ["m"]


@pytest.mark.slow
def test_a_prompt_is_edited_chosen_and_put_back(open_page, store, project):
    app = open_page("models", project=project.id, view="prompts")
    place = list(table(app, "prompts")["id"]).index(PROMPT)
    select(app, "prompts", place, "id")
    assert app.query_params["prompt"] == PROMPT
    app.segmented_control(key=f"prompt_part_{PROMPT}").set_value("Edit").run()
    assert app.button(key="save_prompt").disabled
    body = versions.wording(built_in(PROMPT).text).strip()
    area = app.text_area(key=f"prompt_body_{PROMPT}_")
    area.set_value(body.replace('{{ response | fence("response") }}', "{{ response }}")).run()
    assert "no longer fences response" in said(app)
    assert "save_prompt" not in keys(app)
    app.text_area(key=f"prompt_body_{PROMPT}_").set_value(body.replace("Correct:", "Right, so Correct:", 1)).run()
    assert "The wording can be used" in captions(app)
    assert any("+Right, so Correct:" in item.value for item in app.code)
    app.text_input(key=f"prompt_note_{PROMPT}").set_value("Plainer").run()
    app.button(key="save_prompt").click().run()
    assert "Version 1.1 of reference_verdict is saved" in said(app).replace("\\", "")
    assert load_prompt(PROMPT, store=store, project_id=project.id).version == "1.1"
    app.selectbox(key=f"prompt_version_{PROMPT}_1.1").set_value("").run()
    app.button(key="use_prompt").click().run()
    assert load_prompt(PROMPT, store=store, project_id=project.id).version == "1"
    assert not app.exception


def test_a_prompt_is_shown_filled(open_page, project):
    app = open_page("models", project=project.id, view="prompts", prompt=PROMPT)
    app.segmented_control(key=f"prompt_part_{PROMPT}").set_value("Filled with an example").run()
    assert any("<response-" in item.value and "Ada Miller" in item.value for item in app.code)


@pytest.mark.slow
def test_calls_are_added_up_filtered_and_opened(open_page, store, project):
    keep(
        store,
        project,
        call(project, 1, cost=0.25),
        call(project, 2, purpose="target", model="big"),
        call(project, 3, state=CallState.MALFORMED, error="it holds no JSON object", reply="<b>yes</b>"),
    )
    app = open_page("models", project=project.id, view="calls")
    assert metrics(app) == {"Calls": "3", "Tokens": "330", "Cost": "0.25", "Without a usable reply": "1"}
    totals = holding(app, "Priced").set_index("Purpose")
    assert totals.loc["Verdicts", "Priced"] == "1 of 2"
    assert totals.loc["Verdicts", "Failures"] == "1 wrong form"
    assert totals.loc["Answers of the system", "Cost"] == "-"
    assert list(table(app, "calls")["id"]) == ["call_3", "call_2", "call_1"]
    app.selectbox(key="url_status").set_value("malformed").run()
    assert app.query_params["status"] == "malformed"
    assert metrics(app)["Calls"] == "1"
    assert select(app, "calls", 0, "id") == "call_3"
    assert app.query_params["call"] == "call_3"
    assert "it holds no JSON object" in said(app)
    # What a model said is shown as text and nothing else.
    assert "<b>yes</b>" in [item.value for item in app.code]
    assert {"Be fair.", "Question 3"} <= {item.value for item in app.code}


def test_a_price_given_later_is_seen_in_what_calls_cost(open_page, store, project):
    keep(store, project, call(project, 1))
    app = open_page("models", project=project.id, view="calls")
    assert metrics(app)["Cost"] == "-"
    prices.save(store, project.id, [prices.price_of("m", "1000", "0", "EUR")], actor=ACTOR)
    app.run()
    assert metrics(app)["Cost"] == "0.10 EUR", "100 tokens at 1,000 a million"


def test_a_link_opens_a_call_with_its_filters(open_page, store, project):
    keep(store, project, call(project, 1), call(project, 2, purpose="target", model="big"))
    app = open_page("models", project=project.id, view="calls", purpose="target", call="call_2", search="c_call_2")
    assert list(table(app, "calls")["id"]) == ["call_2"]
    facts = dict(zip(holding(app, "Value")[""], holding(app, "Value")["Value"], strict=True))
    assert (facts["Model"], facts["Cost"], facts["Tokens sent"]) == ("big at http://llm.example/v1", "not known", "100")
    app = open_page("models", project=project.id, view="calls", purpose="", search="nothing like it", call="call_9")
    assert "No call fits these filters" in said(app)
    app = open_page("models", project=project.id, view="calls", search="", call="call_9")
    assert "There is no call call_9" in said(app).replace("\\", "")


@pytest.mark.slow
@pytest.mark.parametrize("view", ["", "prompts", "prices", "calls"])
def test_a_viewer_reads_and_changes_nothing(open_page, store, project, monkeypatch, view):
    keep(store, project, call(project, 1))
    prices.save(store, project.id, [prices.price_of("m", "1", "1", "EUR")], actor=ACTOR)
    app = open_page("models", project=project.id, view=view, prompt=PROMPT)
    app = as_viewer(app, store, project, monkeypatch)
    assert not app.exception
    assert not {"add_endpoint", "save_prices", "save_prompt", "use_prompt"} & keys(app)
    if view == "prompts":
        app.segmented_control(key=f"prompt_part_{PROMPT}").set_value("Edit").run()
        assert "not change them" in captions(app)


def test_what_was_asked_through_the_client_is_there_at_once(open_page, store, project):
    app = open_page("models", project=project.id, view="calls")
    with LlmServer(lambda body: "fine") as server:
        open_chat(store, project.id, server.spec()).ask([Message("user", "Are you there?")], purpose="judge")
    app.run()
    assert metrics(app)["Calls"] == "1"


@pytest.mark.slow
def test_what_a_model_takes_is_detected_read_and_set_by_hand(open_page, store, project):
    with Personalities() as server:
        app = open_page("models", project=project.id)
        app.button(key="add_endpoint").click().run()
        fill(app, "Bank LLM", f"http://127.0.0.1:{server.port}/v1")
        (made,) = of(store, project, endpoints.all)
        app.text_input(key=f"try_model_{made.id}").set_value("no_temperature").run()
        app.button(key=f"detect_{made.id}").click().run()
        assert not app.exception
        (job,) = jobs.list_jobs(store, project.id)
        assert app.query_params["job"] == job.id, "a worker asks; the page may be closed"
        until(lambda: not jobs.get(store, job.id).state.active, "the worker did not end")
        assert jobs.get(store, job.id).state is JobState.FINISHED, jobs.get(store, job.id).error
        app.run()
        assert "accepts was learned from calls" in captions(app)
        shown = holding(app, "What")
        temperature = shown[shown["What"] == "Temperature"].iloc[0]
        assert temperature["Value"] == "not sent: the model draws at its own"
        assert "does not support 0" in temperature["Found by"]
        (profile,) = of(store, project, profiles.all)
        app.selectbox(key=f"set_prompts_{profile.id}").set_value("short")
        app.button(key="save_profile").click().run()
        assert not app.exception
        shown = holding(app, "What")
        assert list(shown[shown["What"] == "Prompts"]["Found by"]) == [f"set by {ACTOR}"]
        (profile,) = of(store, project, profiles.all)
        assert dict(profile.edits) == {"prompts": "short"}
        app.button(key="forget_profile").click().run()
        assert of(store, project, profiles.all) == []
        assert not app.exception
