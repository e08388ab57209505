"""What a model is told of a database holds no value, count or reason that was found on its rows."""

from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.testset.grounded.llm.schema import schema_text

BRANCH = Table(
    name="branch",
    rows=4711,
    columns=(
        Column(name="id", type="INTEGER", nullable=False, descriptive=False, reason="holds 4711, 4712", distinct=815),
        Column(name="state", type="ENUM('open','closed')", reason="few values: open, closed"),
        Column(name="fee", type="DECIMAL(10, 2)"),
        Column(name="note", type=""),
    ),
    primary_key=("id",),
    unique=(("state", "fee"),),
)
ACCOUNT = Table(
    name="account",
    rows=9,
    columns=(Column(name="branch_id", type="INT"),),
    foreign_keys=(ForeignKey(columns=("branch_id",), referred_table="branch", referred_columns=("id",)),),
)
SCHEMA = Schema(dialect="mysql", tables=(ACCOUNT, BRANCH))


def test_names_types_keys_and_flags_are_told_and_nothing_from_rows():
    told = schema_text(SCHEMA, ["branch"])
    assert told == (
        "table branch\n"
        "  id: INTEGER, primary key, never empty, not descriptive\n"
        "  state: ENUM, may be empty, descriptive\n"
        "  fee: DECIMAL(10, 2), may be empty, descriptive\n"
        "  note: untyped, may be empty, descriptive\n"
        "  unique (state, fee)"
    )


def test_a_foreign_key_is_told_where_both_its_tables_are():
    assert "foreign key (branch_id) refers to branch (id)" in schema_text(SCHEMA)
    assert "foreign key" not in schema_text(SCHEMA, ["account"])
