"""After a run against a model no secret is left anywhere: store, logs, exports, errors, screens' texts."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict
from urllib.parse import quote

import pytest

from core.domain.errors import CallFailed
from core.domain.llm import Endpoint, Message
from core.llm import endpoint_settings, open_chat
from core.llm.calls import log
from core.llm.calls.log import CallFilter
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.store.database import Store
from core.store.models import endpoints
from tests.support.bank_cases import bank_project
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url

KEY, HEADER = "sk-live-K3y0fTheBank9876543210", "team/header+secret=0123456789"


def telltale(body):
    """An endpoint as bad as they come: it repeats what it was authorised with, in replies and in refusals."""
    text = str(body["messages"])
    if "Arden" in text:
        told = {"error": {"message": f"Incorrect API key provided: {KEY} with {HEADER}", "code": KEY}}
        return Fault(status=401, raw=json.dumps(told).encode())
    if "Corwen" in text:
        return f"Your key is {KEY}, your header {HEADER}."
    return {"reason": f"Authorised by {KEY}.", "verdict": "Correct"}


@pytest.fixture
def secrets(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    monkeypatch.setenv("BANK_LLM_KEY", KEY)
    monkeypatch.setenv("BANK_HEADER", HEADER)
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    return (KEY, HEADER)


def written_forms(secret):
    """A secret as it stands, and as it stands in JSON and in an address."""
    return {form.encode() for form in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""))}


def test_no_secret_is_left_after_a_run(secrets, tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    shown = []
    with LlmServer(telltale) as server, Store.open(blank_url(tmp_path)) as store:
        project, test_set = bank_project(store, tmp_path)
        made = endpoint_settings.save(
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
        # The secrets did travel, so that their absence elsewhere means something.
        assert all(headers["authorization"] == f"Bearer {KEY}" for headers in server.headers)
        assert all(headers["x-team"] == HEADER for headers in server.headers)
        shown.append(repr(endpoint_settings.try_out(store, project.id, made.id, "m", actor=ACTOR)))
        with pytest.raises(CallFailed) as failed:
            open_chat(store, project.id, server.spec()).ask([Message("user", "Arden?")], purpose="judge")
        shown += [str(failed.value), failed.value.raw, repr(open_chat(store, project.id, server.spec()))]
        exports = [
            log.as_jsonl(store, project.id, CallFilter()),
            log.as_csv(store, project.id, CallFilter()),
        ]
        assert exports[0].count(b"\n") > 12
        with store.read() as connection:
            shown += [str(asdict(one)) for one in endpoints.all(connection, project.id)]
    exports += [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    out = capfd.readouterr()
    everything = [*exports, *(text.encode() for text in [*shown, caplog.text, out.out, out.err])]
    for secret in secrets:
        for form in written_forms(secret):
            places = [place for place, found in enumerate(everything) if form in found]
            assert not places, f"{form!r} is in {len(places)} places: {[everything[at][:80] for at in places]}"
