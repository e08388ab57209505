import json
import sqlite3
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.errors import LimitExceeded, QueryStopped
from core.sources.database import DatabaseSource
from core.testset.grounded.sql import combinations as module
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.combinations import _by_bound_queries, combinations, gold_ids, is_set_based
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.shared_data import shared

TABLES = """
CREATE TABLE A (Name TEXT, City TEXT, Age INTEGER);
CREATE TABLE B (Owner TEXT REFERENCES A(Name), Item TEXT, City TEXT);
"""
TEMPLATES = (
    "SELECT City FROM A WHERE Name = '[A.Name]'",
    "SELECT City, Age FROM A WHERE '[A.Name]' = Name AND City = '[A.City]'",
    "SELECT DISTINCT Item FROM B WHERE Owner = '[A.Name]' ORDER BY Item",
    "SELECT Item FROM B WHERE Owner = '[A.Name]' AND City = '[B.City]'",
    "SELECT Item FROM B WHERE (Owner = '[A.Name]' AND (City = '[A.Name]' AND Item <> 'x'))",
    "SELECT B.Item FROM A JOIN B ON A.Name = B.Owner WHERE A.Name = '[A.Name]' AND B.City = '[B.City]'",
    "SELECT A.Age FROM B JOIN A ON A.Name = B.Owner WHERE B.Item = '[B.Item]' AND A.City = '[A.City]' AND A.Age > 1",
    "SELECT A.Age FROM B LEFT JOIN A ON A.Name = B.Owner WHERE B.Item = '[B.Item]'",
    "SELECT other.City FROM A JOIN A AS other ON A.City = other.Name WHERE A.Name = '[A.Name]'",
    "SELECT Name FROM A WHERE Age = '[A.Age]'",
)
PAIRED = (
    "SELECT a.City, b.City FROM A AS a JOIN A AS b ON a.Age <> b.Age "
    "WHERE a.Name = '[A.Name#1]' AND b.Name = '[A.Name#2]'",
    "SELECT a.Age FROM A AS a JOIN B AS b ON a.City = b.City WHERE a.Name = '[A.Name#1]' AND b.Owner = '[A.Name#2]'",
)
BETWEEN = (
    "SELECT COUNT(*) FROM A WHERE Age >= '[A.Age#1]' AND Age <= '[A.Age#2]' "
    "HAVING COUNT(*) > 0 AND '[A.Age#1]' < '[A.Age#2]'"
)
VALUES = st.sampled_from([None, "x", "y", "O'Brien' OR 1=1 --", "[A.Name]", ":p0", ""])
ROWS_A = st.lists(st.tuples(VALUES, VALUES, st.sampled_from([None, 0, 1, 2])), max_size=6)
ROWS_B = st.lists(st.tuples(VALUES, VALUES, VALUES), max_size=6)


def answered(combination):
    return {values: sorted(map(repr, dict.fromkeys(rows))) for values, rows in combination}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(rows_a=ROWS_A, rows_b=ROWS_B)
def test_one_statement_and_one_query_per_combination_agree(rows_a, rows_b):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.sqlite"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(TABLES)
            connection.executemany("INSERT INTO A VALUES (?, ?, ?)", rows_a)
            connection.executemany("INSERT INTO B VALUES (?, ?, ?)", rows_b)
            connection.commit()
        with DatabaseSource.connect(f"sqlite:///{path}", overrides={"A.Name": True}) as source:
            for sql in TEMPLATES:
                bound = bind(sql, source.schema)
                assert is_set_based(bound), sql
                by_set = {
                    combination.values: sorted(map(repr, combination.answers))
                    for combination in combinations(source, bound)
                }
                assert by_set == answered(_by_bound_queries(source, bound)), sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT City FROM A WHERE lower(Name) = lower('[A.Name]')",
        "SELECT COUNT(*) FROM B WHERE Owner = '[A.Name]'",
        "SELECT City FROM A WHERE Name = '[A.Name]' ORDER BY Age LIMIT 1",
        "SELECT City FROM A WHERE Name = '[A.Name]' UNION SELECT City FROM B WHERE Owner = '[A.Name]'",
        "SELECT City FROM A WHERE Age > '[A.Age]'",
        "SELECT Item FROM B WHERE Owner IN (SELECT Name FROM A WHERE City = '[A.City]')",
        "SELECT City FROM A WHERE Age = '[A.Name]'",
    ],
)
def test_what_is_no_plain_equality_is_asked_one_by_one(tmp_path, sql):
    rows = "INSERT INTO A VALUES ('x', 'Oslo', 1), ('y', 'Rome', 2); INSERT INTO B VALUES ('x', 'i', 'Oslo');"
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", TABLES + rows)) as source:
        bound = bind(sql, source.schema)
        assert not is_set_based(bound)
        for combination in combinations(source, bound):
            assert set(combination.answers) == set(source.query(combination.sql, combination.params).rows)


def test_a_count_of_nothing_is_an_answer(tmp_path):
    rows = "INSERT INTO A VALUES ('x', 'Oslo', 1), ('y', 'Rome', 2); INSERT INTO B VALUES ('x', 'i', 'Oslo');"
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", TABLES + rows)) as source:
        bound = bind("SELECT COUNT(*) FROM B WHERE Owner = '[A.Name]'", source.schema)
        assert [(combination.values, combination.answers) for combination in combinations(source, bound)] == [
            (("x",), ((1,),)),
            (("y",), ((0,),)),
        ]


def test_values_that_look_like_sql_or_placeholders_are_asked_like_any_other(tmp_path):
    rows = "INSERT INTO A VALUES ('O''Brien'' OR 1=1 --', 'Oslo', 1), ('[Artist.Name]', '[A.City]', 2), (NULL, 'z', 3);"
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", TABLES + rows)) as source:
        found = list(combinations(source, bind("SELECT City FROM A WHERE Name = '[A.Name]'", source.schema)))
        assert {item.values[0]: item.answers for item in found} == {
            "O'Brien' OR 1=1 --": (("Oslo",),),
            "[Artist.Name]": (("[A.City]",),),
        }
        for item in found:
            assert source.query(item.sql, item.params).rows == item.answers


def test_spellings_the_database_holds_for_equal_are_one_combination(tmp_path):
    script = (
        "CREATE TABLE T (Name TEXT COLLATE NOCASE, City TEXT);"
        "INSERT INTO T VALUES ('abc', 'Oslo'), ('ABC', 'Rome'), ('b', 'Bern');"
    )
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", script)) as source:
        bound = bind("SELECT City FROM T WHERE Name = '[T.Name]'", source.schema)
        found = [(item.values, set(item.answers)) for item in combinations(source, bound)]
        assert found == [(("ABC",), {("Oslo",), ("Rome",)}), (("b",), {("Bern",)})]
        assert [values for values, _ in _by_bound_queries(source, bound)] == [("ABC",), ("b",)]


def test_ids_are_named_by_table_and_kept_apart_from_the_answer(tmp_path):
    script = (
        'CREATE TABLE "My Client" (Id REAL PRIMARY KEY, Name TEXT, City TEXT);'
        "INSERT INTO \"My Client\" VALUES (1.0, 'a', 'Oslo'), (2.0, 'b', 'Rome'), (3.0, 'b', 'Rome');"
    )
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", script)) as source:
        bound = bind("SELECT City, Id FROM \"My Client\" WHERE Name = '[My Client.Name]'", source.schema)
        first, second = combinations(source, bound, with_ids=True)
        assert (first.answers, first.id_values) == ((("Oslo",),), ((1.0,),))
        assert gold_ids(bound, first) == ("my client:1",)
        assert second.answers == (("Rome",),)
        assert gold_ids(bound, second) == ("my client:2", "my client:3")


def test_aurp_gives_the_recorded_queries_and_answers():
    folder = shared("grammar-aurp")
    listed = json.loads((folder / "SQLTemplateGenerator/sql_templates_with_ids.json").read_text())
    recorded = json.loads((folder / "QADataGenerator/short.json").read_text())
    pairs = sorted(
        answer for entries in (recorded.values() if isinstance(recorded, dict) else recorded) for answer, _ in entries
    )
    with DatabaseSource.connect(f"sqlite:///{folder}/aurp.sqlite") as source:
        made = []
        for sql in (sql for statements in listed.values() for sql in statements):
            made.extend(combinations(source, bind(sql, source.schema), with_ids=True))
    assert len(made) == 157
    assert all(len(item.answers) == 1 and item.id_values == ((item.values[0],),) for item in made)
    assert sorted(str([answer]) for item in made for answer in item.answers) == pairs


def test_the_time_in_all_queries_of_one_template_is_limited_and_what_is_done_is_said(tmp_path, monkeypatch):
    rows = "INSERT INTO A VALUES ('a', 'x', 1), ('b', 'y', 2), ('c', 'z', 3);"
    with DatabaseSource.connect(sqlite_file(tmp_path / "t.sqlite", TABLES + rows)) as source:
        bound = bind("SELECT City FROM A WHERE lower(Name) = '[A.Name]'", source.schema)
        assert len(list(combinations(source, bound))) == 3
        monkeypatch.setattr(module, "MOST_QUERY_SECONDS", 0.0)
        with pytest.raises(QueryStopped, match="with 1 of 3 done") as caught:
            list(combinations(source, bound))
    assert caught.value.hint


@pytest.mark.slow
def test_one_hundred_thousand_rows_are_all_filled_in_and_may_be_cut(tmp_path):
    # How long it takes is measured in bench/bench_instantiation.py.
    path = tmp_path / "t.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE T (Name TEXT, City TEXT)")
        connection.executemany("INSERT INTO T VALUES (?, ?)", ((f"n{i:06}", f"c{i % 7}") for i in range(120_000)))
        connection.commit()
    with DatabaseSource.connect(f"sqlite:///{path}") as source:
        bound = bind("SELECT City FROM T WHERE Name = '[T.Name]'", source.schema)
        assert [item.values for item in combinations(source, bound, limit=2)] == [("n000000",), ("n000001",)]
        assert [item.values for item in islice(combinations(source, bound), 1)] == [("n000000",)]
        assert sum(1 for _ in combinations(source, bound)) == 120_000
        slow = bind("SELECT City FROM T WHERE lower(Name) = '[T.Name]'", source.schema)
        with pytest.raises(LimitExceeded, match="120,000 queries"):
            list(combinations(source, slow))


def test_numbered_placeholders_take_two_different_values(tmp_path):
    rows = (
        "INSERT INTO A VALUES ('x', 'X', 1), ('y', 'Y', 2), ('z', 'X', 2), ('v', NULL, NULL);"
        "INSERT INTO B VALUES ('x', 'i', 'X'), ('z', 'j', 'X'), ('z', 'k', 'Y');"
    )
    address = sqlite_file(tmp_path / "t.sqlite", TABLES + rows)
    with DatabaseSource.connect(address, overrides={"A.Name": True, "A.Age": True}) as source:
        for sql in PAIRED:
            bound = bind(sql, source.schema)
            assert [placed.placeholder.number for placed in bound.placeholders] == ["1", "2"]
            assert is_set_based(bound), sql
            by_set = answered((item.values, item.answers) for item in combinations(source, bound))
            assert by_set == answered(_by_bound_queries(source, bound)) != {}
            assert all(first != second for first, second in by_set)
        between = bind(BETWEEN, source.schema)
        assert not is_set_based(between)
        assert answered((item.values, item.answers) for item in combinations(source, between)) == {(1, 2): ["(3,)"]}


def test_bounds_are_evenly_spread_values(tmp_path):
    rows = ", ".join(f"('n{age}', 'X', {age})" for age in range(100))
    address = sqlite_file(tmp_path / "t.sqlite", f"{TABLES} INSERT INTO A VALUES {rows};")
    with DatabaseSource.connect(address, overrides={"A.Age": True}) as source:
        found = list(combinations(source, bind(BETWEEN, source.schema)))
    lower = {item.values[0] for item in found}
    assert len(found) == module.MOST_SPREAD * (module.MOST_SPREAD - 1) // 2
    assert min(lower) == 0
    assert max(item.values[1] for item in found) == 99
    assert all(item.answers == ((item.values[1] - item.values[0] + 1,),) for item in found)
