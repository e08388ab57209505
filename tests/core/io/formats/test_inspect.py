"""Logs of Inspect: samples as cases, letters as Inspect counts them, further epochs counted and left out."""

import json

import pytest

from core.runs.exchange.reading import read_exchange


def sample(number, epoch=1, **changes):
    return {
        "id": f"s{number}",
        "epoch": epoch,
        "input": f"What is fee {number}?",
        "target": ["12 EUR", "twelve euro"],
        "output": {
            "model": "m",
            "choices": [{"message": {"role": "assistant", "content": "12 EUR."}, "stop_reason": "stop"}],
            "completion": "12 EUR.",
            "usage": {"total_tokens": 30},
        },
        "scores": {
            "model_graded_qa": {"value": "P", "explanation": "Half of it."},
            "rubric": {"value": {"tone": 0.5, "length": 3}},
        },
        "metadata": {"region": "north", "retrieved_contexts": ["The fee is 12 EUR."]},
        "total_time": 2.5,
        **changes,
    }


def written(tmp_path, *samples):
    path = tmp_path / "log.json"
    log = {"version": 2, "status": "success", "eval": {"task": "fees", "model": "m"}, "samples": list(samples)}
    path.write_text(json.dumps(log))
    return path


def test_a_sample_is_a_case_with_every_acceptable_answer_and_a_score_for_each_scorer(tmp_path):
    found = read_exchange(written(tmp_path, sample(1), sample(2)))
    assert found.spec.name == "inspect"
    record = found.records[0]
    assert (record.case.case_id, record.case.question) == ("s1", "What is fee 1?")
    assert record.case.reference_answers == ("12 EUR", "twelve euro")
    assert (record.response.answer, record.response.latency_s, record.response.tokens) == ("12 EUR.", 2.5, 30)
    assert [context.text for context in record.response.contexts] == ["The fee is 12 EUR."]
    assert record.case.attributes["metadata.region"] == "north"
    scores = {score.metric: score for score in record.scores}
    assert {name: score.value for name, score in scores.items()} == {
        "inspect.model_graded_qa": 0.5,
        "inspect.rubric_tone": 0.5,
        "inspect.rubric_length": 3.0,
    }
    assert scores["inspect.model_graded_qa"].detail["reason"] == "Half of it."


@pytest.mark.parametrize(("letter", "value"), [("C", 1.0), ("I", 0.0), ("P", 0.5), ("N", 0.0), (True, 1.0), (4, 4.0)])
def test_letters_count_as_inspect_counts_them(tmp_path, letter, value):
    (record,) = read_exchange(written(tmp_path, sample(1, scores={"match": {"value": letter}}))).records
    assert [(score.metric, score.value) for score in record.scores] == [("inspect.match", value)]


def test_the_last_turn_of_a_conversation_is_the_question(tmp_path):
    turns = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Good day."},
        {"role": "user", "content": [{"type": "text", "text": "What is the fee?"}]},
    ]
    (record,) = read_exchange(written(tmp_path, sample(1, input=turns))).records
    assert record.case.question == "What is the fee?"
    assert len(record.conversation) == 3


def test_further_epochs_are_counted_and_left_out(tmp_path):
    found = read_exchange(written(tmp_path, sample(1), sample(2), sample(1, epoch=2), sample(2, epoch=2)))
    assert [record.case.case_id for record in found.records] == ["s1", "s2"]
    assert found.ignored["further epochs"].startswith("2 samples")


def test_a_sample_that_failed_has_its_error_and_no_answer(tmp_path):
    failed = sample(1, output={"choices": [], "completion": ""}, error={"message": "timeout", "traceback": "..."})
    found = read_exchange(written(tmp_path, sample(2), failed))
    assert (found.records[1].response.answer, found.records[1].response.error) == (None, "timeout")
