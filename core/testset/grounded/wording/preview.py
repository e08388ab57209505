"""How questions about a table will read, before any row is read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.domain.sources.schema import Schema, Table
from core.domain.sources.semantics import SemanticLayer
from core.sources.database.neighbours import neighbourhood
from core.sources.database.semantics.applying import decided, layer_of, merged, with_words
from core.sources.database.semantics.proposing import propose
from core.testset.grounded.entities import best_label, is_date
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.generator import generate_text_templates
from core.testset.grounded.words.inflection import plural
from core.testset.grounded.words.phrases import column_noun, table_noun

FORM = "interrogative"


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleWording:
    """One question with its blanks.

    Attributes:
        text: As the template has it ("What is the city of branch [branch.name]?").
        tables: What its answer is read from.
    """

    text: str
    tables: tuple[str, ...]


def sample_wordings(schema: Schema, table: str, *, n: int = 5) -> list[SampleWording]:
    """Questions that rules would ask about the rows of a table, in its present words.

    Args:
        schema: With the words of its semantic layer, saved or not.
        table: Whose rows are asked about.
        n: The most wanted.

    Raises:
        NotFound: The schema has no such table.
    """
    middle = schema.table(table).name
    near = neighbourhood(schema, middle, steps=2)
    alone = replace(near, tables=tuple(one if one.name == middle else replace(one, asked=False) for one in near.tables))
    return [
        SampleWording(text=wording.text, tables=template.tables)
        for template in generate_sql_templates(alone, limit=n)
        for wording in generate_text_templates(template, alone, form=FORM, n=1)
    ]


def respoken(schema: Schema, layer: SemanticLayer) -> Schema:
    """The schema as it would be read with another layer, without reading it."""
    spoken = with_words(schema, merged(propose(schema, layer), layer))
    asked = {place.casefold(): flag for place, flag in decided(layer).items()}
    return replace(
        spoken,
        tables=tuple(
            replace(
                table,
                columns=tuple(
                    replace(column, descriptive=asked.get(f"{table.name}.{column.name}".casefold(), column.descriptive))
                    for column in table.columns
                ),
            )
            for table in spoken.tables
        ),
    )


def shown_layer(schema: Schema) -> SemanticLayer:
    """Every table and column with the words that questions use now, whoever said them; to be edited."""
    return SemanticLayer(
        tables=tuple(
            replace(
                meaning,
                noun=table_noun(table.spoken),
                plural=table.plural or plural(table_noun(table.spoken)),
                label=table.label or _label(table),
                columns=tuple(
                    replace(said, noun=column_noun(column.spoken, table.spoken, temporal=is_date(column)))
                    for column, said in zip(table.columns, meaning.columns, strict=True)
                ),
            )
            for table, meaning in zip(schema.tables, layer_of(schema).tables, strict=True)
        )
    )


def _label(table: Table) -> tuple[str, ...]:
    label = best_label(table)
    return label.columns if label else ()
