"""SQL templates by a model: the schema goes out, checked drafts come in, rejected ones go back once with reasons."""

import json
import sqlite3
from contextlib import closing

import pytest

from core.domain.errors import InvalidInput, Stopped
from core.domain.llm import Endpoint
from core.domain.testset.templates import SqlTemplate
from core.llm import load_prompt, open_chat
from core.project.service import create_project
from core.sources.database import DatabaseSource
from core.store.database import Store
from core.store.models import endpoints
from core.testset.grounded.llm.sql_generator import PROMPT, generate_sql_templates_by_llm
from core.testset.grounded.llm.table_sets import table_sets
from core.testset.grounded.sql.canonical import canonical_id
from tests.core.testset.grounded.llm.script import on_the_wire, part, rejected, sql_script, user
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.shared_data import shared
from tests.support.small_bank import write_bank
from tests.support.stores import blank_url

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
MANAGER = "SELECT manager FROM branch WHERE name = '[branch.name]'"
FEE = "SELECT monthly_fee FROM account WHERE name = '[account.name]'"
CITY_OF_ACCOUNT = (
    "SELECT branch.city FROM account JOIN branch ON account.branch_id = branch.branch_id "
    "WHERE account.name = '[account.name]'"
)
NAME_OF_BRANCH = CITY_OF_ACCOUNT.replace("branch.city", "branch.name")
UNKNOWN = "SELECT street FROM branch WHERE name = '[branch.name]'"
NO_PLACEHOLDER = "SELECT city FROM branch"
NOT_DESCRIPTIVE = "SELECT branch_id FROM branch WHERE name = '[branch.name]'"
SEVERAL = "SELECT name FROM account WHERE account.branch_id > 0 AND monthly_fee <> '[account.monthly_fee]'"
BAD = "DELETE FROM branch"


@pytest.fixture
def bank_file(tmp_path):
    return write_bank(tmp_path / "bank.sqlite")


@pytest.fixture
def source(bank_file):
    with DatabaseSource.connect(f"sqlite:///{bank_file}") as opened:
        yield opened


@pytest.fixture
def store(tmp_path):
    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


def values_of(file):
    """Every text in the database."""
    with closing(sqlite3.connect(file)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        rows = [row for table in tables for row in connection.execute(f'SELECT * FROM "{table}"')]
    return {value for row in rows for value in row if isinstance(value, str)}


def generate(store, source, server, sets=None, **options):
    chat = open_chat(store, "", server.spec())
    return generate_sql_templates_by_llm(
        chat, load_prompt(PROMPT), source, sets or table_sets(source.schema), **options
    )


@pytest.mark.slow
def test_each_table_set_is_asked_for_and_what_passes_is_a_draft_with_our_ids(store, source):
    script = {"account": [[FEE]], "branch": [[CITY, MANAGER]], "account, branch": [[CITY_OF_ACCOUNT, NAME_OF_BRANCH]]}
    with LlmServer(sql_script(script)) as server:
        proposed = generate(store, source, server, per_set=2)
        sent = server.bodies
    assert [template.sql for template in proposed.templates] == [FEE, CITY, MANAGER, CITY_OF_ACCOUNT, NAME_OF_BRANCH]
    assert {(template.origin, template.status.value) for template in proposed.templates} == {("llm", "draft")}
    assert all(template.approvable and template.checks for template in proposed.templates)
    assert [template.id for template in proposed.templates] == [
        canonical_id(template.sql, "sqlite") for template in proposed.templates
    ]
    ids = [template.sql_with_ids.removesuffix(";").partition(" FROM ")[0] for template in proposed.templates]
    assert ids == [
        "SELECT monthly_fee, account_id",
        "SELECT city, branch_id",
        "SELECT manager, branch_id",
        "SELECT branch.city, account.account_id, branch.branch_id",
        "SELECT branch.name, account.account_id",  # the account's page says which branch it belongs to
    ]
    assert [(item.subject, item.requested, item.delivered, item.missing) for item in proposed.deliveries] == [
        ("account", 2, 1, "the model proposed no more"),
        ("branch", 2, 2, ""),
        ("account, branch", 2, 2, ""),
    ]
    assert len(sent) == 3
    first = next(body for body in sent if part(body, "tables") == "account")
    assert "table account" in user(first)
    assert "table branch" not in user(first)
    assert "Number of templates wanted now: 2" in user(first)


def test_rejected_proposals_go_back_once_with_their_reasons(store, source):
    script = {"branch": [[CITY, UNKNOWN, NO_PLACEHOLDER, BAD, NOT_DESCRIPTIVE, FEE], [MANAGER, UNKNOWN]]}
    with LlmServer(sql_script(script)) as server:
        proposed = generate(store, source, server, [("branch",)], per_set=6)
        assert len(server.bodies) == 2
        again = server.bodies[1]
    assert [template.sql for template in proposed.templates] == [CITY, MANAGER]
    [delivery] = proposed.deliveries
    assert [(item.check, item.round) for item in delivery.rejected] == [
        ("names", 1),
        ("placeholder", 1),
        ("read_only", 1),
        ("readable", 1),
        ("tables", 1),
        ("names", 2),
    ]
    assert (delivery.requested, delivery.delivered, delivery.calls) == (6, 2, 2)
    assert "2 failed the check names" in delivery.missing
    reasons = rejected(again)
    assert len(reasons) == 5
    assert "street" in reasons[0]
    assert "no placeholder" in reasons[1]
    assert "branch.branch_id" in reasons[3]
    assert part(again, "accepted") == CITY
    assert "Number of templates wanted now: 5" in user(again)  # six wanted, one kept, five to replace


def test_no_value_of_the_database_is_ever_sent(store, source, bank_file):
    # Rejected for what was found on the data as well: no single answer, and a column without meaning.
    script = {
        "account": [[SEVERAL, NOT_DESCRIPTIVE, FEE], [FEE]],
        "branch": [[CITY, NOT_DESCRIPTIVE, BAD]],
        "account, branch": [[CITY_OF_ACCOUNT]],
    }
    with LlmServer(sql_script(script)) as server:
        proposed = generate(store, source, server, per_set=3, criteria="Prefer what customers ask about.")
        wire = on_the_wire(server)
        assert len(server.bodies) == 5
    assert "one_answer" in {item.check for delivery in proposed.deliveries for item in delivery.rejected}
    values = values_of(bank_file)
    assert len(values) == 6 * 3 + 12 * 2
    assert not [value for value in values if value in wire]
    assert "monthly_fee" in wire
    assert "Prefer what customers ask about." in wire


def test_what_asks_the_same_is_dropped_and_counted(store, source):
    spelled = "select b.city from branch as b where b.name = '[branch.name]'"
    stored = [SqlTemplate(id=canonical_id(MANAGER, "sqlite"), sql=MANAGER)]
    with LlmServer(sql_script({"branch": [[CITY, spelled, MANAGER]]})) as server:
        proposed = generate(store, source, server, [("branch",)], per_set=5, stored=stored)
        assert len(server.bodies) == 1
    assert [template.sql for template in proposed.templates] == [CITY]
    [delivery] = proposed.deliveries
    assert (delivery.delivered, delivery.duplicates, delivery.missing) == (
        1,
        2,
        "2 repeated another one; the model proposed no more",
    )


def test_the_same_request_again_costs_nothing_and_gives_the_same(store, source):
    script = {"branch": [[CITY, UNKNOWN], [MANAGER]], "account": [[FEE]]}
    with LlmServer(sql_script(script), latency=0.02) as server:
        first = generate(store, source, server, per_set=2)
        asked = len(server.bodies) + len(server.probes)
        again = generate(store, source, server, per_set=2)
        assert len(server.bodies) + len(server.probes) == asked
        # With the first ones stored all are repetitions, and still nothing is sent.
        third = generate(store, source, server, per_set=2, stored=first.templates)
        assert len(server.bodies) + len(server.probes) == asked
    assert again.templates == first.templates
    assert third.templates == ()
    assert sum(delivery.duplicates for delivery in third.deliveries) == 3
    assert all(delivery.cached == delivery.calls for delivery in third.deliveries)


@pytest.mark.slow
def test_the_result_does_not_depend_on_how_many_calls_are_in_flight(tmp_path, source):
    script = {"account": [[FEE, UNKNOWN], [FEE]], "branch": [[CITY]], "account, branch": [[CITY_OF_ACCOUNT]]}
    found = []
    for at_once in (1, 8):
        with LlmServer(sql_script(script), latency=0.02) as server:
            folder = tmp_path / f"store_{at_once}"
            folder.mkdir()
            with Store.open(blank_url(folder)) as store:
                project = create_project(store, "Bank", "local")
                with store.write("local", "endpoint.save", project_id=project.id) as connection:
                    endpoints.put(
                        connection,
                        Endpoint(
                            id="e",
                            project_id=project.id,
                            name="Scripted",
                            base_url=server.base_url,
                            concurrency=at_once,
                        ),
                    )
                chat = open_chat(store, project.id, server.spec())
                proposed = generate_sql_templates_by_llm(
                    chat, load_prompt(PROMPT), source, table_sets(source.schema), per_set=2
                )
            assert server.most_at_once <= at_once
        found.append(proposed)
    assert found[0] == found[1]


def test_a_flood_of_proposals_is_neither_run_nor_sent_back(store, source):
    flood = [f"SELECT street{number} FROM branch WHERE name = '[branch.name]'" for number in range(500)]
    with LlmServer(sql_script({"branch": [["SELECT " + "x" * 9_000, *flood], [CITY]]})) as server:
        proposed = generate(store, source, server, [("branch",)], per_set=2)
        assert len(rejected(server.bodies[1])) == 4
        assert len(user(server.bodies[1])) < 4_000
    [delivery] = proposed.deliveries
    assert [item.check for item in delivery.rejected] == ["length", "names", "names", "names"]
    assert (delivery.delivered, delivery.surplus) == (1, 497)


def test_a_set_whose_call_fails_says_why_and_the_others_go_on(store, source):
    def script(body):
        if part(body, "tables") == "account":
            return Fault(status=400)
        return json.dumps({"templates": [CITY, MANAGER, FEE, CITY, MANAGER]})

    with LlmServer(script) as server:
        proposed = generate(store, source, server, [("account",), ("branch",)], per_set=2)
    failed, fine = proposed.deliveries
    assert (failed.delivered, fine.delivered, fine.surplus) == (0, 2, 3)
    assert "no usable reply" in failed.missing


def test_it_stops_between_calls_and_goes_on_from_the_ledger(store, source):
    told = []
    with LlmServer(sql_script({"branch": [[CITY]], "account": [[FEE]]})) as server:
        with pytest.raises(Stopped, match="of 3 requests"):
            generate(store, source, server, progress=lambda *step: told.append(step), should_stop=lambda: len(told) > 0)
        assert server.bodies == []
        proposed = generate(store, source, server)
        assert [template.sql for template in proposed.templates] == [FEE, CITY]


@pytest.mark.parametrize(("sets", "per_set"), [([], 5), ([("branch",)], 0), ([("branch",)], 51)])
def test_what_cannot_be_asked_for_is_refused(store, source, sets, per_set):
    with LlmServer() as server:
        chat = open_chat(store, "", server.spec())
        with pytest.raises(InvalidInput):
            generate_sql_templates_by_llm(chat, load_prompt(PROMPT), source, sets, per_set=per_set)


@pytest.mark.slow
def test_a_real_schema_is_asked_about_without_a_value(store):
    file = next(shared("chinook").glob("*.sqlite"))
    with DatabaseSource.connect(f"sqlite:///{file}") as source:
        script = {
            "Album, Artist": [
                [
                    "SELECT Artist.Name FROM Album JOIN Artist ON Album.ArtistId = Artist.ArtistId "
                    "WHERE Album.Title = '[Album.Title]'"
                ]
            ]
        }
        with LlmServer(sql_script(script)) as server:
            proposed = generate(store, source, server, table_sets(source.schema, sizes=[1, 2, 3]))
            wire = on_the_wire(server)
    assert [template.tables for template in proposed.templates] == [("Album", "Artist")]
    assert "Album.AlbumId" in proposed.templates[0].sql_with_ids
    # A word of a schema or a prompt may be a value too ("Name", "Music"); longer values cannot be there by chance.
    long = [value for value in values_of(file) if len(value) > 14]
    assert len(long) > 2_000
    assert not [value for value in long if value in wire]
