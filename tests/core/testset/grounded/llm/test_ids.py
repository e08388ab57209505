"""Document ids of a proposed statement are appended by us, where its tables have keys that name a document."""

import sqlite3
from contextlib import closing

import pytest

from core.domain.testset.templates import SqlTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded.llm.ids import with_document_ids
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.sql.generator import generate_sql_templates
from tests.support.shared_data import shared


@pytest.fixture
def source(tmp_path):
    """Staff who have a manager among them, who work on orders, and hours that only both name."""
    file = tmp_path / "staff.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            """
            CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT,
                manager_id INTEGER REFERENCES staff(staff_id));
            CREATE TABLE "order" ("order id" INTEGER PRIMARY KEY, title TEXT NOT NULL, budget REAL);
            CREATE TABLE hours (staff_id INTEGER REFERENCES staff(staff_id),
                "order id" INTEGER REFERENCES "order"("order id"), worked REAL, PRIMARY KEY (staff_id, "order id"));
            INSERT INTO staff VALUES (1, 'Ann Lee', 'Oslo', NULL), (2, 'Tom Birch', 'Bergen', 1);
            INSERT INTO "order" VALUES (1, 'North quay', 5.5), (2, 'South quay', 7.5);
            INSERT INTO hours VALUES (1, 1, 3.0), (2, 2, 4.0);
            """
        )
        connection.commit()
    with DatabaseSource.connect(f"sqlite:///{file}") as opened:
        yield opened


HOURS = (
    'SELECT h.worked FROM hours h JOIN staff s ON h.staff_id = s.staff_id JOIN "order" o ON h."order id" = '
    "o.\"order id\" WHERE o.title = '[order.title]' AND s.name = '[staff.name]'"
)
MANAGER = "SELECT {} FROM staff JOIN staff AS m ON staff.manager_id = m.staff_id WHERE staff.name = '[staff.name]'"


@pytest.mark.parametrize(
    ("sql", "selected"),
    [
        ("SELECT town FROM staff WHERE name = '[staff.name]'", "town, staff_id"),
        ("SELECT DISTINCT town FROM staff AS s WHERE s.name = '[staff.name]'", "DISTINCT town, staff_id"),
        ("SELECT budget FROM \"order\" WHERE title = '[order.title]'", 'budget, "order id"'),
        # Who the manager is stands on the page of the one who is managed; where the manager lives, on both.
        (MANAGER.format("m.name"), "m.name, staff.staff_id"),
        (MANAGER.format("m.town"), "m.town, staff.staff_id, m.staff_id"),
        # The tying table has a key of two columns, which names no document.
        (HOURS, 'h.worked, s.staff_id, o."order id"'),
    ],
)
def test_keys_of_the_records_that_hold_the_fact_are_appended(source, sql, selected):
    made = with_document_ids(sql, bind(sql, source.schema), source.schema)
    assert made.removeprefix("SELECT ").partition(" FROM ")[0] == selected
    checked = check_sql_template(SqlTemplate(id="", sql=sql, sql_with_ids=made), source).template
    assert next(check for check in checked.checks if check.name == "document_ids").passed
    assert checked.approvable


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT worked FROM hours WHERE staff_id = '[hours.staff_id]'",
        "SELECT MAX(worked) FROM hours JOIN staff ON hours.staff_id = staff.staff_id WHERE name = '[staff.name]'",
        "SELECT town FROM staff WHERE name = '[staff.name]' LIMIT 1",
        "SELECT town FROM staff WHERE name = '[staff.name]' UNION SELECT town FROM staff WHERE name = '[staff.name]'",
        "SELECT town FROM staff WHERE name < '[staff.name]'",
        "SELECT t.town FROM (SELECT town, name FROM staff) AS t WHERE t.name = '[staff.name]'",
    ],
)
def test_where_no_key_can_be_told_there_is_no_statement(source, sql):
    assert with_document_ids(sql, bind(sql, source.schema), source.schema) == ""


def test_the_ids_of_templates_from_a_real_schema_are_those_of_the_rules():
    """What the rules write for their own templates is what is appended here, in whatever order."""
    with DatabaseSource.connect(f"sqlite:///{next(shared('chinook').glob('*.sqlite'))}") as source:
        templates = generate_sql_templates(source.schema, limit=60)
        same = sum(
            _ids(template.sql_with_ids)
            == _ids(with_document_ids(template.sql, bind(template.sql, source.schema), source.schema))
            for template in templates
        )
    assert len(templates) > 30
    assert same == len(templates)


def _ids(sql):
    return set(sql.removeprefix("SELECT ").partition(" FROM ")[0].replace('"', "").split(", "))
