"""Documents from the rows of a database, on the command line."""

import json

import pytest

from core.sources.corpus import load_corpus
from tests.support.small_bank import write_bank


@pytest.fixture
def bank(tmp_path):
    return f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}"


def test_each_row_is_a_document_that_can_be_loaded(cli, bank, tmp_path):
    out = tmp_path / "documents"
    made = json.loads(cli("knowledge", "--db", bank, "--out", out, "--json").out)
    assert made.keys() >= {"documents", "facts", "without_document"}
    corpus = load_corpus(out)
    assert made["documents"] == len(corpus.documents) == sum(made["tables"].values())
    assert made["facts"] > made["documents"]
    assert made["writers"] == {"rules": made["documents"]}
    assert json.loads(cli("knowledge", "--db", bank, "--out", out, "--json").out) == made


def test_fewer_rows_take_the_place_of_the_earlier_ones(cli, bank, tmp_path):
    out = tmp_path / "documents"
    cli("knowledge", "--db", bank, "--out", out)
    few = json.loads(cli("knowledge", "--db", bank, "--out", out, "--per-table", 1, "--json").out)
    assert len(load_corpus(out).documents) == few["documents"] == len(few["tables"])


def test_a_folder_of_somebody_else_is_left_alone(cli, bank, tmp_path):
    (tmp_path / "mine.txt").write_text("Mine.")
    refused = cli("knowledge", "--db", bank, "--out", tmp_path)
    assert refused.code == 2
    assert "Name a new folder" in refused.err
    assert (tmp_path / "mine.txt").read_text() == "Mine."


def test_no_row_is_sent_without_consent(cli, bank, tmp_path):
    refused = cli(
        "knowledge", "--db", bank, "--out", tmp_path / "d", "--generator", "llm", "--model", "m@http://127.0.0.1:9/v1"
    )
    assert refused.code == 2
    assert "--send-rows" in refused.err
