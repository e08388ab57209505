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
    limited_columns,
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
MOST_NAMED = 2
"""Rows that a question names to compare them."""


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
        limits: The parameters that no row belongs to: they name the rows themselves, or limit one of their values.
    """

    safe: SafeSelect
    table: Table
    names: int
    keys: int
    values: int
    linked: bool
    any_row: bool = False
    closed: bool = False
    limits: frozenset[str] = frozenset()


def needed_statement(sql: str, schema: Schema) -> NeededStatement | None:
    """The statement that reads the rows which an answer is computed from; None where that is not known.

    Args:
        sql: One SELECT with parameters.
        schema: Of its database.

    Raises:
        UnsafeSql: The statement is not one plain SELECT on tables and columns of the schema.
    """
    tree = _plain_select(sql, schema)
    if tree is None:
        return None
    closed = any(isinstance(node.parent, exp.Not) for node in tree.find_all(exp.Exists))
    exists = next((node for item in tree.selects for node in item.find_all(exp.Exists)), None)
    if exists is not None and not _with_inner(tree, exists):
        return None
    tables = tables_of(tree, schema)
    where = tree.args.get("where")
    conditions = parts_of(where.this) if where is not None else []
    bound = {alias_of(column, tables) for column in bound_columns(conditions)}
    limited = {name: column for column, name in limited_columns(conditions)}
    if not tables or not (bound or limited) or None in bound or is_stray(tree, conditions):
        return None
    if len(tables) == len(bound) == MOST_NAMED and len({table.name for table in tables.values()}) == 1:
        return _of_two(tree, tables, conditions, schema)
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
    if limited and (label is None or len(tables) > 1):
        return None
    read = [
        *_aggregated(tree),
        *limited.values(),
        *(column for part in (*computed, *dropped) for column in _outer(part)),
    ]
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
        limits=frozenset(limited),
    )


def _plain_select(sql: str, schema: Schema) -> exp.Select | None:
    """The statement, where its rows can be seen; that it wants at least one of them changes nothing."""
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select):
        return None
    if _only_leaves_out_none(tree.args.get("having")):
        tree.set("having", None)
    return None if any(tree.args.get(part) for part in PLAIN) else tree


def _only_leaves_out_none(having: exp.Expr | None) -> bool:
    """Whether rows are only wanted where there are any: ``HAVING COUNT(*) > 0``."""
    test = having.this if having is not None else None
    return isinstance(test, exp.GT) and isinstance(test.left, exp.Count) and test.right.sql() == "0"


def _of_two(
    tree: exp.Select, tables: dict[str, Table], conditions: list[exp.Expr], schema: Schema
) -> NeededStatement | None:
    """What reads two rows that the parameters name, with the column in which the answer compares them."""
    alias, table = next(iter(tables.items()))
    label = best_label(table)
    named = list(bound_columns(conditions))
    if label is None or {column.name for column in named} != set(label.columns) or len(label.columns) != 1:
        return None
    others = {*label.columns, *table.primary_key}
    values = dict.fromkeys(
        column.name
        for item in tree.selects
        for column in item.find_all(exp.Column)
        if column.name not in others and column.name in column_names(table)
    )
    own = [part.copy() for part in conditions if part.find(exp.Placeholder)]
    for part in own:
        for column in part.find_all(exp.Column):
            column.set("table", exp.to_identifier(alias, quoted=True))
    rows = exp.alias_(table_node(table), exp.to_identifier(alias, quoted=True), table=True)
    statement = exp.Select().from_(rows).where(exp.or_(*own))
    for name in (*label.columns, *table.primary_key, *values):
        statement = statement.select(exp.column(exp.to_identifier(name, quoted=True), table=alias), copy=False)
    return NeededStatement(
        safe=check_tree(statement, schema),
        table=table,
        names=1,
        keys=len(table.primary_key),
        values=len(values),
        linked=False,
        limits=frozenset(node.name for part in own for node in part.find_all(exp.Placeholder)),
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
