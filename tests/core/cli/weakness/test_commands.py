"""The command weakness: of a run and of a file; tables, JSON, CSV, findings, and the gate."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest

from core.domain.results.runs import RunState
from core.store.database import Store
from core.store.results import runs
from core.weakness.findings.service import change_finding, findings
from tests.support.stores import blank_url
from tests.support.weakness.planted_run import ACTOR, planted_run
from tests.support.weakness.planted_table import planted_table

KEYS = {"mean", "low", "high", "n", "p_value", "p_adjusted", "weak"}
LOANS = ["loans", "number"]


def in_cell(topic, kind, _):
    return 2 if (topic, kind) == ("loans", "number") else 8


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


@pytest.fixture
def run(store):
    """A run whose loans with a number are answered wrongly, by its id."""
    return planted_run(store, planted_table(in_cell)).id


@pytest.fixture
def data(tmp_path):
    """The same cases as a file, with a number of their own and two scores."""
    table = planted_table(in_cell)
    rows = []
    for place, case_id in enumerate(table.case_ids):
        named = {name: table.attribute(name) for name in ("topic", "answer_type", "form")}
        levels = {name: one.levels[one.codes[place]] for name, one in named.items()}
        value = table.score.values[place]
        rows.append(
            {
                "case_id": case_id,
                "question": f"Question {place}?",
                "group_id": f"g{place}",
                "verdict": value,
                "delay": 5.0 - 4.0 * value + place % 7,
                "groundedness": value,
                "groundedness_status": "scored" if value else "not_judged",
                "words": place % 48,
                "topic": levels["topic"],
                "attributes": {"answer_type": levels["answer_type"], "form": levels["form"]},
            }
        )
    path = tmp_path / "scored.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_columns_of_a_file_that_are_passed_over_are_named(cli, data, caplog):
    # The same keys and the same sentence as of score and import.
    found = cli("weakness", "--data", data, "--metric", "verdict", "--json").json
    assert found["ignored"] == ["question", "groundedness", "groundedness_status"]
    assert found["ignored_because"]["groundedness"] == "It belongs to a score."
    assert caplog.messages == [
        f"Ignored columns of {data}: question (question is not looked at here); "
        "groundedness, groundedness_status (It belongs to a score)."
    ]


def judged_rows(tmp_path, apart, n=200):
    """A score that separates right from wrong by so much in each corpus, and the verdict as people's labels."""
    generator = np.random.default_rng(0)
    rows = []
    for corpus, distance in apart.items():
        for _ in range(n):
            right = bool(generator.random() < 0.6)
            rows.append(
                {
                    "score": float(generator.normal() + distance * right),
                    "human": "pass" if right else "fail",
                    "stars": int(right) * 2 + int(generator.integers(1, 3)),
                    "corpus": corpus,
                    "half": "ab"[len(rows) % 2],
                }
            )
    path = tmp_path / "judged.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_a_score_that_works_in_one_corpus_only_is_told_not_to_hold(cli, tmp_path):
    path = judged_rows(tmp_path, {"manuals": 1.0, "news": 0.1})
    command = ("weakness", "--data", path, "--metric", "score", "--verdict", "human")
    found = cli(*command, "--json").json
    rows = {row["attribute"]: row for row in found["holding"]}
    # The column of verdicts is no attribute here; both others are looked at.
    assert set(rows) == {"corpus", "half", "stars"}
    assert (rows["corpus"]["verdict"], rows["half"]["verdict"]) == ("holds in some levels only", "holds")
    assert rows["corpus"]["equal_areas"]["p_adjusted"] < 0.05
    for row in rows.values():
        if row["verdict"] == "holds":
            assert all(level["auc"]["low"] is not None for level in row["levels"])
    areas = {level["level"]: level["auc"] for level in rows["corpus"]["levels"]}
    assert areas["manuals"]["low"] > 0.6 > areas["news"]["value"]
    told = cli(*command, "--attribute", "corpus").out
    assert "Does the score hold inside groups?" in told
    assert "corpus: holds in some levels only" in told
    news = areas["news"]
    assert f"news {news['value']:.2f} [{news['low']:.2f}, {news['high']:.2f}]" in told
    # The same from labels on a scale, with a cut-off.
    stars = cli(
        *("weakness", "--data", path, "--metric", "score", "--verdict", "stars", "--accept-from", "3"),
        *("--attribute", "corpus", "--json"),
    ).json
    assert stars["holding"][0]["levels"] == rows["corpus"]["levels"]


def test_without_a_verdict_it_is_said_why_nothing_is_told_of_holding(cli, refused, tmp_path, data, run):
    path = judged_rows(tmp_path, {"manuals": 1.0, "news": 0.1}, n=20)
    found = cli("weakness", "--data", path, "--metric", "score", "--json").json
    assert (found["holding"], "--verdict" in found["holding_reason"]) == ([], True)
    assert "more than yes and no" in refused("weakness", "--data", path, "--metric", "score", "--verdict", "stars")
    judged = cli("weakness", "--data", data, "--metric", "delay", "--json").json
    assert "groundedness" in judged["ignored"]
    assert "verdict" not in judged["ignored"]
    assert {row["attribute"] for row in judged["holding"]} >= {"topic", "answer_type"}
    assert cli("weakness", "--run", run, "--json").json["holding_reason"] == "The score is the verdict itself."


def test_a_map_of_a_file(cli, data):
    found = cli("weakness", "--data", data, "--metric", "verdict", "--by", "topic,answer_type", "--json").json
    # 12 cells of 20; 4 of 20 in the weak one, 16 of 20 in the others.
    assert found["overall"]["value"] == pytest.approx(180 / 240)
    assert (found["overall"]["n"], found["tested"], found["weak_cells"], found["weak"]) == (240, 12, 1, 1)
    assert len(found["cells"]) == 12
    worst = found["cells"][0]
    assert set(worst) >= KEYS | {"topic", "answer_type", "effect", "compound", "explained", "shrunken"}
    assert (worst["topic"], worst["answer_type"], worst["levels"]) == ("loans", "number", LOANS)
    assert (worst["n"], worst["mean"], worst["weak"], worst["compound"]) == (20, 0.2, True, True)
    assert [cell["weak"] for cell in found["cells"][1:]] == [False] * 11
    assert {name: len(levels) for name, levels in found["margins"].items()} == {"topic": 4, "answer_type": 3}
    # --by A,B, --attribute A --by B and --fdr are three ways to say the same.
    again = cli(
        *("weakness", "--data", data, "--metric", "verdict", "--attribute", "topic", "--by", "answer_type"),
        *("--fdr", "0.1", "--json"),
    ).json
    assert again == found


def test_one_attribute_of_a_file(cli, data):
    found = cli("weakness", "--data", data, "--metric", "verdict", "--by", "form", "--json").json
    assert [cell["form"] for cell in found["cells"]] == ["long", "short"]
    assert found["weak_cells"] == 0
    stricter = cli(
        "weakness", "--data", data, "--metric", "verdict", "--by", "topic", "--min-effect", "0.9", "--json"
    ).json
    assert stricter["weak_cells"] == 0
    lines = cli("weakness", "--data", data, "--metric", "verdict", "--by", "topic").out.splitlines()
    assert lines[0].startswith("The share answered correctly: 0.750 [")
    assert lines[0].endswith("], 240 of 240 scored")
    assert lines[1] == "topic: 4 parts, 4 tested, 1 weak"
    assert lines[3].split()[0] == "0.600"
    assert lines[3].endswith("weak            loans")


def test_a_threshold_and_a_score_of_which_less_is_better(cli, data):
    found = cli("weakness", "--data", data, "--metric", "delay", "--lower", "--by", "topic,answer_type", "--json").json
    assert not found["higher_is_better"]
    assert [cell["levels"] for cell in found["cells"] if cell["weak"]] == [LOANS]
    assert found["cells"][0]["levels"] == LOANS  # the highest delay is the worst
    share = cli(
        *("weakness", "--data", data, "--metric", "delay", "--lower", "--threshold", "5", "--by", "topic", "--json")
    ).json
    assert share["threshold"] == 5.0
    assert 0.0 < share["overall"]["value"] < 1.0
    assert share["cells"][0]["topic"] == "loans"


def test_numbers_become_levels(cli, data):
    command = ("weakness", "--data", data, "--metric", "verdict", "--by", "words", "--json")
    assert [cell["words"] for cell in sorted(cli(*command).json["cells"], key=lambda cell: cell["n"])] != []
    assert len(cli(*command).json["cells"]) == 4
    assert len(cli(*command, "--bins", "words=3").json["cells"]) == 3
    by_hand = cli(*command, "--bins", "words=9,19").json["cells"]
    assert {cell["words"]: cell["n"] for cell in by_hand} == {"9 or less": 50, "10 to 19": 50, "20 or more": 140}


def test_all_attributes_of_a_run(cli, run):
    found = cli("weakness", "--run", run, "--json").json
    assert (found["run"], found["score"]) == (run, "verdict")
    assert [row["attribute"] for row in found["attributes"]][:2] == ["topic", "answer_type"]
    first = found["attributes"][0]
    assert (first["label"], first["levels"], first["weak"], first["worst"]["level"]) == ("Topic", 4, 1, "loans")
    assert found["tested"] == sum(row["tested"] for row in found["attributes"])
    lines = cli("weakness", "--run", run).out
    assert "the worst level of each:" in lines
    assert "topic = loans" in lines


def test_slices_of_a_run(cli, run):
    found = cli("weakness", "--run", run, "--slices", "--json").json
    slices = found["slices"]
    assert slices["discovery"] + slices["held_out"] == 240
    assert [dict(one["conditions"]) for one in slices["slices"] if one["weak"]] == [
        {"topic": "loans", "answer_type": "number"}
    ]
    assert "Slices: " in cli("weakness", "--run", run, "--slices").out


@pytest.mark.slow
def test_findings_are_said_and_only_stored_when_asked(cli, run, store):
    found = cli("weakness", "--run", run, "--findings", "--json").json["findings"]
    [one] = found
    assert (one["kind"], one["severity"], len(one["case_ids"])) == ("cell", "high", 20)
    assert findings(store, run) == ()
    assert one["text"] in cli("weakness", "--run", run, "--findings").out
    [kept] = cli("weakness", "--run", run, "--record", "--json").json["findings"]
    [stored] = findings(store, run)
    assert (kept["id"], kept["text"], kept["status"]) == (stored.id, one["text"], "open")
    assert f"[high, open] {one['text']}" in cli("weakness", "--run", run, "--record").out
    assert "Findings: none." in cli("weakness", "--run", run, "--findings", "--attribute", "form").out


def test_other_scores_of_a_file_are_no_attributes(cli, data):
    found = cli("weakness", "--data", data, "--metric", "verdict", "--json").json
    assert {row["attribute"] for row in found["attributes"]} == {"delay", "words", "topic", "answer_type", "form"}
    named = cli("weakness", "--data", data, "--metric", "verdict", "--by", "groundedness_status", "--json").json
    assert named["cells"][0]["mean"] == 0.0


def test_findings_of_a_file(cli, data):
    command = ("weakness", "--data", data, "--metric", "verdict", "--by", "topic,answer_type", "--findings", "--json")
    found = cli(*command).json["findings"]
    assert [sorted(map(tuple, one["conditions"])) for one in found] == [[("answer_type", "number"), ("topic", "loans")]]


@pytest.mark.slow
def test_the_gate(cli, run, store, data):
    weak = cli("weakness", "--run", run, "--by", "topic,answer_type", "--fail-on-weak")
    assert (weak.code, weak.err) == (1, "1 part is weak.\n")
    assert "weak, compound  loans x number" in weak.out
    assert cli("weakness", "--run", run, "--by", "form", "--fail-on-weak").code == 0
    assert (
        cli("weakness", "--data", data, "--metric", "verdict", "--slices", "--by", "form", "--fail-on-weak").code == 1
    )
    # What a person accepted is no reason to stop.
    assert cli("weakness", "--run", run, "--record", "--fail-on-weak").code == 1
    change_finding(store, findings(store, run)[0].id, status="accepted", actor=ACTOR)
    assert cli("weakness", "--run", run, "--record", "--fail-on-weak").code == 0
    missed = cli("weakness", "--run", run, "--by", "form", "--fail-under", "overall=0.9")
    assert (missed.code, missed.err) == (1, "overall is 0.75, below 0.9.\n")


def test_a_table_as_csv(cli, run, tmp_path):
    outcome = cli("weakness", "--run", run, "--by", "topic,answer_type", "--csv", "cells.csv")
    assert outcome.err == "12 rows written to cells.csv.\n"
    with (tmp_path / "cells.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert (rows[0]["topic"], rows[0]["answer_type"], rows[0]["mean"], rows[0]["weak"]) == (*LOANS, "0.2", "True")
    cli("weakness", "--run", run, "--findings", "--csv", "findings.csv")
    with (tmp_path / "findings.csv").open(newline="") as file:
        [row] = csv.DictReader(file)
    assert row["kind"] == "cell"
    assert len(row["cases"].split()) == 20


def test_recorded_findings_as_csv(cli, run, tmp_path):
    cli("weakness", "--run", run, "--record", "--csv", "findings.csv")
    with (tmp_path / "findings.csv").open(newline="") as file:
        [row] = csv.DictReader(file)
    assert (row["id"][:4], row["status"], row["severity"], row["run"]) == ("fnd_", "open", "high", run)


def test_bins_of_a_run_and_a_run_that_is_not_finished(cli, run, store):
    found = cli("weakness", "--run", run, "--by", "question_length", "--bins", "question_length=2,8", "--json").json
    assert [cell["levels"] for cell in found["cells"]] == [["3 to 8 words"]]
    with store.write(ACTOR, "test.reopen") as connection:
        runs.put(connection, replace(runs.get(connection, run), state=RunState.RUNNING))
    outcome = cli("weakness", "--run", run, "--by", "form")
    assert outcome.err == "The run is not finished; cases without a score are left out.\n"


def test_cells_without_scores_are_shown_as_that(cli, tmp_path):
    rows = [{"team": team, "score": ""} for team in "ab" for _ in range(10)]
    rows += [{"team": "c", "score": place % 2} for place in range(10)]
    rows += [{"team": "", "score": 1}]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = cli("weakness", "--data", path, "--metric", "score", "--by", "team", "--json").json
    assert {cell["team"]: (cell["n"], cell["scored"], cell["mean"]) for cell in found["cells"]} == {
        "a": (10, 0, None),
        "b": (10, 0, None),
        "c": (10, 10, 0.5),
    }
    assert (found["weak_cells"], found["tested"], found["outside"]) == (0, 0, 1)
    lines = cli("weakness", "--data", path, "--metric", "score", "--by", "team").out
    assert "no score" in lines
    assert "too few to test" in lines
    assert "1 case lacks team and is in no part." in lines
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n".join(json.dumps({"team": team, "score": None, "n": 1}) for team in "aabb"))
    nothing = cli("weakness", "--data", empty, "--metric", "team", "--by", "n")
    assert nothing.code == 2
    one = tmp_path / "one.csv"
    one.write_text("team,score\na,\nb,\na,\nb,\n")
    assert "has no column 'score' with a value" in cli("weakness", "--data", one, "--metric", "score").err


def test_what_weakness_refuses(refused, run, data, tmp_path):
    of_file = ("weakness", "--data", data, "--metric", "verdict")
    (tmp_path / "cut.json").write_text("[{")
    assert "exactly one of a run and a file" in refused("weakness")
    assert "exactly one of a run and a file" in refused("weakness", "--run", run, "--data", data)
    assert "There is no run run_none" in refused("weakness", "--run", "run_none")
    assert "The run has no score colour" in refused("weakness", "--run", run, "--score", "colour")
    assert "no attribute colour" in refused("weakness", "--run", run, "--attribute", "colour")
    assert "Both attributes are form" in refused("weakness", "--run", run, "--attribute", "form", "--by", "form")
    assert "3 attributes are given" in refused(*of_file, "--by", "topic,form,answer_type")
    assert "The false discovery rate is 1.0" in refused("weakness", "--run", run, "--q", "1")
    assert "The least effect is -0.1" in refused("weakness", "--run", run, "--min-effect", "-0.1")
    assert "has no column 'colour'" in refused(*of_file, "--by", "colour")
    assert "No column of scores is given" in refused("weakness", "--data", data)
    assert "which is no number" in refused("weakness", "--data", data, "--metric", "topic")
    assert "cannot be recorded" in refused(*of_file, "--record")
    assert "topic is not a number and has no bins" in refused(*of_file, "--bins", "topic=3")
    assert "is not A=4 or A=8,16" in refused(*of_file, "--bins", "words")
    assert "The number of bins is 1" in refused(*of_file, "--bins", "words=1")
    assert "cut.json" in refused("weakness", "--data", "cut.json", "--metric", "verdict")
    assert "missing.json" in refused("weakness", "--data", "missing.json", "--metric", "verdict")
