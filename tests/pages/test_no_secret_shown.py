"""No screen shows a secret, though an endpoint repeats what it was authorised with wherever it can."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from streamlit.testing.v1 import AppTest

from core.domain.llm import Endpoint
from core.judges.comparing import judge_again
from core.llm import endpoint_settings
from core.llm.calls import log
from core.llm.calls.log import CallFilter
from core.runs.execute import execute_run
from core.runs.service import create_run
from pages.kit import navigation
from tests.pages.clicks import select
from tests.support.bank_cases import bank_project
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR

KEY, HEADER = "sk-live-K3y0fTheBank9876543210", "team/header+secret=0123456789"
SHOWN_FROM = 15
"""Calls that are opened on the screen, the newest ones; all ways to end are among them."""


def telltale(body):
    """Repeats key and header in replies, finish reasons, codes, bodies that are none, and the headers of a refusal."""
    text = str(body["messages"])
    echo = {"headers": (f"x-echo: Bearer {KEY}", f"www-authenticate: Bearer {KEY}", f"x-team: {HEADER}")}
    if "Arden" in text:
        told = {"error": {"message": f"Incorrect API key provided: {KEY} with {HEADER}", "code": KEY, "type": HEADER}}
        return Fault(status=401, raw=json.dumps(told).encode(), **echo)
    if "Belmont" in text:
        return Fault(status=400, raw=f"<html>Bearer {KEY}</html>".encode(), **echo)
    if "Corwen" in text:
        return Fault(finish_reason=f"length{KEY}", text=f"Your key is {KEY}, your header {HEADER}.")
    if "Dalby" in text:
        return f"Authorization: Bearer {KEY}\nX-Team: {HEADER}"
    return {"reason": f"Authorised by {KEY}.", "verdict": "Correct", "claims": [f"The key is {KEY}."]}


@pytest.fixture
def secrets(monkeypatch):
    monkeypatch.setenv("BANK_LLM_KEY", KEY)
    monkeypatch.setenv("BANK_HEADER", HEADER)
    return (KEY, HEADER)


def forms(secret: str) -> set[bytes]:
    """A secret as it stands, in JSON, and in an address."""
    return {form.encode() for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""))}


def drawn(app: AppTest) -> Iterator[bytes]:
    """All that a page sends to the browser, tables and pictures included."""
    for part in (app.main, app.sidebar):
        for element in part:
            yield element.proto.SerializeToString() if hasattr(element.proto, "SerializeToString") else b""


def test_no_screen_shows_a_secret_after_a_run(open_page, store, tmp_path, secrets):
    with LlmServer(telltale) as server:
        project, test_set = bank_project(store, tmp_path)
        endpoint = endpoint_settings.save(
            store,
            Endpoint(
                id="",
                project_id=project.id,
                name="Bank LLM",
                base_url=server.base_url,
                key_env="BANK_LLM_KEY",
                headers={"X-Team": "${BANK_HEADER}"},
            ),
            actor=ACTOR,
        )
        run = create_run(
            store,
            test_set.id,
            actor=ACTOR,
            target=f"openai:{server.spec()}",
            judge=f"llm:{server.spec()}",
            options={"k": 1},
        )
        assert execute_run(store, run.id, actor=ACTOR)
        judge_again(store, run.id, [f"ragas_fact:{server.spec()}"], actor=ACTOR)
        # The secrets did travel, so that their absence elsewhere means something.
        assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
        assert {headers["x-team"] for headers in server.headers} == {HEADER}

        screens = {}
        app = open_page("models", project=project.id)
        assert select(app, "endpoints", 0, "id") == endpoint.id
        screens["endpoint"] = list(drawn(app))
        for spec in navigation.PAGES:
            app = open_page(spec.key, project=project.id)
            screens[spec.key] = list(drawn(app))
        for view in ("prompts", "prices", "calls"):
            screens[f"models {view}"] = list(drawn(open_page("models", project=project.id, view=view)))
        calls, total = log.page(store, project.id, CallFilter(), limit=SHOWN_FROM)
        assert total > len(calls)
        for call in calls:
            app = open_page("models", project=project.id, view="calls", call=call.id)
            screens[f"call {call.id}"] = list(drawn(app))
    # What is searched holds what is shown: the settings of an endpoint, a cell of a table, what was asked.
    for screen, shown in (("endpoint", b"BANK_HEADER"), ("models calls", b"arden-short"), ("results", b"belmont-long")):
        assert any(shown in part for part in screens[screen]), f"{shown!r} should be on {screen}"
    assert any(b"(hidden)" in part for parts in screens.values() for part in parts), "what was hidden is marked"
    for secret in secrets:
        for form in forms(secret):
            places = [name for name, parts in screens.items() if any(form in part for part in parts)]
            assert not places, f"{form!r} is shown on {places}"
