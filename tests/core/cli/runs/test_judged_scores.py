"""Scores by judging models from the command line: files, runs, several judges, and what they cost."""

import json

import pytest

from tests.support.models.bank_model import BankModel
from tests.support.models.grouse_judge import metric_of
from tests.support.servers.llm_server import Fault, LlmServer

GROUSE = [
    "grouse_answer_relevancy",
    "grouse_completeness",
    "grouse_faithfulness",
    "grouse_usefulness",
    "grouse_positive_acceptance",
    "grouse_negative_rejection",
]
CLAIMS = ["claim_faithfulness", "claim_correctness", "claim_coverage"]
ROWS = [
    {
        "case_id": "a",
        "question": "Who manages the Basel branch?",
        "answer": "Jane Doe manages the Basel branch [1].",
        "contexts": ["Jane Doe manages the Basel branch. It opened in 2014."],
        "reference": "Jane Doe manages the Basel branch",
    },
    {
        "case_id": "b",
        "question": "Who manages the Oslo branch?",
        "answer": "I could not find this in the documents.",
        "contexts": [],
    },
    {"case_id": "c", "question": "Who manages Mill Lane?", "answer": None},
]


@pytest.fixture
def server():
    with LlmServer(BankModel()) as running:
        yield running


@pytest.fixture
def score(cli, tmp_path):
    """Scores rows and returns the document and the rows."""

    def run(*more, metrics=(*GROUSE, *CLAIMS), rows=ROWS):
        (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        names = ("--metrics", ",".join(metrics))
        document = cli("score", "--data", "rows.jsonl", *names, "--out", "out.jsonl", "--json", *more).json
        lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
        return document, [json.loads(line) for line in lines]

    return run


def test_each_metric_has_n_of_n_and_a_second_time_costs_nothing(score, server):
    document, rows = score("--judge", f"llm:{server.spec()}")
    figures = document["metrics"]
    assert figures["grouse_answer_relevancy"]["scored"] == 1
    assert figures["grouse_answer_relevancy"]["of"] == 3
    assert figures["grouse_answer_relevancy"]["unscored"] == {"null_judgement": 1, "missing_input": 1}
    assert figures["grouse_negative_rejection"]["mean"]["value"] == 1.0
    assert figures["claim_coverage"]["unscored"] == {"missing_input": 2}
    assert rows[1]["grouse_faithfulness_status"] == "null_judgement"
    assert rows[0]["grouse_faithfulness_detail"]["call_ids"]
    assert rows[0]["claim_faithfulness_detail"]["claims"][0]["best_text"] == "Jane Doe manages the Basel branch."
    assert document["models"]["judges"] == [server.spec()]
    assert (document["llm_calls_from_cache"], document["llm_calls"]) == (0, len(server.bodies) + len(server.probes))
    sent = len(server.bodies)
    again, same = score("--judge", f"llm:{server.spec()}")
    assert len(server.bodies) == sent
    assert again["llm_calls"] == again["llm_calls_from_cache"]
    assert same == rows


def test_equal_prompts_of_two_metrics_cost_one_call(score, server):
    score("--judge", f"grouse:{server.spec()}", metrics=GROUSE, rows=ROWS[:1])
    assert sorted(map(metric_of, server.bodies)) == ["answer_relevancy", "completeness", "faithfulness"]


def test_a_target_that_never_cites_has_the_uncited_faithfulness(score, server):
    uncited = [{**ROWS[0], "answer": "Jane Doe manages the Basel branch."}, ROWS[1]]
    names = ("grouse_faithfulness", "grouse_faithfulness_uncited")
    document, _ = score("--judge", f"llm:{server.spec()}", metrics=names, rows=uncited)
    assert document["metrics"]["grouse_faithfulness"]["unscored"] == {"not_applicable": 2}
    assert document["metrics"]["grouse_faithfulness_uncited"]["scored"] == 1


def test_several_judges_score_together_and_one_that_fails_is_told(score):
    def script(body):
        return Fault(status=400) if body["model"] == "broken" else BankModel()(body)

    with LlmServer(script) as server:
        judges = ",".join(f"llm:{server.spec(name)}" for name in ("one", "two", "broken"))
        document, rows = score("--judge", judges, metrics=["grouse_completeness"], rows=ROWS[:1])
    detail = rows[0]["grouse_completeness_detail"]
    assert rows[0]["grouse_completeness"] == 5.0
    assert [part["status"] for part in detail["judges"]] == ["scored", "scored", "api_error"]
    assert document["models"]["ensemble"] == "mean"


def test_without_a_judge_the_reason_is_told_and_the_rest_is_scored(score):
    document, rows = score(metrics=("claim_faithfulness", "answered"))
    assert document["metrics"]["claim_faithfulness"]["unscored"] == {"no_model": 2, "missing_input": 1}
    assert document["metrics"]["answered"]["scored"] == 2
    assert "--judge" in rows[0]["claim_faithfulness_detail"]["reason"]


def test_judges_of_one_family_are_told(cli, tmp_path, server):
    (tmp_path / "rows.jsonl").write_text(json.dumps(ROWS[0]), encoding="utf-8")
    judges = ("--judge", f"llm:{server.spec('gpt-4o')}", "--judge", f"llm:{server.spec('gpt-4.1')}")
    ended = cli("score", "--data", "rows.jsonl", "--metrics", "grouse_completeness", "--out", "o.jsonl", *judges)
    assert ended.code == 0
    assert "of one family, GPT" in ended.err


@pytest.mark.slow
def test_a_run_is_scored_by_its_judges_and_a_second_one_costs_nothing(cli, testset, documents, server):
    def evaluate(out):
        return cli(
            *("evaluate", "--testset", testset, "--corpus", documents, "--target", "keyword", "--out", out, "--json"),
            *("--judge", f"grouse:{server.spec()}"),
        ).json

    first = evaluate("one")
    cases = first["cases"]
    for name in GROUSE:
        scored, unscored = first["scored"][name], sum(first["unscored"].get(name, {}).values())
        assert scored + unscored == cases, name
    assert first["scored"]["verdict"] == cases, "GroUSE gives no verdict, so the rules do"
    assert first["scored"]["grouse_positive_acceptance"] > 0
    sent = len(server.bodies)
    second = evaluate("two")
    assert len(server.bodies) == sent
    assert second["llm_calls"] == second["llm_calls_from_cache"]
    assert second["scored"] == first["scored"]


@pytest.mark.slow
def test_the_judge_of_the_verdict_scores_the_metrics_too(cli, testset, documents, server):
    document = cli(
        *("evaluate", "--testset", testset, "--corpus", documents, "--target", "keyword", "--out", "one", "--json"),
        *("--judge", f"llm:{server.spec()}", "--metrics", "claim_faithfulness"),
    ).json
    assert document["scored"]["claim_faithfulness"] > 0
    assert "no_model" not in document["unscored"].get("claim_faithfulness", {})
