"""A system under test before and at the start of a run: one question, the first answers, and a person's word."""

from __future__ import annotations

import json
import sys

import pytest
import yaml

from tests.support.servers.answer_server import AnswerServer

RAG = """
asked = []
def right(question):
    asked.append(question)
    return {"answer": "It costs 12 EUR.", "sources": [{"text": "Fee 1 is 12 EUR.", "source": "fee:1", "no": "x"}]}
def bare(question):
    asked.append(question)
    return "It costs 12 EUR."
def elsewhere(question):
    asked.append(question)
    return {"answer": "12", "sources": [{"text": "Fee 1 is 12 EUR.", "source": "kb/77.pdf", "doc_no": "fee:1"}]}
def declining(question):
    asked.append(question)
    return {"status": "NO_ANSWER", "answer": None}
"""
CASES = 24


@pytest.fixture
def folder(cli, tmp_path, monkeypatch):
    """A corpus of three fees, a test set of 24 questions about them, and a module of systems."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "rag_to_doubt.py").write_text(RAG, encoding="utf-8")
    documents = tmp_path / "documents"
    documents.mkdir()
    for number in (1, 2, 3):
        text = f"---\nid: fee:{number}\n---\nFee {number} is 12 EUR.\n"
        (documents / f"fee-{number}.md").write_text(text, encoding="utf-8")
    rows = [
        {
            "case_id": f"c{n}",
            "question": f"What is fee {n % 3 + 1}?",
            "reference_answers": ["12 EUR"],
            "gold_document_ids": [f"fee:{n % 3 + 1}"],
        }
        for n in range(CASES)
    ]
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    yield tmp_path
    sys.modules.pop("rag_to_doubt", None)


def evaluated(cli, function, *options, out="run"):
    return cli(
        "evaluate",
        *("--testset", "cases.jsonl", "--corpus", "documents", "--target", f"python:rag_to_doubt:{function}"),
        *("--out", out, "--json", *options),
    )


def questions():
    return len(sys.modules["rag_to_doubt"].asked)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("bare", "The first 5 answers have no passages"),
        ("elsewhere", "The first 5 answers have ids that no document of the project has, such as 'kb/77.pdf'."),
    ],
)
def test_a_run_stops_before_it_is_spent_and_goes_on_when_a_person_says_so(cli, folder, function, message):
    stopped = evaluated(cli, function)
    assert stopped.code == 2
    assert f"The run stopped: {message}" in stopped.err
    assert "resume run --force" in stopped.err
    assert 5 <= questions() < CASES
    before = questions()
    assert cli("resume", "run", "--json").code == 2
    assert questions() == before, "a run in doubt asks nothing more"
    assert cli("resume", "run", "--force", "--json").json["cases"] == CASES
    assert questions() == CASES, "no answer is asked for twice"
    assert cli("resume", "run", "--force", "--json").json["finished"]


@pytest.mark.slow
def test_a_run_that_is_read_right_is_never_stopped_nor_one_that_declines(cli, folder):
    assert evaluated(cli, "right").json["finished"]
    declined = evaluated(cli, "declining", out="declined").json
    assert declined["scored"]["verdict"] == CASES
    assert declined["accuracy"]["den"] == CASES, "who declines stays in the denominator"
    assert evaluated(cli, "bare", "--force", out="forced").json["finished"]


def test_a_target_is_tried_with_one_question(cli, folder):
    tried = cli("target", "test", "python:rag_to_doubt:right", "--corpus", "documents", "--json").json
    assert tried["answer"] == "It costs 12 EUR."
    assert tried["contexts"] == [{"document_id": "fee:1", "text": "Fee 1 is 12 EUR.", "score": None, "chunk_id": ""}]
    assert (tried["document_ids"], tried["abstained"], tried["warnings"]) == (["fee:1"], None, [])
    assert tried["read_from"] == {"answer": "$.answer", "contexts": "$.sources", "document_ids": "source"}
    asked = ("target", "test", "python:rag_to_doubt:elsewhere", "--corpus", "documents", "--testset", "cases.jsonl")
    warned = cli(*asked, "--json").json
    assert warned["question"] == "What is fee 1?"
    (warning,) = warned["warnings"]
    assert warning.endswith("Under 'doc_no' the passages have one: name it as the document's id.")
    named = cli("target", "test", "python:rag_to_doubt:elsewhere?id=doc_no", "--corpus", "documents", "--json").json
    assert (named["document_ids"], named["warnings"]) == (["fee:1"], [])
    assert cli("target", "test", "python:rag_to_doubt:declining", "--json").json["abstained"] is True
    assert "Passage 1" in cli("target", "test", "bm25", "--corpus", "documents", "--question", "What is fee 2?").out


def test_a_service_is_tried_and_what_it_replied_is_shown_where_it_cannot_be_read(cli, folder):
    with AnswerServer(lambda request: {"reply": {"body": 3}}) as server:
        document = {"url": server.url, "request": {"q": "{{question}}"}}
        (folder / "rag.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
        refused = cli("target", "test", "http:rag.yaml")
    assert refused.code == 2
    assert '"body": 3' in refused.err
    with AnswerServer(lambda request: {"reply": "12 EUR"}) as server:
        (folder / "rag.yaml").write_text(yaml.safe_dump({**document, "url": server.url}), encoding="utf-8")
        tried = cli("target", "test", "http:rag.yaml", "--question", "What is it?", "--json").json
    assert server.requests[0].body == {"q": "What is it?"}
    assert tried["answer"] == "12 EUR"
    assert tried["warnings"] == [
        "The answer has no passages, so neither retrieval nor what answers rest on can be judged."
    ]
