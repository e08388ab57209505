"""Hosts that may not be called, on the command line: one sentence, one remedy, exit code 2, nothing sent."""

import json

import pytest

from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.servers.answer_server import AnswerServer
from tests.support.servers.listening import listening
from tests.support.small_bank import write_documents

SECRET = "hunter2-the-servers-own-secret"


@pytest.fixture
def named(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "db.bank.example")
    monkeypatch.setenv("SERVER_SECRET", SECRET)


def said(outcome):
    assert outcome.code == 2
    assert SECRET not in f"{outcome.out}{outcome.err}"
    assert outcome.out == ""
    return outcome.err


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("postgresql+psycopg://u@evil.example/x", "Plumbline may not call evil.example."),
        ("postgresql+psycopg://u@169.254.169.254/x", "Plumbline may not call 169.254.169.254."),
        ("mysql+pymysql://u@2130706433/x", "an unusual way to write an address"),
        ("postgresql+psycopg://u:${SERVER_SECRET}@evil.example/x", "Plumbline may not call evil.example."),
        ("postgresql+psycopg://u@db.bank.example/x?hostaddr=10.0.0.1", "The option hostaddr"),
        ("sqlite:///${SERVER_SECRET}", "refers to the environment variable SERVER_SECRET"),
    ],
)
def test_a_database(cli, named, address, message):
    assert message in said(cli("schema", "--db", address, "--json"))


def test_a_database_that_is_named_gets_no_variable_that_is_not(cli, named, monkeypatch):
    with listening("postgresql") as server:
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
        monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "db.bank.example=SERVER_SECRET")
        address = f"postgresql+psycopg://u:${{SERVER_SECRET}}@127.0.0.1:{server.port}/x"
        error = said(cli("schema", "--db", address, "--json"))
        assert "SERVER_SECRET is not named for 127.0.0.1" in error
        assert "PLUMBLINE_HOST_VARIABLES" in error
        assert server.heard == []


@pytest.mark.slow
def test_a_target_and_a_model(cli, named, tmp_path):
    with AnswerServer(lambda request: {"answer": "x"}) as server:
        (tmp_path / "rag.yaml").write_text(json.dumps(server.config()), encoding="utf-8")
        cases = write_case_file(tmp_path / "cases.jsonl", bank_cases())
        documents = write_documents(tmp_path / "documents")
        for options in (
            ("--target", "http:rag.yaml"),
            ("--target", f"openai:m@{server.url}"),
            ("--target", "bm25", "--judge", f"llm:m@{server.url}"),
        ):
            outcome = cli("evaluate", "--testset", cases, "--corpus", documents, *options, "--out", "run", "--json")
            assert "may not call 127.0.0.1" in said(outcome)
        assert server.requests == []
