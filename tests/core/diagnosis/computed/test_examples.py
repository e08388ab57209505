"""Further facts of a look-up, read from the database, show how documents word what one question asks for."""

import sqlite3
from contextlib import closing

import pytest

from core.diagnosis.computed.examples import example_statement
from core.diagnosis.computed.rows import DatabaseRows
from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.sources.projects import Source, SourceKind
from core.domain.testset.cases import TestCase
from core.sources.database import DatabaseSource

FERRIES = [
    (1, "Marigold", 412, "07:45", "SVC"),
    (2, "Osprey", 96, "09:10", "LAY"),
    (3, "Tern", 230, "12:30", "SVC"),
    (4, "Plover", 155, "15:05", "LAY"),
    (5, "Curlew", 318, "17:20", "SVC"),
    (6, "Dunlin", 77, "18:50", "LAY"),
    *((place, f"Barge {place}", 40 + place, f"{place}:15", ("SVC", "LAY")[place % 2]) for place in range(10, 24)),
]
WORDS = {"SVC": "running", "LAY": "laid up"}


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "ferries.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(
            "CREATE TABLE ferry (id INTEGER PRIMARY KEY, name TEXT UNIQUE, seats INT, sails TEXT, state_cd TEXT)"
        )
        db.executemany("INSERT INTO ferry VALUES (?, ?, ?, ?, ?)", FERRIES)
        db.commit()
    return f"sqlite:///{path}"


def page(name, seats, sails, state):
    text = f"{name} takes {seats} on deck and below. It casts off at {sails}. These days the boat is {WORDS[state]}."
    return Document(id=name, title=f"The boat {name}", text=text)


def case(column, answer, asked):
    return TestCase(
        case_id=column,
        question=f"What is the {asked} of ferry 'Plover'?",
        reference_answers=(answer,),
        group_id=column,
        sql=f'SELECT "{column}" FROM "ferry" WHERE "name" = :p0',
        sql_params={"p0": "Plover"},
        gold_document_ids=("ferry:4",),
        tables=("ferry",),
        sql_template_id=column,
        attributes={"asks_for": f"ferry.{column}"},
    )


def evidence(asked, plover, address=""):
    """What the documents say where the page of one boat is another one."""
    documents = [page(*row[1:]) for row in FERRIES if row[1] != "Plover"]
    documents += [page(*plover)] if plover else []
    schema = None
    if address:
        with DatabaseSource.connect(address) as opened:
            schema = opened.schema
    kind = SourceKind.DATABASE
    source = Source(id="db", project_id="p", kind=kind, name="db", location=address, schema=schema)
    with DatabaseRows(source if address else None) as behind:
        return FactSearch(documents, {}, [asked], behind).find([asked]).evidence


SEATS = case("seats", "155", "seats")
SAILS = case("sails", "15:05", "sailing hour")
STATE = case("state_cd", "LAY", "state code")


@pytest.mark.parametrize(
    ("asked", "plover", "expected"),
    [
        (SEATS, ("Plover", 155, "15:05", "LAY"), FactEvidence.PRESENT),
        (SEATS, ("Plover", 140, "15:05", "LAY"), FactEvidence.CONTRADICTED),
        (SEATS, None, FactEvidence.ABSENT),
        (SAILS, ("Plover", 155, "15:05", "LAY"), FactEvidence.PRESENT),
        (SAILS, ("Plover", 155, "16:05", "LAY"), FactEvidence.CONTRADICTED),
        (STATE, ("Plover", 155, "15:05", "LAY"), FactEvidence.PRESENT),
        (STATE, ("Plover", 155, "15:05", "SVC"), FactEvidence.CONTRADICTED),
    ],
)
def test_one_question_is_enough_where_the_database_has_more_records(database, asked, plover, expected):
    assert evidence(asked, plover, database) is expected


def test_a_code_that_few_records_show_in_words_is_undecided(database):
    with closing(sqlite3.connect(database.removeprefix("sqlite:///"))) as db:
        db.execute("DELETE FROM ferry WHERE id > 5")
        db.commit()
    assert evidence(STATE, ("Plover", 155, "15:05", "LAY"), database) is FactEvidence.UNDECIDED


def test_without_a_database_nothing_contradicts():
    assert evidence(SEATS, ("Plover", 140, "15:05", "LAY")) is FactEvidence.ABSENT


@pytest.mark.parametrize(
    ("sql", "selected"),
    [
        ('SELECT "seats" FROM "ferry" WHERE "name" = :p0', '"name", "seats", "ferry"."id"'),
        ('SELECT "seats" FROM "ferry" WHERE "name" = :p0 LIMIT 1', None),
        ('SELECT COUNT(*) FROM "ferry" WHERE "seats" > :p0', None),
        ('SELECT "name" FROM "ferry" WHERE "seats" = (SELECT MAX("seats") FROM "ferry")', None),
    ],
)
def test_only_a_plain_look_up_has_examples(database, sql, selected):
    with DatabaseSource.connect(database) as opened:
        statement = example_statement(sql, ("ferry",), opened.schema)
    assert (None if statement is None else statement.safe.sql.split(" FROM ")[0].removeprefix("SELECT ")) == selected
