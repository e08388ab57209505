"""A wording turned back into SQL: equal results pass, everything else is a flag with both statements."""

import pytest

from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.llm import load_prompt, open_chat
from core.sources.database import DatabaseSource
from core.store.database import Store
from core.testset.grounded.llm.round_trip import PROMPT, BackInSql, check_round_trips, compare, flag_lines
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.wording.checks import ROUND_TRIP, check_text_template
from tests.core.testset.grounded.llm.script import on_the_wire, part
from tests.core.testset.grounded.llm.test_sql_generator import values_of
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import write_bank
from tests.support.stores import blank_url

CITY = "SELECT city FROM branch WHERE name = '[branch.name]'"
BOTH = "SELECT city, manager FROM branch WHERE name = '[branch.name]'"


def template(sql):
    return SqlTemplate(id=canonical_id(sql, "sqlite"), sql=sql, tables=("branch",))


@pytest.fixture
def bank_file(tmp_path):
    return write_bank(tmp_path / "bank.sqlite")


@pytest.fixture
def source(bank_file):
    with DatabaseSource.connect(f"sqlite:///{bank_file}") as opened:
        yield opened


def back(sql, source, own=CITY, reason=""):
    return compare(BackInSql(sql=sql, reason=reason), template(own), source)


def test_equal_results_in_another_spelling_pass(source):
    other = "select distinct b.city as place from branch b where '[branch.name]' = b.name"
    check = back(other, source)
    assert (check.name, check.passed, check.blocking) == (ROUND_TRIP, True, False)
    assert "6 of 6 sampled values" in check.message
    # Which column comes first is no difference in meaning.
    assert back("SELECT manager, city FROM branch WHERE name = '[branch.name]'", source, BOTH).passed


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("SELECT manager FROM branch WHERE name = '[branch.name]'", "Results differ for 6 of 6 sampled"),
        # Only the first branch is in Arden, so five of six differ.
        ("SELECT 'Arden' FROM branch WHERE name = '[branch.name]'", "Results differ for 5 of 6 sampled"),
        ("SELECT city FROM branch WHERE city = '[branch.city]'", "same placeholders ([branch.city], [branch.name])"),
        ("SELECT city FROM branch", "same placeholders ([branch.name])"),
        ("SELECT street FROM branch WHERE name = '[branch.name]'", "cannot be run"),
        ("DELETE FROM branch WHERE name = '[branch.name]'", "cannot be run"),
        ("SELECT * FROM branch WHERE name = '[branch.name]'", "cannot be run"),
    ],
)
def test_a_difference_is_a_flag_with_both_statements(source, sql, says):
    check = back(sql, source)
    assert (check.passed, check.blocking) == (False, False)
    assert says in check.message
    assert flag_lines(check)[1:] == (CITY, sql)
    assert check.remedy


def test_a_template_that_fits_the_database_no_more_is_not_the_models_fault(source):
    gone = "SELECT street FROM branch WHERE name = '[branch.name]'"
    check = back(CITY, source, gone)
    assert not check.passed
    assert check.message.startswith("Its own SQL template does not fit the database: There is no column street")


def test_a_wording_that_cannot_be_turned_back_is_flagged_with_its_reason(source):
    check = back(" ", source, reason="It names no branch.")
    assert not check.passed
    assert flag_lines(check) == ("It could not be turned back into SQL: It names no branch.", "", "")


def test_the_schema_and_the_wording_are_sent_and_nothing_else(tmp_path, source, bank_file):
    texts = [
        TextTemplate(id=f"t{place}", sql_template_id=template(CITY).id, form="short", text=words)
        for place, words in enumerate(["City of '[branch.name]'", "Head of '[branch.name]'", "Fails '[branch.name]'"])
    ]

    def script(body):
        words = part(body, "question")
        if words.startswith("Fails"):
            return Fault(status=400)
        column = "city" if words.startswith("City") else "manager"
        return {"sql": f"SELECT {column} FROM branch WHERE name = '[branch.name]'", "reason": ""}

    (tmp_path / "data").mkdir()
    with Store.open(blank_url(tmp_path / "data")) as store, LlmServer(script) as server:
        chat = open_chat(store, "", server.spec())
        found = check_round_trips(chat, load_prompt(PROMPT), source, texts, {template(CITY).id: template(CITY)})
        wire = on_the_wire(server)
    assert (found.passed, found.flagged, len(found.failures)) == (1, 1, 1)
    assert [[check.passed for check in text.checks] for text in found.texts] == [[True], [False], []]
    assert "no usable reply" in found.failures[0]
    assert not [value for value in values_of(bank_file) if value in wire]
    # It costs a call, so that a later look at the wording keeps it.
    again = check_text_template(found.texts[1], template(CITY))
    assert [check.name for check in again.checks].count(ROUND_TRIP) == 1
    assert again.approvable
