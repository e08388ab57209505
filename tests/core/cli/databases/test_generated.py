"""Templates by a model on the command line: checked, counted, written; the same command again asks nothing."""

import json

import pytest

from tests.core.testset.grounded.llm.script import on_the_wire, part, user
from tests.support.servers.llm_server import LlmServer

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
SHORT = "City of branch '[branch.name]'"


def script(body):
    if part(body, "question"):
        return {"sql": "SELECT manager FROM branch WHERE name = '[branch.name]'", "reason": ""}
    if part(body, "query"):
        return {"wordings": [SHORT, "Where?"]}
    return {"templates": [CITY, "DROP TABLE branch"] if part(body, "tables") == "branch" else []}


@pytest.mark.slow
def test_from_the_schema_to_wordings_by_a_model(cli, bank_url):
    with LlmServer(script) as server:
        model = ("--generator", "llm", "--model", server.spec())
        command = ("sql-templates", "--db", bank_url, *model, "--per-set", 2, "--set-size", 1, "--out", "sql.json")
        made = cli(*command, "--json")
        document = made.json
        assert "1 of 4 requested templates were generated" in made.err  # two tables, two templates each
        [template] = document["templates"]
        assert {"id", "tables", "sql", "status", "checks"} <= set(template)
        assert (template["sql"], template["questions"]) == (CITY, 6)
        assert template["sql_with_ids"] == "SELECT city, branch_id FROM branch WHERE name = '[branch.name]';"
        assert (document["requested"], document["delivered"], len(document["rejected"])) == (4, 1, 2)
        assert {item["check"] for item in document["rejected"]} == {"read_only"}
        # Two sets, and once more for what one of them had rejected.
        assert (document["llm_calls"], document["llm_calls_from_cache"]) == (3, 0)

        words = ("text-templates", "--db", bank_url, "--sql", "sql.json", "--form", "terse", "--n", 2)
        told = ("--about", "Few words.", "--criteria", "Say branch, never office.", "--round-trip")
        document = cli(*words, *model, *told, "--out", "terse.json", "--json").json
        [entry] = document["templates"]
        assert (entry["sql"], entry["form"], entry["texts"]) == (CITY, "terse", [SHORT])
        flag = next(check for check in entry["checks"][0] if check["name"] == "round_trip")
        assert (flag["passed"], flag["blocking"]) == (False, False)
        assert document["round_trips"]["flagged"] == 1
        with open("terse.json", encoding="utf-8") as file:
            assert json.load(file) == {CITY: [SHORT]}
        asked = len(server.bodies)
        assert any("Say branch, never office." in user(body) for body in server.bodies)

        again = cli(*command, "--json").json
        assert (again["llm_calls"], again["llm_calls_from_cache"]) == (3, 3)
        cli(*words, *model, *told)
        assert len(server.bodies) == asked
        assert "Arden" not in on_the_wire(server)


def test_a_limit_asks_about_every_table_set_for_fewer_templates(cli, bank_url):
    with LlmServer(script) as server:
        command = ("sql-templates", "--db", bank_url, "--generator", "llm", "--model", server.spec(), "--limit", 5)
        ended = cli(*command)
        assert "2 of each of 3 table sets are asked for" in ended.err
        assert {part(body, "tables") for body in server.bodies} == {"account", "branch", "account\nbranch"}


def test_a_spent_budget_ends_the_command_and_the_same_one_goes_on(cli, bank_url):
    with LlmServer(script) as server:
        command = ("sql-templates", "--db", bank_url, "--generator", "llm", "--model", server.spec(), "--set-size", 1)
        ended = cli(*command, "--budget-calls", 2)
        assert (ended.code, ended.out) == (2, "")
        assert "The budget of 2 calls is used up" in ended.err
        assert len(server.bodies) + len(server.probes) == 2
        assert cli(*command, "--json").json["delivered"] == 1
        assert len(server.bodies) == 3, "nothing is asked twice"
