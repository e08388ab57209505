"""Whether a judge is trusted, in what commands print and in the files they write."""

import json

import pytest

from core.domain.llm import Endpoint
from core.llm.endpoint_settings import save
from core.project.service import create_project
from core.store.database import Store
from tests.support.models.fenced import fenced
from tests.support.models.scripted_judge import by_text, judging
from tests.support.servers.llm_server import VERDICT, LlmServer

ANSWER = "Ines Okoro"


def scripted_model(body):
    """Answers, judges what it is asked, and knows our suite."""
    texts = fenced(body)
    if (texts.get("question", [""])[0], texts.get("response", [""])[0]) in by_text():
        return judging()(body)
    return VERDICT if "response_format" in body else ANSWER


@pytest.fixture
def server():
    with LlmServer(scripted_model) as running:
        yield running


@pytest.fixture
def endpoint(cli, tmp_path, server):
    with Store.open(f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}") as store:
        project = create_project(store, "Bank", "local")
        return save(
            store, Endpoint(id="", project_id=project.id, name="Bank LLM", base_url=server.base_url), actor="local"
        )


@pytest.mark.slow
def test_a_run_says_whether_its_judge_is_trusted(cli, testset, documents, endpoint, server):
    evaluate = ("evaluate", "--testset", testset, "--corpus", documents, "--target", "bm25", "--json")
    model = ("--judge", "llm:m", "--endpoint", "Bank LLM")
    before = cli(*evaluate, *model, "--out", "one").json["judge"]
    assert (before["spec"], before["trusted"]) == (f"llm:{server.spec()}", False)
    assert before["reason"] == "It was never put to judge tests in this project."
    tested = cli("judge-test", "--judge", "llm:m", "--endpoint", "Bank LLM", "--project", "Bank", "--json").json
    assert tested["judge"]["trusted"] is True
    after = cli(*evaluate, *model, "--out", "two").json["judge"]
    assert (after["trusted"], after["test_run"]) == (True, tested["test_run"])
    assert cli("diagnose", "--run", "two", "--json").json["judge"] == after
    assert cli("weakness", "--run", "two", "--json").json["judge"] == after
    rules = cli(*evaluate, "--judge", "match", "--out", "three").json["judge"]
    assert (rules["spec"], rules["trusted"]) == ("match", None)
    assert "not trusted" not in cli("diagnose", "--run", "three").out


def test_a_person_is_told_and_an_exported_row_says_so(cli, testset, documents, server, tmp_path):
    arguments = ("evaluate", "--testset", testset, "--corpus", documents, "--target", "bm25", "--out", "run")
    said = cli(*arguments, "--judge", f"llm:{server.spec()}")
    assert f"The judge llm:{server.spec()} is not trusted: It was never put to judge tests" in said.out
    assert "is not trusted" in cli("diagnose", "--run", "run").out
    cli("export", "rows.jsonl", "--format", "ragas", "--run", "run")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert len(rows) == 12
    for row in rows:
        assert row["attributes"]["judge_trusted"] == "no"
        assert row["attributes"]["judge_trust_reason"].startswith("verdict: It was never put to judge tests")


def test_rows_judged_by_rules_say_nothing_of_trust(cli, testset, documents, tmp_path):
    cli("evaluate", "--testset", testset, "--corpus", documents, "--target", "bm25", "--judge", "match", "--out", "run")
    cli("export", "rows.jsonl", "--format", "ragas", "--run", "run")
    rows = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    assert all("judge_trusted" not in (row.get("attributes") or {}) for row in rows)


def test_scores_of_a_file_say_it_too(cli, server, tmp_path):
    row = {"question": "?", "answer": "a[1]", "contexts": ["a"], "reference": "a"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row))
    metrics = ("--metrics", "grouse_answer_relevancy,token_f1")
    found = cli(
        *("score", "--data", "rows.jsonl", *metrics, "--judge", f"grouse:{server.spec()}"),
        *("--out", "out.jsonl", "--json"),
    ).json
    assert found["judge"]["trusted"] is False
    assert list(found["judges"]) == ["grouse_answer_relevancy"]
    assert found["judges"]["grouse_answer_relevancy"]["spec"] == f"grouse:{server.spec()}"
