import pytest

from core.domain.errors import InvalidTemplate, UnsafeSql
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.testset.grounded.sql.binding import bind


def table(name, *columns, keys=(), primary=()):
    return Table(
        name=name,
        rows=1,
        columns=tuple(Column(name=column, type="TEXT") for column in columns),
        primary_key=primary,
        foreign_keys=keys,
    )


SCHEMA = Schema(
    dialect="sqlite",
    tables=(
        table("Client", "Name", "City", primary=("Name",)),
        table(
            "Project",
            "Name",
            "Client",
            "Start Date",
            keys=(ForeignKey(columns=("Client",), referred_table="Client", referred_columns=("Name",)),),
        ),
    ),
)


@pytest.mark.parametrize("written", ["'[Client.Name]'", '"[Client.Name]"', "[Client.Name]"])
def test_a_placeholder_becomes_a_parameter_however_it_is_quoted(written):
    bound = bind(f"SELECT City FROM Client WHERE Name = {written};", SCHEMA)
    assert bound.sql == 'SELECT "City" FROM "Client" WHERE "Name" = :p0'
    (placed,) = bound.placeholders
    assert (placed.table.name, placed.column.name, placed.plain) == ("Client", "Name", True)
    assert [origin.shown for origin in placed.compared] == ["Client.Name"]
    assert [(output.table, output.column) for output in bound.outputs] == [("Client", "City")]


def test_placeholders_come_in_the_order_of_the_text_and_one_may_stand_twice():
    bound = bind(
        "SELECT p.[Start Date] FROM Project p JOIN Client c ON c.Name = '[Client.Name]' "
        "WHERE p.Name = '[Project.Name]' AND p.Client = '[Client.Name]'",
        SCHEMA,
    )
    assert [placed.placeholder.token for placed in bound.placeholders] == ["[Client.Name]", "[Project.Name]"]
    assert bound.sql.count(":p0") == 2
    assert [placed.plain for placed in bound.placeholders] == [False, True]  # one of its places is in ON


def test_an_expression_has_no_table_and_its_placeholder_is_not_plain():
    bound = bind("SELECT upper(City) AS c, COUNT(*) FROM Client WHERE lower(Name) = lower('[Client.Name]')", SCHEMA)
    assert [(output.name, output.table) for output in bound.outputs] == [("c", ""), ("COUNT(*)", "")]
    (placed,) = bound.placeholders
    assert not placed.plain
    assert placed.compared == ()
    assert [origin.shown for origin in placed.places[0]] == ["Client.Name"]


def test_either_side_of_an_or_is_not_a_condition_every_row_meets():
    bound = bind("SELECT City FROM Client WHERE Name = '[Client.Name]' OR City = 'x'", SCHEMA)
    assert not bound.placeholders[0].plain


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("SELECT City FROM Client WHERE Name LIKE '%[Client.Name]%'", "part of a longer text"),
        ("SELECT City FROM Client WHERE Name = '[Clint.Name]'", "names the table Clint"),
        ("SELECT City FROM Client WHERE Name = '[Client.Nam]'", "names the column Nam"),
        (
            "SELECT City FROM Client WHERE Name = '[Client.Name]' OR City = '[client.name]'",
            "differ in letter case only",
        ),
        (
            "SELECT City FROM Client WHERE Name = '[Client.Name]' AND Name = '[Project.Client]'",
            "compared with the same column Client.Name",
        ),
        ("SELECT * FROM Client WHERE Name = '[Client.Name]'", r"every column with \*"),
        ("SELECT City FROM Client WHERE Name = :name", "has a parameter :name"),
    ],
)
def test_a_template_that_cannot_be_filled_says_why(sql, message):
    with pytest.raises(InvalidTemplate, match=message) as caught:
        bind(sql, SCHEMA)
    assert caught.value.hint


def test_the_guard_comes_first():
    with pytest.raises(UnsafeSql, match="changes data"):
        bind("DELETE FROM Client WHERE Name = '[Client.Name]'", SCHEMA)


def test_a_column_may_end_like_a_number_of_a_placeholder():
    schema = Schema(dialect="sqlite", tables=(table("T", "name", "Item#1", "Item"),))
    own = bind("""SELECT name FROM T WHERE "Item#1" = '[T.Item#1]'""", schema)
    numbered = bind("SELECT name FROM T WHERE Item = '[T.Item#2]'", schema)
    assert own.placeholders[0].column.name == "Item#1"
    assert (numbered.placeholders[0].column.name, numbered.placeholders[0].placeholder.number) == ("Item", "2")
