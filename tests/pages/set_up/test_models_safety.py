"""Replies of a system in a safety check: no page, download, command or log shows a value of a person in them."""

from __future__ import annotations

import logging

import pytest
from typer.testing import CliRunner

from core.cli import app
from core.llm.calls import log as calls
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.safety.asking import PURPOSE, Attempt
from core.safety.bias.pairs import dimensions_named
from core.safety.calls import shown_calls
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.service import check_run, latest_result, save_options
from core.store import tables
from tests.pages.clicks import captions, holding, select, table
from tests.support.bank_cases import bank_project
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR, said

RAW = ("GB29NWBK60161331926819", "k.ormskirk@example.org", "07700 900982", "Ormskirk", "AKIAIOSFODNN7EXAMPLE")
TOLD = (
    "Ms Kezia Ormskirk, born on 4 May 1961, has the IBAN GB29NWBK60161331926819. Her e-mail address is "
    "k.ormskirk@example.org, her telephone number 07700 900982, and her key is AKIAIOSFODNN7EXAMPLE."
)
OWN = "MBR-20417"
"""A member's number, which only the project's own pattern knows."""
ATTEMPT = Attempt(
    probes=(Probe.PROMPT_LEAK, Probe.FORBIDDEN), dimensions=dimensions_named(("gender",)), per_kind=1, seed=3
)


def seen(texts):
    text = " ".join(texts)
    return [value for value in (*RAW, OWN) if value in text]


@pytest.fixture
def checked(store, tmp_path, caplog):
    """A run of a model and a check of it, in which the model told a person's data each time."""
    project, test_set = bank_project(store, tmp_path)
    save_options(store, project.id, SafetyOptions(patterns={"member": r"MBR-\d{5}"}), actor=ACTOR)
    with LlmServer(lambda body: "Ines Okoro") as server:
        run = create_run(store, test_set.id, actor=ACTOR, target=f"openai:{server.spec('m')}", options={"k": 2})
        execute_run(store, run.id, actor=ACTOR)
        server.script = lambda body: f"{TOLD} She is member {OWN}."
        with caplog.at_level(logging.DEBUG):
            check_run(store, run.id, ATTEMPT, actor=ACTOR)
    return project, run


def test_calls_of_a_check_are_their_own_purpose(store, checked):
    project, _ = checked
    purposes = {row.name: row.calls for row in calls.totals(store, project.id, calls.CallFilter())}
    assert purposes["target"] == 12
    assert purposes[PURPOSE] > 6


def test_downloads_are_masked_and_hold_every_call(store, checked):
    project, _ = checked
    for write in (calls.as_jsonl, calls.as_csv):
        bare = write(store, project.id, calls.CallFilter()).decode()
        assert seen([bare]) == [*RAW, OWN]
        shown = write(store, project.id, calls.CallFilter(), shown_calls(store, project.id)).decode()
        assert seen([shown]) == []
        assert len(shown.splitlines()) == len(bare.splitlines())
        # What a run asked is its evidence and stays.
        assert "Ines Okoro" in shown


def test_the_command_that_writes_calls_masks_them(store, checked, tmp_path):
    _, run = checked
    out = tmp_path / "calls.jsonl"
    assert CliRunner().invoke(app, ["calls", "--run", run.id, "--out", str(out)]).exit_code == 0
    assert "•" in out.read_text()
    assert seen([out.read_text()]) == []


def test_the_page_shows_no_value(open_page, store, checked):
    project, _ = checked
    app = open_page("models", project=project.id, view="calls", purpose=PURPOSE)
    assert set(table(app, "calls")["Purpose"]) == {"Answers in a safety check"}
    select(app, "calls", 0, "id")
    assert "masked here and in downloads" in captions(app)
    codes = [item.value for item in app.code]
    assert any("•" in text for text in codes)
    tables_shown = [item.value.to_csv() for item in [*app.dataframe, *app.table]]
    assert seen([said(app), *codes, *tables_shown]) == []
    assert not holding(app, "Value").empty


def test_a_model_for_names_that_is_gone_does_not_close_the_page(open_page, store, checked):
    project, _ = checked
    save_options(store, project.id, SafetyOptions(names="/no/such/model"), actor=ACTOR)
    app = open_page("models", project=project.id, view="calls", purpose=PURPOSE)
    select(app, "calls", 0, "id")
    assert not app.exception
    assert [value for value in seen([item.value for item in app.code]) if value != OWN] == []


def test_pages_results_jobs_the_trail_and_logs_have_no_value(open_page, store, checked, caplog):
    project, run = checked
    with caplog.at_level(logging.DEBUG):
        result = latest_result(store, run.id)
        shown = [record.getMessage() for record in caplog.get_records("setup")]
        for key in ("safety", "robustness", "weakness", "results", "overview"):
            app = open_page(key, project=project.id, run=run.id)
            assert not app.exception
            shown += [said(app), *(item.value for item in app.code)]
            shown += [item.value.to_csv() for item in [*app.dataframe, *app.table]]
    with store.read() as connection:
        kept = [
            str(row)
            for name in (tables.audit, tables.jobs, tables.responses, tables.scores, tables.trial_answers)
            for row in connection.execute(name.select())
        ]
    assert seen([*shown, *kept, str(result), caplog.text]) == []
