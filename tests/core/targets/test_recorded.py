"""Recordings: looked up by case, else by question; what is missing has a reason."""

import json
from pathlib import Path

import pytest

from core.domain.errors import InvalidInput, TargetFailed, UnreadableFile
from core.domain.results.responses import Context
from core.io.recorded_answers import read_recording
from core.targets import open_target
from tests.support.shared_data import shared


def opened(tmp_path, rows, name="run.jsonl"):
    path = tmp_path / name
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.write_text("\n".join(lines) if name.endswith("l") else json.dumps(rows), encoding="utf-8")
    return open_target(f"recorded:{path}", None)


def test_by_case_else_by_question(tmp_path):
    target = opened(
        tmp_path,
        [{"case_id": "c1", "answer": "one"}, "", {"question": "What  is two?", "response": "two", "abstained": True}],
    )
    assert target.answer("c1", "anything").answer == "one"
    second = target.answer("c2", "What is two? ")
    assert (second.case_id, second.answer, second.abstained) == ("c2", "two", True)
    with pytest.raises(TargetFailed, match="no row for case 'c3'"):
        target.answer("c3", "What is three?")


def test_no_answer_and_errors_stay_what_they_are(tmp_path):
    target = opened(
        tmp_path,
        [
            {"case_id": "a", "answer": None},
            {"case_id": "b", "answer": "half", "error": "timeout"},
            {"case_id": "c", "error": "refused"},
            {"case_id": "d", "answer": 4.5},
            {"case_id": "e", "answer": ""},
        ],
    )
    found = {case: target.answer(case, "") for case in "abcde"}
    assert (found["a"].answer, found["a"].error) == (None, "The recording holds no answer for this case.")
    assert (found["b"].answer, found["b"].error) == (None, "timeout")
    assert (found["c"].answer, found["c"].error) == (None, "refused")
    assert (found["d"].answer, found["d"].error) == ("4.5", "")
    assert (found["e"].answer, found["e"].error) == ("", "")


def test_contexts_in_every_shape(tmp_path):
    target = opened(
        tmp_path,
        [
            {"case_id": "a", "answer": "x", "contexts": ["t1", "t2"], "document_ids": [1.0, "Client:2"]},
            {"case_id": "b", "answer": "x", "contexts": [{"document_id": 7, "text": "t", "score": 0.5}, {"id": "z"}]},
            {"case_id": "c", "answer": "x", "retrieved_document_ids": "9", "latency_s": 0.5, "tokens": 12},
            {"case_id": "d", "answer": "x", "retrieved_contexts": ["only text"]},
        ],
    )
    assert target.answer("a", "").contexts == (
        Context(document_id="1", text="t1"),
        Context(document_id="client:2", text="t2"),
    )
    assert target.answer("b", "").contexts == (Context(document_id="7", text="t", score=0.5), Context(document_id="z"))
    third = target.answer("c", "")
    assert (third.document_ids, third.latency_s, third.tokens) == (("9",), 0.5, 12)
    assert target.answer("d", "").contexts == (Context(document_id="", text="only text"),)


def test_csv(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text(
        "\ufeffcase_id,question,answer,document_ids,contexts,latency_s,tokens,abstained\n"
        'a,,Jane,"1; client:2","[""t1"", ""t2""]",0.25,7,true\n'
        "b,,,,,,,\n"
        'c,,x,3,"[1] a note",,,False\n',
        encoding="utf-8",
    )
    target = open_target(f"recorded:{path}", None)
    first = target.answer("a", "")
    assert (first.answer, first.document_ids, first.latency_s, first.tokens) == ("Jane", ("1", "client:2"), 0.25, 7)
    assert [context.text for context in first.contexts] == ["t1", "t2"]
    assert first.abstained is True
    assert target.answer("b", "").answer is None
    third = target.answer("c", "")
    assert (third.contexts, third.abstained) == ((Context(document_id="3", text="[1] a note"),), False)


def test_rows_inside_an_object(tmp_path):
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"version": 1, "rows": [{"case_id": "a", "output": "x"}]}), encoding="utf-8")
    assert open_target(f"recorded:{path}", None).answer("a", "").answer == "x"


def test_recorded_runs_of_grammar_are_accepted():
    path = shared("grammar-aurp") / "eval_results" / "results_short.json"
    target = open_target(f"recorded:{path}", None)
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert sum(row["gpt_response"] is not None for row in rows) == 90
    for row in rows:
        response = target.answer("unknown", row["query"])
        said = row["gpt_response"]
        assert response.answer == (said[0] if said else None)
        assert list(response.document_ids) == row["retrieved_document_ids"]


def test_recorded_runs_with_plain_text_responses():
    rows = read_recording(shared("grammar-aurp") / "eval_results" / "results_long_balanced.json").rows
    assert (len(rows), sum(row.answer is not None for row in rows)) == (471, 132)


def test_the_same_case_twice(tmp_path):
    assert opened(tmp_path, [{"case_id": "a", "answer": "x"}] * 2).answer("a", "").answer == "x"
    with pytest.raises(InvalidInput, match=r"Rows 1 and 2 of .* answer case a differently"):
        opened(tmp_path, [{"case_id": "a", "answer": "x"}, {"case_id": "a", "answer": "y"}])


def test_the_same_question_answered_in_two_ways_fails_only_where_it_matters(tmp_path):
    rows = [{"case_id": "a", "question": "Q?", "answer": "x"}, {"case_id": "b", "question": "Q?", "answer": "y"}]
    target = opened(tmp_path, rows)
    assert target.answer("b", "Q?").answer == "y"
    with pytest.raises(TargetFailed, match="Rows 1 and 2"):
        target.answer("c", "Q?")


GOOD = {"case_id": "a", "answer": "x"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "Line 2 .* not JSON"),
        ([], "Row 2 .* not an object but list"),
        ({"answer": "x"}, "Row 2 .* neither case_id nor question"),
        ({"case_id": "b"}, "Row 2 .* no answer"),
        ({"case_id": "b", "answer": {"text": "x"}}, "Row 2 .* an answer that is dict"),
        ({"case_id": "b", "answer": True}, "Row 2 .* an answer that is bool"),
        ({**GOOD, "abstained": "maybe"}, "Row 2 .* abstained = 'maybe'"),
        ({**GOOD, "latency_s": "fast"}, "Row 2 .* latency_s = 'fast'"),
        ({**GOOD, "tokens": -1}, "Row 2 .* tokens = -1"),
        ({**GOOD, "contexts": 5}, "Row 2 .* contexts that are int"),
        ({**GOOD, "contexts": [5]}, "Row 2 .* a context that is int"),
        ({**GOOD, "contexts": ["t"], "document_ids": ["1", "2"]}, "Row 2 .* 1 contexts and 2 document ids"),
        ({**GOOD, "contexts": [{"text": "t", "score": "high"}]}, "Row 2 .* context score 'high'"),
        ({**GOOD, "document_ids": [None]}, "Row 2 .* document id that is NoneType"),
    ],
)
def test_a_bad_row_is_named_by_its_number(tmp_path, row, message):
    with pytest.raises(UnreadableFile, match=message):
        opened(tmp_path, [GOOD, row])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", b"{", "not JSON"),
        ("a.json", b"5", "not a list"),
        ("a.jsonl", b"\xff", "not UTF-8"),
        ("a.jsonl", b"\n", "no row"),
        ("a.json", b"[]", "no row"),
    ],
)
def test_a_bad_file(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        open_target(f"recorded:{tmp_path / name}", None)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UnreadableFile, match="cannot be read"):
        open_target(f"recorded:{tmp_path / 'none.jsonl'}", None)


def test_csv_cells_that_are_no_numbers(tmp_path):
    (tmp_path / "a.csv").write_text("case_id,answer,latency_s\na,x,soon\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match=r"Row 1 .* latency_s = 'soon'"):
        open_target(f"recorded:{tmp_path / 'a.csv'}", None)


def test_the_example_of_the_documentation(tmp_path):
    text = (Path(__file__).parents[3] / "docs" / "targets.md").read_text(encoding="utf-8")
    lines = text.split("```json\n")[1].split("```")[0].splitlines()
    target = opened(tmp_path, lines)
    first = target.answer("arden-short", "In other words?")
    assert first.answer == "Ines Okoro manages it."
    assert first.contexts == (Context(document_id="branch:1", text="The manager of Arden Branch is Ines Okoro."),)
    by_question = target.answer("b1", "Who is the manager  of Belmont Branch?")
    assert (by_question.document_ids, by_question.contexts[0].score) == (("branch:2",), 0.83)
    assert (by_question.latency_s, by_question.tokens) == (1.4, 412)
    assert target.answer("corwen-short", "?").error == "timeout after 60 s"


def test_a_recording_of_other_questions_fails_all_for_one_reason(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"case_id": "x", "question": "Other?", "answer": "A"}', encoding="utf-8")
    target = open_target(f"recorded:{path}", None, asked={"c1": "One?", "c2": "Two?"})
    reasons = set()
    for case_id, question in (("c1", "One?"), ("c2", "Two?")):
        with pytest.raises(TargetFailed) as failed:
            target.answer(case_id, question)
        assert failed.value.lasting
        reasons.add(failed.value.message)
    assert reasons == {
        f"The recording {path} answers none of the 2 cases: "
        "0 of its 1 case ids are in the test set, nor is any question in both."
    }
