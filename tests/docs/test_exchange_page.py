"""docs/exchange.md names every format, and its commands run as they are written."""

import json
import re
import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from core.cli.documents import exchange
from core.io.exchange.format import list_formats
from tests.support.files import exchange_files as files

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "exchange.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ {4}\.venv/bin/python -m core (.+)$", PAGE, re.MULTILINE)


def test_every_format_has_its_row():
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == {one.spec.name for one in list_formats()}


@pytest.fixture
def core(tmp_path, monkeypatch):
    """Runs a command line in a folder with a file of answers; returns what it prints."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    rows = [{"user_input": question, "response": "Yes.", "passages": "One.|Two."} for question in files.QUESTIONS]
    files.write_csv(tmp_path / "answers.csv", rows)
    app = typer.Typer()
    exchange.register(app)

    def ran(arguments):
        outcome = CliRunner().invoke(app, arguments, catch_exceptions=False)
        assert outcome.exit_code == 0, outcome.output
        return outcome.stdout

    return ran


def test_its_commands_run(core, tmp_path):
    run = ""
    assert len(COMMANDS) == 4
    for command in COMMANDS:
        arguments = [run if word == "RUN" else word for word in shlex.split(command)]
        said = core(arguments)
        run = match[1] if (match := re.search(r"Run (run_\w+):", said)) else run
    assert "3 answers written" in said
    (row, *_) = json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))
    assert row["retrieval_context"] == ["One.", "Two."]
