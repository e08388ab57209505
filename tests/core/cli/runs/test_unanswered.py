"""An evaluation without a single answer is no success: it says why and ends with the exit code of bad input."""

import json

import pytest


def written(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def cases(number):
    return [
        {"case_id": f"case-{place:02}", "question": f"Question {place}?", "reference_answers": ["A"]}
        for place in range(number)
    ]


@pytest.fixture
def evaluate(cli, tmp_path):
    """Evaluates recorded answers for cases, ``--json``."""

    def run(asked, answers, *options):
        test_set, file = written(tmp_path / "cases.jsonl", asked), written(tmp_path / "theirs.jsonl", answers)
        command = ("evaluate", "--testset", test_set, "--target", f"recorded:{file}", "--out", tmp_path / "run")
        return cli(*command, "--json", *options)

    return run


def of_another(number):
    return [{"case_id": f"h{place:03}", "question": f"Other {place}?", "answer": "A"} for place in range(number)]


def test_a_recording_of_another_test_set_stops_at_its_first_ten_cases(cli, evaluate, tmp_path):
    ended = evaluate(cases(25), of_another(40))
    assert (ended.code, ended.out) == (2, "")
    said, remedy = ended.err.strip().splitlines()
    assert "The first 10 questions all failed in the same way" in said
    assert f"{tmp_path / 'theirs.jsonl'} answers none of the 25 cases: 0 of its 40 case ids are in the test set" in said
    assert "Give the recording that was made with this test set" in said
    assert "resume" in remedy

    written(tmp_path / "theirs.jsonl", [{"case_id": case["case_id"], "answer": "A"} for case in cases(25)])
    assert cli("resume", tmp_path / "run", "--json").json["accuracy"]["num"] == 25, "mended, it goes on"


def test_questions_with_several_answers_in_it_are_no_fit(evaluate):
    twice = [{"question": "Question 3?", "answer": answer} for answer in "AB"]
    ended = evaluate(cases(12), [*of_another(3), *twice])
    assert ended.code == 2
    assert "and the only question that they share has several answers in it." in ended.err


def test_one_answer_that_fits_ends_the_doubt(evaluate):
    document = evaluate(cases(25), [*of_another(40), {"case_id": "case-24", "answer": "A"}]).json
    assert document["scored"] == {"verdict": 1}
    assert document["unscored"] == {"verdict": {"target_failed": 24}}


def test_a_small_run_without_an_answer_prints_its_result_and_ends_with_2(cli, evaluate, tmp_path):
    ended = evaluate(cases(5), of_another(3), "--fail-under", "accuracy=0.5")
    assert ended.code == 2
    assert json.loads(ended.out)["unscored"] == {"verdict": {"target_failed": 5}}
    said, remedy = ended.err.strip().splitlines()
    assert said.startswith("None of the 5 cases has an answer. 5 of 5 failures: The recording ")
    assert "resume" in remedy
    assert "--retry-failed" in remedy
    again = cli("resume", tmp_path / "run")
    assert again.code == 2
    assert "0 of 5 cases answered, 5 failed" in again.out


def test_passages_without_an_answer_that_are_scored_are_a_result(evaluate):
    asked = [{**case, "gold_document_ids": ["d1"]} for case in cases(3)]
    rows = [{"case_id": case["case_id"], "answer": None, "document_ids": ["d1"], "contexts": ["A"]} for case in asked]
    document = evaluate(asked, rows, "--metrics", "recall").json
    assert document["scored"] == {"verdict": 0, "recall": 3}


def test_reasons_that_name_their_case_are_counted_as_one(cli, evaluate, tmp_path):
    evaluate(cases(4), [{"case_id": "case-00", "answer": "A"}])
    assert "3 of 3 failures: The recording" in cli("resume", tmp_path / "run").out
