"""Verdicts from a file."""

import json

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.results.responses import Response, Verdict
from core.domain.testset.cases import TestCase
from core.io.recorded_verdicts import read_verdict
from core.judging import open_judge
from tests.support.shared_data import shared


def written(tmp_path, rows, name="verdicts.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


def judged(path, *, case_id="c1", question="Who?", answer="Ann Lee"):
    case = TestCase(case_id=case_id, question=question)
    return open_judge(f"recorded:{path}").judge(case, Response(case_id=case_id, answer=answer))


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("Correct.", Verdict.CORRECT),
        (" correct ", Verdict.CORRECT),
        (True, Verdict.CORRECT),
        (1, Verdict.CORRECT),
        (1.0, Verdict.CORRECT),
        ("Judgement: Correct", Verdict.CORRECT),
        (["Incorrect"], Verdict.INCORRECT),
        ("FALSE", Verdict.INCORRECT),
        ("0", Verdict.INCORRECT),
        (None, Verdict.NOT_JUDGED),
        ("not judged", Verdict.NOT_JUDGED),
        ("mostly", None),
        (["Correct", "Incorrect"], None),
    ],
)
def test_a_verdict_is_read_however_it_is_written(value, verdict):
    assert read_verdict(value) is verdict


def test_a_case_id_finds_its_verdict(tmp_path):
    path = written(tmp_path, [{"case_id": "c1", "verdict": "Correct."}, {"case_id": "c2", "verdict": 0}])
    assert judged(path).verdict is Verdict.CORRECT
    assert judged(path, case_id="c2").verdict is Verdict.INCORRECT
    missing = judged(path, case_id="c3")
    assert (missing.verdict, missing.rule) == (Verdict.NOT_JUDGED, "no recorded verdict")
    assert "c3" in missing.reason


def test_a_verdict_counts_only_for_its_answer(tmp_path):
    path = written(tmp_path, [{"case_id": "c1", "answer": "Ann Lee", "verdict": "correct"}])
    assert judged(path, answer=" Ann  Lee ").verdict is Verdict.CORRECT
    other = judged(path, answer="Bob Ray")
    assert other.verdict is Verdict.NOT_JUDGED
    assert "another answer" in other.reason


def test_question_and_answer_find_a_verdict(tmp_path):
    path = written(
        tmp_path,
        [
            {"question": "Who?", "response": "Ann Lee", "verdict": "correct", "reason": "She is."},
            {"question": "Who?", "response": "Bob Ray", "verdict": "incorrect"},
            {"question": "Where?", "response": ["Rome"], "verdict": None},
            {"question": "When?", "response": None, "verdict": "incorrect"},
        ],
    )
    assert judged(path).reason == "She is."
    assert judged(path, answer="Bob Ray").verdict is Verdict.INCORRECT
    assert judged(path, question="Where?", answer="Rome").reason.endswith("holds no verdict.")
    assert judged(path, question="When?", answer=None).verdict is Verdict.INCORRECT
    assert judged(path, question="Why?").verdict is Verdict.NOT_JUDGED


def test_csv_and_json_are_read(tmp_path):
    sheet = tmp_path / "verdicts.csv"
    sheet.write_text("case_id,correct\nc1,TRUE\n", encoding="utf-8-sig")
    assert judged(sheet).verdict is Verdict.CORRECT
    listed = tmp_path / "verdicts.json"
    listed.write_text(json.dumps([{"case_id": "c1", "label": "wrong"}]), encoding="utf-8")
    assert judged(listed).verdict is Verdict.INCORRECT
    keyed = tmp_path / "match.json"
    keyed.write_text(json.dumps({str(("Who?", "Ann Lee", "Ann Lee")): ["Correct"]}), encoding="utf-8")
    assert judged(keyed).verdict is Verdict.CORRECT


def test_two_verdicts_for_one_answer_are_refused(tmp_path):
    path = written(tmp_path, [{"case_id": "c1", "verdict": "correct"}, {"case_id": "c1", "verdict": "incorrect"}])
    with pytest.raises(InvalidInput, match="Rows 1 and 2"):
        open_judge(f"recorded:{path}")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("v.jsonl", b"", "no row"),
        ("v.jsonl", b"{", "Line 1"),
        ("v.jsonl", b"[1]", "not an object"),
        ("v.jsonl", b'{"case_id": "c1"}', "no verdict"),
        ("v.jsonl", b'{"verdict": 1}', "neither"),
        ("v.jsonl", b'{"case_id": "c1", "verdict": "mostly"}', "mostly"),
        ("v.jsonl", b"\xff\xfe\x00", "UTF-8"),
        ("v.json", b"{", "not JSON"),
        ("v.json", b"1", "not a list"),
        ("v.json", b'{"x": 1}', "Entry 1"),
    ],
)
def test_an_unusable_file_is_named(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        open_judge(f"recorded:{path}")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnreadableFile, match="cannot be read"):
        open_judge(f"recorded:{tmp_path / 'none.jsonl'}")


def test_the_recorded_aurp_verdicts_are_read():
    path = shared("grammar-aurp/SemanticsMatch/short.json")
    question = "Who's the project director of 'Dubai Skyline Tower'?"
    answer = "The project director of the 'Dubai Skyline Tower' is Marie Curie."
    assert judged(path, question=question, answer=answer).verdict is Verdict.INCORRECT
