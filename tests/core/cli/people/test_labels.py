"""The command agreement."""

import csv
import json

import krippendorff
import numpy as np
import pandas as pd
import pytest

from core.domain.errors import InvalidInput
from core.io.labels import label_table, read_labels

# Krippendorff (2011), example C: four raters, twelve cases.
NAN = float("nan")
PAPER = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]
ROWS = [
    {"case_id": f"u{case}", "criterion": "clear", "rater": rater, "value": value}
    for rater, values in zip("ABCD", PAPER, strict=True)
    for case, value in enumerate(values, start=1)
    if not np.isnan(value)
]


def write(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def labels(tmp_path):
    return write(tmp_path / "labels.jsonl", ROWS)


def test_the_published_example(cli, labels):
    found = cli("agreement", "--labels", labels, "--json").json
    assert (found["labels"], found["cannot_judge"]) == (41, 0)
    clear = found["criteria"]["clear"]
    alpha = clear["krippendorff_alpha"]
    assert alpha["value"] == pytest.approx(0.815, abs=0.0005)
    assert alpha["low"] < 0.815 < alpha["high"]
    assert (clear["level"], clear["raters"], clear["items"], clear["shared"]) == ("ordinal", 4, 12, 11)
    assert len(clear["pairs"]) == 6
    assert {"a", "b", "kappa", "same"} <= set(clear["pairs"][0])
    assert clear["usable"] == "fine"
    assert clear["fleiss_kappa"]["left_out"] == 12 - clear["fleiss_kappa"]["n"]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_level_can_be_said(cli, labels, level, alpha):
    found = cli("agreement", "--labels", labels, "--level", level, "--json").json["criteria"]["clear"]
    assert found["level"] == level
    assert found["krippendorff_alpha"]["value"] == pytest.approx(alpha, abs=0.0005)


@pytest.mark.parametrize("ending", ["json", "csv", "tsv", "parquet"])
def test_any_table_gives_the_same(cli, labels, tmp_path, ending):
    path = tmp_path / f"table.{ending}"
    if ending == "json":
        path.write_text(json.dumps(ROWS))
    elif ending == "parquet":
        pd.DataFrame(ROWS).to_parquet(path)
    else:
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(ROWS[0]), delimiter="\t" if ending == "tsv" else ",")
            writer.writeheader()
            writer.writerows(ROWS)
    assert cli("agreement", "--labels", path, "--json").json == cli("agreement", "--labels", labels, "--json").json


def test_other_tools_columns_and_a_file_of_one_criterion(cli, tmp_path):
    rows = [{"item": row["case_id"], "annotator": row["rater"], "rating": str(row["value"])} for row in ROWS]
    found = cli("agreement", "--labels", write(tmp_path / "other.jsonl", rows), "--json").json["criteria"]
    assert list(found) == ["label"]
    assert found["label"]["krippendorff_alpha"]["value"] == pytest.approx(0.815, abs=0.0005)


def test_words_are_nominal_and_true_and_false_are_a_scale(cli, tmp_path):
    words = [
        {"case_id": case, "criterion": "kind", "rater": rater, "value": value}
        for rater, given in (("a", "xyzxyz"), ("b", "xyzxzz"))
        for case, value in enumerate(given)
    ]
    truth = [{**row, "criterion": "right", "value": str(row["value"] == "x").lower()} for row in words]
    found = cli("agreement", "--labels", write(tmp_path / "words.jsonl", words + truth), "--json").json["criteria"]
    assert (found["kind"]["level"], list(found["kind"]["alphas"])) == ("nominal", ["nominal"])
    expected = krippendorff.alpha([[0, 1, 2, 0, 1, 2], [0, 1, 2, 0, 2, 2]], level_of_measurement="nominal")
    assert found["kind"]["krippendorff_alpha"]["value"] == pytest.approx(expected)
    assert found["kind"]["by_rater"][0]["mean"] is None
    assert (found["right"]["level"], found["right"]["krippendorff_alpha"]["value"]) == ("nominal", pytest.approx(1.0))
    assert found["right"]["by_rater"][0]["mean"] == pytest.approx(2 / 6)


def test_gold_repeats_and_cases_that_could_not_be_judged(cli, tmp_path):
    rows = [{"case_id": str(case), "rater": rater, "value": case % 2} for rater in "ab" for case in range(8)]
    rows += [
        {"case_id": "0", "rater": "a", "value": 0, "occurrence": 1},
        {"case_id": "1", "rater": "a", "value": 0, "occurrence": 1},
        {"case_id": "9", "rater": "a", "value": ""},
    ]
    right = [{"case_id": str(case), "value": int(case < 6 and case % 2)} for case in range(8)]
    right += [{"case_id": "unknown", "value": 1}]
    data, gold = write(tmp_path / "l.jsonl", rows), write(tmp_path / "gold.jsonl", right)
    found = cli("agreement", "--labels", data, "--gold", gold, "--json").json
    one = found["criteria"]["label"]
    assert (found["cannot_judge"], one["by_rater"][0]["cannot_judge"], one["items"]) == (1, 1, 8)
    assert (one["by_rater"][0]["same_repeats"]["num"], one["by_rater"][0]["same_repeats"]["den"]) == (1, 2)
    # Only case 7 is 1 where the gold says 0.
    assert (one["same_gold"]["num"], one["same_gold"]["den"]) == (14, 16)
    assert "kappa with gold" in cli("agreement", "--labels", data, "--gold", gold).out


def test_ids_that_a_table_made_decimals_are_whole_numbers_again(cli, tmp_path):
    frame = pd.DataFrame({"case_id": [1.0, 2.0] * 2, "rater": ["a", "a", "b", "b"], "value": [0, 1, 0, 1]})
    frame.to_parquet(tmp_path / "l.parquet")
    gold = write(tmp_path / "gold.jsonl", [{"case_id": 1, "value": 0}, {"case_id": "2", "value": 0}])
    found = cli("agreement", "--labels", tmp_path / "l.parquet", "--gold", gold, "--json").json["criteria"]["label"]
    assert (found["same_gold"]["num"], found["same_gold"]["den"]) == (2, 4)


def test_columns_that_are_passed_over_are_named(cli, tmp_path):
    rows = [{"case_id": "1", "rater": rater, "value": 1, "mood": "good"} for rater in "ab"]
    found = cli("agreement", "--labels", write(tmp_path / "l.jsonl", rows), "--json").json
    assert (found["ignored"], found["ignored_because"]) == (["mood"], {"mood": "Unknown name."})


def test_for_a_person(cli, labels):
    said = cli("agreement", "--labels", labels).out
    assert said.startswith("clear: Reliable (alpha 0.815")
    assert "A and B" in said


def test_a_threshold_that_is_missed(cli, labels):
    name = "criteria.clear.krippendorff_alpha"
    assert cli("agreement", "--labels", labels, "--fail-under", f"{name}=0.8").code == 0
    missed = cli("agreement", "--labels", labels, "--fail-under", f"{name}=0.9")
    assert missed.code == 1
    assert "below 0.9" in missed.err


def test_raters_without_a_shared_case_get_a_reason_and_no_number(cli, tmp_path):
    rows = [{"case_id": f"{rater}{case}", "rater": rater, "value": case} for rater in "ab" for case in range(3)]
    found = cli("agreement", "--labels", write(tmp_path / "l.jsonl", rows), "--json").json["criteria"]["label"]
    assert found["krippendorff_alpha"]["value"] is None
    assert found["krippendorff_alpha"]["method"] == "no case has labels of two raters"
    assert found["pairs"][0]["kappa"]["value"] is None


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"rater": "a", "value": 1}], "Row 1 of .* has no case_id"),
        ([{"case_id": "1", "value": 1}], "Row 1 of .* has no rater"),
        ([{"case_id": "1", "rater": "a"}], "has no column value"),
        ([{"case_id": "1", "rater": "a", "value": 1}] * 2, "Row 2 of .* again, after row 1"),
        (
            [{"case_id": "1", "rater": "a", "value": 1}, {"case_id": "2", "rater": "a", "value": "good"}],
            "Row 2 of .* 'good'",
        ),
        ([{"case_id": "1", "rater": "a", "value": [1]}], "a label that is a list"),
        ([{"case_id": "1", "rater": "a", "value": "inf"}], "an infinite label"),
        ([{"case_id": "1", "rater": "a", "value": 1, "occurrence": 3}], "the occurrence '3'"),
    ],
)
def test_rows_that_cannot_be_used(refused, tmp_path, rows, said):
    path = write(tmp_path / "bad.jsonl", rows)
    refused("agreement", "--labels", path)
    with pytest.raises(InvalidInput, match=said):
        label_table(read_labels(path).rows, path)


def test_files_and_options_that_cannot_be_used(refused, labels, tmp_path):
    assert "cannot be read" in refused("agreement", "--labels", tmp_path / "none.csv")
    assert "--level" in refused("agreement", "--labels", labels, "--level", "ratio")
    other = write(tmp_path / "gold.jsonl", [{"case_id": "u1", "criterion": "polite", "value": 1}])
    assert "which no rater labelled" in refused("agreement", "--labels", labels, "--gold", other)
    word = write(tmp_path / "word.jsonl", [{"case_id": "u1", "criterion": "clear", "value": "good"}])
    assert "is a word" in refused("agreement", "--labels", labels, "--gold", word)
    words = write(tmp_path / "w.jsonl", [{"case_id": "1", "rater": "a", "value": "good"}])
    assert "words" in refused("agreement", "--labels", words, "--level", "interval")
