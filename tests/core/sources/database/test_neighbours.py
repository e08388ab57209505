"""Parts of a schema that fit a screen."""

from __future__ import annotations

import pytest

from core.domain.errors import NotFound
from core.domain.sources.schema import Column, ForeignKey, Schema, Table
from core.sources.database.neighbours import neighbourhood, part, referred_to, table_groups


def table(name: str, *others: str, namespace: str = "") -> Table:
    return Table(
        name=name,
        rows=1,
        columns=(Column(name="id", type="INTEGER"),),
        foreign_keys=tuple(
            ForeignKey(columns=("id",), referred_table=other, referred_columns=("id",)) for other in others
        ),
        namespace=namespace,
    )


def schema(*tables: Table) -> Schema:
    return Schema(dialect="sqlite", tables=tables)


BANK = schema(
    table("account", "branch", "customer"),
    table("branch"),
    table("card", "account"),
    table("customer", "customer"),
    table("note"),
)


def names(part_of: Schema) -> list[str]:
    return [one.name for one in part_of.tables]


def test_how_many_keys_of_other_tables_point_to_each():
    assert referred_to(BANK) == {"account": 1, "branch": 1, "card": 0, "customer": 1, "note": 0}


@pytest.mark.parametrize(
    ("name", "steps", "near"),
    [
        ("account", 1, ["account", "branch", "card", "customer"]),
        ("Card", 1, ["account", "card"]),
        ("card", 2, ["account", "branch", "card", "customer"]),
        ("note", 2, ["note"]),
    ],
)
def test_a_table_with_what_it_touches(name, steps, near):
    assert names(neighbourhood(BANK, name, steps=steps)) == near


def test_keys_to_tables_that_are_left_out_are_left_out():
    small = part(BANK, ["account", "branch"])
    assert [key.referred_table for key in small.table("account").foreign_keys] == ["branch"]


def test_a_table_that_is_not_there():
    with pytest.raises(NotFound, match="no table nowhere"):
        neighbourhood(BANK, "nowhere")


def test_groups_follow_the_schemas_of_the_database_where_there_are_several():
    groups = table_groups(schema(table("hr.job", namespace="hr"), table("pay", "hr.job"), table("tax")))
    assert [(group.name, group.tables) for group in groups] == [("default schema", ("pay", "tax")), ("hr", ("hr.job",))]


def test_groups_follow_the_keys_otherwise():
    tables = [table(f"a{number}", "a0") for number in range(1, 5)] + [
        table(f"b{number}", "b0") for number in range(1, 4)
    ]
    groups = table_groups(schema(table("a0"), table("b0", "a0"), *tables, table("alone")))
    assert [(group.name, group.tables) for group in groups] == [
        ("a0", ("a0", "a1", "a2", "a3", "a4")),
        ("b0", ("b0", "b1", "b2", "b3")),
        ("no foreign keys", ("alone",)),
    ]
