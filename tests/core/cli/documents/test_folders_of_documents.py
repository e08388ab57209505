"""Topics and questions straight from a folder, without a project: the forms of the command line's contract."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from core.io.cases import read_cases
from tests.support.documents.subjects import write_subjects

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def folder(tmp_path):
    return write_subjects(tmp_path / "subjects")


def test_topics_of_a_folder_with_what_each_stage_took(cli, folder):
    found = cli("topics", "--corpus", folder, "--reduce", "pca", "--cluster", "kmeans", "--k", 4, "--json").json
    assert (found["chunks"], found["outliers"]["num"]) == (32, 0)
    assert [topic["id"] for topic in found["topics"]] == [0, 1, 2, 3]
    assert all(topic["terms"] and topic["label"] and topic["size"] == 8 for topic in found["topics"])
    assert {"Embedding", "Reduction", "Clusters", "Words"} <= set(found["seconds"])


@pytest.mark.slow
def test_questions_of_a_folder_become_test_cases(cli, tmp_path):
    folder = tmp_path / "loans"
    shutil.copytree(ROOT / "sample_data" / "documents" / "loans", folder)
    out = tmp_path / "questions.jsonl"
    wanted = ("questions", "--corpus", folder, "--n", 8, "--types", "simple,yes_no", "--allocation", "equal")
    found = cli(*wanted, "--out", out, "--json").json
    assert sum(found["requested"].values()) == 8
    assert set(found["delivered"]) == set(found["requested"])
    cases = read_cases(out)
    assert len(cases) == found["cases"] == sum(found["delivered"].values())
    assert cases
    for case in cases:
        assert case.attributes["reviewed"] == "no"
        assert {"topic", "type", "document", "difficulty", "length"} <= set(case.attributes)
    short = [row for row in found["strata"] if row["delivered"] < row["requested"]]
    assert all(row["reason"] for row in short)
    first = out.read_bytes()
    assert "no person has reviewed them" in cli(*wanted, "--out", out).out
    assert out.read_bytes() == first, "the same questions, byte for byte"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("topics", "--json"), "No documents are given"),
        (("topics", "--corpus", "here", "show", "--project", "x"), "comes before show"),
        (("questions", "--corpus", "."), "The documents or the output file are missing"),
        (("questions", "--corpus", "here", "--out", "here/q.jsonl"), "is inside the folder of documents"),
        (("questions", "--corpus", "here", "--out", "q.jsonl", "--generator", "llm"), "No model is named"),
        (("questions", "--corpus", "here", "--out", "q.jsonl", "--model", "m@http://x"), "The rules use no model"),
        (("questions", "--corpus", "here", "--out", "q.jsonl", "--types", "riddle"), "riddle"),
        (("questions", "--corpus", "nowhere", "--out", "q.jsonl"), "nowhere"),
        (("questions", "--out", "q.jsonl", "list", "--project", "x"), "cannot be used with list"),
    ],
)
def test_what_is_missing_or_odd_is_named(cli, arguments, said):
    found = cli(*arguments)
    assert found.code == 2
    assert said in found.err


def test_no_file_is_left_where_nothing_can_be_read(cli, tmp_path):
    (tmp_path / "empty").mkdir()
    found = cli("questions", "--corpus", tmp_path / "empty", "--out", tmp_path / "q.jsonl")
    assert found.code == 2
    assert not (tmp_path / "q.jsonl").exists()
