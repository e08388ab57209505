"""The command line in this process (`cli`) and in one of its own (`spawn`), with a data folder of the test."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.cli import main
from tests.support.application.server import environment
from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.processes import held
from tests.support.small_bank import write_bank, write_documents
from tests.support.stores import blank_url

ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON document on stdout; NaN and Infinity are no JSON."""
        assert self.code == 0, self.err

        def refuse(name):
            raise AssertionError(f"{name} in the document")

        return json.loads(self.out, parse_constant=refuse)


@pytest.fixture
def cli(tmp_path, monkeypatch, capsys):
    """Runs a command here: ``cli("schema", "--db", url)``; its store is there and blank."""
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "data"))
    blank_url(tmp_path / "data")
    for name in ("DATABASE_URL", "ACTOR", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["plumbline", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Outcome(code=int(ended.value.code or 0), out=said.out, err=said.err)

    return run


@pytest.fixture
def refused(cli):
    """Runs a command that must be refused; returns what it says: what is wrong, then what to do."""

    def run(*arguments: object) -> str:
        outcome = cli(*arguments)
        assert (outcome.code, outcome.out) == (2, ""), outcome
        lines = outcome.err.strip().splitlines()
        # What of a folder was left out is told before anything is refused.
        refusal = [line for line in lines if not line.startswith("Documents loaded: ")]
        assert len(refusal) == 2, outcome.err
        return outcome.err

    return run


@pytest.fixture
def spawn(tmp_path):
    """Starts a command in a process of its own; one with a moment is held there, see `tests.support.processes.held`."""

    def run(*arguments: object, moment: str = "", **extra: str) -> subprocess.Popen[str]:
        program = held.command(moment, "core") if moment else (sys.executable, "-m", "core")
        return subprocess.Popen(
            [*program, *map(str, arguments)],
            cwd=ROOT,
            env=environment(tmp_path / "data", **extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


@pytest.fixture
def bank_url(tmp_path):
    return f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}"


@pytest.fixture
def documents(tmp_path):
    return write_documents(tmp_path / "documents")


@pytest.fixture
def testset(tmp_path):
    return write_case_file(tmp_path / "cases.jsonl")


@pytest.fixture
def recording(tmp_path):
    """Answers of a system that is always right."""
    rows = [{"case_id": case.case_id, "answer": case.reference_answers[0]} for case in bank_cases()]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    return path
