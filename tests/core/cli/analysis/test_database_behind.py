"""The database behind a file of questions: with it answers that are computed from rows are decided."""

import json
import sqlite3
from contextlib import closing

import pytest

from core.domain.testset.cases import OPERATION, TestCase
from tests.support.bank_cases import bank_cases, write_case_file
from tests.support.small_bank import CITIES, MANAGERS

COUNT = """SELECT COUNT("c"."account_id") FROM "branch" AS "p"
JOIN "account" AS "c" ON "c"."branch_id" = "p"."branch_id"
WHERE "p"."name" = :p0 GROUP BY "p"."branch_id\""""
HINT = "Add --db URL"


def counts():
    """How many accounts each branch has: two, which no page says."""
    return [
        TestCase(
            case_id=f"count-{number}",
            question=f"How many accounts does {city} Branch have?",
            reference_answers=("2",),
            form="short",
            group_id=f"count-{number}",
            sql=COUNT,
            sql_params={"p0": f"{city} Branch"},
            gold_document_ids=(f"branch:{number}",),
            tables=("branch", "account"),
            attributes={OPERATION: "count"},
            sql_template_id="count",
        )
        for number, city in enumerate(CITIES, 1)
        if number != 2  # "Plan 2" is a right answer by chance.
    ]


@pytest.fixture
def questions(tmp_path):
    return write_case_file(tmp_path / "cases.jsonl", [*bank_cases(), *counts()])


@pytest.fixture
def listing(tmp_path):
    """The page of each branch lists its accounts."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, (city, manager) in enumerate(zip(CITIES, MANAGERS, strict=True), 1):
        head = f"---\nid: branch:{number}\ntitle: {city} Branch\n---\n"
        lists = f"## Accounts\n\n- Plan {number}\n- Plan {number + 6}\n"
        (folder / f"{number}.md").write_text(f"{head}{city} Branch is in {city}. Its manager is {manager}.\n\n{lists}")
    return folder


@pytest.fixture
def evaluation(questions, listing):
    return ("evaluate", "--testset", questions, "--corpus", listing, "--target", "bm25", "--k", 1, "--out", "run")


def attribution(cli, *more):
    return cli("diagnose", "--run", "run", "--json", *more).json["attribution"]


def test_a_run_with_a_database_has_its_counts_decided(cli, evaluation, bank_url):
    assert HINT not in cli(*evaluation, "--db", bank_url).err
    found = attribution(cli)
    assert (found["undecided"], found["language_model"]) == (0, 5)


def test_a_database_can_be_given_to_the_diagnosis(cli, evaluation, bank_url):
    assert f"5 questions ask for what is computed from several rows or read in another table. {HINT}" in (
        cli(*evaluation).err
    )
    assert attribution(cli)["undecided"] == 5
    assert attribution(cli, "--db", bank_url)["undecided"] == 0
    assert attribution(cli)["undecided"] == 0


def test_another_database_than_the_project_s_is_refused(cli, refused, evaluation, bank_url, tmp_path):
    cli(*evaluation, "--db", bank_url)
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other, other:
        other.execute("CREATE TABLE other (other_id INTEGER PRIMARY KEY, name TEXT)")
    said = refused("diagnose", "--run", "run", "--db", f"sqlite:///{tmp_path / 'other.sqlite'}")
    assert "already has the database bank.sqlite" in said
    assert refused("evaluate", *evaluation[1:-1], "other", "--db", "sqlite:////nowhere/none.sqlite")


@pytest.mark.slow
def test_planted_faults_are_told_from_what_was_wrong_before(cli, questions, listing, bank_url, tmp_path):
    command = ("planted", "--testset", questions, "--corpus", listing, "--target", "bm25", "--k", 1, "--share", 0.4)
    without = cli(*command, "--out", "without", "--json")
    assert HINT in without.err
    assert without.json["wrong_before"]["undecided"] == 5
    document = cli(*command, "--out", "with", "--db", bank_url, "--json").json
    assert document["wrong_before"].get("undecided", 0) == 0
    assert document["wrong_before"]["reader"] == 5
    assert document["named"]["value"] == 1.0
    made_from = json.loads((tmp_path / "with" / "confusion.json").read_text())["made_from"]
    assert made_from["database"].startswith("bank.sqlite ")
