"""Runs of models from the command line: the endpoint, the calls at once, the ledger, what failed asked again."""

import json
import threading

import pytest

from core.domain.llm import Endpoint
from core.llm.endpoint_settings import save
from core.project.service import create_project
from core.store.database import Store
from tests.support.bank_cases import bank_cases
from tests.support.servers.llm_server import VERDICT, Fault, LlmServer

CALLS = 2 * 12
"""Each of the twelve cases is answered and judged."""


class Model:
    """Answers and judges; fails for the words it is told to."""

    def __init__(self):
        self.failing = {}

    def __call__(self, body):
        text = body["messages"][-1]["content"]
        kind = "judge" if "response_format" in body else "target"
        if any(word in text for word in self.failing.get(kind, ())):
            return Fault(status=400)
        return VERDICT if kind == "judge" else "Ines Okoro"


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def server(model):
    with LlmServer(model) as running:
        yield running


@pytest.fixture
def evaluate(cli, testset, documents, server):
    def run(out, *more, target=None, judge=None):
        return cli(
            *("evaluate", "--testset", testset, "--corpus", documents, "--out", out, "--json"),
            *("--target", target or f"openai:{server.spec()}", "--judge", judge or f"llm:{server.spec()}", *more),
        )

    return run


def asked(server, kind="target"):
    return [body for body in server.bodies if ("response_format" in body) == (kind == "judge")]


def endpoint_of(tmp_path, server, name="Bank LLM", **settings):
    """An endpoint in a project of the default store."""
    with Store.open(f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}") as store:
        project = create_project(store, f"{name} project", "local")
        endpoint = Endpoint(id="", project_id=project.id, name=name, base_url=server.base_url, **settings)
        return save(store, endpoint, actor="local")


@pytest.mark.slow
def test_a_second_run_of_the_same_plan_sends_nothing_whatever_its_folder(evaluate, server, tmp_path):
    first = evaluate("one").json
    assert (first["llm_calls"] - len(server.probes), first["llm_calls_from_cache"]) == (CALLS, 0)
    assert len(server.bodies) == CALLS
    second = evaluate("two").json
    assert (second["llm_calls"], second["llm_calls_from_cache"]) == (CALLS, CALLS)
    assert (len(server.bodies), len(server.probes)) == (CALLS, 1)
    assert second["accuracy"] == first["accuracy"]
    rows = [(tmp_path / name / "results.jsonl").read_text().splitlines() for name in ("one", "two")]
    kept = [[(row["case_id"], row["answer"], row["verdict"]) for row in map(json.loads, lines)] for lines in rows]
    assert kept[0] == kept[1]
    third = evaluate("three", "--ledger", tmp_path / "ledger.sqlite").json
    assert (third["llm_calls_from_cache"], len(server.bodies)) == (0, 2 * CALLS)
    assert evaluate("four", "--ledger", tmp_path / "ledger.sqlite").json["llm_calls_from_cache"] == CALLS
    assert len(server.bodies) == 2 * CALLS
    nowhere = evaluate("five", "--ledger", tmp_path / "none" / "ledger.sqlite")
    assert (nowhere.code, "There is no folder" in nowhere.err) == (2, True)


def test_a_hundred_at_once_means_a_hundred(cli, server, documents, tmp_path):
    server.hold_after = 0  # until all that can be in flight are there
    cases = tmp_path / "many.jsonl"
    cases.write_text("".join(json.dumps({"case_id": f"c{n}", "question": f"Is it {n}?"}) + "\n" for n in range(150)))

    def release():
        server.wait_for_requests(100)
        server.release()

    watching = threading.Thread(target=release)
    watching.start()
    command = ("evaluate", "--testset", cases, "--corpus", documents, "--target", f"openai:{server.spec()}")
    document = cli(*command, "--concurrency", "100", "--out", "many", "--json").json
    watching.join()
    assert (document["llm_calls"], server.most_at_once) == (150, 100)


def test_a_named_endpoint_lends_its_settings_and_its_ledger(evaluate, cli, server, tmp_path, monkeypatch):
    monkeypatch.setenv("BANK_KEY", "secret-of-the-bank")
    endpoint = endpoint_of(tmp_path, server, key_env="BANK_KEY", headers={"X-Team": "rag"}, api_version="7")
    named = evaluate("one", "--endpoint", "bank llm", target="openai:m", judge="llm:m").json
    assert named["llm_calls"] - len(server.probes) == CALLS
    assert {(sent["authorization"], sent["x-team"]) for sent in server.headers} == {
        ("Bearer secret-of-the-bank", "rag")
    }
    assert evaluate("two", "--endpoint", endpoint.id).json["llm_calls_from_cache"] == CALLS
    # The calls are the project's, and no other folder or project gets them.
    assert evaluate("three", "--key-env", "BANK_KEY", "--api-version", "7").json["llm_calls_from_cache"] == 0
    for more, reason in (
        (("--endpoint", "none"), "No project has an endpoint 'none'."),
        (("--endpoint", endpoint.id, "--key-env", "BANK_KEY"), "Both --endpoint and settings"),
    ):
        refused = evaluate("refused", *more)
        assert (refused.code, reason in refused.err) == (2, True), refused.err
        assert not (tmp_path / "refused").exists()
    elsewhere = evaluate("refused", "--endpoint", endpoint.id, target="openai:m@http://127.0.0.1:9/v1", judge="match")
    assert (elsewhere.code, "which is not where" in elsewhere.err) == (2, True)
    without = evaluate("refused", "--key-env", "BANK_KEY", target="keyword", judge="match")
    assert (without.code, "neither target nor judge is a model" in without.err) == (2, True)


def test_what_failed_is_asked_and_judged_again_and_nothing_else(evaluate, cli, server, model):
    branch = bank_cases()[0].question
    other = bank_cases()[2].question
    model.failing = {"target": [branch], "judge": [other]}
    first = evaluate("run").json
    assert first["unscored"]["verdict"] == {"target_failed": 1, "api_error": 1}
    before = len(server.bodies)
    model.failing = {}
    again = evaluate("run", "--retry-failed").json
    assert (again["run"], again["unscored"]["verdict"], again["scored"]["verdict"]) == (first["run"], {}, 12)
    # The failed case is answered and judged, the other one judged.
    assert [len(asked(server, kind)) for kind in ("target", "judge")] == [13, 13]
    assert len(server.bodies) == before + 3
    nothing = cli("resume", "run", "--retry-failed", "--json")
    assert "Cases asked again: 0; answers judged again: 0." in nothing.err
    assert (nothing.json["scored"]["verdict"], len(server.bodies)) == (12, before + 3)
    other_plan = evaluate("run", "--retry-failed", judge="match")
    assert (other_plan.code, "holds a run of another judge" in other_plan.err) == (2, True)
    nowhere = evaluate("none", "--retry-failed")
    assert nowhere.code == 2
