"""Endpoints and calls on the command line."""

import csv
import json

import pytest
import typer
from typer.testing import CliRunner

from core.cli import profiles as models
from core.domain.errors import InvalidInput, NotFound
from core.llm.spending import prices
from core.project.service import create_project
from core.runs.execute import execute_run
from core.runs.service import create_run
from core.settings import settings
from core.store.database import Store
from core.store.models import endpoints
from tests.support.bank_cases import bank_project
from tests.support.personalities import Personalities
from tests.support.servers.llm_server import LlmServer

ACTOR = "local"
SECRET = "sk-secret-value-0123456789"


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    with Store.open(settings().database_url) as opened:
        yield opened


@pytest.fixture
def command():
    """Runs a command of the module as it is registered; an error of ours comes out as it is."""
    app = typer.Typer()
    models.register(app)

    def run(*arguments):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def test_endpoints_are_added_listed_and_removed(store, command, monkeypatch):
    project = create_project(store, "Bank", ACTOR)
    monkeypatch.setenv("BANK_KEY", SECRET)
    added = json.loads(
        command(
            "endpoints",
            "add",
            "--project",
            project.id,
            "--name",
            "Bank LLM",
            "--base-url",
            "http://127.0.0.1:9/v1",
            "--key-env",
            "BANK_KEY",
            "--header",
            "X-Team=rag",
            "--header",
            "X-Key=${OTHER_KEY}",
            "--concurrency",
            "3",
            "--json",
        )
    )
    assert added["variables_set"] == {"BANK_KEY": True, "OTHER_KEY": False}
    with store.read() as connection:
        (kept,) = endpoints.all(connection, project.id)
    assert (kept.name, dict(kept.headers), kept.concurrency) == (
        "Bank LLM",
        {"X-Team": "rag", "X-Key": "${OTHER_KEY}"},
        3,
    )
    listed = command("endpoints", "list", "--project", project.id)
    assert "BANK_KEY set, OTHER_KEY not set here" in listed
    assert SECRET not in listed
    with pytest.raises(NotFound, match="no endpoint 'Other'"):
        command("endpoints", "remove", "--project", project.id, "Other")
    command("endpoints", "remove", "--project", project.id, "Bank LLM")
    assert "No endpoint is set up" in command("endpoints", "list", "--project", project.id)


def test_a_project_goes_by_its_name_too(store, command):
    project = create_project(store, "Bank", ACTOR)
    command("endpoints", "add", "--project", "Bank", "--name", "Local", "--base-url", "http://127.0.0.1:9/v1")
    with store.read() as connection:
        assert [endpoint.name for endpoint in endpoints.all(connection, project.id)] == ["Local"]
    assert "Local" in command("endpoints", "list", "--project", "Bank")
    assert command("endpoints", "remove", "Local", "--project", "Bank") == "Removed Local.\n"


def test_what_is_wrong_is_refused(store, command):
    project = create_project(store, "Bank", ACTOR)
    given = ("endpoints", "add", "--project", project.id, "--name", "A", "--base-url", "http://127.0.0.1:9/v1")
    with pytest.raises(InvalidInput, match="structured"):
        command(*given, "--structured", "xml")
    with pytest.raises(InvalidInput) as refused:
        command(*given, "--key-env", SECRET)
    assert SECRET not in str(refused.value)
    with pytest.raises(NotFound):
        command("endpoints", "list", "--project", "prj_none")
    with pytest.raises(NotFound, match="no run"):
        command("calls", "--run", "run_none")
    with pytest.raises(InvalidInput, match=r"neither \.jsonl nor \.csv"):
        command("calls", "--run", "run_none", "--out", "calls.txt")


@pytest.mark.slow
def test_calls_of_a_run_are_added_up_and_written(store, command, tmp_path):
    project, test_set = bank_project(store, tmp_path)
    prices.save(store, project.id, [prices.price_of("m", "2", "10", "EUR")], actor=ACTOR)
    verdict = {"reason": "It says so.", "verdict": "Correct"}
    with LlmServer(lambda body: verdict) as server:
        run = create_run(store, test_set.id, actor=ACTOR, target="bm25", judge=f"llm:{server.spec()}")
        assert execute_run(store, run.id, actor=ACTOR)
        received = len(server.bodies)
    found = json.loads(command("calls", "--run", run.id, "--out", tmp_path / "calls.jsonl", "--json"))
    judge = found["purposes"]["judge"]
    assert (judge["calls"], judge["priced"], judge["failed"]) == (received, received, 0)
    assert (found["currency"], found["cost"]) == (
        "EUR",
        pytest.approx(sum(row["cost"] for row in map(json.loads, (tmp_path / "calls.jsonl").read_text().splitlines()))),
    )
    assert f"judge: {received} calls" in command("calls", "--run", run.id, "--out", tmp_path / "calls.csv")
    with (tmp_path / "calls.csv").open(encoding="utf-8-sig", newline="") as file:
        assert sum(row["purpose"] == "judge" for row in csv.DictReader(file)) == received


def test_a_run_without_a_model_says_so(store, command, tmp_path):
    _, test_set = bank_project(store, tmp_path)
    run = create_run(store, test_set.id, actor=ACTOR, target="bm25")
    assert "called no model" in command("calls", "--run", run.id)


@pytest.mark.slow
def test_what_a_model_takes_is_asked_listed_and_set(store, command):
    project = create_project(store, "Bank", ACTOR)
    with Personalities() as server:
        spec = server.spec("form_500")
        found = json.loads(command("models", "probe", spec, "--project", "Bank", "--json"))
        assert found["capabilities"]["structured"] == "json"
        assert found["grounds"]["structured"]["why"].startswith("A reply was JSON")
        (listed,) = json.loads(command("models", "list", "--project", project.id, "--json"))["models"]
        assert listed == found
        edited = json.loads(command("models", "set", spec, "prompts=short", "--project", "Bank", "--json"))
        assert (edited["capabilities"]["prompts"], edited["grounds"]["prompts"]["edited"]) == ("short", True)
        assert "Prompts: short (set by local)" in command("models", "list", "--project", "Bank")
        with pytest.raises(InvalidInput, match="is not NAME=VALUE"):
            command("models", "set", spec, "prompts")
