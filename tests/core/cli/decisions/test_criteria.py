"""Criteria on the command line: set from a file, locked, changed with a reason, a run checked by them."""

import json

import pytest

from core.criteria.service import criteria
from core.project.service import create_project
from core.settings import settings
from core.store.database import Store
from tests.support.runs.scored_run import add_run, rows


@pytest.fixture
def run(cli):
    """A run of twelve answers in the store of the command line: 7 of 11 judged are right."""
    with Store.open(settings().database_url) as store:
        return add_run(store, create_project(store, "Bank", "local").id, rows(12))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "criteria.yaml"
    path.write_text(
        "criteria:\n"
        "- {metric: accuracy, threshold: 0.5, note: As the desk.}\n"
        "- {metric: groundedness, threshold: 0.9, bound: lower bound}\n"
        "- {metric: knowledge_gap, threshold: 0.05, direction: at most}\n"
    )
    return path


def test_criteria_are_set_from_a_file_shown_and_locked(cli, run, file):
    assert cli("criteria", "show", "Bank").out == "No criterion is set.\n"
    document = cli("criteria", "set", "Bank", str(file), "--json").json
    assert [one["metric"] for one in document["criteria"]] == ["accuracy", "groundedness", "knowledge_gap"]
    assert "Accuracy: at least 0.5 (not locked)" in cli("criteria", "show", "Bank").out
    assert "(locked 20" in cli("criteria", "lock", "Bank").out
    shown = cli("criteria", "show", "Bank", "--json").json
    assert shown["versions"] == 3
    assert all(one["locked_at"] and one["locked_by"] for one in shown["criteria"])


def test_the_same_file_again_changes_nothing_and_a_locked_one_needs_a_reason(cli, refused, run, file):
    first = cli("criteria", "set", "Bank", str(file), "--json").json
    cli("criteria", "lock", "Bank")
    assert [one["id"] for one in cli("criteria", "set", "Bank", str(file), "--json").json["criteria"]] == [
        one["id"] for one in first["criteria"]
    ]
    file.write_text(json.dumps([{"metric": "accuracy", "threshold": 0.4}]))
    assert "is locked" in refused("criteria", "set", "Bank", str(file))
    (one,) = cli("criteria", "set", "Bank", str(file), "--reason", "Agreed.", "--json").json["criteria"]
    assert (one["id"], one["threshold"], one["version"]) == (first["criteria"][0]["id"], 0.4, 2)


def test_what_was_shown_as_json_is_read_back(cli, run, file, tmp_path):
    cli("criteria", "set", "Bank", str(file))
    document = cli("criteria", "show", "Bank", "--json").json
    again = tmp_path / "again.json"
    again.write_text(json.dumps(document))
    cli("criteria", "set", "Bank", str(again))
    assert cli("criteria", "show", "Bank", "--json").json == document


def test_a_run_is_checked_and_a_missed_criterion_ends_with_one(cli, run, file):
    cli("criteria", "set", "Bank", str(file))
    checked = cli("criteria", "check", "--run", run.id, "--json")
    assert checked.code == 1
    document = json.loads(checked.out)
    assert (document["run"], document["of"]) == (run.id, 3)
    accuracy, grounded, _ = document["criteria"]
    assert (accuracy["verdict"], accuracy["estimate"]["n"], accuracy["of"]) == ("met", 11, 12)
    assert accuracy["set_after_run"] is True
    assert grounded["verdict"] == "not met"
    lines = cli("criteria", "check", "--run", run.id)
    assert lines.code == 1
    assert "met: Accuracy: at least 0.5; is 0.636 [" in lines.out
    assert "set after this run was started" in lines.out


def test_a_file_may_judge_a_run_without_being_stored(cli, run, tmp_path):
    path = tmp_path / "gate.yaml"
    path.write_text("- {metric: accuracy, threshold: 0.1}\n")
    checked = cli("criteria", "check", "--run", run.id, "--criteria", str(path), "--json")
    assert checked.code == 0
    assert "set_after_run" not in checked.json["criteria"][0]
    with Store.open(settings().database_url) as store:
        assert criteria(store, run.project_id) == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("metric: accuracy", "has no list of criteria"),
        ("- {metric: accuracy}", "Criterion 1 lacks metric or threshold"),
        ("- {metric: accuracy, threshold: high}", "'high' of criterion 1 is no threshold"),
        ("- {metric: accuracy, threshold: 0.9}\n- {metric: beauty, threshold: 1}", "Criterion 2: There is no figure"),
        ("- {metric: accuracy, threshold: 0.9, level: 3}", "unknown key 'level'"),
        ("[", "cannot be read as criteria"),
        ("!!python/object/apply:os.system [ls]", "cannot be read as criteria"),
    ],
    ids=["list", "threshold", "number", "figure", "key", "broken", "code"],
)
def test_what_is_no_file_of_criteria_is_refused(refused, run, tmp_path, text, message):
    path = tmp_path / "criteria.yaml"
    path.write_text(text)
    assert message in refused("criteria", "set", "Bank", str(path))


def test_a_project_without_criteria_cannot_be_checked(refused, run):
    assert "no acceptance criteria" in refused("criteria", "check", "--run", run.id)
