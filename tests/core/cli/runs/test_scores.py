"""The commands score and metrics."""

import csv
import json
import re
from xml.etree import ElementTree

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet as pq

from core.metrics import list_metrics

ROWS = [
    {
        "case_id": "a",
        "question": "Who manages Harbour Street?",
        "answer": "Ann Lee manages the Harbour Street branch. It opened in 2014.",
        "contexts": [{"document_id": "b:1", "text": "Ann Lee manages the Harbour Street branch."}],
        "reference": "Ann Lee",
        "gold_document_ids": ["b:1"],
        "group_id": "g1",
        "wave": 3,
    },
    {
        "case_id": "b",
        "question": "Who manages Mill Lane?",
        "answer": "I could not find this in the documents.",
        "contexts": [],
        "reference": "Bob",
        "gold_document_ids": ["b:2"],
        "group_id": "g2",
        "wave": None,
    },
    {"case_id": "c", "question": "Who manages Mill Lane?", "answer": None},
]


@pytest.fixture
def data(cli, tmp_path):
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_metrics_lists_every_spec(cli):
    found = cli("metrics", "--json").json["metrics"]
    assert [row["name"] for row in found] == [spec.name for spec in list_metrics()]
    keys = {"name", "family", "unit", "range", "better", "needs", "question", "source", "version"}
    assert all(keys <= set(row) for row in found)
    assert "precision" in cli("metrics").out


def test_metrics_stand_in_columns_however_long_a_name_is(cli):
    specs = list_metrics()
    lines = cli("metrics").out.splitlines()[-len(specs) :]
    assert len({line.index(f" {spec.family} ") for line, spec in zip(lines, specs, strict=True)}) == 1


@pytest.mark.slow
def test_rows_come_back_with_value_status_and_evidence(cli, data, tmp_path):
    found = cli("score", "--data", data, "--metrics", "precision,recall@1,groundedness", "--out", "out.jsonl", "--json")
    figures = found.json["metrics"]
    # Precision: 1/1, nothing retrieved, not known. Recall at 1: 1/1, 0/1, not known.
    assert figures["precision"]["unscored"] == {"not_applicable": 1, "missing_input": 1}
    assert (figures["recall@1"]["scored"], figures["recall@1"]["of"], figures["recall@1"]["mean"]["value"]) == (
        2,
        3,
        0.5,
    )
    assert figures["recall@1"]["mean"]["clusters"] == 2
    assert found.json["models"]["encoder"].startswith("minilm")
    first, second, third = lines(tmp_path / "out.jsonl")
    assert {name: first[name] for name in ROWS[0]} == ROWS[0]
    assert (first["precision"], first["precision_status"]) == (1.0, "scored")
    supported, invented = first["groundedness_detail"]["sentences"]
    assert supported["value"] == pytest.approx(1.0)
    assert supported["best_text"] == "Ann Lee manages the Harbour Street branch."
    assert invented["text"] == "It opened in 2014."
    assert (second["groundedness"], second["groundedness_status"]) == (0.0, "scored")
    assert (third["groundedness"], third["groundedness_status"]) == (None, "missing_input")
    assert "no answer" in third["groundedness_detail"]["reason"]


@pytest.mark.slow
def test_the_plan_of_a_transport_has_its_words(cli, data, tmp_path):
    cli("score", "--data", data, "--metrics", "wasserstein", "--out", "out.jsonl")
    flows = lines(tmp_path / "out.jsonl")[0]["wasserstein_detail"]["plan"]
    assert {flow["to_text"] for flow in flows} == {
        "Ann Lee manages the Harbour Street branch.",
        "It opened in 2014.",
    }


@pytest.mark.parametrize("ending", ["json", "csv", "tsv", "parquet"])
def test_any_table_goes_in_and_out(cli, data, tmp_path, ending):
    assert cli("score", "--data", data, "--metrics", "recall", "--out", f"once.{ending}").code == 0
    again = cli("score", "--data", f"once.{ending}", "--metrics", "recall", "--out", f"twice.{ending}", "--json")
    assert again.json["metrics"]["recall"]["mean"]["value"] == 0.5
    path = tmp_path / f"twice.{ending}"
    if ending == "parquet":
        table = pd.read_parquet(path)
        assert table["recall"].tolist()[:2] == [1.0, 0.0]
        assert pq.read_schema(path).field("wave").type == pa.int64()
    elif ending == "json":
        assert [row["recall"] for row in json.loads(path.read_text())] == [1.0, 0.0, None]
    else:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if ending == "tsv" else ","))
        assert [row["recall"] for row in rows] == ["1.0", "0.0", ""]
        assert json.loads(rows[0]["recall_detail"])["hits"] == [1]


def write_lines(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def test_parquet_keeps_whole_numbers_whole_and_large_ones_exact(cli, tmp_path):
    rows = [
        {
            "question": "Q?",
            "retrieved_ids": ["d"],
            "gold_document_ids": ["d"],
            "id": 2**53 + 1,
            "n": 7,
            "huge": 2**64,
            "mixed": 2**53 + 1,
            "part": 1,
            "half": "\ud83d",
        },
        {
            "question": "Q?",
            "retrieved_ids": ["d"],
            "gold_document_ids": ["e"],
            "id": 2**53 + 2,
            "n": None,
            "huge": 1,
            "mixed": 0.5,
            "part": 0.5,
            "half": "x",
        },
    ]
    data = write_lines(tmp_path / "ids.jsonl", rows)
    assert cli("score", "--data", data, "--metrics", "recall", "--out", "out.parquet").code == 0
    table = pq.read_table(tmp_path / "out.parquet")
    kinds = {name: str(table.schema.field(name).type) for name in ("id", "n", "huge", "mixed", "part", "recall")}
    assert kinds == {
        "id": "int64",
        "n": "int64",
        "huge": "string",
        "mixed": "string",
        "part": "double",
        "recall": "double",
    }
    found = table.to_pydict()
    assert (found["id"], found["n"]) == ([2**53 + 1, 2**53 + 2], [7, None])
    assert (found["huge"], found["mixed"]) == ([str(2**64), "1"], [str(2**53 + 1), "0.5"])
    assert found["half"] == ["\ufffd", "x"]


@pytest.mark.parametrize("ending", ["jsonl", "json", "csv", "parquet"])
def test_nan_goes_out_as_nothing(cli, tmp_path, ending):
    path = tmp_path / "nan.jsonl"
    path.write_text('{"question": "Q?", "answer": "A.", "reference": NaN, "seen": {"at": [NaN]}, "part": -Infinity}')
    assert cli("score", "--data", path, "--metrics", "exact_match", "--out", f"out.{ending}").code == 0
    if ending == "parquet":
        (row,) = pq.read_table(tmp_path / "out.parquet").to_pylist()
        assert (row["reference"], row["part"], json.loads(row["seen"])) == (None, None, {"at": [None]})
    else:
        text = (tmp_path / f"out.{ending}").read_text(encoding="utf-8")
        assert not {"NaN", "nan", "Infinity", "inf"} & set(re.findall(r"\w+", text))


def test_an_ending_that_names_no_format_is_refused_before_anything_is_scored(refused, data, tmp_path):
    for out in ("out.xlsx", "out", "out.jsonl.gz"):
        said = refused("score", "--data", "missing.jsonl", "--metrics", "recall", "--out", out)
        assert "names no format" in said
        assert ".parquet" in said


def test_a_column_that_is_replaced_is_told(cli, data, tmp_path):
    twice = write_lines(tmp_path / "twice.jsonl", [{**row, "recall": "high"} for row in ROWS])
    found = cli("score", "--data", twice, "--metrics", "recall", "--out", "out.csv")
    assert (found.code, found.err.count("columns recall of")) == (0, 1)
    assert "replaced in out.csv" in found.err
    assert "replaced" not in cli("score", "--data", data, "--metrics", "recall", "--out", "out.csv").err


def test_a_threshold_may_name_a_metric_alone_and_is_checked_before_anything_is_scored(cli, refused, data, tmp_path):
    asked = ("score", "--data", data, "--metrics", "recall,recall@1", "--out", "out.jsonl", "--fail-under")
    assert cli(*asked, "recall@1=0.4", "--fail-under", "recall=0.5").code == 0
    missed = cli(*asked, "recall=0.6")
    assert missed.code == 1
    assert "recall is 0.5, below 0.6." in missed.err
    (tmp_path / "out.jsonl").unlink()
    for name in ("mrr", "metrics.mrr.mean", "recall.mean", "metrics.recall.unscored.missing_input"):
        said = refused(*asked, f"{name}=0.6")
        assert f"has no figure '{name}'" in said
        assert "metrics.recall.mean" in said
    assert not (tmp_path / "out.jsonl").exists()


def test_a_threshold_is_named_by_its_place(cli, data):
    asked = ("score", "--data", data, "--metrics", "recall", "--out", "out.jsonl", "--fail-under")
    assert cli(*asked, "metrics.recall.mean=0.4").code == 0
    missed = cli(*asked, "metrics.recall.mean=0.6")
    assert missed.code == 1
    assert "metrics.recall.mean is 0.5, below 0.6." in missed.err


def test_bad_input_is_refused_and_nothing_is_written(refused, data, tmp_path):
    def score(*changes, metrics="recall", out="out.jsonl", source=data):
        told = refused("score", "--data", source, "--metrics", metrics, "--out", out, *changes)
        assert not (tmp_path / "out.jsonl").exists()
        return told

    (tmp_path / "bad.jsonl").write_text(json.dumps(ROWS[0]) + "\n{oops\n", encoding="utf-8")
    assert "no metric 'bleu'" in score(metrics="recall,bleu")
    assert "No metric is named" in score(metrics=",")
    assert "from 1 to 1000" in score(metrics="recall@0")
    assert "cannot be read" in score(source="missing.jsonl")
    assert "Line 2 of bad.jsonl" in score(source="bad.jsonl")
    assert "cannot be written" in score(out="nowhere/out.jsonl")
    assert "--judge cannot be 'recorded:verdicts.csv'" in score("--judge", "recorded:verdicts.csv")
    assert "--judge cannot be 'llm:'" in score("--judge", "llm:")
    assert "does not say where it is" in score("--judge", "llm:gpt")
    assert "nowhere" in score("--encoder", "./nowhere", metrics="groundedness")


def test_an_unfinished_file_is_not_left(refused, data, tmp_path):
    (tmp_path / "out.jsonl").write_text("mine", encoding="utf-8")
    refused("score", "--data", data, "--metrics", "groundedness", "--encoder", "./nowhere", "--out", "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text(encoding="utf-8") == "mine"
    assert not list(tmp_path.glob(".out*"))


def test_rows_and_thresholds_are_tests_of_continuous_integration(cli, data):
    missed = cli(
        *("score", "--data", data, "--metrics", "precision,token_f1", "--out", "out.jsonl"),
        *("--junit", "scores.xml", "--fail-under", "precision=0.9", "--fail-under", "token_f1=0.5"),
    )
    assert missed.code == 1
    rows = {row["case_id"]: row for row in lines(data.parent / "out.jsonl")}
    suites = {suite.get("name"): suite for suite in ElementTree.parse("scores.xml").getroot()}
    assert list(suites) == ["precision", "token_f1", "thresholds"]
    scored = sum(row["precision"] is not None for row in rows.values())
    assert int(suites["precision"].get("tests")) - int(suites["precision"].get("skipped")) == scored
    assert suites["thresholds"].get("failures") == "1"
    assert suites["precision"][0].get("name") == "row 1: Who manages Harbour Street?"
