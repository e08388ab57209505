import pytest

from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database import DatabaseSource
from core.sources.database.descriptive import decide, judge_column
from core.sources.database.words import split_words
from tests.support.shared_data import shared

UUIDS = ("0f8fad5b-d9cb-469f-a165-70867728950e", "7c9e6679-7425-40de-944b-e07fc1f90ae7")


def judged(name, kind="TEXT", values=(), *, table="Customer", primary=False, points_to=None):
    column = Column(name=name, type=kind)
    other = Table(name="Other", rows=1, columns=(Column(name="Id", type="INTEGER"), Column(name="Name", type="TEXT")))
    keys = (ForeignKey(columns=(name,), referred_table="Other", referred_columns=(points_to,)),) if points_to else ()
    own = Table(name=table, rows=5, columns=(column,), primary_key=(name,) if primary else (), foreign_keys=keys)
    return judge_column(Schema(dialect="sqlite", tables=(own, other)), own, column, values)


@pytest.mark.parametrize(
    ("flag", "reason"),
    [
        (judged("CustomerId", "INTEGER", (1, 2)), "an id by its name"),
        (judged("customerid", "TEXT", ("x",)), "an id by its name"),
        (judged("id", "INTEGER", (1, 2)), "an id by its name"),
        (judged("uuid", "TEXT", ("x",)), "an id by its name"),
        (judged("Reference", "CHAR(36)", UUIDS), "a made-up key (UUID)"),
        (judged("Ref", "UUID", ("x",)), "a made-up key (UUID)"),
        (judged("Content", "TEXT", ("9e107d9d372bb6826bd81d3542a419d6",)), "looks like a hash"),
        (judged("Signature", "TEXT", ("aGVsbG8gd29ybGQgaGVsbG8K12",)), "looks like a machine-made token"),
        (judged("PasswordHash"), "a secret by its name"),
        (judged("checksum"), "made by a machine, by its name"),
        (judged("Photo", "BLOB"), "binary data"),
        (judged("Photo", "TEXT", (b"x",)), "binary data"),
        (judged("Options", "JSON"), "structured data, not a value"),
        (judged("Options", "TEXT", ('{"a": 1}', '{"a": 2}')), "structured data, not a value"),
        (judged("Biography", "TEXT", ("word " * 60,)), "long text, a document rather than an answer"),
        (judged("IsActive", "INTEGER", (0, 1)), "a yes/no flag"),
        (judged("Active", "BOOLEAN", (0, 1)), "a yes/no flag"),
        (judged("Discountable", "TINYINT(1)", (0, 1)), "a yes/no flag"),
        (judged("Grade", "TEXT", ("A", "B")), "one-letter codes"),
        (judged("Created_At", "TEXT", ("2024-01-01",)), "bookkeeping of the system"),
        (judged("UpdatedOn", "TEXT", ("2024-01-01",)), "bookkeeping of the system"),
        (judged("signup_ts", "INTEGER", (1_700_000_000,)), "a moment counted in seconds"),
        (judged("col7", "TEXT", ("x",)), "its name says nothing"),
        (judged("x", "TEXT", ("x",)), "its name says nothing"),
        (judged("Note", "TEXT", ("  ",)), "holds only blanks"),
        (judged("Note", "TEXT", ()), "holds no value"),
        (judged("Manager", "INTEGER", (3,), points_to="Id"), "a number that points to Other"),
        (judged("Customer", "INTEGER", (3,), primary=True), "a running number as primary key"),
        (judged("Customer", "TEXT", ("C-001", "C-002"), primary=True), "a running number as primary key"),
    ],
)
def test_a_column_no_person_would_use_is_void_with_its_reason(flag, reason):
    assert flag == (False, reason)


@pytest.mark.parametrize(
    ("flag", "reason"),
    [
        (judged("Name", "TEXT", ("Ada",), primary=True), "the key, in words people use"),
        (judged("AccountNumber", "INTEGER", (100200300,), primary=True), "the key, in words people use"),
        (judged("IBAN", "TEXT", ("DE89370400440532013000",)), "readable values"),
        (judged("Client", "TEXT", ("Skyline",), points_to="Name"), "names a row of another table"),
        (judged("FirstName", "TEXT", ("Ada",)), "a name"),
        (judged("OpeningDate", "DATE", ("2024-01-01",)), "a date"),
        (judged("Balance", "REAL", (12.5,)), "an amount or number with a name"),
        (judged("City", "TEXT", ("Oslo",)), "readable values"),
        (judged("PostalCode", "TEXT", ("0171", "70174")), "readable values"),
        (judged("Paid", "TEXT", ("in full",)), "readable values"),
        (judged("Valid", "TEXT", ("until May",)), "readable values"),
        (judged("Children", "INTEGER", (0, 1)), "an amount or number with a name"),
    ],
)
def test_a_column_people_use_is_descriptive(flag, reason):
    assert flag == (True, reason)


def test_a_person_wins_over_the_rule_in_both_directions():
    own = Table(name="T", rows=1, columns=(Column(name="Code_Id", type="TEXT"), Column(name="City", type="TEXT")))
    (table,) = decide(
        Schema(dialect="sqlite", tables=(own,)), {("T", "City"): ("Oslo",)}, {"t.code_id": True, "T.City": False}
    )
    code, city = table.columns
    assert (code.descriptive, code.overruled) == (True, True)
    assert code.reason == "decided by a person (an id by its name)"
    assert (city.descriptive, city.overruled) == (False, True)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CustomerId", ["customer", "id"]),
        ("first_name", ["first", "name"]),
        ("IBANNumber", ["iban", "number"]),
        ("PostalCode2", ["postal", "code", "2"]),
        ("straßeName", ["straße", "name"]),
        ("postcode", ["post", "code"]),
        ("paid", ["paid"]),
        ("valid", ["valid"]),
        ("???", ["???"]),
        ("customerid", ["customer", "id"]),
    ],
)
def test_names_are_split_into_words(name, words):
    assert split_words(name) == words


def test_chinook_has_void_keys_and_readable_names():
    with DatabaseSource.connect(f"sqlite:///{shared('chinook/Chinook_Sqlite.sqlite')}") as source:
        for table in source.schema.tables:
            for column in table.columns:
                surrogate = column.name.endswith("Id") or column.name == "ReportsTo"
                assert column.descriptive is not surrogate, f"{table.name}.{column.name}: {column.reason}"
        assert source.schema.table("Album").column("Title").distinct == 347


def test_every_column_of_aurp_is_readable():
    with DatabaseSource.connect(f"sqlite:///{shared('grammar-aurp/aurp.sqlite')}") as source:
        assert all(column.descriptive for table in source.schema.tables for column in table.columns)
