"""What else a database says of the records that a look-up reads: values that explain what stands on their pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.diagnosis.statements import PLAIN, alias_of, tables_of
from core.domain.errors import NotFound
from core.domain.sources.schema import Schema, Table
from core.sources.database import DatabaseSource
from core.sources.database.guard import check_tree, parse_one
from core.sources.database.names import table_node
from core.testset.grounded.references import stated_value
from core.testset.grounded.words.values import value_text

MOST_OWN, MOST_TIED = 5, 50
"""Records that a look-up reads, and of each other table rows that belong to them."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A column of a table that a statement reads."""

    alias: str
    table: Table
    name: str


def values_around(sql: str, params: Mapping[str, object], database: DatabaseSource) -> tuple[str, ...] | None:
    """Every other value of the records that a look-up reads, of those they refer to, and of those that refer to them.

    Args:
        sql: One SELECT with parameters.
        params: What it is filled with.
        database: The project's.

    Returns:
        The values as text, each once; None where the statement is no plain look-up.

    Raises:
        PlumblineError: The database cannot be read.
    """
    schema = database.schema
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in (*PLAIN, "group", "limit")):
        return None
    tables = tables_of(tree, schema)
    items = [item.unalias() for item in tree.selects]
    if not tables or tree.find(exp.Subquery, exp.AggFunc) or not all(isinstance(item, exp.Column) for item in items):
        return None
    asked = {(alias_of(item, tables), item.name.casefold()) for item in items if isinstance(item, exp.Column)}
    places = [_Place(alias, table, column.name) for alias, table in tables.items() for column in table.columns]
    statement = tree.copy()
    statement.set("distinct", None)
    statement.set("expressions", [_column(place.name, place.alias) for place in places])
    bound = {name: value for name, value in params.items() if f":{name}" in sql}
    rows = database.query(check_tree(statement, schema).sql, bound, row_limit=MOST_OWN).rows
    values: dict[str, None] = {}
    for row in rows:
        own = [(place, value) for place, value in zip(places, row, strict=True) if value is not None]
        for place, value in own:
            if (place.alias, place.name.casefold()) not in asked:
                values[_text(value, place.table, place.name)] = None
        for table, column, value in dict.fromkeys(_ties(own, schema)):
            if table not in tables.values():
                values.update(dict.fromkeys(_read(database, table, column, value)))
    return tuple(values)


def _ties(own: Sequence[tuple[_Place, object]], schema: Schema) -> Iterator[tuple[Table, str, object]]:
    """The tables that a record refers to and those that refer to it, each with the column and the value they share."""
    by_column = {(place.table.name, place.name.casefold()): value for place, value in own}
    for name in {place.table.name for place, _ in own}:
        for key in schema.table(name).foreign_keys:
            value = by_column.get((name, key.columns[0].casefold()))
            if len(key.columns) == 1 and len(key.referred_columns) == 1 and value is not None:
                try:
                    yield schema.table(key.referred_table), key.referred_columns[0], value
                except NotFound:
                    continue
    for table in schema.tables:
        for key in table.foreign_keys:
            for column, referred in zip(key.columns, key.referred_columns, strict=False):
                value = by_column.get((key.referred_table, referred.casefold()))
                # The readings of a stake, which is called by its glacier and a number, are the glacier's.
                value = by_column.get(_through(key.referred_table, referred, schema)) if value is None else value
                if value is not None:
                    yield table, column, value


def _through(name: str, column: str, schema: Schema) -> tuple[str, str]:
    """What a column of a table stands for that is a foreign key itself; nothing where it is none."""
    try:
        keys = schema.table(name).foreign_keys
    except NotFound:
        return "", ""
    return next(
        ((key.referred_table, key.referred_columns[0].casefold()) for key in keys if key.columns == (column,)), ("", "")
    )


def _read(database: DatabaseSource, table: Table, column: str, value: object) -> Iterator[str]:
    condition = exp.EQ(this=_column(column), expression=exp.Placeholder(this="p0"))
    statement = exp.select(*(_column(one.name) for one in table.columns)).from_(table_node(table)).where(condition)
    safe = check_tree(statement, database.schema)
    for row in database.query(safe.sql, {"p0": value}, row_limit=MOST_TIED).rows:
        for own, one in zip(table.columns, row, strict=True):
            if one is not None:
                yield _text(one, table, own.name)


def _text(value: object, table: Table, name: str) -> str:
    """A value as documents state it."""
    return value_text(stated_value(value, table, table.column(name)))


def _column(name: str, alias: str = "") -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True), table=alias or None)
