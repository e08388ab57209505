"""Recordings of GRAMMAR's format that differ in every way the format leaves open."""

import json
from pathlib import Path

import pytest

from core.diagnosis import diagnose
from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.responses import Verdict
from core.io.grammar.runs import read_document_ids, read_eval_results
from core.io.grammar.values import flat_ids, same_text
from core.io.grammar.verdicts import RecordedVerdicts, first_response, read_verdicts, verdict_of


def row(**changes: object) -> dict[str, object]:
    return {
        "query": "Where is Acme?",
        "answer": "Rome",
        "gpt_response": ["In Rome."],
        "query_tag": 0,
        "true_document_ids": [1],
        "retrieved_document_ids": [1.0],
        "retrieval_judgement": 1,
        "judgement": "Correct",
        **changes,
    }


def write(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return tmp_path / "spider" / "eval_results" / "results_long_unbalanced.json"


def test_ids_of_every_type_are_the_same_ids(recording: Path) -> None:
    variants = [1, 1.0, "1", "1.0", [1], [[1.0]], ["1", 1], "[(1,)]", [1, None, float("nan")]]
    rows = [row(true_document_ids=gold, retrieved_document_ids=[1]) for gold in variants]
    run = read_eval_results(write(recording, rows))
    assert [found.true_ids for found in run.rows] == [("1",)] * len(variants)
    found = diagnose(run.diagnosis_rows()).figures
    assert (found.id_match.num, found.id_match.den) == (9, 9)


def test_ids_by_table_do_not_collide(recording: Path) -> None:
    rows = [
        row(true_document_ids={"Company": [1]}, retrieved_document_ids=["people:1"]),
        row(
            true_document_ids=["company:1", "people:2"], retrieved_document_ids=["People:2.0", "Company:1"], query_tag=1
        ),
    ]
    found = diagnose(read_eval_results(write(recording, rows)).diagnosis_rows()).figures
    assert (found.id_match.num, found.id_match.den) == (1, 2)


def test_unknown_ids_leave_the_row_out_of_id_match(recording: Path) -> None:
    rows = [row(true_document_ids=None), row(true_document_ids=[float("nan")]), row(retrieved_document_ids=None), row()]
    run = read_eval_results(write(recording, json.dumps(rows)))
    assert "NaN" in recording.read_text(encoding="utf-8")
    assert run.rows[2].retrieved_ids is None
    found = diagnose(run.diagnosis_rows()).figures
    assert (found.id_match.num, found.id_match.den) == (1, 1)
    assert (found.accuracy.num, found.accuracy.den) == (4, 4)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Correct", Verdict.CORRECT),
        (" correct. ", Verdict.CORRECT),
        ("**Correct**", Verdict.CORRECT),
        ("Incorrect.\n", Verdict.INCORRECT),
        ("INCORRECT - the city differs", Verdict.INCORRECT),
        ("Not correct.", Verdict.INCORRECT),
        (["Correct."], Verdict.CORRECT),
        ([None, "Incorrect"], Verdict.INCORRECT),
        (True, Verdict.CORRECT),
        (0, Verdict.INCORRECT),
        ("Correct or Incorrect", None),
        ("Correctness cannot be told", None),
        ("", None),
        (7, None),
        ([], None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_verdicts_as_written(text: object, verdict: Verdict | None) -> None:
    assert verdict_of(text)[0] is verdict


def test_a_verdict_nobody_can_read_is_not_judged_and_told(recording: Path) -> None:
    run = read_eval_results(write(recording, [row(judgement="Perhaps")]))
    assert run.rows[0].verdict is Verdict.NOT_JUDGED
    assert any("'Perhaps'" in note for note in run.notes)
    assert any("no SemanticsMatch file" in note for note in run.notes)


def test_missing_verdicts_are_joined(recording: Path) -> None:
    rows = [
        row(judgement=None),
        row(judgement=float("nan"), gpt_response="A plain text"),
        {
            name: value
            for name, value in row(answer=12, gpt_response=["first", "second"]).items()
            if name != "judgement"
        },
        row(judgement=None, gpt_response=None, answer=None),
        row(judgement=None, answer=3.0, gpt_response=" blank "),
        row(judgement=None, gpt_response="never judged"),
        row(judgement="Incorrect."),
    ]
    q = "Where is Acme?"
    verdicts = {
        str((q, "Rome", "In Rome.")): ["Correct"],
        str((q, "Rome", "A plain text")): ["Incorrect."],
        str((q, 12, "first")): [" Correct. "],
        str((q, None, None)): ["Incorrect"],
        str((q, "3", "blank")): "Correct",
        "no tuple": ["Correct"],
        "('two', 'parts')": ["Correct"],
    }
    write(recording.parents[1] / "SemanticsMatch" / "long.json", verdicts)
    run = read_eval_results(write(recording, rows))
    assert [found.verdict.value for found in run.rows] == [
        "correct",
        "incorrect",
        "correct",
        "incorrect",
        "correct",
        "not_judged",
        "incorrect",
    ]
    assert run.form == "long"
    assert str(run.files["verdicts"]).endswith("SemanticsMatch/long.json")


def test_given_files_go_before_found_ones(recording: Path, tmp_path: Path) -> None:
    write(recording.parents[1] / "documents.json", {"9": "text"})
    mine = write(tmp_path / "mine.json", {"1": "text"})
    verdicts = write(tmp_path / "verdicts.json", {str(("Where is Acme?", "Rome", "In Rome.")): ["Incorrect"]})
    run = read_eval_results(write(recording, [row(judgement=None)]), verdicts=verdicts, documents=mine)
    assert run.known_ids == {"1"}
    assert run.rows[0].verdict is Verdict.INCORRECT
    assert run.files["documents"] == str(mine)


def test_documents_are_found_beside_the_folder(recording: Path) -> None:
    write(recording.parents[1] / "documents.json", {"1": "text"})
    run = read_eval_results(write(recording, [row(), row(true_document_ids=[8], query_tag=1, judgement="Incorrect")]))
    found = diagnose(run.diagnosis_rows(), known_ids=run.known_ids)
    assert found.dangling is not None
    assert (found.dangling.rows, found.dangling.ids) == (1, ("8",))


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        ({"a": "text", "b": {"text": "inner"}}, {"a", "b"}),
        ({"Company": {"1": "text", "2.0": "text"}}, {"company:1", "company:2"}),
        ([{"id": 1.0, "text": "x"}, {"id": "two"}], {"1", "two"}),
        ({}, set()),
    ],
)
def test_documents_in_several_shapes(tmp_path: Path, content: object, ids: set[str]) -> None:
    assert read_document_ids(write(tmp_path / "documents.json", content)) == ids


@pytest.mark.parametrize("content", ["[1, 2]", '[{"text": "no id"}]', '"text"'])
def test_documents_in_no_shape(tmp_path: Path, content: str) -> None:
    with pytest.raises(UnreadableFile, match="does not hold documents"):
        read_document_ids(write(tmp_path / "documents.json", content))


def test_rows_in_an_object_in_lines_and_with_a_mark(recording: Path) -> None:
    assert len(read_eval_results(write(recording, {"results": [row()], "model": "m"})).rows) == 1
    assert len(read_eval_results(write(recording, {"0": row(), "1": row(query_tag=1)})).rows) == 2
    assert len(read_eval_results(write(recording, f"{json.dumps(row())}\n\n{json.dumps(row())}\n")).rows) == 2
    assert len(read_eval_results(write(recording, "\ufeff" + json.dumps([row()]))).rows) == 1


def test_an_empty_list_has_no_figures(recording: Path) -> None:
    run = read_eval_results(write(recording, []))
    assert run.notes[-1] == "The file holds no rows."
    assert diagnose(run.diagnosis_rows()).figures.accuracy.value is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([row(), row(query=None)], "row 2 has no query"),
        ([row(query_tag=None)], "row 1 has no query_tag"),
        ([row(query_tag=float("nan"))], "row 1 has no query_tag"),
        ([row(), row(), 5], "row 3 is 5"),
    ],
)
def test_an_unusable_row_is_named(recording: Path, content: list[object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        read_eval_results(write(recording, content))
    assert str(recording) in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("content", "message"),
    [("", "is empty"), ("{not json", "is not JSON"), ('"text"', "list of rows")],
)
def test_an_unusable_file_is_named(recording: Path, content: str, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read_eval_results(write(recording, content))


def test_a_missing_file_and_other_encodings(recording: Path) -> None:
    with pytest.raises(UnreadableFile, match="cannot be read"):
        read_eval_results(recording)
    write(recording, "")
    recording.write_bytes(b"\xff\xfe\x00[")
    with pytest.raises(UnreadableFile, match="not UTF-8"):
        read_eval_results(recording)


def test_verdicts_must_be_an_object(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="does not hold verdicts"):
        read_verdicts(write(tmp_path / "long.json", []))


def test_keys_are_parsed_and_never_evaluated(tmp_path: Path) -> None:
    read = read_verdicts(write(tmp_path / "long.json", {"(__import__('os').getpid(), 1, 2)": ["Correct"]}))
    assert read.loose == {}
    nan = read_verdicts(write(tmp_path / "long.json", {"('q', nan, 'r')": ["Correct"]}))
    assert nan.find("q", None, "r")[0] is Verdict.CORRECT
    assert RecordedVerdicts().find("q", 1, None) == (None, "")


def test_small_values() -> None:
    assert flat_ids("[not a literal") == ("[not a literal",)
    assert flat_ids("(1)") == ("(1)",)
    assert flat_ids(["", None]) == ()
    assert same_text(2.5) == "2.5"
    assert first_response([]) is None
    assert first_response([None, "x"]) == "x"


def test_the_group_is_the_same_in_both_forms(recording: Path) -> None:
    short = recording.with_name("results_short.json")
    a = read_eval_results(write(short, [row(query_tag=3)])).diagnosis_rows()[0]
    b = read_eval_results(write(recording, [row(query_tag="3.0")])).diagnosis_rows()[0]
    assert (a.group_id, b.group_id) == ("3", "3")
    assert (a.form, b.form) == ("short", "long")
    assert a.case_id != b.case_id
