"""What rows are called where the key is a number or a code, and how questions about them read."""

import pytest

from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.wordings import word_template
from core.testset.grounded.entities import best_label
from tests.support.databases.sqlite_files import sqlite_schema

LIBRARY = """
CREATE TABLE tblBook (ISBN TEXT PRIMARY KEY, Title TEXT, PublisherName TEXT, YearPublished INTEGER, Fines_Owed REAL);
CREATE TABLE tblBranch (BranchID INTEGER PRIMARY KEY, BranchTitle TEXT NOT NULL, ClosesAt TEXT);
CREATE TABLE tblCopy (CopyID INTEGER PRIMARY KEY, ISBN TEXT REFERENCES tblBook, BranchID INTEGER REFERENCES tblBranch,
                      AcquiredOn DATE, Condition TEXT);
CREATE TABLE tblMember (MemberID INTEGER PRIMARY KEY, Forename TEXT, Surname TEXT);
CREATE TABLE tblLoan (LoanID INTEGER PRIMARY KEY, MemberID INTEGER REFERENCES tblMember, LoanDate DATE);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO tblBook SELECT '978-1-' || (4000 + i), 'The ' || char(64 + i) || ' Road', 'House ' || (i % 3), 1990 + i,
       i * 1.5 FROM n;
INSERT INTO tblBranch VALUES (1, 'Central Library', '17:00'), (2, 'Quayside Library', '19:30');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO tblCopy SELECT i, '978-1-' || (4001 + i % 12), 1 + i % 2, date('2020-01-01', (i * 9) || ' days'),
       CASE i % 3 WHEN 0 THEN 'worn' ELSE 'good' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO tblMember SELECT i, 'Ann' || char(96 + i), 'Bray' || char(96 + i) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO tblLoan SELECT i, 1 + i % 12, date('2025-01-01', (i * 3) || ' days') FROM n;
"""
FLEET = """
CREATE TABLE vehicle_type (code TEXT PRIMARY KEY, descr TEXT NOT NULL, max_load_kg INTEGER);
CREATE TABLE vehicle (veh_no INTEGER PRIMARY KEY, plate TEXT UNIQUE NOT NULL, keeper_email TEXT UNIQUE,
                      type_code TEXT REFERENCES vehicle_type, purchased DATE);
CREATE TABLE invoice (invoice_no INTEGER PRIMARY KEY, contact_email TEXT UNIQUE NOT NULL, amount REAL);
CREATE TABLE service (id INTEGER PRIMARY KEY, veh_no INTEGER REFERENCES vehicle, done_on DATE, workshop TEXT);
INSERT INTO vehicle_type VALUES ('VAN', 'Delivery van', 1200), ('TRK', 'Heavy truck', 18000), ('CAR', 'Pool car', 400);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO vehicle SELECT i, 'ABC-' || (100 + i * 7), 'k' || i || '@x.example',
       CASE i % 3 WHEN 0 THEN 'VAN' WHEN 1 THEN 'TRK' ELSE 'CAR' END, date('2020-01-01', (i * 11) || ' days') FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO invoice SELECT 5000 + i, 'c' || i || '@y.example', i * 3.5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO service SELECT i, 1 + i % 30, date('2024-01-01', (i * 5) || ' days'), 'Workshop ' || (i % 4) FROM n;
"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    return sqlite_schema(tmp_path_factory.mktemp("fleet") / "fleet.sqlite", FLEET)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return sqlite_schema(tmp_path_factory.mktemp("library") / "library.sqlite", LIBRARY)


def asked(schema):
    """Every question about a schema."""
    templates = propose_templates(schema, limit=200)
    return [text.text for template in templates for text in word_template(template, schema, form="interrogative", n=4)]


@pytest.fixture(scope="module")
def questions(schema):
    return asked(schema)


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        ("vehicle", ("plate",)),  # a unique text comes before a running number
        ("invoice", ("invoice_no",)),  # and a number before somebody's address
        ("vehicle_type", ("descr",)),  # people say "delivery van", and VAN only in a form
    ],
)
def test_a_row_is_called_as_people_call_it(schema, table, columns):
    assert best_label(schema.table(table)).columns == columns


def test_a_bare_participle_is_a_date(questions):
    assert "What is the purchase date of the vehicle with plate '[vehicle.plate]'?" in questions
    assert "When was the vehicle with plate '[vehicle.plate]' purchased?" in questions
    assert not [text for text in questions if "the purchased" in text or "later purchased" in text]


def test_a_tables_name_cut_short_is_the_tables_name(questions):
    assert "How many services does the vehicle '[vehicle.plate]' have?" in questions
    assert not [text for text in questions if "veh " in text]


def test_an_event_is_called_by_what_was_done(questions):
    about = "of the service done on '[service.done_on]' of the vehicle with plate '[vehicle.plate]'"
    assert f"What is the workshop {about}?" in questions


def test_nothing_asks_for_the_row_it_names_or_says_one_thing_of_two_answers(schema):
    templates = propose_templates(schema, limit=200)
    assert not [template.sql for template in templates if "SELECT service.veh_no" in template.sql]
    first = [word_template(template, schema, form="interrogative", n=1)[0].text for template in templates]
    assert len(first) == len(set(first))


@pytest.mark.parametrize(
    "question",
    [
        "What is the publisher of the book '[tblBook.Title]'?",  # a title that every book has comes before its ISBN
        "What is the year of publication of the book '[tblBook.Title]'?",
        "What are the fines owed of the book '[tblBook.Title]'?",
        "How many copies does the book '[tblBook.Title]' have?",  # and not "the ISBN"
        "What is the condition of the copy acquired on '[tblCopy.AcquiredOn]' of the book '[tblBook.Title]'?",
        "What is the closing time of the branch '[tblBranch.BranchTitle]'?",
        "When was the latest loan of the member '[tblMember.Forename] [tblMember.Surname]'?",
    ],
)
def test_questions_about_a_library_read_as_people_ask(library, question):
    assert question in asked(library)
