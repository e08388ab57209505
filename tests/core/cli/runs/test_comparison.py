"""The command that compares two runs: the sample bank's two retrievers, thresholds, refusals."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest


@pytest.fixture
def two_runs(cli, testset, documents):
    for target in ("keyword", "bm25"):
        cli("evaluate", "--testset", testset, "--target", target, "--corpus", documents, "--out", target, "--json")
    return "keyword", "bm25"


def test_a_better_retriever_is_found_in_retrieval_and_nowhere_else(cli, two_runs):
    document = cli("compare", "--run", two_runs[0], "--run", two_runs[1], "--json").json
    assert [one["name"] for one in document["differs"]] == ["system"]
    assert document["cases"] > 0
    assert document["left_out"] == 0
    modules = document["modules"]
    moved = {
        name for name, change in modules.items() if change["p_adjusted"] is not None and change["p_adjusted"] < 0.05
    }
    assert moved <= {"retrieval"}
    assert document["delta"]["verdict"]["difference"]["n"] == document["flips"]["flipped"]["den"]
    assert document["smallest_detectable_change"] is None or document["smallest_detectable_change"] > 0
    missed = cli(
        *("compare", "--run", two_runs[0], "--run", two_runs[1]),
        *("--junit", "changes.xml", "--fail-under", "delta.verdict.b=1.1"),
    )
    assert missed.code == 1
    assert document["conclusion"] in missed.out
    assert "differs: system: keyword -> bm25" in missed.out
    root = ElementTree.parse("changes.xml").getroot()
    cases, thresholds = root
    assert int(cases.get("tests")) == document["cases"]
    assert int(cases.get("failures")) == document["flips"]["broken"]["num"]
    assert thresholds.find("testcase/failure").get("message").startswith("delta.verdict.b is")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--run", "keyword"), "1 runs are given"),
        (("--run", "keyword", "--run", "keyword"), "Both runs are"),
        (("--run", "keyword", "--run", "nowhere"), "nowhere"),
    ],
)
def test_what_is_refused(cli, two_runs, arguments, message):
    refused = cli("compare", *arguments)
    assert refused.code == 2
    assert message in refused.err
