"""The command that compares two runs: the sample bank's two retrievers, thresholds, refusals."""

from __future__ import annotations

import json
from pathlib import Path
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


def test_several_runs_are_each_compared_with_the_first(cli, two_runs, testset, documents):
    cli("evaluate", "--testset", testset, "--target", "bm25", "--corpus", documents, "--out", "wide", "--k", "3")
    runs = ("--run", "keyword", "--run", "bm25", "--run", "wide")
    document = cli("compare", *runs, "--json").json
    pair = cli("compare", "--run", "keyword", "--run", "bm25", "--json").json
    assert len(document["comparisons"]) == 2
    first = next(iter(document["comparisons"].values()))
    assert first.pop("p_adjusted_over_runs") >= pair["delta"]["verdict"]["p_value"]
    assert first == pair
    told = cli(
        "compare", *runs, "--fail-under", f"comparisons.{next(iter(document['comparisons']))}.delta.verdict.b=1.1"
    )
    assert told.code == 1
    assert "p adjusted over 2 runs" in told.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--run", "keyword"), "One run is given"),
        (("--run", "keyword", "--run", "bm25", "--run", "bm25"), "is given twice"),
        (("--run", "keyword", "--run", "bm25", "--run", "bm25", "--junit", "f.xml"), "--junit is about two"),
        (("--run", "keyword", "--run", "keyword"), "Both runs are"),
        (("--run", "keyword", "--run", "nowhere"), "nowhere"),
    ],
)
def test_what_is_refused(cli, two_runs, arguments, message):
    refused = cli("compare", *arguments)
    assert refused.code == 2
    assert message in refused.err


def test_runs_of_other_questions_are_refused_with_the_option_that_accepts_them(cli, two_runs, testset, documents):
    rows = [json.loads(line) for line in Path(testset).read_text("utf-8").splitlines()]
    half = Path("half.jsonl")
    half.write_text("\n".join(json.dumps(row) for row in rows[: len(rows) // 2]), "utf-8")
    others = Path("others.jsonl")
    others.write_text("\n".join(json.dumps({**row, "question": f"Other: {row['question']}"}) for row in rows), "utf-8")
    for name in ("half", "others"):
        target = ("--target", "bm25", "--corpus", documents)
        cli("evaluate", "--testset", f"{name}.jsonl", *target, "--out", name, "--json")
    refused = cli("compare", "--run", "bm25", "--run", "half")
    assert refused.code == 2
    assert "test set" in refused.err
    assert "--accept-differences" in refused.err
    accepted = cli("compare", "--run", "bm25", "--run", "half", "--accept-differences", "--json").json
    assert accepted["cases"] == len(rows) // 2
    # Nothing to compare is no result.
    nothing = cli("compare", "--run", "bm25", "--run", "others", "--accept-differences")
    assert nothing.code == 2
    assert "have no case in common" in nothing.err
    assert "Choose two runs of one test set" in nothing.err
