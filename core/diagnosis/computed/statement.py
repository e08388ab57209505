"""From a statement that computes an answer to the statement that reads the rows it is computed from.

``SELECT MAX(c.OrderDate) FROM Customers p LEFT JOIN Orders c ON ... WHERE p.CompanyName = :p0 GROUP BY p.CustomerID``
needs every order of the customer with its date: no smaller set of rows shows which is the latest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from core.diagnosis.statements import (
    PLAIN,
    alias_of,
    bound_columns,
    column_names,
    is_stray,
    names_rows,
    parts_of,
    source_of,
    tables_of,
)
from core.domain.sources.schema import Schema, Table
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.sources.database.names import table_node
from core.testset.grounded.entities import best_label, is_date

TEXTS = ("CHAR", "TEXT", "CLOB")
MOST_MARKS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededStatement:
    """What reads the needed rows.

    Attributes:
        safe: The statement, checked; its columns are, in this order, names, keys and values of each row.
        table: The rows' table.
        names: How many columns name a row; none where rows have no name.
        keys: How many columns are its primary key.
        values: How many columns are added up or compared. What is left tells rows apart that have no name.
        linked: Whether each row must belong to what the parameters name; else they are values of the rows themselves.
        any_row: Whether one row is enough, as for "are there any".
        closed: Whether the answer also depends on what is not there ("which have none").
    """

    safe: SafeSelect
    table: Table
    names: int
    keys: int
    values: int
    linked: bool
    any_row: bool = False
    closed: bool = False


def needed_statement(sql: str, schema: Schema) -> NeededStatement | None:
    """The statement that reads the rows which an answer is computed from; None where that is not known.

    Args:
        sql: One SELECT with parameters.
        schema: Of its database.

    Raises:
        UnsafeSql: The statement is not one plain SELECT on tables and columns of the schema.
    """
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in PLAIN):
        return None
    closed = any(isinstance(node.parent, exp.Not) for node in tree.find_all(exp.Exists))
    exists = next((node for item in tree.selects for node in item.find_all(exp.Exists)), None)
    if exists is not None and not _with_inner(tree, exists):
        return None
    tables = tables_of(tree, schema)
    where = tree.args.get("where")
    conditions = parts_of(where.this) if where is not None else []
    bound = {alias_of(column, tables) for column in bound_columns(conditions)}
    if not tables or not bound or None in bound or is_stray(tree, conditions):
        return None
    kept = [part for part in conditions if not part.find(exp.Select) and not isinstance(part, exp.Exists)]
    computed = [part for part in conditions if part not in kept and not _negative(part)]
    joins, dropped = _joins(tree)
    compared = {alias_of(column, tables) for part in dropped for column in part.find_all(exp.Column)}
    linked = len(tables) > 1 and not compared
    alias = _rows_of(tables, bound if linked else set())
    if alias is None or (linked and not names_rows(tables, bound, conditions)):
        return None
    if compared:
        # Every row of the table is compared with the one that is named, which is among them.
        kept, joins = _of_table(kept, tables, alias), []
    table = tables[alias]
    label = best_label(table)
    read = [*_aggregated(tree), *(column for part in (*computed, *dropped) for column in _outer(part))]
    values = dict.fromkeys(
        column.name
        for column in read
        if alias_of(column, tables) == alias or (compared and column.name in column_names(table))
    )
    marks = () if label else _marks(table, {*values, *table.primary_key})
    columns = ((label.columns if label else ()), table.primary_key, tuple(values), marks)
    first = exp.alias_(table_node(table), exp.to_identifier(alias, quoted=True), table=True) if compared else None
    source = source_of(tree)
    statement = exp.Select().from_(first if first is not None else source.this.copy() if source is not None else "")
    for join in joins:
        statement.append("joins", join)
    for part in kept:
        statement = statement.where(part, copy=False)
    for group in columns:
        for name in group:
            statement = statement.select(exp.column(exp.to_identifier(name, quoted=True), table=alias), copy=False)
    return NeededStatement(
        safe=check_tree(statement, schema),
        table=table,
        names=len(columns[0]),
        keys=len(columns[1]),
        values=len(columns[2]),
        linked=linked,
        any_row=exists is not None,
        closed=closed,
    )


def _with_inner(tree: exp.Select, exists: exp.Exists) -> bool:
    """Joins the table of ``EXISTS(SELECT 1 FROM c WHERE c.k = p.k)`` to the statement."""
    inner = exists.this
    source = source_of(inner) if isinstance(inner, exp.Select) else None
    where = inner.args.get("where") if isinstance(inner, exp.Select) else None
    if source is None or where is None or inner.args.get("joins"):
        return False
    tree.append("joins", exp.Join(this=source.this, on=where.this))
    return True


def _marks(table: Table, others: set[str]) -> tuple[str, ...]:
    """Columns by which people tell rows apart that have no name: dates and texts."""
    keys = {name for key in table.foreign_keys for name in key.columns}
    return tuple(
        column.name
        for column in table.columns
        if column.descriptive
        and column.name not in others | keys
        and (is_date(column) or any(part in column.type.upper() for part in TEXTS))
    )[:MOST_MARKS]


def _of_table(conditions: list[exp.Expr], tables: dict[str, Table], alias: str) -> list[exp.Expr]:
    """The conditions on one table alone, without parameters."""
    return [
        part
        for part in conditions
        if not part.find(exp.Placeholder)
        and all(alias_of(column, tables) == alias for column in part.find_all(exp.Column))
    ]


def _negative(part: exp.Expr) -> bool:
    return isinstance(part, exp.Not) or part.find(exp.Exists) is not None


def _joins(tree: exp.Select) -> tuple[list[exp.Join], list[exp.Expr]]:
    """The joins as inner ones along equal columns, and the comparisons that were taken out of them."""
    joins, dropped = [], []
    for join in tree.args.get("joins") or ():
        parts = parts_of(join.args["on"]) if join.args.get("on") else []
        equal = [part for part in parts if isinstance(part, exp.EQ)]
        dropped += [part for part in parts if not isinstance(part, exp.EQ)]
        if equal:
            joins.append(exp.Join(this=join.this.copy(), on=exp.and_(*(part.copy() for part in equal))))
    return joins, dropped


def _rows_of(tables: dict[str, Table], bound: set[str | None]) -> str | None:
    """The alias of the rows: the last table that nobody named, one with names before one that only ties two."""
    free = [alias for alias in tables if alias not in bound]
    named = [alias for alias in free if best_label(tables[alias]) is not None]
    plain = [alias for alias in free if not tables[alias].association]
    rows = named or plain or free
    return rows[-1] if rows else None


def _aggregated(tree: exp.Select) -> Iterator[exp.Column]:
    """The columns that are added up or compared; what is only counted is not read."""
    for item in tree.selects:
        for node in item.find_all(exp.AggFunc):
            if not isinstance(node, exp.Count) and node.find_ancestor(exp.Select) is tree:
                yield from node.find_all(exp.Column)


def _outer(part: exp.Expr) -> Iterator[exp.Column]:
    """The columns of a condition that stand outside its inner queries, and those its inner queries compare with."""
    inner = {source.alias_or_name for select in part.find_all(exp.Select) for source in select.find_all(exp.Table)}
    for column in part.find_all(exp.Column):
        select = column.find_ancestor(exp.Select)
        joined = isinstance(column.parent, exp.EQ) and select is not None and select.parent_select is not None
        if column.table not in inner and not joined:
            yield column
