"""Names that cannot be resolved are told, whatever the statement around them looks like."""

import random

import pytest

from core.domain.errors import UnknownName, UnsafeSql
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import check_select

DIALECTS = ("sqlite", "postgresql", "mariadb")
NAMES = ("Name", "Nam", "Location", "x", "Client", "n", "StartDate")


def schema(dialect):
    return Schema(
        dialect=dialect,
        tables=tuple(
            Table(name=name, rows=1, columns=tuple(Column(name=column, type="TEXT") for column in columns))
            for name, columns in (("Client", ("Name", "Location")), ("Project", ("Name", "Client", "StartDate")))
        ),
    )


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT Nam FROM (SELECT Nam FROM Client) AS d",
        "SELECT d.Nam FROM (SELECT Nam FROM Client) AS d",
        "WITH x AS (SELECT Nam FROM Client) SELECT Nam FROM x",
        "WITH x AS (SELECT Nam FROM Client), y AS (SELECT Nam FROM x) SELECT Nam FROM y",
        "SELECT Nam FROM (SELECT Nam FROM Client UNION SELECT Name FROM Project) AS d",
        "SELECT Name FROM Client WHERE Location IN (SELECT Nam FROM (SELECT Nam FROM Project) AS d)",
        "SELECT Client.Name FROM Client JOIN (SELECT Nam FROM Project) AS d ON d.Nam = Client.Name",
    ],
)
def test_a_misspelled_column_of_a_query_within_is_named(sql, dialect):
    with pytest.raises(UnknownName, match="no column Nam") as caught:
        check_select(sql, schema(dialect))
    assert caught.value.hint == "Did you mean Name?"


def test_a_query_within_sees_the_rows_around_it_but_not_the_tables_beside_it():
    beside = "SELECT d.Name FROM Client, (SELECT Project.Name FROM Project WHERE Project.Client = Location) AS d"
    with pytest.raises(UnknownName, match="no column Location"):
        check_select(beside, schema("sqlite"))
    around = "SELECT Name FROM Client WHERE EXISTS (SELECT 1 FROM (SELECT Project.Client AS c FROM Project) AS d"
    assert check_select(f"{around} WHERE d.c = Location)", schema("sqlite")).tables == ("Project", "Client")


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_statement_of_wrong_names_ends_in_anything_but_a_sentence(dialect):
    generator = random.Random(7)
    outcomes = set()
    for _ in range(150):
        sql = _query(generator, 3, ())
        try:
            outcomes.add(bool(check_select(sql, schema(dialect)).sql))
        except UnsafeSql as error:
            outcomes.add((type(error), bool(error.hint)))
    assert {True, (UnknownName, True)} <= outcomes
    assert not any(hinted is False for _, hinted in outcomes - {True})


def _query(generator, depth, named):
    head = ""
    if depth and generator.random() < 0.35:
        name = generator.choice(("x", "y", "Client"))
        head = f"WITH {name}{generator.choice(('', '(n)'))} AS ({_query(generator, depth - 1, named)}) "
        named = (*named, name)
    sql = f"{head}SELECT {_expression(generator, depth, named)} FROM {_source(generator, depth, named)}"
    if generator.random() < 0.4:
        joined = f"USING ({generator.choice(NAMES)})"
        if generator.random() < 0.5:
            joined = f"ON {_condition(generator, depth, named)}"
        sql += f" JOIN {_source(generator, depth, named)} {joined}"
    if generator.random() < 0.5:
        sql += f" WHERE {_condition(generator, depth, named)}"
    if depth and generator.random() < 0.2:
        sql += f" UNION {_query(generator, depth - 1, named)}"
    return sql + (f" ORDER BY {_name(generator)}" if generator.random() < 0.2 else "")


def _name(generator):
    return generator.choice(("", "", "c.", "d.", "Client.")) + generator.choice(NAMES)


def _expression(generator, depth, named):
    if depth and generator.random() < 0.25:
        return f"({_query(generator, depth - 1, named)})"
    return generator.choice(("*", *[_name(generator) + alias for alias in ("", "", " AS x", " AS Nam")]))


def _condition(generator, depth, named):
    drawn = generator.random()
    if depth and drawn < 0.3:
        return f"{_name(generator)} IN ({_query(generator, depth - 1, named)})"
    if depth and drawn < 0.45:
        return f"EXISTS ({_query(generator, depth - 1, named)})"
    return f"{_name(generator)} = {_name(generator)}"


def _source(generator, depth, named):
    alias = generator.choice("cde")
    if depth and generator.random() < 0.4:
        return f"({_query(generator, depth - 1, named)}) {alias}"
    return f"{generator.choice(('Client', 'Client', 'Project', 'Nope', *named))} {alias}"
