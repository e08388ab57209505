"""What a statement could cost is judged from its tree: no server sees one that could fill its memory."""

import pytest

from core.domain.errors import ExpensiveSql, UnsafeSql
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import check_select

DIALECTS = ("sqlite", "postgresql", "mariadb")


def schema(dialect, *, rows=1_000):
    columns = {
        "client": (("client_id", "INTEGER"), ("name", "TEXT"), ("city", "VARCHAR(40)")),
        "project": (("project_id", "INTEGER"), ("client_id", "INTEGER"), ("title", "TEXT"), ("fee", "DECIMAL(10, 2)")),
    }
    return Schema(
        dialect=dialect,
        tables=tuple(
            Table(
                name=name,
                rows=rows,
                columns=tuple(Column(name=column, type=kind) for column, kind in listed),
                primary_key=(listed[0][0],),
            )
            for name, listed in columns.items()
        ),
    )


def chain(steps, first, step):
    """Named queries of which each uses the one before."""
    queries = [f"c0 AS (SELECT {first} AS a FROM client)"]
    queries += [f"c{n} AS (SELECT {step} AS a FROM c{n - 1})" for n in range(1, steps)]
    return f"WITH {', '.join(queries)} SELECT LENGTH(a) FROM c{steps - 1}"


def nested(steps, first, step):
    """The same with queries in FROM."""
    sql = f"SELECT {first} AS a FROM client"
    for n in range(1, steps):
        sql = f"SELECT {step} AS a FROM ({sql}) AS d{n}"
    return sql


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        (chain(35, "'x'", "CONCAT(a, a)"), "35 named queries"),
        (chain(9, "name", "CONCAT(a, a)"), "could grow to"),
        (chain(6, "'abcdefgh'", "CONCAT(a, a, a, a, a, a, a, a, a, a, a, a, a, a)"), "could grow to"),
        (
            chain(3, "name", "REPLACE(a, 'a', 'a hundred times as long a text as it was before it was put there')"),
            "grow",
        ),
        (chain(2, "name", "REPLACE(a, 'a', a)"), "could grow to"),
        (chain(4, "CONCAT_WS(name, '1', '2', '3', '4', '5')", "CONCAT_WS(a, a, a, a, a, a, a)"), "could grow to"),
        (nested(7, "CONCAT(name, name)", "CONCAT(a, a, a)"), "could grow to"),
        (nested(10, "name", "a"), "nests more than 8 queries"),
        ("SELECT CAST(name AS CHAR(100000000)) FROM client", "could grow to 100 MB"),
        ("SELECT GROUP_CONCAT(a.name) FROM client AS a, client AS b, client AS c", "could collect"),
        (
            "SELECT GROUP_CONCAT(d.n) FROM (SELECT a.name AS n FROM client AS a, client AS b, client AS c) AS d",
            "collect",
        ),
        ("SELECT 1 FROM client" + " UNION ALL SELECT 1 FROM client" * 64, "65 SELECTs"),
        ("SELECT 1 FROM client" + "".join(f", client AS c{n}" for n in range(25)), "25 joins"),
        ("SELECT name FROM client WHERE name LIKE '" + "%a" * 9 + "'", "more than 8 wildcards"),
        ("SELECT name FROM client WHERE name = CONCAT(" + ", ".join(["name"] * 130) + ")", "could grow to"),
    ],
)
def test_a_statement_that_could_fill_a_memory_is_refused_with_its_reason(dialect, sql, reason):
    with pytest.raises(ExpensiveSql, match=reason) as caught:
        check_select(sql, schema(dialect))
    assert caught.value.hint


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT PRINTF('%.*c', 45000000, 'x')",
        "SELECT PRINTF('%45000000d', 1)",
        "SELECT PRINTF('%.45000000f', 1)",
        "SELECT PRINTF('%1$*2$d', 1, 45000000)",
        "SELECT PRINTF(name, 1) FROM client",
        "SELECT PRINTF('%' || '45000000d', 1)",
    ],
)
def test_a_text_is_padded_only_to_a_width_that_is_known_and_small(sql):
    with pytest.raises(ExpensiveSql, match="PRINTF"):
        check_select(sql, schema("sqlite"))


def test_large_numbers_written_out_one_after_another_count_where_they_have_many_digits():
    digits = " || ".join(["POWER(10, 100000)"] * 20)
    with pytest.raises(ExpensiveSql, match="could grow to 3 MB"):
        check_select(f"SELECT {digits}", schema("postgresql"))
    assert check_select(f"SELECT {digits}", schema("sqlite"))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "sql",
    [
        "SELECT CONCAT(name, ', ', city, ' (', REPLACE(name, ' ', '_'), ')') FROM client WHERE name = :p0",
        "SELECT GROUP_CONCAT(name) FROM client",
        "SELECT GROUP_CONCAT(CONCAT(p.title, ': ', c.name)) FROM project AS p JOIN client AS c"
        " ON p.client_id = c.client_id",
        "WITH a AS (SELECT name AS n FROM client), b AS (SELECT n FROM a) SELECT CONCAT(n, ' & ', n) FROM b",
        "SELECT SUM(fee * 1.19) / COUNT(*), CAST(MAX(fee) AS DECIMAL(12, 2)) FROM project GROUP BY client_id",
        "SELECT name FROM client WHERE name LIKE '%a%' OR city LIKE CONCAT('%', name, '%')",
        "SELECT REPLACE(city, ' ', city) FROM client",
        "SELECT CONCAT(STRFTIME('%Y', name), '-', STRFTIME('%m', name), '-', STRFTIME('%d', name), ' week ',"
        " STRFTIME('%W', name), ' day ', STRFTIME('%j', name)) FROM client",
    ],
)
def test_honest_statements_pass_on_a_table_of_a_million_rows(dialect, sql):
    assert check_select(sql, schema(dialect, rows=1_000_000)).tables


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "call", ["CONCAT_WS()", "STRFTIME()", "REPLACE(name)", "PRINTF()", "CONCAT()", "GROUP_CONCAT()"]
)
def test_a_call_with_too_few_arguments_is_left_to_the_database_or_refused(dialect, call):
    try:
        checked = check_select(f"SELECT {call} FROM client", schema(dialect))
    except UnsafeSql as error:
        checked = error.hint
    assert checked


def test_formats_of_fixed_small_width_pass():
    for sql in ("SELECT PRINTF('%05d %-20s %.2f', client_id, name, 1.5) FROM client", "SELECT PRINTF('100%%')"):
        assert check_select(sql, schema("sqlite")).sql
