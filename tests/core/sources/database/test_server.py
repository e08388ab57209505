"""The reader for server databases, on the one dialect that needs no server."""

import pytest

from core.domain.errors import InvalidInput, SourceUnavailable
from core.sources.database.address import read_address
from core.sources.database.grammar import quoted, written
from core.sources.database.readers import Statement
from core.sources.database.readers.server import ServerReader
from tests.support.databases.sqlite_files import sqlite_file

SCRIPT = """
CREATE TABLE Branch (BranchId INTEGER PRIMARY KEY, Name TEXT UNIQUE);
CREATE TABLE Customer (Name TEXT, BranchId INTEGER REFERENCES Branch (BranchId));
INSERT INTO Branch VALUES (1, 'a:b'), (2, 'South');
"""


@pytest.fixture
def reader(tmp_path):
    opened = ServerReader(read_address(sqlite_file(tmp_path / "t.sqlite", SCRIPT)), begun=print)
    yield opened
    opened.close()


def test_it_reflects_tables_and_keys(reader):
    branch, customer = reader.tables()
    assert branch.primary_key == ("BranchId",)
    assert branch.unique == (("Name",),)
    assert customer.foreign_keys[0].referred_table == "Branch"


def test_it_binds_values_and_leaves_colons_in_texts_alone(reader):
    statement = Statement(("SELECT Name, 'at :p0, 12:30' FROM Branch WHERE BranchId = ", ""), ("p0",))
    with reader.run(statement, {"p0": 1}, timeout_s=5) as result:
        assert list(result.rows) == [("a:b", "at :p0, 12:30")]


def test_an_error_of_the_database_is_passed_on(reader):
    with pytest.raises(InvalidInput, match="no such table"), reader.run("SELECT 1 FROM gone", {}, timeout_s=5):
        pass


def test_a_database_that_does_not_answer_is_named(tmp_path):
    with pytest.raises(SourceUnavailable, match="does not answer"):
        ServerReader(read_address(f"sqlite:///{tmp_path}/none/there.sqlite"), begun=print)


def test_names_are_quoted_only_where_they_need_it():
    assert [written(name, "sqlite") for name in ("City", "Order", "a b", "Größe", "date", "Name")] == [
        "City",
        '"Order"',
        '"a b"',
        '"Größe"',
        "date",
        "Name",
    ]
    assert written("City", "postgresql") == '"City"'
    assert written("city", "postgresql") == "city"
    assert quoted("a`b", "mysql") == "`a``b`"
