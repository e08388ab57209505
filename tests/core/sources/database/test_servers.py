"""Databases on real servers: what is read is what a file gives, nothing is changed, and time is limited."""

import secrets
from contextlib import suppress

import pytest
import sqlalchemy as sa

from core.domain.errors import InvalidInput, LimitExceeded
from core.sources.database import DatabaseSource
from core.sources.database.address import read_address
from core.sources.database.readers.opening import open_reader
from tests.support.databases.source_servers import SERVERS, database
from tests.support.small_bank import bank_statements

FOREVER = f"SELECT COUNT(*) FROM {', '.join(f'account a{number}' for number in range(14))}"
"""It counts 12 to the power of 14 rows."""


@pytest.fixture(params=["postgresql", "mariadb"])
def address(request, tmp_path):
    with database(request.param, bank_statements(), tmp_path) as found:
        yield found


def test_tables_keys_and_flags_are_those_of_a_file(address, tmp_path):
    with database("sqlite", bank_statements(), tmp_path) as file, DatabaseSource.connect(file) as other:
        like = {table.name: table for table in other.schema.tables}
    with DatabaseSource.connect(address) as source:
        assert [table.name for table in source.schema.tables] == ["account", "branch"]
        for table in source.schema.tables:
            same = like[table.name]
            assert (table.rows, table.primary_key, table.foreign_keys) == (
                same.rows,
                same.primary_key,
                same.foreign_keys,
            )
            assert [(column.name, column.descriptive, column.distinct) for column in table.columns] == [
                (column.name, column.descriptive, column.distinct) for column in same.columns
            ]
        found = source.query("SELECT name FROM branch WHERE city = :p0", {"p0": "Corwen"})
        assert found.rows == (("Corwen Branch",),)


def test_a_truth_of_mariadb_is_a_flag_in_few_rows_too(tmp_path):
    statements = (
        "CREATE TABLE seat_class (class_name varchar(20) PRIMARY KEY, discountable boolean, steps tinyint)",
        "INSERT INTO seat_class VALUES ('Stalls', 1, 1), ('Balcony', 0, 0)",
    )
    with database("mariadb", statements, tmp_path) as address, DatabaseSource.connect(address) as source:
        table = source.schema.table("seat_class")
        assert table.column("discountable").reason == "a yes/no flag"
        assert table.column("steps").descriptive


def test_a_result_that_is_left_in_the_middle_disturbs_nothing(address):
    with DatabaseSource.connect(address) as source:
        for _ in range(3):
            with source.stream("SELECT name FROM account ORDER BY account_id") as result:
                assert next(result.rows) == ("Plan 1",)
        assert len(source.query("SELECT name FROM account").rows) == 12


def test_the_server_itself_refuses_to_write(address):
    reader = open_reader(read_address(address), begun=print)
    try:
        for sql in ("DELETE FROM account", "INSERT INTO branch VALUES (9, 'x', 'y', 'z')"):
            with pytest.raises(InvalidInput, match="refused the statement"), reader.run(sql, {}, timeout_s=30):
                pass
    finally:
        reader.close()
    with DatabaseSource.connect(address) as source:
        assert {table.name: table.rows for table in source.schema.tables} == {"account": 12, "branch": 6}


def test_a_statement_without_end_is_stopped(address):
    reader = open_reader(read_address(address), begun=print)
    try:
        with (
            pytest.raises(LimitExceeded, match=r"stopped after 0\.5 seconds"),
            reader.run(FOREVER, {}, timeout_s=0.5) as result,
        ):
            list(result.rows)
    finally:
        reader.close()


def test_mysql_in_the_address_reaches_a_mariadb_too(tmp_path):
    with (
        database("mariadb", bank_statements(), tmp_path) as address,
        DatabaseSource.connect(address.replace("mariadb+", "mysql+")) as source,
    ):
        assert len(source.query("SELECT name FROM account").rows) == 12


def test_a_view_whose_table_is_gone_is_left_out(tmp_path):
    late = ["CREATE TABLE gone (name TEXT)", "CREATE VIEW late AS SELECT name FROM gone", "DROP TABLE gone"]
    with (
        database("mariadb", [*bank_statements(), *late], tmp_path) as address,
        DatabaseSource.connect(address) as source,
    ):
        assert [table.name for table in source.schema.tables] == ["account", "branch"]


def test_a_user_who_may_read_nothing_is_told_so_and_not_that_there_are_no_tables(tmp_path):
    with database("postgresql", bank_statements(), tmp_path) as address:
        role = f"plumbline_reader_{secrets.token_hex(6)}"
        engine = sa.create_engine(SERVERS["postgresql"].address, isolation_level="AUTOCOMMIT")
        schema = address.rpartition("%3D")[2]
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE ROLE {role} LOGIN")
            connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
        try:
            with pytest.raises(InvalidInput, match="permission denied"):
                DatabaseSource.connect(address.replace("postgres@", f"{role}@"))
        finally:
            with engine.connect() as connection:
                connection.exec_driver_sql(f"DROP OWNED BY {role}")
                connection.exec_driver_sql(f"DROP ROLE {role}")
            engine.dispose()


@pytest.mark.slow
def test_a_view_that_does_not_end_is_left_out_by_name_and_the_rest_is_connected(tmp_path):
    view = f"CREATE VIEW runaway AS {FOREVER.replace('COUNT(*)', 'a0.name')}"
    for kind in ("postgresql", "mariadb"):
        with database(kind, [*bank_statements(), view], tmp_path) as address:
            # A server's time is that of the clock: on a busy machine a count of twelve rows may take as long, too.
            tables, left_out = [], []
            for seconds in (0.5, 2.0, 8.0, 32.0):
                with suppress(LimitExceeded), DatabaseSource.connect(address, timeout_s=seconds) as source:
                    tables = [table.name for table in source.schema.tables]
                    left_out = [item.name for item in source.schema.left_out]
                if left_out == ["runaway"]:
                    break
            assert (tables, left_out) == (["account", "branch"], ["runaway"])
