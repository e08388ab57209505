"""Small files as the peers write them, about a fictional ferry company."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

QUESTIONS = ("When does the night ferry to Skagen leave?", "May I bring a dog?", "Is there a lift?")
ANSWERS = ("It leaves at 22:40.", "Yes; dogs travel free of charge.", "I do not know.")
REFERENCES = ("22:40", "Dogs are allowed and travel free.", "Yes, on both decks.")
PASSAGES = (
    ["The night ferry to Skagen leaves at 22:40 from pier 3.", "The day ferry leaves at 09:10."],
    ["Dogs travel free of charge on every deck."],
    [],
)
IDEAL = (
    ["The night ferry to Skagen leaves at 22:40 from pier 3."],
    ["Dogs travel free of charge on every deck.", "Cats need a box."],
    ["A lift connects the car deck with both passenger decks."],
)
IDS = (["times", "times-day"], ["animals"], [])


def write_json(path: Path, content: object) -> Path:
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def write_lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def write_csv(path: Path, rows: list[dict[str, object]], delimiter: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        table.writeheader()
        table.writerows(rows)
    return path


def ragas_rows() -> list[dict[str, object]]:
    """What `EvaluationResult.to_pandas()` holds: the samples of 0.2 with a score that failed once."""
    scores = (1.0, 0.5, None)
    return [
        {
            "user_input": question,
            "retrieved_contexts": passages,
            "response": answer,
            "reference": reference,
            "retrieved_context_ids": ids,
            "reference_context_ids": ids[:1] or ["lifts"],
            "faithfulness": score,
            "my_rubric": value,
        }
        for question, passages, answer, reference, ids, score, value in zip(
            QUESTIONS, PASSAGES, ANSWERS, REFERENCES, IDS, scores, (0.25, 0.75, 1.0), strict=True
        )
    ]


def ragas_old_csv(path: Path) -> Path:
    """Names of 0.1, lists as pandas writes them: the Python spelling."""
    rows = [
        {
            "": place,
            "question": question,
            "answer": answer,
            "contexts": str(passages),
            "ground_truths": str([reference]),
        }
        for place, (question, answer, passages, reference) in enumerate(
            zip(QUESTIONS, ANSWERS, PASSAGES, REFERENCES, strict=True)
        )
    ]
    return write_csv(path, rows)


def deepeval_run(path: Path) -> Path:
    """A test run in camel case."""
    cases = [
        {
            "name": f"test_case_{place}",
            "input": question,
            "actualOutput": answer,
            "expectedOutput": reference,
            "context": ideal,
            "retrievalContext": passages,
            "success": score > 0.5,
            "runDuration": 1.5,
            "additionalMetadata": {"topic": "times" if place == 0 else "rules"},
            "metricsData": [
                {"name": "Answer Relevancy", "threshold": 0.5, "score": score, "reason": f"Reason {place}."},
                {"name": "Correctness (GEval)", "threshold": 0.5, "score": None, "error": "timed out"},
            ],
        }
        for place, (question, answer, reference, ideal, passages, score) in enumerate(
            zip(QUESTIONS, ANSWERS, REFERENCES, IDEAL, PASSAGES, (1.0, 0.75, 0.25), strict=True)
        )
    ]
    return write_json(
        path, {"testCases": cases, "conversationalTestCases": [{"turns": []}], "metricsScores": [{"metric": "x"}]}
    )


def grouse_rows() -> list[dict[str, object]]:
    """Samples with their evaluations and conditions."""
    return [
        {
            "input": question,
            "references": passages,
            "actual_output": answer,
            "expected_output": reference,
            "metadata": {"test_type": place, "goal": "cites"},
            "conditions": {"answer_relevancy_condition": "==5", "completeness_condition": "==None"},
            "answer_relevancy": {"answer_relevancy": relevancy, "answer_relevancy_justification": "Because."},
            "faithfulness": {},
        }
        for place, (question, passages, answer, reference, relevancy) in enumerate(
            zip(QUESTIONS, PASSAGES, ANSWERS, REFERENCES, (5, 4, None), strict=True)
        )
    ]


def trulens_sqlite(path: Path) -> Path:
    """A session's file: texts as JSON, passages in the calls of a retriever, one feedback that failed."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE trulens_records (record_id TEXT, app_id TEXT, input TEXT, output TEXT, record_json TEXT, "
            "tags TEXT, ts REAL, cost_json TEXT, perf_json TEXT)"
        )
        connection.execute(
            "CREATE TABLE trulens_feedbacks (record_id TEXT, name TEXT, result REAL, error TEXT, calls_json TEXT, "
            "last_ts REAL)"
        )
        for place, (question, answer, passages) in enumerate(zip(QUESTIONS, ANSWERS, PASSAGES, strict=True)):
            calls = [
                {"stack": [{"path": "app", "method": {"name": "query"}}], "rets": answer},
                {
                    "stack": [{"path": "app"}, {"path": "app", "method": {"name": "retrieve"}}],
                    "rets": [{"node": {"text": text, "id": f"n{place}"}, "score": 0.5} for text in passages],
                },
            ]
            connection.execute(
                "INSERT INTO trulens_records VALUES (?, 'ferry', ?, ?, ?, '-', ?, '{}', '{}')",
                (
                    f"record_{place}",
                    json.dumps(question),
                    json.dumps(answer),
                    json.dumps({"calls": calls}),
                    float(place),
                ),
            )
            said = {"calls": [{"args": {"source": "s"}, "ret": 0.5, "meta": {"reason": f"Why {place}."}}]}
            failed = place == 2
            connection.execute(
                "INSERT INTO trulens_feedbacks VALUES (?, 'Groundedness', ?, ?, ?, 1.0)",
                (f"record_{place}", None if failed else place / 2, "boom" if failed else None, json.dumps(said)),
            )
    return path


def mlflow_split(path: Path) -> Path:
    """The artifact eval_results_table.json."""
    columns = [
        "inputs",
        "targets",
        "outputs",
        "retrieved_context",
        "answer_correctness/v1/score",
        "answer_correctness/v1/justification",
        "token_count",
    ]
    data = [
        [question, reference, answer, passages, place + 1, f"Because {place}.", 7]
        for place, (question, reference, answer, passages) in enumerate(
            zip(QUESTIONS, REFERENCES, ANSWERS, PASSAGES, strict=True)
        )
    ]
    return write_json(path, {"columns": columns, "data": data})


def mlflow_rows() -> list[dict[str, object]]:
    """The newer rows: objects, assessments, expected passages."""
    return [
        {
            "inputs": {"messages": [{"role": "user", "content": question}]},
            "outputs": {"response": answer, "retrieved_context": [{"doc_uri": f"d{place}", "content": "text"}]},
            "expectations": {
                "expected_response": reference,
                "expected_retrieved_context": [{"doc_uri": "d0", "content": "ideal"}],
            },
            "assessments": [
                {"name": "correctness", "feedback": {"value": "yes" if place else "no"}, "rationale": "Seen."}
            ],
        }
        for place, (question, answer, reference) in enumerate(zip(QUESTIONS, ANSWERS, REFERENCES, strict=True))
    ]


def mlflow_result() -> list[dict[str, object]]:
    """What `mlflow.genai.evaluate` returns: traces, with scorers and expectations under NAME/value."""
    return [
        {
            "trace_id": f"tr-{place}",
            "correctness/value": "yes" if place else "no",
            "expected_response/value": reference,
            "house_style/value": place,
            "expected_tone/value": "calm",
            "client_request_id": None,
            "state": "OK",
            "execution_duration": 120,
            "request": {"question": question},
            "response": {"choices": [{"message": {"role": "assistant", "content": answer}, "finish_reason": "stop"}]},
            "trace_metadata": {"mlflow.sourceRun": "r"},
            "assessments": [
                {"assessment_name": "correctness", "feedback": {"value": "yes"}, "rationale": "Seen."},
                {"assessment_name": "expected_response", "expectation": {"value": reference}},
                {"assessment_name": "expected_tone", "expectation": {"value": "calm"}},
                {"assessment_name": "house_style", "feedback": {"error": {"error_message": "timed out"}}},
            ],
        }
        for place, (question, answer, reference) in enumerate(zip(QUESTIONS, ANSWERS, REFERENCES, strict=True))
    ]


def ragchecker(path: Path) -> Path:
    """Results with claims and metrics."""
    results = [
        {
            "query_id": f"q{place}",
            "query": question,
            "gt_answer": reference,
            "response": answer,
            "retrieved_context": [{"doc_id": name, "text": text} for name, text in zip(ids, passages, strict=True)],
            "response_claims": [["ferry", "leaves", "22:40"]],
            "metrics": {"precision": 100.0 - place, "f1": 50.0},
        }
        for place, (question, reference, answer, ids, passages) in enumerate(
            zip(QUESTIONS, REFERENCES, ANSWERS, IDS, PASSAGES, strict=True)
        )
    ]
    return write_json(path, {"results": results, "metrics": {"overall_metrics": {"precision": 99.0}}})


def inspectorraget(path: Path, *, version: int = 2) -> Path:
    """Two models on one conversation task and two plain ones, a machine's metric and a person's."""
    tasks = [
        {
            "task_id": f"t{place}",
            "task_type": "rag",
            "input": [
                *(
                    [{"speaker": "user", "text": "Hello."}, {"speaker": "agent", "text": "Good day."}]
                    if not place
                    else []
                ),
                {"speaker": "user", "text": question},
            ],
            "contexts": [{"document_id": name} for name in ids],
            "targets": [{"type": "text", "value": reference} if version == 2 else {"text": reference}],
            "Answerability": ["ANSWERABLE" if place < 2 else "UNANSWERABLE"],
        }
        for place, (question, ids, reference) in enumerate(zip(QUESTIONS, IDS, REFERENCES, strict=True))
    ]
    documents = [
        {"document_id": name, "text": text}
        for ids, passages in zip(IDS, PASSAGES, strict=True)
        for name, text in zip(ids, passages, strict=True)
    ]
    scores = {"rouge": {"system": {"value": -0.5}}, "taste": {"ann": {"value": "4"}, "bob": {"value": "3"}}}
    results = [
        {
            "task_id": f"t{place}",
            "model_id": model,
            **({"output": {"type": "text", "value": answer}} if version == 2 else {"model_response": answer}),
            "scores" if version == 2 else "annotations": scores,
        }
        for model in ("alpha", "beta")
        for place, answer in enumerate(ANSWERS)
    ]
    content = {
        **({"schema_version": 2} if version == 2 else {}),
        "name": "Ferry",
        "models": [{"model_id": "alpha", "name": "A", "owner": "us"}, {"model_id": "beta", "name": "B", "owner": "us"}],
        "metrics": [
            {"name": "rouge", "author": "algorithm", "type": "numerical"},
            {"name": "taste", "author": "human", "type": "categorical", "values": [{"value": "4", "numeric_value": 4}]},
        ],
        "documents": documents,
        "tasks": tasks,
        "results" if version == 2 else "evaluations": results,
    }
    return write_json(path, content)
