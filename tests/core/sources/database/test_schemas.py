"""Tables of several schemas of a server at once."""

from __future__ import annotations

import pytest

from core.domain.errors import InvalidInput, UnknownName
from core.sources.database import DatabaseSource
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.generator import generate_text_templates
from tests.support.databases.source_servers import schemas

STATEMENTS = (
    "CREATE TABLE {sales}.customer (id int PRIMARY KEY, name varchar(40) UNIQUE, city varchar(40))",
    "CREATE TABLE {sales}.note (id int PRIMARY KEY, title varchar(40) UNIQUE, author varchar(40))",
    "CREATE TABLE {hr}.employee (id int PRIMARY KEY, name varchar(40) UNIQUE, customer_id int,"
    " FOREIGN KEY (customer_id) REFERENCES {sales}.customer (id))",
    "CREATE TABLE {hr}.note (id int PRIMARY KEY, title varchar(40) UNIQUE, author varchar(40))",
    "INSERT INTO {sales}.customer VALUES (1, 'Ann', 'Bern'), (2, 'Ben', 'Genoa')",
    "INSERT INTO {sales}.note VALUES (1, 'Prices', 'Kim'), (2, 'Terms', 'Lee')",
    "INSERT INTO {hr}.employee VALUES (1, 'Eve', 1), (2, 'Fay', 2)",
    "INSERT INTO {hr}.note VALUES (1, 'Leave', 'Max'), (2, 'Pay', 'Ned')",
)


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_several_schemas_are_read_asked_and_answered(kind: str) -> None:
    with schemas(kind, ["sales", "hr"], STATEMENTS) as (address, real):
        chosen = f"{address}?schemas={real['sales']},{real['hr']}"
        with DatabaseSource.connect(chosen) as source:
            names = [table.name for table in source.schema.tables]
            assert names == ["customer", "employee", f"{real['hr']}.note", f"{real['sales']}.note"]
            (key,) = source.schema.table("employee").foreign_keys
            assert (key.referred_table, key.referred_columns) == ("customer", ("id",))
            # A name alone is enough where it is the only one of its kind, and its schema may be written.
            for table in ("employee", f"{real['hr']}.employee"):
                assert source.query(f"SELECT name FROM {table} ORDER BY name").rows == (("Eve",), ("Fay",))
            with pytest.raises(UnknownName):
                source.query("SELECT title FROM note")
            with pytest.raises(UnknownName):
                source.query("SELECT datname FROM pg_catalog.pg_database")
            assert source.sample_values(f"{real['hr']}.note", "title") == ("Leave", "Pay")
            templates = generate_sql_templates(source.schema)
            texts = [
                text for item in templates for text in generate_text_templates(item, source.schema, form="short", n=1)
            ]
            answers = {case.question: case.reference_answers for case in instantiate(source, templates, texts).cases}
        assert answers["Author of note 'Pay'"] == ("Ned",)
        assert answers["Author of note 'Prices'"] == ("Kim",)
        assert answers["Customer of employee 'Fay'"] == ("Ben",)


def test_a_partitioned_table_is_one_and_a_view_that_keeps_rows_is_a_view() -> None:
    statements = (
        "CREATE TABLE {plant}.reading (sensor int, read_on date, value numeric(8, 2), PRIMARY KEY (sensor, read_on))"
        " PARTITION BY RANGE (read_on)",
        "CREATE TABLE {plant}.reading_2023 PARTITION OF {plant}.reading"
        " FOR VALUES FROM ('2023-01-01') TO ('2024-01-01')",
        "CREATE TABLE {plant}.reading_2024 PARTITION OF {plant}.reading"
        " FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
        "INSERT INTO {plant}.reading VALUES (1, '2023-05-01', 2.5), (1, '2024-05-01', 3.5)",
        "CREATE MATERIALIZED VIEW {plant}.highest AS SELECT max(value) AS value FROM {plant}.reading",
    )
    with schemas("postgresql", ["plant"], statements) as (address, _), DatabaseSource.connect(address) as source:
        found = {table.name: (table.rows, table.view, table.asked) for table in source.schema.tables}
        assert found == {"reading": (2, False, True), "highest": (1, True, False)}


def test_an_address_that_names_no_schema_reads_them_all() -> None:
    with schemas("postgresql", ["sales", "hr"], STATEMENTS) as (address, _), DatabaseSource.connect(address) as source:
        assert [table.name for table in source.schema.tables] == ["customer", "employee", "hr.note", "sales.note"]
        tokens = {item.token for template in generate_sql_templates(source.schema) for item in template.placeholders}
        assert {"[hr.note.title]", "[sales.note.title]"} <= tokens
        with pytest.raises(InvalidInput, match="schemas that the address names have no tables"):
            DatabaseSource.connect(f"{address}?schemas=public")
