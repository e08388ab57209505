"""The command calibrate."""

import json

import numpy as np
import pytest

KEYS = {
    "n",
    "ece_before",
    "ece_after",
    "brier_before",
    "brier_after",
    "quantile",
    "coverage",
    "coverage_by_group",
    "sets",
    "type_1",
    "type_2",
    "warnings",
}


@pytest.fixture
def data(cli, tmp_path):
    generator = np.random.default_rng(0)
    score = generator.random(300)
    level = np.clip(((score + generator.normal(0, 0.25, 300)) * 4).astype(int), 0, 3)
    path = tmp_path / "data.jsonl"
    rows = [
        {
            "groundedness": None if place % 50 == 0 else float(score[place]),
            "wrongness": 1.0 - float(score[place]),
            "human": None if place >= 200 else ["fail", "pass"][int(level[place] >= 2)],
            "likert": int(level[place]) + 1,
            "noise": ["fail", "pass"][int(generator.integers(2))],
            "constant": 0.5,
            "topic": "ab"[place % 2],
            "task": f"t{place // 2}",
        }
        for place in range(300)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_columns_that_no_option_names_are_told(cli, data, caplog):
    command = ("calibrate", "--data", data, "--score", "groundedness", "--label", "human", "--group", "topic", "--json")
    found = cli(*command).json
    assert found["ignored"] == ["wrongness", "likert", "noise", "constant", "task"]
    assert set(found["ignored_because"].values()) == {"No option names it."}
    assert caplog.messages == [
        f"Ignored columns of {data}: wrongness, likert, noise, constant, task (No option names it)."
    ]
    assert "task" not in cli(*command, "--cluster", "task").json["ignored"]


@pytest.mark.slow
def test_the_contract(cli, data):
    found = cli("calibrate", "--data", data, "--score", "groundedness", "--label", "human", "--json").json
    assert set(found) >= KEYS
    n = found["n"]
    # 200 labels, 4 of them without a score.
    assert (n["labelled"], n["labelled_unscored"], n["scored"]) == (200, 4, 294)
    assert n["fit"] + n["conformal"] + n["test"] == 196
    assert set(found["coverage"]) >= {"num", "den", "value", "low", "high", "method"}
    assert set(found["ece_before"]) == {"value", "low", "high", "n", "method"}
    assert found["coverage"]["den"] == sum(found["sets"].values()) == n["test"]
    assert set(found["sets"]) <= {"0", "1", "2"}
    assert sum(found["sets_all"].values()) == sum(found["decisions"].values()) == 294
    assert 0 < found["quantile"] < 1
    assert found["type_1"]["den"] + found["type_2"]["den"] == n["test"]
    assert any("have no score" in text for text in found["warnings"])
    assert found["coverage_by_group"] == {}


def test_a_person_reads_the_same(cli, data):
    found = cli("calibrate", "--data", data, "--score", "groundedness", "--label", "human", "--group", "topic")
    for word in ("Coverage", "Type I ", "Quantile", "Use the", "accept", "  a ", "Note: "):
        assert word in found.out
    assert "Accepted is" not in found.out


@pytest.mark.slow
def test_a_person_reads_from_which_level_an_answer_is_accepted(cli, tmp_path):
    path = tmp_path / "rated.csv"
    rows = [f"{place / 100},{place * 5 // 100 + 1}" for place in range(100)]
    path.write_text("\n".join(["score,rating", *rows]))
    command = ("calibrate", "--data", path, "--score", "score", "--label", "rating", "--method", "ordinal")
    assert "Accepted is an answer labelled 3 or higher, of 1 to 5 (--accept-from)" in cli(*command).out
    assert "labelled 4 or higher, of 1 to 5" in cli(*command, "--accept-from", "4").out


@pytest.mark.slow
def test_groups_clusters_levels_and_several_scores(cli, data):
    found = cli(
        "calibrate",
        "--data",
        data,
        "--score",
        "groundedness,wrongness",
        "--lower",
        "wrongness",
        "--label",
        "likert",
        "--group",
        "topic",
        "--cluster",
        "task",
        "--conformal",
        "aps",
        "--alpha",
        "0.2",
        "--split",
        "0.5,0.25,0.25",
        "--json",
    ).json
    assert list(found["coverage_by_group"]) == ["a", "b"]
    assert found["method"] in ("ordinal", "boosting")
    assert (found["levels"], found["accept_from"]) == (["1", "2", "3", "4"], "3")
    assert found["coverage"]["clusters"] < found["coverage"]["den"]
    assert "goes against" not in " ".join(found["warnings"])


@pytest.mark.slow
def test_a_score_of_which_lower_is_better_is_turned(cli, data):
    wrong = cli("calibrate", "--data", data, "--score", "wrongness", "--label", "human", "--json").json
    assert any("against its stated direction" in text for text in wrong["warnings"])
    right = cli(
        "calibrate", "--data", data, "--score", "wrongness", "--lower", "wrongness", "--label", "human", "--json"
    ).json
    assert right["brier_after"]["value"] < wrong["brier_after"]["value"]


@pytest.mark.slow
def test_a_method_is_taken_and_a_seed_repeats(cli, data):
    arguments = ("calibrate", "--data", data, "--score", "groundedness", "--label", "human", "--method", "isotonic")
    found = cli(*arguments, "--seed", "3", "--json").json
    assert found["method"] == "isotonic"
    assert cli(*arguments, "--seed", "3", "--json").json == found
    assert cli(*arguments, "--seed", "4", "--json").json != found


@pytest.mark.slow
def test_a_threshold_that_is_missed_ends_with_1(cli, data):
    arguments = ("calibrate", "--data", data, "--score", "groundedness", "--label", "human", "--fail-under")
    assert cli(*arguments, "coverage=0.5").code == 0
    assert cli(*arguments, "coverage=1.01").code == 1


def test_raters_who_do_not_agree_stop_it_unless_one_insists(cli, data):
    arguments = ("calibrate", "--data", data, "--score", "groundedness", "--label", "human,noise", "--json")
    refused = cli(*arguments)
    assert refused.code == 2
    assert "not distinguishable from chance" in refused.err
    found = cli(*arguments, "--insist").json
    assert found["insisted"] is True
    assert any("insisted" in text for text in found["warnings"])
    assert found["agreement"]["low"] <= 0


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (("--score", "constant"), "same score"),
        (("--score", "none"), "no column 'none'"),
        (("--score", ","), "names no column"),
        (("--method", "spline"), "--method cannot be 'spline'"),
        (("--method", "isotonic", "--score", "groundedness,wrongness"), "accepts one score"),
        (("--split", "1,2"), "is not three numbers"),
        (("--split", "1,1,0"), "shares"),
        (("--alpha", "2"), "alpha"),
        (("--lower", "other"), "which is not a score"),
        (("--threshold", "7"), "threshold"),
        (("--method", "logistic", "--label", "likert"), "supports two levels"),
    ],
)
def test_what_cannot_be_is_told_in_a_sentence(cli, data, changes, said):
    arguments = {"--data": data, "--score": "groundedness", "--label": "human"}
    arguments |= dict(zip(changes[::2], changes[1::2], strict=True))
    found = cli("calibrate", *(part for pair in arguments.items() for part in pair))
    assert found.code == 2
    assert said in found.err
    assert "Traceback" not in found.err


def test_five_labels_are_too_few(cli, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("s,l\n" + "\n".join(f"{place / 9},{place % 2 if place < 5 else ''}" for place in range(9)))
    found = cli("calibrate", "--data", path, "--score", "s", "--label", "l")
    assert found.code == 2
    assert "at least 30 labelled cases" in found.err
    assert "25 more" in found.err


@pytest.mark.slow
def test_rows_without_one_label_are_counted(cli, data, tmp_path):
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    for place, row in enumerate(rows):
        row["second"] = {"fail": "pass", "pass": "fail"}[row["human"]] if row["human"] and place < 30 else row["human"]
    path = tmp_path / "two.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    asked = ("calibrate", "--data", path, "--score", "groundedness", "--label", "human,second")
    found = cli(*asked, "--json").json
    # 200 rows have labels of both, and the first 30 of them differ.
    assert (found["n"]["labelled"], found["n"]["undecided"]) == (170, 30)
    assert any("30 of 200 rated cases have no combined label" in text for text in found["warnings"])
    assert "30 more rows were looked at and have no one label" in cli(*asked).out


@pytest.mark.slow
def test_stages_are_told_on_stderr_for_many_rows(cli, tmp_path):
    generator = np.random.default_rng(0)
    score = generator.random(20_000)
    right = score + generator.normal(0, 0.2, 20_000) > 0.5
    path = tmp_path / "many.csv"
    text = "\n".join(f"{one:.6f},{int(two)}" for one, two in zip(score, right, strict=True))
    path.write_text(f"score,human\n{text}\n", encoding="utf-8")
    asked = ("calibrate", "--data", path, "--score", "score", "--label", "human", "--method", "logistic", "--json")
    found = cli(*asked)
    assert found.err.startswith("20,000 rows read\nChoosing a model on 8,000 labels\n")
    assert found.json["n"]["labelled"] == 20_000


@pytest.mark.slow
def test_raters_of_a_scale_are_combined_by_choice(cli, tmp_path):
    generator = np.random.default_rng(3)
    score = generator.random(240)
    raters = np.clip(np.round(1 + 3 * score + generator.normal(0, 0.8, (3, 240))), 1, 4).astype(int)
    rows = [
        {"score": float(value), **{name: int(level) for name, level in zip("abc", levels, strict=True)}}
        for value, levels in zip(score, raters.T, strict=True)
    ]
    path = tmp_path / "raters.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    command = ("calibrate", "--data", path, "--score", "score", "--label", "a,b,c", "--accept-from", "3")
    found = {rule: cli(*command, "--raters", rule, "--json").json for rule in ("median", "majority", "mean")}
    # Some rows have three levels by three raters; none of them is left out, and none was a tie.
    assert sum(len(set(levels)) == 3 for levels in raters.T.tolist()) > 20
    assert {rule: document["n"]["labelled"] for rule, document in found.items()} == dict.fromkeys(found, 240)
    assert all(document["n"]["undecided"] == 0 for document in found.values())
    assert {rule: document["raters"] for rule, document in found.items()} == {rule: rule for rule in found}
    # Agreement is that of the labels as they were given, whatever is made of them.
    assert found["median"]["agreement"] == found["majority"]["agreement"] == found["mean"]["agreement"]
    assert cli(*command, "--json").json == found["median"]
    assert "Labels of 3 raters combined by median" in cli(*command).out
    assert cli(*command, "--label", "a", "--json").json["raters"] is None
    refusal = cli(*command, "--raters", "mode")
    assert (refusal.code, "median, majority, mean" in refusal.err) == (2, True)
