"""Setting up endpoints: what is kept, what is refused, and the tiny call that tries one."""

from dataclasses import replace

import pytest

from core.domain.errors import CallFailed, Conflict, Forbidden, InvalidInput, NotFound
from core.domain.llm import Endpoint, Structured
from core.llm import endpoint_settings as settings
from core.llm.spending import prices
from core.project.service import create_project
from core.store.database import Store
from core.store.models import endpoints
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path)) as opened:
        yield opened


@pytest.fixture
def project(store):
    return create_project(store, "Bank", "anna")


def given(project, url="http://127.0.0.1:1/v1", **more):
    return Endpoint(id="", project_id=project.id, name=more.pop("name", "Bank LLM"), base_url=url, **more)


def test_an_endpoint_is_added_changed_and_removed(store, project):
    made = settings.save(store, given(project, "http://127.0.0.1:1/v1/chat/completions"), actor="anna")
    assert (made.base_url, made.created_by) == ("http://127.0.0.1:1/v1", "anna")
    settings.save(store, replace(made, concurrency=3), actor="anna")
    with store.read() as connection:
        (kept,) = endpoints.all(connection, project.id)
    assert (kept.id, kept.concurrency) == (made.id, 3)
    settings.remove(store, project.id, made.id, actor="anna")
    with store.read() as connection:
        assert endpoints.all(connection, project.id) == []


def test_name_and_address_are_taken_once(store, project):
    settings.save(store, given(project), actor="anna")
    with pytest.raises(Conflict, match="an endpoint Bank LLM already"):
        settings.save(store, given(project, "http://127.0.0.1:2/v1", name="bank llm"), actor="anna")
    with pytest.raises(Conflict, match="has the address"):
        settings.save(store, given(project, "http://127.0.0.1:1/v1/", name="Second"), actor="anna")
    settings.save(store, given(create_project(store, "Other", "anna")), actor="anna")


@pytest.mark.parametrize(
    "wrong",
    [
        {"key_env": "sk-live-0123456789"},
        {"headers": {"Authorization": "Bearer sk-live-0123456789"}},
        {"proxy": "http://user:hunter2@proxy.example:3128"},
        {"concurrency": 0},
        {"timeout_s": 10.0, "deadline_s": 5.0},
        {"ca_bundle": "/nowhere/ca.pem"},
        {"name": " "},
    ],
)
def test_what_could_not_be_used_or_would_keep_a_secret_is_refused(store, project, wrong):
    with pytest.raises(InvalidInput) as refused:
        settings.save(store, given(project, **wrong), actor="anna")
    assert "sk-live" not in str(refused.value)
    assert "hunter2" not in str(refused.value)
    with store.read() as connection:
        assert endpoints.all(connection, project.id) == []


def test_only_the_projects_own_endpoints_are_touched(store, project):
    made = settings.save(store, given(project), actor="anna")
    other = create_project(store, "Other", "anna")
    with pytest.raises(NotFound):
        settings.remove(store, other.id, made.id, actor="anna")
    with pytest.raises(NotFound):
        settings.save(store, replace(made, project_id=other.id), actor="anna")
    with pytest.raises(NotFound):
        settings.try_out(store, other.id, made.id, "m", actor="anna")
    for act in (
        lambda: settings.save(store, replace(made, name="Mine"), actor="bob"),
        lambda: settings.remove(store, project.id, made.id, actor="bob"),
        lambda: settings.try_out(store, project.id, made.id, "m", actor="bob"),
    ):
        with pytest.raises(Forbidden):
            act()


@pytest.mark.parametrize(
    ("style", "mode"),
    [("json_schema", Structured.SCHEMA), ("json_object", Structured.JSON), ("none", Structured.NONE)],
)
def test_a_trial_shows_reply_time_cost_and_how_replies_are_held_to_a_form(store, project, style, mode):
    prices.save(store, project.id, [prices.price_of("m", "1", "1", "EUR")], actor="anna")
    script = lambda body: {"number": 2} if "number" in str(body) else "ready"  # noqa: E731 - the server's one line
    with LlmServer(script, style=style) as server:
        made = settings.save(store, given(project, server.base_url), actor="anna")
        trial = settings.try_out(store, project.id, made.id, "m", actor="anna")
        assert (trial.reply, trial.structured) == ("ready", mode)
        assert trial.seconds > 0
        assert trial.cost == pytest.approx((trial.prompt_tokens + trial.completion_tokens) / 1e6)
        # Each trial asks anew; how the endpoint is held to a form is known by then.
        asked = len(server.bodies) + len(server.probes)
        settings.try_out(store, project.id, made.id, "m", actor="anna")
        assert len(server.bodies) + len(server.probes) == asked + 1
        assert server.bodies[0]["max_tokens"] == settings.MOST_TOKENS


def test_a_trial_that_fails_says_how(store, project, monkeypatch):
    with LlmServer(lambda body: Fault(status=401, text="no")) as server:
        made = settings.save(store, given(project, server.base_url), actor="anna")
        with pytest.raises(CallFailed, match="HTTP 401"):
            settings.try_out(store, project.id, made.id, "m", actor="anna")
        with pytest.raises(InvalidInput, match="No model"):
            settings.try_out(store, project.id, made.id, " ", actor="anna")
        monkeypatch.delenv("NOT_SET_HERE", raising=False)
        changed = settings.save(store, replace(made, key_env="NOT_SET_HERE"), actor="anna")
        with pytest.raises(InvalidInput, match="NOT_SET_HERE is not set"):
            settings.try_out(store, project.id, changed.id, "m", actor="anna")


def test_variables_are_named_and_never_shown(project, monkeypatch):
    monkeypatch.setenv("BANK_KEY", "hunter2")
    monkeypatch.setenv("EMPTY_KEY", "")
    monkeypatch.delenv("MISSING_KEY", raising=False)
    endpoint = given(
        project,
        key_env="BANK_KEY",
        headers={"X-A": "${EMPTY_KEY}", "X-B": "a ${BANK_KEY}"},
        proxy="http://u:${MISSING_KEY}@proxy.example:1",
    )
    assert settings.variables(endpoint) == {"BANK_KEY": True, "EMPTY_KEY": False, "MISSING_KEY": False}


@pytest.mark.parametrize("text", ["sk-live-012", "=value", "X-Name=", "X-A=1\nx-a=2"])
def test_headers_that_cannot_be_read_are_refused_without_being_shown(text):
    with pytest.raises(InvalidInput) as refused:
        settings.read_headers(text)
    assert "sk-live" not in str(refused.value)


def test_headers_are_read_back_as_written():
    headers = {"X-Team": "rag=1", "X-Key": "${BANK_KEY}"}
    assert settings.read_headers(settings.write_headers(headers)) == headers


def test_hosts_are_those_somebody_named(store, project):
    settings.save(store, given(project, "https://llm.example/v1", proxy="http://proxy.example:3128"), actor="anna")
    found = {host.name: host.why for host in settings.hosts(store, project.id)}
    assert found == {"llm.example": "endpoint Bank LLM", "proxy.example:3128": "proxy of Bank LLM"}
    assert settings.hosts(store, create_project(store, "Other", "anna").id) == []
