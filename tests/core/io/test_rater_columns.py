"""A table with a column for each rater: the columns are told by their names, and its labels are read as labels."""

from __future__ import annotations

import csv

import pytest

from core.domain.errors import InvalidInput
from core.io.labels import label_table, read_labels
from core.io.tables.columns import Field
from core.runs.exchange.reading import read_exchange

ROWS = [
    {"question": "What is the fee?", "answer": "5 percent", "rater_1": "1", "Rater 2": "0", "product": "loan"},
    {"question": "Who pays it?", "answer": "The buyer", "rater_1": "1", "Rater 2": "", "product": "loan"},
    {"question": "When is it due?", "answer": "In May", "rater_1": "0", "Rater 2": "0", "product": "card"},
]


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_an_import_of_answers_names_the_labels_of_raters_and_makes_no_attributes_of_them(tmp_path):
    found = read_exchange(write(tmp_path / "answers.csv", ROWS), "table")
    assert [record.case.attributes for record in found.records] == [{"product": item["product"]} for item in ROWS]
    assert set(found.ignored) == {"rater_1", "Rater 2"}
    assert all("a rater's labels" in why and "on the Label page" in why for why in found.ignored.values())


def test_a_person_may_still_make_an_attribute_of_such_a_column(tmp_path):
    path = write(tmp_path / "answers.csv", ROWS)
    found = read_exchange(path, "table", overrules={"rater_1": Field.ATTRIBUTE.value})
    assert found.records[0].case.attributes["rater_1"] == "1"


@pytest.mark.parametrize("named", [False, True])
def test_the_same_file_gives_the_labels_under_the_ids_of_the_imported_cases(tmp_path, named):
    rows = [{"id": f"q{place}", **row} for place, row in enumerate(ROWS)] if named else ROWS
    path = write(tmp_path / "answers.csv", rows)
    cases = [record.case.case_id for record in read_exchange(path, "table").records]
    labels = read_labels(path, criterion="Correct").rows
    assert [(row.case_id, row.rater, row.value, row.criterion) for row in labels] == [
        (cases[0], "rater_1", 1.0, "Correct"),
        (cases[0], "rater_2", 0.0, "Correct"),
        (cases[1], "rater_1", 1.0, "Correct"),
        (cases[2], "rater_1", 0.0, "Correct"),
        (cases[2], "rater_2", 0.0, "Correct"),
    ]
    assert label_table(labels, path).raters == ("rater_1", "rater_2")


def test_comments_of_a_rater_go_with_their_labels(tmp_path):
    rows = [{"case_id": "a", "annotator_a": "4", "annotator_b": "2", "annotator_b_comment": "Too long."}]
    first, second = read_labels(write(tmp_path / "labels.csv", rows)).rows
    assert (first.rater, first.comment) == ("annotator_a", "")
    assert (second.rater, second.value, second.comment) == ("annotator_b", 2.0, "Too long.")


def test_what_cannot_be_told_apart_is_refused_with_a_remedy(tmp_path):
    twice = [{"case_id": "a", "rater_1": "1", "Rater 1 score": "0"}]
    with pytest.raises(InvalidInput, match="are both of rater_1"):
        read_labels(write(tmp_path / "twice.csv", twice))
    same = [{"case_id": "a", "rater_1": "1", "rater_2": "0"}] * 2
    with pytest.raises(InvalidInput, match=r"Rows 1 and 2 of .* are both of case a"):
        read_labels(write(tmp_path / "same.csv", same))


def test_a_file_of_one_label_a_row_stays_one(tmp_path):
    rows = [{"case_id": "a", "rater": "Ada", "value": "1", "rater_2": "x"}]
    (label,) = read_labels(write(tmp_path / "long.csv", rows)).rows
    assert (label.rater, label.value) == ("Ada", 1.0)
