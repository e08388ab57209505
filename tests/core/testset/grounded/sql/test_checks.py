import pytest

from core.domain.testset.templates import SqlTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.checks import check_sql_template
from tests.support.databases.sqlite_files import sqlite_file

SCRIPT = """
CREATE TABLE Client (ClientId INTEGER PRIMARY KEY, Name TEXT, City TEXT, Motto TEXT);
CREATE TABLE Project (
    ProjectId INTEGER PRIMARY KEY, Name TEXT UNIQUE, Client TEXT REFERENCES Client(Name), Budget REAL
);
INSERT INTO Client VALUES (1, 'Acme', 'Oslo', NULL), (2, 'Bolt', 'Rome', NULL), (3, 'Bolt', 'Bern', NULL),
    (4, 'Coil', NULL, NULL);
INSERT INTO Project VALUES (1, 'One', 'Acme', 10.0), (2, 'Two', 'Acme', 20.0), (3, 'Three', 'Coil', 30.0);
"""


@pytest.fixture
def source(tmp_path):
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", SCRIPT)) as opened:
        yield opened


def review(source, sql, with_ids="", siblings=()):
    template = SqlTemplate(id=canonical_id(sql, "sqlite"), sql=sql, sql_with_ids=with_ids)
    return check_sql_template(template, source, siblings)


def check(reviewed, name):
    return next(check for check in reviewed.template.checks if check.name == name)


def test_a_sound_template_shows_its_figures(source):
    reviewed = review(
        source,
        "SELECT City FROM Client WHERE Name = '[Client.Name]'",
        "SELECT City, ClientId FROM Client WHERE Name = '[Client.Name]'",
    )
    # Acme has Oslo, Bolt has Rome and Bern, Coil has NULL: 2 of 3 values have one answer, 1 of these 2 is empty.
    assert (reviewed.one_answer.num, reviewed.one_answer.den, reviewed.null_answers, reviewed.questions) == (2, 3, 1, 1)
    assert [(row.values, row.answers) for row in reviewed.examples] == [(("Acme",), (("Oslo",),))]
    assert check(reviewed, "one_answer").message == "2 of 3 placeholder values have exactly one answer (67%)."
    assert (check(reviewed, "one_answer").value, check(reviewed, "questions").value) == (2 / 3, 1.0)
    assert (check(reviewed, "one_answer").passed, check(reviewed, "one_answer").blocking) == (False, False)
    assert check(reviewed, "null_answers").message == "1 of 2 answers are empty (NULL)."
    assert check(reviewed, "questions").message == "It makes 1 question per wording."
    assert check(reviewed, "document_ids").message == "Document ids come from Client.ClientId."
    assert reviewed.template.tables == ("Client",)
    assert reviewed.template.approvable


@pytest.mark.parametrize(
    ("sql", "name", "message"),
    [
        ("SELECT ((", "parses", "cannot be parsed"),
        ("", "parses", "is empty"),
        ("DROP TABLE Client", "read_only", "DROP changes the database's structure"),
        ("UPDATE Client SET Name = '[Client.Name]'", "read_only", "UPDATE changes data"),
        ("SELECT City FROM Client WHERE Name = '[Client.Name]'; SELECT 1", "read_only", "2 statements"),
        ("SELECT City FROM Client WHERE Name = '[Client.Name]' -- x", "read_only", "a comment"),
        ("PRAGMA table_info('[Client.Name]')", "read_only", "PRAGMA"),
        ("ATTACH '[Client.Name]' AS x", "read_only", "ATTACH opens another database"),
        ("SELECT Town FROM Client WHERE Name = '[Client.Name]'", "names", "no column Town"),
        ("SELECT City FROM Clients WHERE Name = '[Client.Name]'", "names", "no table Clients"),
        ("SELECT City FROM Client", "placeholder", "no placeholder"),
        ("SELECT City FROM Client WHERE Name = '[Client.Nam]'", "placeholder", "names the column Nam"),
        ("SELECT City FROM Client WHERE Name = '[Client.City]'", "own_column", "compared with Client.Name"),
        ("SELECT '[Client.Name]' FROM Client", "own_column", "compared with no column"),
        (
            "SELECT Name FROM Client WHERE Name = '[Client.Name]'",
            "not_projected",
            "Client.Name is a value the question",
        ),
        (
            "SELECT Client.Name FROM Project JOIN Client ON Project.Client = Client.Name "
            "WHERE Client = '[Project.Client]'",
            "not_projected",
            "Client.Name is a value the question",
        ),
        ("SELECT ClientId FROM Client WHERE Name = '[Client.Name]'", "readable", "Client.ClientId: an id by its name"),
        ("SELECT City FROM Client WHERE ClientId = '[Client.ClientId]'", "readable", "Client.ClientId"),
        ("SELECT MAX(ClientId) FROM Client WHERE Name = '[Client.Name]'", "readable", "Client.ClientId"),
        ("SELECT City FROM Client WHERE Name > '[Client.Name]' AND Name < '[Project.Client]'", "one_answer", ""),
        ("SELECT Name FROM Project WHERE Client = '[Project.Client]' AND 1 = 2", "one_answer", "No placeholder value"),
        ("SELECT City FROM Client WHERE Name = '[Client.Name]' AND City IS NULL", "questions", "makes 0 questions"),
        ("SELECT REPLACE(City, 'a', City) FROM Client WHERE Name = '[Client.Name]'", "runs", "could grow to 268 MB"),
        ("SELECT abs(-9223372036854775807 - 1), City FROM Client WHERE Name = '[Client.Name]'", "runs", "overflow"),
    ],
)
def test_a_template_with_a_fault_cannot_be_approved_and_says_what_to_do(source, sql, name, message):
    reviewed = review(source, sql)
    failed = check(reviewed, name)
    assert not failed.passed
    assert failed.blocking
    assert message in failed.message
    assert failed.remedy
    assert not reviewed.template.approvable


def test_a_template_that_finds_no_row_is_not_told_to_find_fewer(source):
    failed = check(review(source, "SELECT Name FROM Project WHERE Client = '[Project.Client]' AND 1 = 2"), "one_answer")
    assert "Take a condition away" in failed.remedy
    several = check(review(source, "SELECT Name FROM Project WHERE Client = '[Project.Client]'"), "one_answer")
    assert several.passed or "Add a condition" in several.remedy


def test_a_foreign_key_equal_of_the_placeholder_counts_as_its_own_column(source):
    reviewed = review(source, "SELECT Budget FROM Project WHERE Client = '[Client.Name]' AND Name = '[Project.Name]'")
    assert check(reviewed, "own_column").passed
    assert reviewed.questions == 3


def test_a_comparison_that_is_no_plain_equality_is_checked_too(source):
    reviewed = review(source, "SELECT Budget FROM Project WHERE lower(Name) = lower('[Project.Name]')")
    assert reviewed.template.approvable
    assert reviewed.questions == 3


def test_a_template_that_asks_the_same_as_another_is_a_duplicate(source):
    other = SqlTemplate(id="other", sql="select p.budget from project p where p.name = '[Project.Name]'")
    reviewed = review(source, "SELECT Budget FROM Project WHERE Name = '[Project.Name]'", siblings=[other])
    assert not check(reviewed, "duplicate").passed
    assert other.sql in check(reviewed, "duplicate").message
    itself = review(source, "SELECT Budget FROM Project WHERE Name = '[Project.Name]'", siblings=[reviewed.template])
    assert check(itself, "duplicate").passed


@pytest.mark.parametrize(
    ("with_ids", "passed", "blocking"),
    [
        ("", False, False),
        ("SELECT Budget, ProjectId FROM Project WHERE Name = '[Project.Name]'", True, False),
        ("SELECT Budget FROM Project WHERE Name = '[Project.Name]'", False, True),
        ("SELECT Client, ProjectId FROM Project WHERE Name = '[Project.Name]'", False, True),
        ("SELECT Budget, ProjectId FROM Project WHERE Client = '[Project.Client]'", False, True),
        ("SELECT Budget, Gone FROM Project WHERE Name = '[Project.Name]'", False, True),
    ],
)
def test_the_statement_with_ids_must_ask_the_same(source, with_ids, passed, blocking):
    result = check(review(source, "SELECT Budget FROM Project WHERE Name = '[Project.Name]'", with_ids), "document_ids")
    assert (result.passed, result.blocking) == (passed, blocking)


def test_at_most_three_examples_are_shown(tmp_path):
    rows = ", ".join(f"('n{i}', 'c{i}')" for i in range(9))
    script = f"CREATE TABLE T (Name TEXT, City TEXT); INSERT INTO T VALUES {rows};"
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", script)) as source:
        reviewed = review(source, "SELECT City FROM T WHERE Name = '[T.Name]'")
    assert [row.values for row in reviewed.examples] == [("n0",), ("n1",), ("n2",)]
    assert reviewed.questions == 9
