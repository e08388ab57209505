"""The peers' newer files: names that came later, and what looks like a score or an answer and is none."""

import sqlite3
from contextlib import closing

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.runs.exchange.reading import read_exchange
from tests.support.files import exchange_files as files


def scores(found, metric):
    return [next(score for score in one.scores if score.metric == metric) for one in found.records]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_mlflow_result_of_an_evaluation(tmp_path, ending):
    write = files.write_lines if ending == "jsonl" else files.write_csv
    found = read_exchange(write(tmp_path / f"m.{ending}", files.mlflow_result()))
    assert found.spec.name == "mlflow"
    assert [one.case.question for one in found.records] == list(files.QUESTIONS)
    assert [one.response.answer for one in found.records] == list(files.ANSWERS)
    assert [one.case.reference_answers for one in found.records] == [(text,) for text in files.REFERENCES]
    assert [one.case.case_id for one in found.records] == ["tr-0", "tr-1", "tr-2"]
    correctness = scores(found, "mlflow.correctness")
    assert [score.value for score in correctness] == [0.0, 1.0, 1.0]  # the column, not another run's assessment
    assert correctness[0].detail["reason"] == "Seen."
    style = scores(found, "mlflow.house_style")
    assert [score.value for score in style] == [0.0, 1.0, 2.0]
    assert style[0].detail["reason"] == "timed out"
    assert {score.metric for one in found.records for score in one.scores} == {
        "mlflow.correctness",
        "mlflow.house_style",
    }


def test_mlflow_agent_evaluation_has_ratings_and_codes_of_errors(tmp_path):
    rows = [
        {
            "request": "May I bring a dog?",
            "response": "Yes.",
            "response/llm_judged/correctness/rating": rating,
            "response/llm_judged/correctness/rationale": why,
            "response/llm_judged/correctness/error_message": wrong,
            "response/llm_judged/correctness/error_code": "429" if wrong else None,
        }
        for rating, why, wrong in (("yes", "Seen.", None), (None, None, "Too many requests."))
    ]
    found = read_exchange(files.write_lines(tmp_path / "m.jsonl", rows), "mlflow")
    one, other = scores(found, "mlflow.response_llm_judged_correctness")
    assert (one.value, one.detail["reason"]) == (1.0, "Seen.")
    assert (other.value, other.detail["reason"]) == (None, "Too many requests.")
    assert "response/llm_judged/correctness/error_code" in found.ignored


def test_a_finish_reason_is_no_answer(tmp_path):
    reply = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "Yes."}, "finish_reason": "stop"}]}
    path = files.write_lines(tmp_path / "m.jsonl", [{"inputs": {"question": "Dogs?"}, "outputs": reply}])
    assert read_exchange(path).records[0].response.answer == "Yes."


def test_deepeval_metadata_and_columns_of_ones_own(tmp_path):
    """The newer name of additional_metadata, and the file of the latest run."""
    case = {
        "name": "test_case_0",
        "input": "Dogs?",
        "actualOutput": "Yes.",
        "metadata": {"topic": "rules"},
        "customColumnKeyValues": {"desk": "north"},
        "toolsCalled": [],
        "flaky": False,
    }
    path = files.write_json(tmp_path / "latest.json", {"testRunData": {"testCases": [case]}, "testRunLink": None})
    (one,) = read_exchange(path).records
    assert one.case.attributes["metadata.topic"] == "rules"
    assert one.case.attributes["custom_column_key_values.desk"] == "north"


def test_a_generated_test_set_of_ragas_0_1_has_ideal_passages(tmp_path):
    row = {
        "question": "Dogs?",
        "contexts": ["Dogs travel free."],
        "ground_truth": "Yes.",
        "evolution_type": "simple",
        "metadata": [{"source": "rules.md"}],
        "episode_done": True,
    }
    found = read_exchange(files.write_lines(tmp_path / "t.jsonl", [row]))
    assert found.records[0].ideal_contexts == ("Dogs travel free.",)
    assert found.records[0].response.contexts == ()
    answered = read_exchange(files.write_lines(tmp_path / "a.jsonl", [row | {"answer": "Yes."}]))
    assert [context.text for context in answered.records[0].response.contexts] == ["Dogs travel free."]


def test_what_a_test_set_cannot_keep_is_refused_until_a_person_lets_it_go(tmp_path):
    row = {"user_input": "Dogs?", "retrieved_contexts": ["Dogs travel free."], "context_recall": 0.5}
    path = files.write_lines(tmp_path / "t.jsonl", [row])
    with pytest.raises(InvalidInput, match="retrieved_contexts would be lost"):
        read_exchange(path, "ragas")
    found = read_exchange(path, "ragas", overrules={"retrieved_contexts": "ideal_contexts"})
    assert found.records[0].ideal_contexts == ("Dogs travel free.",)
    assert any("scores are not kept" in note for note in found.notes)
    assert not any("not kept" in note for note in read_exchange(files.ragas_old_csv(tmp_path / "r.csv")).notes)


def test_trulens_ground_truth(tmp_path):
    row = {"query_id": "1", "query": "Dogs?", "expected_response": "Yes.", "expected_chunks": ["Dogs travel free."]}
    found = read_exchange(files.write_lines(tmp_path / "t.jsonl", [row]))
    assert found.spec.name == "trulens"
    case = found.records[0].case
    assert (case.case_id, case.question, case.reference_answers) == ("1", "Dogs?", ("Yes.",))
    assert found.records[0].ideal_contexts == ("Dogs travel free.",)


def test_trulens_costs_and_directions_are_no_scores(tmp_path):
    calls = [{"args": {"context": "Dogs travel free."}, "ret": 0.5, "meta": {"explanation": "It says so."}}]
    row = {
        "record_id": "1",
        "input": "Dogs?",
        "output": "Yes.",
        "Context Relevance": 0.5,
        "Context Relevance_calls": calls,
        "Context Relevance feedback cost in USD": 0.001,
        "Context Relevance direction": True,
    }
    (one,) = read_exchange(files.write_lines(tmp_path / "t.jsonl", [row])).records
    (score,) = one.scores
    assert (score.value, score.detail["reason"]) == (0.5, "It says so.")
    assert not one.case.attributes


def test_trulens_events_are_refused_with_the_way_out(tmp_path):
    path = files.trulens_sqlite(tmp_path / "t.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM trulens_records")
        connection.execute("CREATE TABLE trulens_events (event_id TEXT)")
    with pytest.raises(UnreadableFile, match="OpenTelemetry") as caught:
        read_exchange(path)
    assert "get_records_and_feedback" in caught.value.hint


@pytest.mark.parametrize(
    ("statements", "said"),
    [
        ("ALTER TABLE trulens_records ADD COLUMN x AS (zeroblob(90000000))", "no table of TruLens records"),
        ("ALTER TABLE trulens_records RENAME TO t; CREATE VIEW trulens_records AS SELECT * FROM t", "no table of"),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200)"
            "INSERT INTO trulens_records (record_id) SELECT i FROM n;"
            f"ALTER TABLE trulens_records ADD COLUMN x DEFAULT '{'x' * 900_000}'",
            "holds more than 100,000,000 characters",
        ),
    ],
    ids=["computed", "view", "default"],
)
def test_a_hostile_session_file_of_trulens_fills_no_memory(tmp_path, statements, said):
    path = files.trulens_sqlite(tmp_path / "t.sqlite")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(statements)
    with pytest.raises(UnreadableFile, match=said):
        read_exchange(path)
