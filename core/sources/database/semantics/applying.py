"""A schema with the words of a semantic layer in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.domain.errors import InvalidInput
from core.domain.sources.schema import Column, Schema, Table
from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning


def merged(proposed: SemanticLayer, said: SemanticLayer) -> SemanticLayer:
    """The rules' proposal with everything that was said laid over it, field by field."""
    tables = {table.name.casefold(): table for table in said.tables}
    return SemanticLayer(
        tables=tuple(_merged_table(table, tables.get(table.name.casefold())) for table in proposed.tables)
    )


def with_words(schema: Schema, layer: SemanticLayer) -> Schema:
    """The schema with the layer's nouns, labels, units and codes; what the layer does not name stays as it is."""
    tables = {table.name.casefold(): table for table in layer.tables}
    return replace(schema, tables=tuple(_table(table, tables.get(table.name.casefold())) for table in schema.tables))


def decided(layer: SemanticLayer) -> dict[str, bool]:
    """The columns on which the layer decides whether they are asked for, as ``{"Table.Column": bool}``."""
    return {
        f"{table.name}.{column.name}": column.ask
        for table in layer.tables
        for column in table.columns
        if column.ask is not None
    }


def named(layer: SemanticLayer) -> frozenset[str]:
    """The columns that the layer has a noun for, as ``"Table.Column"``."""
    return frozenset(f"{table.name}.{column.name}" for table in layer.tables for column in table.columns if column.noun)


def known(schema: Schema, layer: SemanticLayer) -> SemanticLayer:
    """The layer without what it says of tables and columns that the database has not."""
    columns = {table.name.casefold(): {column.name.casefold() for column in table.columns} for table in schema.tables}
    return SemanticLayer(
        tables=tuple(
            replace(
                table,
                label=tuple(name for name in table.label if name.casefold() in columns[table.name.casefold()]),
                columns=tuple(one for one in table.columns if one.name.casefold() in columns[table.name.casefold()]),
            )
            for table in layer.tables
            if table.name.casefold() in columns
        )
    )


def refuse_unknown(schema: Schema, layer: SemanticLayer) -> None:
    """Raises where the layer names a table or column that the database has not.

    Raises:
        InvalidInput: With the first of the names.
    """
    unknown = _unknown_names(schema, layer)
    if unknown:
        more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        raise InvalidInput(
            f"The semantic layer names {unknown[0]}{more}, which the database has not.",
            "Correct the name, or take it out: the schema command and the Connect page list what there is.",
        )


def _unknown_names(schema: Schema, layer: SemanticLayer) -> tuple[str, ...]:
    known = {table.name.casefold(): {column.name.casefold() for column in table.columns} for table in schema.tables}
    unknown: list[str] = []
    for table in layer.tables:
        columns = known.get(table.name.casefold())
        if columns is None:
            unknown.append(table.name)
            continue
        named = (*(column.name for column in table.columns), *table.label)
        unknown += [f"{table.name}.{name}" for name in named if name.casefold() not in columns]
    return tuple(unknown)


def layer_of(schema: Schema) -> SemanticLayer:
    """The words that a schema carries, as a layer to be edited: every table and column, with the noun it has now."""
    return SemanticLayer(
        tables=tuple(
            TableMeaning(
                name=table.name,
                noun=table.noun,
                plural=table.plural,
                description=table.description,
                label=table.label,
                ask=table.asked,
                columns=tuple(
                    ColumnMeaning(
                        name=column.name,
                        noun=column.noun,
                        description=column.description,
                        unit=column.unit,
                        codes=column.codes,
                        ask=column.descriptive,
                    )
                    for column in table.columns
                ),
            )
            for table in schema.tables
        )
    )


def _table(table: Table, meaning: TableMeaning | None) -> Table:
    if meaning is None:
        return table
    columns = {column.name.casefold(): column for column in meaning.columns}
    spelled = {column.name.casefold(): column.name for column in table.columns}
    return replace(
        table,
        noun=meaning.noun,
        plural=meaning.plural,
        description=meaning.description or table.description,
        label=tuple(spelled[name.casefold()] for name in meaning.label if name.casefold() in spelled),
        asked=not table.view if meaning.ask is None else meaning.ask,
        columns=tuple(_column(column, columns.get(column.name.casefold())) for column in table.columns),
    )


def _column(column: Column, meaning: ColumnMeaning | None) -> Column:
    if meaning is None:
        return column
    return replace(
        column,
        noun=meaning.noun,
        description=meaning.description or column.description,
        unit=meaning.unit,
        codes=meaning.codes,
    )


def _merged_table(table: TableMeaning, said: TableMeaning | None) -> TableMeaning:
    if said is None:
        return table
    return TableMeaning(
        name=table.name,
        noun=said.noun or table.noun,
        plural=said.plural or table.plural,
        description=said.description or table.description,
        label=said.label or table.label,
        ask=table.ask if said.ask is None else said.ask,
        columns=tuple(_merged_columns(table.columns, said.columns)),
    )


def _merged_columns(columns: Iterable[ColumnMeaning], said: Iterable[ColumnMeaning]) -> Iterable[ColumnMeaning]:
    by_name = {column.name.casefold(): column for column in said}
    for column in columns:
        other = by_name.get(column.name.casefold())
        if other is None:
            yield column
            continue
        yield ColumnMeaning(
            name=column.name,
            noun=other.noun or column.noun,
            description=other.description or column.description,
            unit=other.unit or column.unit,
            codes=other.codes or column.codes,
            ask=column.ask if other.ask is None else other.ask,
        )
