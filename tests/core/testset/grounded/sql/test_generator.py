import json

import pytest

from core.sources.database import DatabaseSource
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.sql.generator import generate_sql_templates
from tests.support.databases.sqlite_files import sqlite_file, sqlite_schema
from tests.support.shared_data import shared

SHOP = """
CREATE TABLE Region (RegionId INTEGER PRIMARY KEY, Name TEXT UNIQUE, Country TEXT);
CREATE TABLE Branch (BranchId INTEGER PRIMARY KEY, Name TEXT UNIQUE, City TEXT, Fax TEXT, RegionId INTEGER REFERENCES Region);
CREATE TABLE Person (PersonId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Title TEXT, BranchId INTEGER REFERENCES Branch,
                     Boss INTEGER REFERENCES Person);
CREATE TABLE Course (Name TEXT PRIMARY KEY, Teacher TEXT);
CREATE TABLE Account (AccountNumber TEXT PRIMARY KEY, Balance REAL, "Order" TEXT, PersonId INTEGER REFERENCES Person);
CREATE TABLE Visit (BranchId INTEGER REFERENCES Branch, Course TEXT REFERENCES Course, Grade TEXT, PRIMARY KEY (BranchId, Course));
CREATE TABLE Payment (PaymentId INTEGER PRIMARY KEY, AccountNumber TEXT REFERENCES Account, PaidDate DATE, Amount REAL);
CREATE TABLE Empty (Name TEXT PRIMARY KEY, City TEXT);
INSERT INTO Region VALUES (1, 'Nordic', 'Norway'), (2, 'Alpine', 'Austria');
INSERT INTO Branch VALUES (1, 'North', 'Oslo', '11', 1), (2, 'South', 'Graz', '12', 2);
INSERT INTO Person VALUES (1, 'Ada', 'Berg', 'Dr', 1, NULL), (2, 'Bo', 'Dahl', 'Ms', 2, 1);
INSERT INTO Course VALUES ('Safety', 'Berg'), ('Credit', 'Dahl');
INSERT INTO Account VALUES ('NO-100', 12.5, 'weekly', 1), ('NO-200', 3.0, 'monthly', 2);
INSERT INTO Visit VALUES (1, 'Safety', 'good'), (2, 'Credit', 'poor');
INSERT INTO Payment VALUES (1, 'NO-100', '2024-01-02', 9.5), (2, 'NO-200', '2024-01-02', 7.0);
"""  # noqa: E501


@pytest.fixture
def made(tmp_path):
    return {
        template.sql: template
        for template in generate_sql_templates(sqlite_schema(tmp_path / "s.sqlite", SHOP), limit=200)
    }


@pytest.mark.parametrize(
    ("sql", "ids"),
    [
        ("SELECT City FROM Branch WHERE Name = '[Branch.Name]';", "SELECT City, BranchId FROM"),
        (
            "SELECT Balance FROM Account WHERE AccountNumber = '[Account.AccountNumber]';",
            "SELECT Balance, AccountNumber FROM",
        ),
        (
            "SELECT \"Order\" FROM Account WHERE AccountNumber = '[Account.AccountNumber]';",
            'SELECT "Order", AccountNumber FROM',
        ),
        (
            "SELECT Title FROM Person WHERE FirstName = '[Person.FirstName]' AND LastName = '[Person.LastName]';",
            "SELECT Title, PersonId FROM",
        ),
        (  # that a branch belongs to a region stands in the branch's document
            "SELECT Region.Name FROM Branch JOIN Region ON Branch.RegionId = Region.RegionId"
            " WHERE Branch.Name = '[Branch.Name]';",
            "SELECT Region.Name, Branch.BranchId FROM",
        ),
        (  # in which country the region lies stands in the region's; the placeholder's own entity comes first
            "SELECT Region.Country FROM Branch JOIN Region ON Branch.RegionId = Region.RegionId"
            " WHERE Branch.Name = '[Branch.Name]';",
            "SELECT Region.Country, Branch.BranchId, Region.RegionId FROM",
        ),
        (
            "SELECT Branch.City FROM Account JOIN Person ON Account.PersonId = Person.PersonId"
            " JOIN Branch ON Person.BranchId = Branch.BranchId"
            " WHERE Account.AccountNumber = '[Account.AccountNumber]';",
            "SELECT Branch.City, Account.AccountNumber, Person.PersonId, Branch.BranchId FROM",
        ),
        (
            "SELECT Boss.FirstName, Boss.LastName FROM Person JOIN Person AS Boss ON Person.Boss = Boss.PersonId"
            " WHERE Person.FirstName = '[Person.FirstName]' AND Person.LastName = '[Person.LastName]';",
            "SELECT Boss.FirstName, Boss.LastName, Person.PersonId FROM",
        ),
        (
            "SELECT Visit.Grade FROM Visit JOIN Branch ON Visit.BranchId = Branch.BranchId"
            " WHERE Branch.Name = '[Branch.Name]' AND Visit.Course = '[Course.Name]';",
            "SELECT Visit.Grade, Branch.BranchId FROM",
        ),
        (
            "SELECT Amount FROM Payment WHERE AccountNumber = '[Account.AccountNumber]'"
            " AND PaidDate = '[Payment.PaidDate]';",
            "SELECT Amount, PaymentId FROM",
        ),
    ],
)
def test_it_asks_what_a_person_would_ask(made, sql, ids):
    assert sql in made
    assert made[sql].sql_with_ids.startswith(ids)
    assert made[sql].origin == "schema"


def test_it_never_asks_for_ids_empty_tables_or_far_contact_data(made):
    for sql in made:
        answers = sql.split(" FROM ")[0]
        assert "Id" not in answers
        assert "FROM Empty" not in sql
        assert not (" JOIN " in sql and "Fax" in answers)


@pytest.mark.slow
def test_every_template_passes_its_own_checks(tmp_path):
    with DatabaseSource.connect(sqlite_file(tmp_path / "s.sqlite", SHOP)) as source:
        for template in generate_sql_templates(source.schema, limit=200):
            review = check_sql_template(template, source)
            failed = [(check.name, check.message) for check in review.template.checks if not check.passed]
            assert review.template.approvable, (template.sql, failed)
            assert review.questions >= 1, template.sql
            assert {check.name for check in review.template.checks} >= {"document_ids", "one_answer"}


def test_tables_take_turns_and_a_longer_list_starts_with_the_shorter_one(tmp_path):
    schema = sqlite_schema(tmp_path / "s.sqlite", SHOP)
    short, long = generate_sql_templates(schema, limit=6), generate_sql_templates(schema, limit=60)
    assert [template.id for template in long[:6]] == [template.id for template in short]
    assert len({template.tables[0] for template in short}) >= 4
    assert len({template.id for template in long}) == len(long)
    assert all(template.id == canonical_id(template.sql, "sqlite") for template in long)
    assert generate_sql_templates(schema, limit=0) == []


def test_odd_names_are_quoted_and_names_no_placeholder_can_hold_are_not_asked_by(tmp_path):
    schema = sqlite_schema(
        tmp_path / "s.sqlite",
        """
        CREATE TABLE "bank branch" ("branch name" TEXT PRIMARY KEY, [opening date] TEXT, "Größe" TEXT,
            "odd ""one" TEXT);
        CREATE TABLE "o'brien" (Name TEXT PRIMARY KEY, City TEXT);
        INSERT INTO "bank branch" VALUES ('a', 'b', 'c', 'd'); INSERT INTO "o'brien" VALUES ('a', 'b');
        """,
    )
    made = [template.sql for template in generate_sql_templates(schema)]
    assert 'SELECT "opening date" FROM "bank branch" WHERE "branch name" = \'[bank branch.branch name]\';' in made
    assert not any("o'brien" in sql for sql in made)
    for sql in made:
        assert bind(sql, schema).placeholders


def test_the_recorded_aurp_templates_are_among_those_generated():
    folder = shared("grammar-aurp")
    recorded = json.loads((folder / "SQLTemplateGenerator/sql_templates.json").read_text())
    with_ids = json.loads((folder / "SQLTemplateGenerator/sql_templates_with_ids.json").read_text())
    with DatabaseSource.connect(f"sqlite:///{folder}/aurp.sqlite") as source:
        made = generate_sql_templates(source.schema)
    texts = {template.sql: template.sql_with_ids.rstrip(";") for template in made}
    for statements, id_statements in zip(recorded.values(), with_ids.values(), strict=True):
        for sql, id_sql in zip(statements, id_statements, strict=True):
            assert texts[sql] == id_sql.rstrip(";")
    # 10 recorded, Project.Location, and the joins to what a project or an employee points to
    assert [template.sql for template in made[:11] if "JOIN" in template.sql] == []


@pytest.mark.slow
def test_every_table_of_chinook_that_people_can_name_is_asked_about():
    with DatabaseSource.connect(f"sqlite:///{shared('chinook/Chinook_Sqlite.sqlite')}") as source:
        made = generate_sql_templates(source.schema)
        assert {template.tables[0] for template in made} == {"Album", "Customer", "Employee", "Invoice", "Track"}
        for template in made:
            review = check_sql_template(template, source)
            assert review.template.approvable, template.sql
            share = review.one_answer.value
            assert share is not None
            assert share > 0.9, template.sql


def test_pairs_that_must_name_several_rows_are_not_asked_by(tmp_path):
    # 40 rows over 2 x 9 = 18 pairs: every pair names several; over 40 x 9 = 360 pairs few do (40 < 0.2 * 360).
    rows = ", ".join(f"({i}, {i % 2}, {i % 9}, {i}, {i}.5)" for i in range(40))
    guests = ", ".join(f"({i}, 'guest {i}')" for i in range(40))
    schema = sqlite_schema(
        tmp_path / "s.sqlite",
        f"""
        CREATE TABLE Hall (HallId INTEGER PRIMARY KEY, Name TEXT UNIQUE);
        CREATE TABLE Menu (MenuId INTEGER PRIMARY KEY, Name TEXT UNIQUE);
        CREATE TABLE Guest (GuestId INTEGER PRIMARY KEY, Name TEXT UNIQUE);
        CREATE TABLE Booking (BookingId INTEGER PRIMARY KEY, HallId INTEGER REFERENCES Hall,
            MenuId INTEGER REFERENCES Menu, GuestId INTEGER REFERENCES Guest, Price REAL);
        INSERT INTO Hall VALUES (0, 'East'), (1, 'West');
        INSERT INTO Menu VALUES (0, 'Fish'), (1, 'Soup'), (2, 'Cake'), (3, 'Pie'), (4, 'Ham'),
            (5, 'Tea'), (6, 'Jam'), (7, 'Rye'), (8, 'Ale');
        INSERT INTO Guest VALUES {guests};
        INSERT INTO Booking VALUES {rows};
        """,
    )
    asked = [template.sql for template in generate_sql_templates(schema) if template.tables[0] == "Booking"]
    assert any("[Guest.Name]" in sql and "[Menu.Name]" in sql for sql in asked)
    assert not any("[Hall.Name]" in sql and "[Menu.Name]" in sql for sql in asked)
