"""What else the database says of a record tells what stands on its pages: figures, names in short, rare values."""

import sqlite3
from contextlib import closing

import pytest

from core.diagnosis.computed.rows import DatabaseRows
from core.diagnosis.service.facts.search import FactSearch
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase
from tests.support.databases.working_databases import rows_behind

KILNS = (
    ("Old Bottle", "2011-03-09", 1180, 1),
    ("Anders Kiln", "2014-06-21", 960, 1),
    ("Moor Kiln", "2016-10-02", 1250, 2),
    ("Harbour Oven", "2019-01-15", 1040, 2),
)


@pytest.fixture
def pottery(tmp_path):
    path = tmp_path / "pottery.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE yard (id INTEGER PRIMARY KEY, name TEXT UNIQUE, rent INTEGER)")
        db.execute(
            "CREATE TABLE kiln (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, lit DATE, degrees INTEGER, "
            "yard_id INTEGER REFERENCES yard (id))"
        )
        db.executemany("INSERT INTO yard VALUES (?, ?, ?)", [(1, "North Yard", 4300), (2, "South Yard", 5125)])
        db.executemany("INSERT INTO kiln (name, lit, degrees, yard_id) VALUES (?, ?, ?, ?)", KILNS)
        db.commit()
    return f"sqlite:///{path}"


def case(column, name, answer):
    return TestCase(
        case_id="c",
        question=f"What is the {column} of the kiln '{name}'?",
        reference_answers=(answer,),
        group_id="g",
        sql=f'SELECT "{column}" FROM "kiln" WHERE "name" = :p0',
        sql_params={"p0": name},
        sql_template_id=column,
        attributes={"asks_for": f"kiln.{column}"},
    )


def evidence(address, asked, **pages):
    documents = [Document(id=f"{name}.md", title="", text=text) for name, text in pages.items()]
    with rows_behind(address) as behind:
        return FactSearch(documents, {}, [asked], behind).find([asked]).evidence


def test_what_the_database_says_besides_stands_around_a_look_up(pottery):
    with rows_behind(pottery) as behind:
        around = behind.around(case("degrees", "Moor Kiln", "1250"))
        assert around is not None
        assert {"Moor Kiln", "2016-10-02", "South Yard", "5125"} <= set(around)
        assert "1250" not in around
        assert "1180" not in around
    assert DatabaseRows(None).around(case("degrees", "Moor Kiln", "1250")) is None


def test_a_figure_that_is_another_column_leaves_the_fact_missing(pottery):
    letter = "The Moor Kiln was first lit on 2 October 2016. The rent of the South Yard is 5,125."
    assert evidence(pottery, case("degrees", "Moor Kiln", "1250"), letter=letter) is FactEvidence.ABSENT


def test_a_figure_that_nothing_explains_leaves_it_undecided(pottery):
    letter = "The Moor Kiln was first lit on 2 October 2016. It will stand 1,300 or so."
    assert evidence(pottery, case("degrees", "Moor Kiln", "1250"), letter=letter) is FactEvidence.UNDECIDED


def test_a_rare_value_that_is_nothing_else_is_stated_in_any_words(pottery):
    told = "Moor Kiln. We had the mayor put the first match to it on 2 October 2016."
    assert evidence(pottery, case("lit", "Moor Kiln", "2016-10-02"), letter=told) is FactEvidence.PRESENT
    with closing(sqlite3.connect(pottery.removeprefix("sqlite:///"))) as db:
        db.execute("ALTER TABLE kiln ADD COLUMN insured DATE")
        db.execute("UPDATE kiln SET insured = '2016-10-02' WHERE name = 'Moor Kiln'")
        db.commit()
    # The day of another column may be meant.
    assert evidence(pottery, case("lit", "Moor Kiln", "2016-10-02"), letter=told) is FactEvidence.UNDECIDED


def test_a_name_in_short_is_the_record_where_no_other_has_the_word(pottery):
    note = "Note on Anders. The lit of Anders was 21 June 2014."
    assert evidence(pottery, case("lit", "Anders Kiln", "2014-06-21"), note=note) is FactEvidence.PRESENT
    # Another value beside a name in short is no contradiction: the name may be somebody else's.
    other = "Note on Anders. The lit of Anders was 3 May 2013."
    assert evidence(pottery, case("lit", "Anders Kiln", "2014-06-21"), note=other) is FactEvidence.UNDECIDED


def test_a_word_that_documents_write_small_is_no_name(pottery):
    note = "The old harbour is full of harbour boats. The lit of Harbour street lamps was 15 January 2019."
    assert evidence(pottery, case("lit", "Harbour Oven", "2019-01-15"), note=note) is FactEvidence.ABSENT
