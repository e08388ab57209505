"""What a person changes in the words of a database, apart from what rules propose."""

from __future__ import annotations

import pytest

from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database.semantics.editing import changed_fields, joined, revised

CITY = ColumnMeaning(name="city", noun="town", ask=True)
FEE = ColumnMeaning(name="fee", noun="monthly fee")
SHOWN = TableMeaning(name="branch", noun="branch", plural="branches", label=("name",), ask=True, columns=(CITY, FEE))


def table(**changes):
    return SemanticLayer(tables=(TableMeaning(name="branch", **changes),))


def edited(**changes):
    values = {name: getattr(SHOWN, name) for name in ("noun", "plural", "label", "ask", "columns")} | changes
    return TableMeaning(name="branch", **values)


@pytest.mark.parametrize(
    ("said", "changes", "layer"),
    [
        (SemanticLayer(), {}, SemanticLayer()),
        (SemanticLayer(), {"noun": "office"}, table(noun="office")),
        (SemanticLayer(), {"ask": False}, table(ask=False)),
        (table(noun="branch"), {"plural": "offices"}, table(noun="branch", plural="offices")),
        (table(noun="branch"), {"noun": ""}, SemanticLayer()),
        (table(label=("name",)), {"label": ()}, SemanticLayer()),
        (
            SemanticLayer(),
            {"columns": (ColumnMeaning(name="city", noun="town", ask=False), FEE)},
            table(columns=(ColumnMeaning(name="city", ask=False),)),
        ),
        (
            table(columns=(ColumnMeaning(name="CITY", unit="km"),)),
            {"columns": (CITY, ColumnMeaning(name="fee", noun="charge"))},
            table(columns=(ColumnMeaning(name="CITY", unit="km"), ColumnMeaning(name="fee", noun="charge"))),
        ),
    ],
    ids=["nothing", "noun", "ask", "kept", "emptied", "label", "column", "two columns"],
)
def test_only_what_differs_from_the_screen_becomes_the_persons(said, changes, layer):
    assert revised(said, SHOWN, edited(**changes)) == layer


def test_other_tables_stay():
    said = SemanticLayer(tables=(TableMeaning(name="account", noun="deposit"),))
    layer = revised(said, SHOWN, edited(noun="office"))
    assert [one.noun for one in layer.tables] == ["deposit", "office"]


def test_a_file_is_laid_over_what_was_said():
    said = table(noun="office", columns=(ColumnMeaning(name="city", noun="town"),))
    added = SemanticLayer(
        tables=(
            TableMeaning(name="Branch", plural="offices", columns=(ColumnMeaning(name="CITY", unit="km"),)),
            TableMeaning(name="account", noun="deposit"),
        )
    )
    layer = joined(said, added)
    assert layer.tables == (
        TableMeaning(name="account", noun="deposit"),
        TableMeaning(
            name="branch",
            noun="office",
            plural="offices",
            columns=(ColumnMeaning(name="city", noun="town", unit="km"),),
        ),
    )
    assert changed_fields(said, layer) == 3
    assert joined(layer, added) == layer


def test_fields_that_are_no_longer_said_count_as_changed():
    assert changed_fields(table(noun="office", ask=False), SemanticLayer()) == 2
    assert changed_fields(table(noun="office"), table(noun="agency")) == 1
