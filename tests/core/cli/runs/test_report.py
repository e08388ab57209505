"""The command report: one file of each kind, thresholds, JUnit, and what it refuses."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.small_bank import write_documents


@pytest.fixture
def run_folder(cli, tmp_path):
    """A folder with a finished run, and the JUnit file that evaluate wrote."""
    write_case_file(tmp_path / "cases.jsonl", bank_cases())
    write_documents(tmp_path / "documents")
    outcome = cli(
        *("evaluate", "--testset", "cases.jsonl", "--corpus", "documents", "--target", "keyword", "--out", "run1"),
        *("--junit", "evaluate.xml", "--json"),
    )
    assert outcome.code == 0, outcome.err
    return "run1"


@pytest.mark.slow
def test_each_format_is_written_and_named_with_its_digest(cli, run_folder):
    for ending in ("html", "json", "xlsx"):
        document = cli("report", "--run", run_folder, "--out", f"r.{ending}", "--date", "2026-11-23", "--json").json
        data = Path(f"r.{ending}").read_bytes()
        assert document["path"] == f"r.{ending}"
        assert document["sha256"] == hashlib.sha256(data).hexdigest()
        assert document["findings"] == []
    report = json.loads(Path("r.json").read_text())
    assert report["schema"] == "plumbline.report/1"
    assert report["figures"]["accuracy"] == document["accuracy"]
    again = cli("report", "--run", run_folder, "--out", "again.html", "--date", "2026-11-23")
    assert again.code == 0
    assert Path("again.html").read_bytes() == Path("r.html").read_bytes()


def test_a_threshold_is_held_to_the_estimate_or_to_the_lower_end_of_its_interval(cli, run_folder):
    accuracy = cli("report", "--run", run_folder, "--out", "r.json", "--json").json["accuracy"]
    between = (accuracy["low"] + accuracy["value"]) / 2
    asked = ("report", "--run", run_folder, "--out", "r.json", "--fail-under")
    assert cli(*asked, f"accuracy={between}").code == 0
    missed = cli(*asked, f"accuracy.low={between}")
    assert missed.code == 1
    assert "accuracy.low is" in missed.err
    unknown = cli(*asked, "speed=1")
    assert unknown.code == 2
    assert "no figure 'speed'" in unknown.err


def test_junit_has_a_test_for_each_case_by_both_commands(cli, run_folder):
    assert cli("report", "--run", run_folder, "--out", "r.json", "--junit", "report.xml").code == 0
    assert Path("report.xml").read_bytes() == Path("evaluate.xml").read_bytes()
    root = ElementTree.parse("report.xml").getroot()
    accuracy = json.loads(Path("r.json").read_text())["figures"]["accuracy"]
    assert int(root.get("failures")) == accuracy["den"] - accuracy["num"]
    assert int(root.get("tests")) == len(root.findall(".//testcase"))


def test_sections_are_left_out_by_name_and_mistakes_are_told(cli, run_folder):
    assert cli("report", "--run", run_folder, "--out", "r.json", "--without", "safety, robustness").code == 0
    keys = [section["key"] for section in json.loads(Path("r.json").read_text())["sections"]]
    assert not {"safety", "robustness"} & set(keys)
    Path("taken.json").mkdir()
    for arguments, said in (
        (("--out", "r.txt"), "cannot be written as 'r.txt'"),
        (("--out", "r.json", "--without", "weather"), "no section 'weather'"),
        (("--out", "r.json", "--without", "limitations"), "cannot be switched off"),
        (("--out", "r.json", "--date", "soon"), "no date"),
        (("--out", "nowhere/r.json"), "no folder nowhere"),
        (("--out", "taken.json"), "taken.json cannot be written: Is a directory."),
    ):
        outcome = cli("report", "--run", run_folder, *arguments)
        assert outcome.code == 2
        assert said in outcome.err
