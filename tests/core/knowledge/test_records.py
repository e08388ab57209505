"""Rows as records: stable ids, names in place of keys, facts of rows that only tie others together."""

import sqlite3
import time
from contextlib import closing

import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.knowledge import Fact, read_records, rule_text, writable_tables
from core.knowledge.records import NO_KEY
from core.sources.database import DatabaseSource


def by_id(database, *tables, **more):
    return {record.document_id: record for record in read_records(database, tables, **more)}


def test_a_row_is_named_by_its_name_and_its_pointers_by_theirs(shop):
    records = by_id(shop, "person")
    assert records["person:1"].label == "Ann Lee"
    assert records["person:2"].facts == (
        Fact(name="manager", value="Ann Lee", column="person.manager_id", points=True),
    )
    # Nobody is called 3, and its manager does not exist.
    assert records["person:3"].label == "person 3"
    assert not records["person:3"].named
    assert [fact.value for fact in records["person:3"].facts] == ["person 9"]


def test_a_row_without_a_name_is_asked_for_by_what_it_points_to(shop):
    records = by_id(shop, "remark")
    assert records["remark:7"].label == "remark 7"
    assert rule_text(records["remark:7"]) == (
        "This is remark 7. The topic of remark 7 of person Bo O'Dell is fees. The person of remark 7 is Bo O'Dell."
    )
    assert rule_text(records["remark:9"]) == "This is remark 9. The topic of remark 9 is nothing."


def test_values_are_written_as_reference_answers_are_and_null_is_left_out(shop):
    records = by_id(shop, "product")
    assert {fact.name: fact.value for fact in records["product:Home Saver"].facts} == {
        "price": "12",
        "launch date": "2014-05-03",
    }
    assert [fact.value for fact in records['product:Loan "X"'].facts] == ["0.5"]


def test_amounts_and_codes_are_stated_as_reference_answers_state_them(tmp_path):
    """A document said "the price per kilogram is 1294" where the reference answer is 12.94, and was called a gap."""
    file = tmp_path / "bees.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "CREATE TABLE harvest (batch TEXT PRIMARY KEY, price_per_kg_cents INTEGER, fee INTEGER, state TEXT);"
            "INSERT INTO harvest VALUES ('L25-0011', 1294, 1500, 'A'), ('L25-0012', 980, NULL, 'B'),"
            " ('L25-0013', 1001, 20, NULL);"
        )
    codes = (("A", "sold"), ("B", "in store"))
    columns = (ColumnMeaning(name="fee", unit="EUR"), ColumnMeaning(name="state", codes=codes, ask=True))
    layer = SemanticLayer(tables=(TableMeaning(name="harvest", columns=columns),))
    with DatabaseSource.connect(f"sqlite:///{file}", layer=layer) as database:
        records = by_id(database, "harvest")
        stated = {key: [(fact.name, fact.value) for fact in record.facts] for key, record in records.items()}
    assert stated["harvest:L25-0011"] == [("price per kilogram", "12.94"), ("fee", "€1,500"), ("state", "sold")]
    assert stated["harvest:L25-0012"] == [("price per kilogram", "9.80"), ("state", "in store")]


def test_facts_of_rows_that_tie_are_in_the_documents_of_the_rows_they_tie(shop):
    records = by_id(shop, "person", "product", "offer")
    assert not any(name.startswith("offer:") for name in records)
    ann = [fact for fact in records["person:1"].facts if fact.one_of or fact.about]
    assert [(fact.value, fact.about) for fact in ann] == [
        ("Home Saver", ""),
        ("2020-01-02", "Home Saver"),
        ('Loan "X"', ""),
    ]
    assert ("2021-03-04", "Bo O'Dell") in [(fact.value, fact.about) for fact in records["product:Home Saver"].facts]
    text = rule_text(records["person:1"])
    assert "A product of Ann Lee is Home Saver." in text
    assert "For Ann Lee and Home Saver, the" in text


def test_rows_that_tie_stand_alone_where_nothing_else_is_chosen(shop):
    records = by_id(shop, "offer")
    assert list(records) == ["offer:1-Home Saver", 'offer:1-Loan "X"', "offer:2-Home Saver"]
    assert records["offer:2-Home Saver"].label == "Bo O'Dell and Home Saver"


def test_a_composite_key_is_one_id_and_blanks_are_one_blank(shop):
    records = by_id(shop)
    assert {"line:4-1", "line:4-2"} <= set(records)
    assert [fact.value for fact in records["remark:8"].facts] == ["tax and law", "person 3"]
    assert [fact.name for fact in records["remark:9"].facts] == ["topic"]


def test_a_table_without_a_key_has_no_stable_id(shop):
    fit, unfit = writable_tables(shop.schema)
    assert "keyless" not in fit
    assert [(table.table, table.reason) for table in unfit] == [("keyless", NO_KEY)]
    with pytest.raises(InvalidInput, match="table keyless: it has no primary key"):
        list(read_records(shop, ["KEYLESS"]))


def test_tables_come_in_any_letter_case_and_unknown_ones_are_told(shop):
    assert len(by_id(shop, "PERSON")) == 3
    with pytest.raises(NotFound):
        list(read_records(shop, ["nobody"]))


def test_a_limit_counts_rows_of_each_table(shop):
    assert list(by_id(shop, "person", "line", per_table=1)) == ["line:4-1", "person:1"]
    with pytest.raises(InvalidInput, match="rows of a table cannot be 0"):
        list(read_records(shop, per_table=0))


def test_every_rule_text_states_every_fact_and_is_the_same_twice(shop):
    first, second = ([rule_text(record) for record in read_records(shop)] for _ in range(2))
    assert first == second
    for record in read_records(shop):
        assert all(fact.value in rule_text(record) for fact in record.facts)
        assert rule_text(record).count(record.label) > len(record.facts) - sum(bool(f.about) for f in record.facts)


@pytest.mark.slow
def test_a_slow_reader_of_records_does_not_run_into_the_timeout_of_a_statement(tmp_path):
    file = tmp_path / "large.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE place (place_id INTEGER PRIMARY KEY, name TEXT)")
        connection.executemany("INSERT INTO place VALUES (?, ?)", [(n, f"Place {n}") for n in range(20_000)])
        connection.commit()
    with DatabaseSource.connect(f"sqlite:///{file}", timeout_s=4.0) as database:
        records = read_records(database)
        next(records)
        time.sleep(4.1)
        assert sum(1 for _ in records) == 19_999
