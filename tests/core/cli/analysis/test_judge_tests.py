"""The commands judge-test and judge-bar."""

import json

import pytest

from core.judges.unit_tests.suite import own_suite
from tests.support.models.scripted_judge import asked, judging
from tests.support.servers.llm_server import LlmServer

ROW = {
    "input": "Where is the office?",
    "actual_output": "In Dunnet Quay.[1]",
    "expected_output": "In Dunnet Quay.[1]",
    "references": ["The office is in Dunnet Quay."],
    "conditions": {"answer_relevancy_condition": "==5", "completeness_condition": "==5"},
}


@pytest.fixture
def server():
    with LlmServer(judging()) as running:
        yield running


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_model_is_put_to_our_own_suite(cli, server):
    found = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--part", "train", "--json").json
    assert (found["tests"], found["passed"], found["parse_failures"]) == (30, 30, 0)
    assert found["by_metric"]["faithfulness"] | {"low": 0, "method": ""} == {
        "num": 30,
        "den": 30,
        "value": 1.0,
        "low": 0,
        "high": 1.0,
        "method": "",
        "clusters": 6,
        "of": 30,
        "unjudged": {},
    }
    assert found["by_failure_mode"]["distorted claim"]["den"] == 3
    assert found["judge"]["trusted"] is None
    sent = len(asked(server))
    again = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--part", "train", "--json").json
    assert (again["passed"], len(asked(server))) == (30, sent), "the ledger answers"


@pytest.mark.slow
def test_single_judging_is_another_question(cli, server):
    cli("judge-test", "--judge", f"grouse:{server.spec()}", "--part", "train", "--paired")
    sent = len(asked(server))
    found = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--part", "train", "--single", "--json").json
    assert (found["passed"], found["way"], len(asked(server))) == (30, "single", 2 * sent)


@pytest.mark.slow
def test_what_a_judge_said_is_written_and_read_again(cli, server, tmp_path):
    first = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--out", "said.jsonl", "--json").json
    again = cli("judge-test", "--judge", "recorded:said.jsonl", "--json").json
    for key in ("tests", "passed", "by_metric", "by_failure_mode", "parse_failures"):
        assert again[key] == first[key]


@pytest.mark.slow
def test_a_project_keeps_the_result_and_gates_by_it(cli, server):
    cli("projects", "new", "Bank")
    found = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--project", "Bank", "--json").json
    assert found["judge"] == {
        "spec": f"grouse:{server.spec()}",
        "trusted": True,
        "reason": "It reached 0.8 by every metric and failure mode of its judge test (Harbour).",
        "test_run": found["test_run"],
    }
    bar = cli("judge-bar", "--project", "Bank", "--least", "0.9", "--lower", "--json").json
    assert bar == {"least": 0.9, "lower": True, "judged": 0.9}
    assert cli("judge-bar", "--project", "Bank", "--json").json == bar
    again = cli("judge-test", "--judge", f"grouse:{server.spec()}", "--project", "Bank", "--json").json
    assert again["judge"]["trusted"] is False
    assert "lower end 0.72, below 0.9" in again["judge"]["reason"]


@pytest.mark.slow
def test_a_threshold_that_is_missed_is_exit_code_1(cli):
    with LlmServer(judging({"distorted claim", "missing information"})) as server:
        arguments = ("judge-test", "--judge", f"grouse:{server.spec()}", "--json")
        found = cli(*arguments, "--fail-under", "pass_rate=.81")
        assert (found.code, json.loads(found.out)["passed"]) == (1, 80)
        assert cli(*arguments, "--fail-under", "pass_rate=.8").code == 0
        assert cli(*arguments, "--fail-under", "by_failure_mode.distorted claim=.5").code == 1
        lines = cli(*arguments[:-1]).out
    assert "passes 0.800" in lines
    assert "faithfulness must be ==0, is 1" in lines


@pytest.mark.slow
def test_a_judge_that_only_prattles_passes_nothing(cli):
    with LlmServer(lambda body: "As an assistant I find this answer very good.") as server:
        found = cli(
            "judge-test", "--judge", f"grouse:{server.spec()}", "--part", "train", "--json", "--fail-under", "passed=1"
        )
    document = json.loads(found.out)
    assert (found.code, document["passed"], document["parse_failures"]) == (1, 0, 30)
    assert document["by_metric"]["answer_relevancy"]["den"] == 0
    assert document["by_metric"]["answer_relevancy"]["unjudged"] == {"parse_failed": 30}


def test_a_file_of_ones_own_is_a_suite(cli, tmp_path):
    suite = write(tmp_path / "mine.jsonl", ROW)
    said = write(tmp_path / "said.jsonl", {"id": "1", "answer_relevancy": 5, "completeness": {}})
    found = cli("judge-test", "--suite", suite, "--judge", f"recorded:{said}", "--json").json
    assert (found["tests"], found["passed"], found["parse_failures"]) == (1, 0, 1)
    assert found["suite"]["name"] == "mine"
    assert found["failing"][0]["broken"][0]["status"] == "parse_failed"


@pytest.mark.parametrize(
    ("rows", "judge", "more", "says"),
    [
        ([ROW], "match", (), "There is no judge 'match' to test."),
        ([ROW], "recorded:nowhere.jsonl", (), "nowhere.jsonl cannot be read"),
        ([ROW], "grouse:m", (), "does not say where it is"),
        ([ROW | {"conditions": {"answer_relevancy_condition": "=5"}}], "grouse:m@http://127.0.0.1:9/v1", (), "Row 1"),
        ([ROW], "grouse:m@http://127.0.0.1:9/v1", ("--part", "most"), "--part cannot be 'most'"),
        ([ROW], "grouse:m@http://127.0.0.1:9/v1", ("--part", "train"), "has no train part"),
        ([ROW], "grouse:m@http://127.0.0.1:9/v1", ("--repeats", "99"), "99 is not a number of repeats"),
        ([ROW], "grouse:m@http://127.0.0.1:9/v1", ("--fail-under", "speed=1"), "no figure 'speed'"),
        ([ROW], "grouse:m@http://127.0.0.1:9/v1", ("--out", "no/such/f.jsonl"), "There is no folder"),
    ],
    ids=range(9),
)
def test_bad_input_is_named_with_a_remedy(cli, tmp_path, rows, judge, more, says):
    found = cli("judge-test", "--suite", write(tmp_path / "mine.jsonl", *rows), "--judge", judge, *more)
    assert found.code == 2
    assert says in found.err
    assert len(found.err.strip().splitlines()) >= 2


def test_the_suite_comes_with_plumbline():
    assert len(own_suite().tests) == 100
