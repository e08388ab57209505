"""Columns of years, dates written in several ways, yes-or-no columns of what was done, and ids of whoever did it."""

import pytest

from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.wordings import word_template
from tests.support.databases.sqlite_files import sqlite_schema

YARD = """
CREATE TABLE garden (name TEXT PRIMARY KEY, built INTEGER, laid_out INTEGER, last_contact TEXT, fence_made TEXT,
    opened TEXT, viewed_by INTEGER, insured_cents INTEGER, ticket_cents INTEGER,
    gate_cnt INTEGER, first_painted TEXT, playwright TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO garden SELECT 'Garden ' || char(64 + i), 1890 + i, 1950 + i,
    CASE i % 3 WHEN 0 THEN 'spring ' || (2000 + i) WHEN 1 THEN (2000 + i)
        ELSE '0' || (1 + i % 9) || '/' || (2000 + i) END,
    CASE i % 2 WHEN 0 THEN 'Y' ELSE 'N' END,
    CASE i % 2 WHEN 0 THEN (1990 + i) || '-05-0' || (1 + i % 9) ELSE '0' || (1 + i % 9) || '/05/' || (1990 + i) END,
    100 + i % 5, i * 12345, i * 250,
    i % 5 + 1, (1990 + i) || '-06-1' || (i % 9), 'Ann ' || char(64 + i) FROM n;
"""
GARDEN = "the garden '[garden.name]'"


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    return sqlite_schema(tmp_path_factory.mktemp("yard") / "yard.sqlite", YARD)


@pytest.fixture(scope="module")
def questions(schema):
    templates = propose_templates(schema, limit=200)
    return {text.text for one in templates for text in word_template(one, schema, form="interrogative", n=4)}


@pytest.mark.parametrize(
    "question",
    [
        f"In which year was {GARDEN} built?",
        f"In which year was {GARDEN} laid out?",
        f"What is the last contact date of {GARDEN}?",
        f"When did {GARDEN} open?",
        f"What is the insured amount of {GARDEN}?",
        f"How high is the ticket price of {GARDEN}?",
        f"How many gates does {GARDEN} have?",
        f"When was {GARDEN} first painted?",
        f"Who is the playwright of {GARDEN}?",
    ],
)
def test_what_happened_is_asked_as_people_do(questions, question):
    assert question in questions, sorted(questions)


def test_who_did_it_is_not_asked_where_only_a_number_is_known(questions):
    assert not any("viewed" in question for question in questions)


def test_dates_written_in_several_ways_are_dates_that_nothing_is_sorted_by(schema):
    columns = {column.name: column for column in schema.table("garden").columns}
    assert columns["last_contact"].temporal
    assert columns["last_contact"].unordered
    assert columns["opened"].temporal
    assert columns["opened"].unordered
    assert columns["built"].years
    assert not columns["built"].temporal
    templates = propose_templates(schema, limit=200)
    assert not [
        one.sql for one in templates if "MAX(" in one.sql and ("opened" in one.sql or "last_contact" in one.sql)
    ]
