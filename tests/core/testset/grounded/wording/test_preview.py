"""How questions about a table will read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning
from core.sources.database import DatabaseSource
from core.testset.grounded.wording.preview import respoken, sample_wordings, shown_layer
from tests.support.small_bank import write_bank


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    with DatabaseSource.connect(f"sqlite:///{write_bank(tmp_path_factory.mktemp('bank') / 'bank.sqlite')}") as source:
        return source.schema


def test_the_words_shown_are_those_of_the_questions(schema):
    branch = shown_layer(schema).tables[1]
    assert (branch.name, branch.noun, branch.plural, branch.label) == ("branch", "branch", "branches", ("name",))
    assert [column.noun for column in branch.columns] == ["ID", "name", "city", "manager"]


def test_samples_are_the_first_questions_that_would_be_proposed(schema):
    texts = [sample.text for sample in sample_wordings(schema, "BRANCH", n=2)]
    assert texts == [
        "What is the city of the branch '[branch.name]'?",
        "Who is the manager of the branch '[branch.name]'?",
    ]


def test_other_words_are_heard_without_reading_the_database(schema):
    layer = SemanticLayer(
        tables=(
            TableMeaning(
                name="branch",
                noun="office",
                columns=(ColumnMeaning(name="city", ask=False), ColumnMeaning(name="manager", noun="head")),
            ),
        )
    )
    spoken = respoken(schema, layer)
    assert [sample.text for sample in sample_wordings(spoken, "branch")] == [
        "Who is the head of the office '[branch.name]'?"
    ]
    assert respoken(schema, SemanticLayer()) == schema


def test_a_table_that_is_not_asked_about_has_none(schema):
    mute = replace(schema, tables=tuple(replace(table, asked=False) for table in schema.tables))
    assert sample_wordings(mute, "branch") == []
