"""The command that makes variants: its keys, its file, what it refuses."""

import json

import pytest

from core.io.cases import read_cases
from tests.support.servers.llm_server import LlmServer


def test_the_variants_are_a_test_set_that_keeps_parent_and_kind(cli, testset, tmp_path):
    out = tmp_path / "variants.jsonl"
    command = ("perturb", "--testset", testset, "--kinds", "spelling,unfamiliar_near", "--n", 5, "--out", out)
    document = cli(*command, "--encoder", "none", "--json").json
    assert document["made"] == {"spelling": 5, "unfamiliar_near": 5}
    assert set(document["skipped"]) == {"spelling", "unfamiliar_near"}
    assert document["similarity"] == "not measured: no encoder"
    parents = {case.case_id for case in read_cases(testset)}
    cases = read_cases(out)
    assert [case.attributes["variant"] for case in cases] == ["spelling"] * 5 + ["unfamiliar_near"] * 5
    assert {case.attributes["parent"] for case in cases} <= parents
    before = out.read_bytes()
    cli(*command, "--encoder", "none", "--json")
    assert out.read_bytes() == before


@pytest.mark.slow
def test_evaluate_takes_them_and_plants_passages_for_those_that_have_one(cli, testset, documents, tmp_path):
    out = tmp_path / "variants.jsonl"
    cli(
        "perturb",
        "--testset",
        testset,
        "--kinds",
        "case_punctuation,poisoned_passage",
        "--n",
        4,
        "--out",
        out,
        "--json",
    )
    run = cli("evaluate", "--testset", out, "--target", "keyword", "--corpus", documents, "--out", "run", "--json").json
    assert run["cases"] == len(read_cases(out)) == 8
    rows = [json.loads(line) for line in (tmp_path / "run" / "results.jsonl").read_text().splitlines()]
    planted = {case.case_id: case.attributes.get("planted_title") for case in read_cases(out)}
    found = {row["case_id"] for row in rows if "planted:" in json.dumps(row)}
    assert found
    assert all(planted[case_id] for case_id in found)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--kinds", "shouting"), "There is no kind of variant 'shouting'"),
        (("--kinds", "spelling", "--rate", 0), "The rate of spelling mistakes is 0"),
        (("--kinds", ","), "No kind of variant is named"),
    ],
)
def test_bad_input_is_one_sentence(cli, testset, tmp_path, arguments, message):
    result = cli("perturb", "--testset", testset, *arguments, "--out", tmp_path / "v.jsonl")
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err


def test_a_model_paraphrases_sees_no_value_and_is_asked_once(cli, refused, testset, tmp_path):
    def reply(body):
        sent = body["messages"][-1]["content"]
        assert "Arden" not in sent
        return json.dumps({"question": "Please tell me who runs [A]." if "[A]" in sent else ""})

    with LlmServer(reply) as server:
        out = tmp_path / "variants.jsonl"
        command = (
            "perturb",
            "--testset",
            testset,
            "--kinds",
            "paraphrase",
            "--n",
            3,
            "--encoder",
            "none",
            "--out",
            out,
        )
        document = cli(*command, "--encoder", "none", "--model", server.spec("m"), "--json").json
        assert document["paraphrased_by"] == server.spec("m")
        cases = read_cases(out)
        assert document["made"] == {"paraphrase": len(cases)} == {"paraphrase": 3}
        assert all(case.question.startswith("Please tell me who runs ") for case in cases)
        assert {case.attributes["variant_change"] for case in cases} == {"reworded by a model"}
        asked = len(server.bodies)
        cli(*command, "--encoder", "none", "--model", server.spec("m"), "--json")
        assert len(server.bodies) == asked
        assert "not wanted" in refused(
            "perturb", "--testset", testset, "--kinds", "spelling", "--model", server.spec("m"), "--out", out
        )
