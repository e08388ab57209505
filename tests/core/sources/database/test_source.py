import hashlib
import sqlite3
import threading
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal

import psutil
import pytest

from core.domain.errors import (
    ExpensiveSql,
    InvalidInput,
    LimitExceeded,
    NotFound,
    QueryStopped,
    SourceUnavailable,
    UnknownName,
    UnreadableFile,
    UnsafeSql,
)
from core.sources.database import DatabaseSource, save_upload
from core.sources.database.readers.sqlite import SqliteReader
from tests.support.databases.sqlite_files import sqlite_file, sqlite_schema

BANK = """
CREATE TABLE Branch (BranchId INTEGER PRIMARY KEY, Name TEXT UNIQUE, City TEXT);
CREATE TABLE Customer (
    CustomerId INTEGER PRIMARY KEY, Name TEXT NOT NULL, BranchId INTEGER REFERENCES Branch, Joined DATE
);
INSERT INTO Branch VALUES (1, 'North', 'Oslo'), (2, 'South', 'Rome');
INSERT INTO Customer VALUES (1, 'O''Brien'' OR 1=1 --', 1, '2020-01-02'), (2, 'Ada', 2, NULL);
"""


@pytest.fixture
def bank(tmp_path):
    return sqlite_file(tmp_path / "bank.sqlite", BANK)


def state(folder):
    """Everything a writer could change: names, bytes and times of all files beside the database."""
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns) for path in folder.iterdir()
    }


def test_nothing_that_is_asked_changes_the_file_or_its_folder(tmp_path, bank):
    before = state(tmp_path)
    with DatabaseSource.connect(bank) as source:
        assert source.query("SELECT Name FROM Customer WHERE CustomerId = :p0", {"p0": 2}).rows == (("Ada",),)
        for sql in (
            "DELETE FROM Customer",
            "DROP TABLE Customer",
            "CREATE TABLE x (y)",
            "PRAGMA user_version = 7",
            "ATTACH 'other.sqlite' AS o",
            "SELECT 1; DROP TABLE Customer",
            "SELECT 1 /* x */",
            "VACUUM",
            "REINDEX",
            "INSERT INTO Customer VALUES (9, 'x', 1, NULL)",
        ):
            with pytest.raises(UnsafeSql):
                source.query(sql)
    assert state(tmp_path) == before


def test_a_database_in_write_ahead_mode_gets_no_side_files(tmp_path):
    url = sqlite_file(tmp_path / "wal.sqlite", "PRAGMA journal_mode = WAL;" + BANK)
    before = state(tmp_path)
    assert list(before) == ["wal.sqlite"]
    with DatabaseSource.connect(url) as source:
        assert len(source.query("SELECT Name FROM Customer").rows) == 2
        assert state(tmp_path) == before
    assert state(tmp_path) == before


def test_a_write_ahead_database_with_an_open_writer_shows_what_was_committed(tmp_path):
    url = sqlite_file(tmp_path / "wal.sqlite", "PRAGMA journal_mode = WAL;" + BANK)
    with closing(sqlite3.connect(tmp_path / "wal.sqlite")) as writer:
        writer.execute("INSERT INTO Customer VALUES (3, 'New', 1, NULL)")
        writer.commit()
        with DatabaseSource.connect(url) as source:
            assert source.schema.table("Customer").rows == 3


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM Customer",
        "INSERT INTO Branch VALUES (3, 'x', 'y')",
        "CREATE TABLE x (y)",
        "DROP TABLE Branch",
        "ATTACH 'other.sqlite' AS o",
        "PRAGMA query_only = OFF",
        "SELECT * FROM sqlite_master",
        "BEGIN IMMEDIATE",
        "SELECT * FROM pragma_table_info('Branch')",
        "SELECT load_extension('x')",
        "VACUUM INTO 'copy.sqlite'",
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
    ],
)
def test_the_connection_itself_refuses_what_a_guard_might_let_through(tmp_path, bank, sql):
    before = state(tmp_path)
    reader = SqliteReader(str(tmp_path / "bank.sqlite"))
    with pytest.raises(InvalidInput, match="refused the statement"), reader.run(sql, {}, timeout_s=2) as result:
        list(result.rows)
    reader.close()
    assert state(tmp_path) == before


def test_a_statement_without_end_is_stopped(tmp_path):
    rows = ", ".join(f"('n{index}')" for index in range(300))
    url = sqlite_file(tmp_path / "t.sqlite", f"CREATE TABLE T (Name TEXT); INSERT INTO T VALUES {rows}")
    with DatabaseSource.connect(url, timeout_s=0.3) as source:
        with pytest.raises(LimitExceeded, match=r"stopped after 0\.3 seconds"):
            source.query("SELECT COUNT(*) FROM T a, T b, T c, T d")  # hours, if it were let
        assert source.query("SELECT COUNT(*) FROM T").rows == ((300,),)  # the next one has its own time


def test_a_huge_value_is_refused_before_it_fills_the_memory(tmp_path, bank):
    huge = "SELECT replace(printf('%1000000d', 1), ' ', printf('%100d', 1)) FROM Branch"
    with DatabaseSource.connect(bank) as source, pytest.raises(ExpensiveSql, match="PRINTF pads to a width"):
        source.query(huge)
    reader = SqliteReader(str(tmp_path / "bank.sqlite"))
    with pytest.raises(QueryStopped, match="10 MB") as caught, reader.run(huge, {}, timeout_s=5) as result:
        list(result.rows)
    reader.close()
    assert caught.value.limit == "value"


def test_too_many_rows_are_an_error_and_a_preview_says_it_is_cut(bank):
    with DatabaseSource.connect(bank, row_limit=1) as source:
        with pytest.raises(LimitExceeded, match="more than 1 rows"):
            source.query("SELECT Name FROM Customer")
        preview = source.query("SELECT Name FROM Customer ORDER BY 1", row_limit=1)
        assert preview.rows == (("Ada",),)
        assert preview.truncated
        whole = source.query("SELECT Name FROM Customer", row_limit=2)
        assert len(whole.rows) == 2
        assert not whole.truncated
        assert whole.columns == ("Name",)


def test_values_are_bound_and_come_back_unchanged(bank):
    with DatabaseSource.connect(bank) as source:
        for value in ("O'Brien' OR 1=1 --", "[Branch.Name]", '"; DROP TABLE Customer', "😀 ä", 12, 1.5, None, b"x"):
            assert source.query("SELECT :v", {"v": value}).rows == ((value,),)
        assert source.query("SELECT :v", {"v": date(2024, 5, 1)}).rows == (("2024-05-01",),)
        assert source.query("SELECT :v", {"v": datetime(2024, 5, 1, 9)}).rows == (("2024-05-01 09:00:00",),)
        assert source.query("SELECT :v", {"v": Decimal("1.5")}).rows == ((1.5,),)
        assert source.query("SELECT 1", {"unused": 3}).rows == ((1,),)
        with pytest.raises(InvalidInput, match="needs a value for :v"):
            source.query("SELECT :v")
        with pytest.raises(InvalidInput, match="too large"):
            source.query("SELECT :v", {"v": 2**70})
        with pytest.raises(InvalidInput, match="refused the statement"):
            source.query("SELECT :v", {"v": object()})


@pytest.mark.slow
def test_many_threads_ask_one_source(bank):
    found = []
    with DatabaseSource.connect(bank) as source:

        def ask():
            found.extend(source.query("SELECT Name FROM Customer ORDER BY 1").rows for _ in range(20))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 160
    assert len(set(found)) == 1
    with pytest.raises(SourceUnavailable, match="was closed"):
        source.query("SELECT 1")


def test_sample_values_are_different_and_not_null(bank):
    with DatabaseSource.connect(bank) as source:
        assert source.sample_values("customer", "joined") == ("2020-01-02",)
        assert source.sample_values("Customer", "Name", 1) == ("O'Brien' OR 1=1 --",)
        with pytest.raises(NotFound):
            source.sample_values("Customer", "Nope")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda path: None, SourceUnavailable, "no database file"),
        (lambda path: path.mkdir(), SourceUnavailable, "is a folder"),
        (lambda path: path.write_bytes(b""), UnreadableFile, "empty .0 bytes"),
        (lambda path: path.write_text("Name,City\nA,B\n" * 20), UnreadableFile, "not an SQLite database"),
        (lambda path: path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000), UnreadableFile, "damaged"),
        (lambda path: sqlite_file(path, "CREATE TABLE a (b); DROP TABLE a"), InvalidInput, "has no tables"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_and_is_not_created(tmp_path, make, error, message):
    path = tmp_path / "given.sqlite"
    make(path)
    before = path.exists()
    with pytest.raises(error, match=message) as caught:
        DatabaseSource.connect(f"sqlite:///{path}")
    assert caught.value.hint
    assert path.exists() == before


@pytest.mark.parametrize(
    ("url", "error", "message"),
    [
        ("", InvalidInput, "is empty"),
        ("bank.sqlite", InvalidInput, "'bank.sqlite' is not a database address"),
        ("sqlite://", InvalidInput, "names no database file"),
        ("sqlite:///:memory:", InvalidInput, "names no database file"),
        ("sqlite:///file:x?mode=rwc&uri=true", InvalidInput, "file: address"),
        ("nosuch://host/db", InvalidInput, "'nosuch' is not a kind of database"),
        ("postgresql+psycopg://u:plainpw@host/db", InvalidInput, "password in plain text"),
        ("postgresql+psycopg://u@host/db?password=plainpw", InvalidInput, "password in plain text"),
        ("postgresql+psycopg://u:${PLUMBLINE_TEST_NOT_SET}@host/db", InvalidInput, "PLUMBLINE_TEST_NOT_SET"),
        ("mysql://u@host/db", SourceUnavailable, "driver for mysql"),
    ],
)
def test_an_address_that_cannot_be_used_says_why(url, error, message):
    with pytest.raises(error, match=message) as caught:
        DatabaseSource.connect(url)
    assert caught.value.hint
    assert "plainpw" not in str(caught.value)


def test_a_variable_is_no_part_of_a_path(tmp_path, bank, monkeypatch):
    monkeypatch.setenv("A_TEST_FOLDER", str(tmp_path))
    with pytest.raises(InvalidInput, match="refers to the environment variable A_TEST_FOLDER") as caught:
        DatabaseSource.connect("sqlite:///${A_TEST_FOLDER}/bank.sqlite")
    assert str(tmp_path) not in str(caught.value)


def test_an_upload_is_checked_and_stored_once_under_its_content(tmp_path, bank):
    data = (tmp_path / "bank.sqlite").read_bytes()
    folder = tmp_path / "uploads"
    first = save_upload(data, folder, "../../My Bank.sqlite")
    assert save_upload(data, folder, "../../My Bank.sqlite") == first
    assert first.startswith(f"sqlite:///{folder.resolve()}/My-Bank-")
    with DatabaseSource.connect(first) as source:
        assert source.schema.table("Branch").rows == 2
    for bad, message in (
        (b"", "0 bytes"),
        (b"PK\x03\x04 zip", "not an SQLite"),
        (data[:100] + b"\xff" * 9000, "damaged"),
    ):
        with pytest.raises(UnreadableFile, match=message):
            save_upload(bad, folder, "bad.sqlite")
    assert len(list(folder.iterdir())) == 1


def test_odd_tables_are_read_as_they_are(tmp_path):
    schema = sqlite_schema(
        tmp_path / "odd.sqlite",
        """
        CREATE TABLE "my table" ("first ""col" TEXT, [Größe] TEXT, "a'b" TEXT);
        INSERT INTO "my table" VALUES ('x', 'y', 'z');
        CREATE TABLE pair (a TEXT, b TEXT, note TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
        CREATE TABLE child (id INTEGER PRIMARY KEY, x TEXT, y TEXT, FOREIGN KEY (x, y) REFERENCES PAIR);
        CREATE TABLE calc (price REAL, tax REAL GENERATED ALWAYS AS (price * 0.2) VIRTUAL);
        CREATE TABLE lost (a TEXT REFERENCES nowhere(z));
        CREATE TABLE person (name TEXT PRIMARY KEY, boss TEXT REFERENCES Person(NAME));
        CREATE VIEW names AS SELECT name FROM person;
        CREATE VIEW broken AS SELECT z FROM gone;
        CREATE VIRTUAL TABLE pages USING fts5(body);
        """,
    )
    assert [table.name for table in schema.tables] == [
        "calc",
        "child",
        "lost",
        "my table",
        "names",
        "pages",
        "pair",
        "person",
    ]
    assert [column.name for column in schema.table("my table").columns] == ['first "col', "Größe", "a'b"]
    assert schema.table("pair").primary_key == ("b", "a")
    key = schema.table("child").foreign_keys[0]
    assert (key.columns, key.referred_table, key.referred_columns) == (("x", "y"), "pair", ("b", "a"))
    assert [column.name for column in schema.table("calc").columns] == ["price", "tax"]
    assert schema.table("lost").foreign_keys == ()
    own = schema.table("person").foreign_keys[0]
    assert (own.referred_table, own.referred_columns) == ("person", ("name",))


def test_the_fingerprint_follows_schema_and_row_counts_only(tmp_path):
    one = sqlite_schema(tmp_path / "a.sqlite", BANK)
    same = sqlite_schema(tmp_path / "b.sqlite", BANK + "UPDATE Customer SET Name = 'Eve' WHERE CustomerId = 2;")
    more = sqlite_schema(tmp_path / "c.sqlite", BANK + "INSERT INTO Branch VALUES (3, 'East', 'Bern');")
    other = sqlite_schema(tmp_path / "d.sqlite", BANK + "ALTER TABLE Branch ADD COLUMN Phone TEXT;")
    assert one.fingerprint == same.fingerprint
    assert len({one.fingerprint, more.fingerprint, other.fingerprint}) == 3


def test_text_that_is_not_utf8_does_not_hide_its_row(tmp_path):
    url = sqlite_file(tmp_path / "t.sqlite", "CREATE TABLE T (Name TEXT); INSERT INTO T VALUES (CAST(x'4de9' AS TEXT))")
    with DatabaseSource.connect(url) as source:
        assert source.query("SELECT Name FROM T").rows == (("M\ufffd",),)


@pytest.mark.slow
def test_a_view_that_does_not_end_is_left_out_by_name_and_the_rest_is_connected(tmp_path):
    rows = ", ".join(f"('n{index}')" for index in range(300))
    script = f"CREATE TABLE T (Name TEXT); INSERT INTO T VALUES {rows};"
    script += "CREATE VIEW Slow AS SELECT a.Name FROM T a, T b, T c, T d;"
    url = sqlite_file(tmp_path / "t.sqlite", script)
    with DatabaseSource.connect(url, timeout_s=0.2) as source:
        assert [(table.name, table.rows) for table in source.schema.tables] == [("T", 300)]
        assert [item.name for item in source.schema.left_out] == ["Slow"]
        assert "could not be counted in 0.2 seconds" in source.schema.left_out[0].reason
        with pytest.raises(UnknownName):
            source.query("SELECT Name FROM Slow")
    alone = sqlite_file(tmp_path / "v.sqlite", VIEWS_ALONE)
    with pytest.raises(LimitExceeded, match="rows of Slow could not be counted"):
        DatabaseSource.connect(alone, timeout_s=0.2)


VIEWS_ALONE = """
CREATE VIEW Slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
"""


def test_a_file_with_a_damaged_page_is_refused_rather_than_read_without_its_table(tmp_path):
    path = tmp_path / "t.sqlite"
    rows = ", ".join(f"('{index:0200}')" for index in range(200))
    script = f"CREATE TABLE Whole (Name TEXT); CREATE TABLE Torn (Name TEXT); INSERT INTO Torn VALUES {rows}"
    url = sqlite_file(path, script)
    data = bytearray(path.read_bytes())
    data[2 * 4096 :] = b"\xff" * (len(data) - 2 * 4096)  # page 1 has the schema, page 2 the table Whole
    path.write_bytes(data)
    with pytest.raises(UnreadableFile, match="damaged"):
        DatabaseSource.connect(url)


@pytest.mark.slow
def test_a_database_its_writer_holds_locked_is_busy_not_damaged(tmp_path, bank):
    with closing(sqlite3.connect(tmp_path / "bank.sqlite", isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(SourceUnavailable, match="locked"):
            DatabaseSource.connect(bank)


def test_a_path_no_file_can_have_is_named():
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        DatabaseSource.connect("sqlite:////tmp/" + "x" * 400)


def test_a_database_that_is_refused_is_closed_again(tmp_path):
    url = sqlite_file(tmp_path / "t.sqlite", "CREATE TABLE Whole (Name TEXT)")
    data = bytearray((tmp_path / "t.sqlite").read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)  # the header says SQLite, the schema behind it is torn
    (tmp_path / "t.sqlite").write_bytes(data)
    with pytest.raises(UnreadableFile) as refusal:
        DatabaseSource.connect(url)
    # The refusal keeps its traceback, and with it whatever was not closed.
    assert refusal.tb is not None
    assert str(tmp_path / "t.sqlite") not in {file.path for file in psutil.Process().open_files()}
