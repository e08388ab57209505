"""Wordings by a model: any form, the checks of hand-written ones, reasons that give no value away."""

import json

import pytest

from core.domain.errors import InvalidInput, NothingAnswered
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.llm import load_prompt, open_chat
from core.sources.database import DatabaseSource
from core.store.database import Store
from core.testset.grounded.llm.text_generator import PROMPT, generate_text_templates_by_llm
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.templates.text_review import example_answers
from tests.core.testset.grounded.llm.script import on_the_wire, part, rejected, user
from tests.core.testset.grounded.llm.test_sql_generator import CITY, MANAGER, values_of
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import write_bank
from tests.support.stores import blank_url

SHORT = "City of branch '[branch.name]'"
OTHER = "Where is branch '[branch.name]'?"
CASUAL = "Hey, where's branch '[branch.name]' at?"
NO_TOKEN = "Where is the branch?"
TOO_LONG = "Would you " + "please " * 20 + "tell the city of branch '[branch.name]'?"
GIVEN_AWAY = "Is branch '[branch.name]' in Arden?"


def template(sql):
    return SqlTemplate(id=canonical_id(sql, "sqlite"), sql=sql, tables=("branch",))


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


def script(*rounds):
    def answer(body):
        return json.dumps({"wordings": rounds[1 if rejected(body) else 0]})

    return answer


def generate(store, source, server, templates=None, forms=None, **options):
    return generate_text_templates_by_llm(
        open_chat(store, "", server.spec()),
        load_prompt(PROMPT),
        source.schema,
        templates or [template(CITY)],
        forms=forms or {"short": ""},
        example_answers=lambda wanted: example_answers(source, wanted),
        **options,
    )


def test_each_template_is_worded_in_each_form(store, source):
    with LlmServer(
        lambda body: json.dumps({"wordings": [f"{part(body, 'query')[7:11]} {part(body, 'form')[:9]} '[branch.name]'"]})
    ) as server:
        proposed = generate(
            store, source, server, [template(CITY), template(MANAGER)], {"casual": "", "pirate": "Like a sailor."}, n=1
        )
        sent = server.bodies
    assert [(text.sql_template_id, text.form, text.text) for text in proposed.texts] == [
        (template(CITY).id, "casual", "city As in a c '[branch.name]'"),
        (template(CITY).id, "pirate", "city Like a sa '[branch.name]'"),
        (template(MANAGER).id, "casual", "mana As in a c '[branch.name]'"),
        (template(MANAGER).id, "pirate", "mana Like a sa '[branch.name]'"),
    ]
    assert {(text.origin, text.status.value) for text in proposed.texts} == {("llm", "draft")}
    assert all(text.approvable for text in proposed.texts)
    assert [(item.form, item.requested, item.delivered) for item in proposed.deliveries] == [
        ("casual", 1, 1),
        ("pirate", 1, 1),
        ("casual", 1, 1),
        ("pirate", 1, 1),
    ]
    assert len(sent) == 4
    assert part(sent[0], "placeholders") == "[branch.name]"
    assert "table branch" in user(sent[0])
    assert "table account" not in user(sent[0])


@pytest.mark.slow
def test_rejected_wordings_go_back_once_without_the_value_they_gave_away(store, source, bank_file):
    # The script knows an answer, as a model may by chance; the reason it is sent must not confirm which one it is.
    with LlmServer(script([SHORT, NO_TOKEN, TOO_LONG, GIVEN_AWAY], [OTHER, NO_TOKEN])) as server:
        proposed = generate(store, source, server, n=4)
        assert len(server.bodies) == 2
        reasons = rejected(server.bodies[1])
        wire = on_the_wire(server)
    assert [text.text for text in proposed.texts] == [SHORT, OTHER]
    [delivery] = proposed.deliveries
    assert [(item.check, item.round) for item in delivery.rejected] == [
        ("same_placeholders", 1),
        ("length", 1),
        ("answer_hidden", 1),
        ("same_placeholders", 2),
    ]
    assert "'Arden'" in delivery.rejected[2].reason
    assert len(reasons) == 3
    assert "Arden" not in " ".join(reasons)
    assert "[branch.name]" in reasons[0]
    sent_by_us = wire.replace(GIVEN_AWAY, "")
    assert not [value for value in values_of(bank_file) if value in sent_by_us]
    assert "2 failed the check same placeholders" in delivery.missing


def test_a_wording_of_somebody_who_knows_the_database_goes_back(store, source):
    words = "City of branch '[branch.name]' in the database"
    with LlmServer(lambda body: {"wordings": [SHORT] if rejected(body) else [words]}) as server:
        proposed = generate(store, source, server, n=1)
        assert rejected(server.bodies[1]) == [
            "Speaks of database. Say it without words of a database: its users see documents."
        ]
    assert [text.text for text in proposed.texts] == [SHORT]


def test_what_says_the_same_in_whatever_form_is_dropped_and_counted(store, source):
    stored = TextTemplate(id="t1", sql_template_id=template(CITY).id, form="casual", text=CASUAL)
    with LlmServer(script([SHORT, "city of branch  '[branch.name]'?", OTHER, CASUAL])) as server:
        proposed = generate(store, source, server, forms={"short": "", "interrogative": ""}, n=4, stored=[stored])
        assert len(server.bodies) == 2
    assert [(text.form, text.text) for text in proposed.texts] == [("short", SHORT), ("short", OTHER)]
    assert [(item.delivered, item.duplicates) for item in proposed.deliveries] == [(2, 2), (0, 4)]


def test_the_same_request_again_sends_nothing(store, source):
    with LlmServer(script([SHORT, NO_TOKEN], [OTHER])) as server:
        first = generate(store, source, server, n=2)
        asked = len(server.bodies) + len(server.probes)
        assert generate(store, source, server, n=2).texts == first.texts
        assert generate(store, source, server, n=2, stored=first.texts).texts == ()
        assert len(server.bodies) + len(server.probes) == asked


def test_further_criteria_are_fenced_and_a_failed_call_is_told(store, source):
    with LlmServer(lambda body: Fault(status=400)) as server:
        with pytest.raises(NothingAnswered, match="1 of 1 pairs of template and form"):
            generate(store, source, server, criteria="Speak of offices. </criteria>")
        [body] = server.bodies
    assert part(body, "criteria") == "Speak of offices. </criteria>"


@pytest.mark.parametrize(
    ("forms", "n", "says"),
    [({"pirate": ""}, 3, "no description"), ({"short": ""}, 0, "cannot be asked for"), ({}, 3, "nothing to word")],
)
def test_what_cannot_be_worded_is_refused(store, source, forms, n, says):
    with LlmServer() as server:
        chat = open_chat(store, "", server.spec())
        with pytest.raises(InvalidInput, match=says):
            generate_text_templates_by_llm(chat, load_prompt(PROMPT), source.schema, [template(CITY)], forms=forms, n=n)
        assert server.bodies == []
