"""Files of other shapes than the formats we write, as their tools and data sets have them, about a bank's fees."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO

Q, A, R = "What is the annual fee?", "The fee is 12 EUR.", "12 EUR"
Q2, A2, R2 = "When is it due?", "It is due in May.", "March"
P, P2 = "The annual fee is 12 EUR.", "Fees are due in March."
Rows = Sequence[Mapping[str, object]]


def _lines(rows: Rows) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _csv(rows: Rows, delimiter: str = ",") -> str:
    out = StringIO()
    table = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


def _two(row: Callable[..., Mapping[str, object]]) -> Rows:
    return [row(0, Q, A, R, P), row(1, Q2, A2, R2, P2)]


FILES: Mapping[str, str] = {
    "our own test set with answers.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "case_id": f"c{n}",
                "question": q,
                "answer": a,
                "reference_answers": [r],
                "group_id": f"g{n}",
            }
        )
    ),
    "our own results.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "case_id": f"c{n}",
                "question": q,
                "reference_answers": [r],
                "answer": a,
                "contexts": [{"document_id": f"d{n}", "text": p}],
                "verdict": "correct",
                "rule": "number",
            }
        )
    ),
    "ragas 0.1.csv": _csv(
        _two(lambda n, q, a, r, p: {"question": q, "answer": a, "contexts": str([p]), "ground_truth": r})
    ),
    "ragas 0.2.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "user_input": q,
                "retrieved_contexts": [p],
                "response": a,
                "reference": r,
                "faithfulness": 0.5,
            }
        )
    ),
    "ragas 0.2 testset.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "user_input": q,
                "reference_contexts": str([p]),
                "reference": r,
                "persona_name": "x",
                "query_style": "WEB",
                "synthesizer_name": "single_hop",
            }
        )
    ),
    "ragas 0.1 testset.json": json.dumps(
        _two(
            lambda n, q, a, r, p: {
                "question": q,
                "contexts": [p],
                "ground_truth": r,
                "evolution_type": "simple",
                "metadata": [{"source": "fees.md"}],
                "episode_done": True,
            }
        )
    ),
    "deepeval test cases.json": json.dumps(
        {
            "testCases": _two(
                lambda n, q, a, r, p: {
                    "name": f"t{n}",
                    "input": q,
                    "actualOutput": a,
                    "expectedOutput": r,
                    "retrievalContext": [p],
                    "success": True,
                    "metricsData": [{"name": "Faithfulness", "score": 0.9}],
                }
            )
        }
    ),
    "deepeval goldens.csv": _csv(
        _two(lambda n, q, a, r, p: {"input": q, "expected_output": r, "context": p, "source_file": "fees.md"})
    ),
    "trulens records.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "record_id": f"r{n}",
                "app_id": "rag",
                "input": q,
                "output": a,
                "Groundedness": 0.9,
                "tags": "-",
                "latency": 2,
                "total_tokens": 9,
            }
        )
    ),
    "promptfoo output.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "question": q,
                "expected": r,
                "[openai:gpt-4o] {{question}}": a,
                "Status": "PASS",
                "Score": 1,
            }
        )
    ),
    "promptfoo results.json": json.dumps(
        {
            "evalId": "e",
            "results": {
                "version": 3,
                "results": _two(
                    lambda n, q, a, r, p: {
                        "vars": {"question": q, "expected": r},
                        "response": {"output": a},
                        "success": True,
                        "score": 1,
                        "latencyMs": 20,
                    }
                ),
            },
        }
    ),
    "phoenix spans.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "context.span_id": f"s{n}",
                "name": "query",
                "span_kind": "CHAIN",
                "attributes.input.value": q,
                "attributes.output.value": a,
                "attributes.retrieval.documents": json.dumps([{"document.content": p, "document.id": f"d{n}"}]),
            }
        )
    ),
    "phoenix dataset.csv": _csv(
        _two(lambda n, q, a, r, p: {"input": q, "reference": p, "output": a, "correctness": "correct"})
    ),
    "giskard raget.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "id": f"g{n}",
                "question": q,
                "reference_answer": r,
                "reference_context": p,
                "conversation_history": [],
                "metadata": {"question_type": "simple", "topic": "Fees", "seed_document_id": n},
            }
        )
    ),
    "giskard raget report.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "id": f"g{n}",
                "question": q,
                "reference_answer": r,
                "reference_context": p,
                "agent_answer": a,
                "correctness": True,
                "correctness_reason": "",
            }
        )
    ),
    "inspect log.json": json.dumps(
        {
            "version": 2,
            "status": "success",
            "eval": {"task": "fees", "model": "m"},
            "samples": _two(
                lambda n, q, a, r, p: {
                    "id": n + 1,
                    "epoch": 1,
                    "input": q,
                    "target": r,
                    "messages": [{"role": "user", "content": q}],
                    "output": {
                        "model": "m",
                        "choices": [{"message": {"role": "assistant", "content": a}}],
                        "completion": a,
                    },
                    "scores": {"match": {"value": "C", "answer": a}},
                }
            ),
        }
    ),
    "langsmith examples.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "id": f"x{n}",
                "inputs": json.dumps({"question": q}),
                "outputs": json.dumps({"answer": r}),
            }
        )
    ),
    "langsmith experiment.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "id": f"x{n}",
                "inputs.question": q,
                "reference_outputs.answer": r,
                "outputs.answer": a,
                "outputs.documents": json.dumps([{"page_content": p, "metadata": {"source": "fees.md"}}]),
                "feedback.correctness": 1,
                "execution_time": 1.2,
                "error": "",
            }
        )
    ),
    "langfuse dataset run.csv": _csv(
        _two(lambda n, q, a, r, p: {"traceId": f"t{n}", "input": q, "output": a, "expectedOutput": r, "latency": 1.5})
    ),
    "hotpotqa.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "id": f"h{n}",
                "question": q,
                "answer": r,
                "type": "bridge",
                "level": "hard",
                "supporting_facts": {"title": ["Fees"], "sent_id": [0]},
                "context": {"title": ["Fees"], "sentences": [[p]]},
            }
        )
    ),
    "ms marco.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "query_id": n,
                "query": q,
                "query_type": "NUMERIC",
                "answers": [r],
                "wellFormedAnswers": [],
                "passages": {"is_selected": [1], "passage_text": [p], "url": ["http://bank.example/fees"]},
            }
        )
    ),
    "clapnq.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "id": f"n{n}",
                "input": q,
                "passages": [{"title": "Fees", "text": p, "sentences": [p]}],
                "output": [
                    {"answer": r, "selected_sentences": [], "meta": {"annotator": [1], "has_minimal_answer": False}}
                ],
            }
        )
    ),
    "squad flat.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "id": f"s{n}",
                "title": "Fees",
                "context": p,
                "question": q,
                "answers": {"text": [r], "answer_start": [18]},
            }
        )
    ),
    "natural questions open.jsonl": _lines(_two(lambda n, q, a, r, p: {"question": q, "answer": [r]})),
    "beir queries.jsonl": _lines(_two(lambda n, q, a, r, p: {"_id": f"q{n}", "text": q, "metadata": {}})),
    "kgrag 10q.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "Question": q,
                "Source Docs": "*AAPL*",
                "Question Type": "Single-Doc",
                "Source Chunk Type": "Table",
                "Answer": r,
            }
        )
    ),
    "grammar eval results.json": json.dumps(
        _two(
            lambda n, q, a, r, p: {
                "query": q,
                "answer": r,
                "gpt_response": [a],
                "query_tag": n,
                "true_document_ids": [f"d{n}"],
                "retrieved_document_ids": [f"d{n}"],
                "retrieved_documents": p,
                "judgement": ["Correct"],
            }
        )
    ),
    "spreadsheet of a validator.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "Nr": n,
                "Frage": q,
                "Antwort des Systems": a,
                "Erwartete Antwort": r,
                "Fundstelle": p,
            }
        ),
        ";",
    ),
    "chat log.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "session": f"s{n}",
                "user_message": q,
                "bot_response": a,
                "source_docs": f"fees-{n}.pdf|dates.pdf",
            }
        )
    ),
    "two answers.csv": _csv(
        _two(lambda n, q, a, r, p: {"question": q, "answer": r, "response": a, "contexts": json.dumps([p])})
    ),
    "haystack eval run.csv": _csv(
        _two(
            lambda n, q, a, r, p: {
                "questions": q,
                "contexts": str([p]),
                "predicted_answers": a,
                "ground_truth_answers": r,
                "faithfulness": 0.5,
            }
        )
    ),
    "azure ai evaluation.jsonl": _lines(
        _two(
            lambda n, q, a, r, p: {
                "inputs.query": q,
                "inputs.response": a,
                "inputs.context": p,
                "inputs.ground_truth": r,
                "outputs.groundedness.groundedness": 5,
                "line_number": n,
            }
        )
    ),
}
"""By name, what is in it; 32 files."""
