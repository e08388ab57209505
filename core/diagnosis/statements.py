"""The parts of a statement: its tables, its conditions, and the columns that parameters are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from core.domain.errors import NotFound
from core.domain.sources.schema import Column, Schema, Table
from core.testset.grounded.entities import best_label

PLAIN = ("with", "with_", "having", "windows", "qualify", "laterals", "offset")
"""Parts of a statement with which it is not known which rows its answer needs."""


def source_of(tree: exp.Select) -> exp.Expr | None:
    """What the statement reads from, or None."""
    return tree.args.get("from_") or tree.args.get("from")


def tables_of(tree: exp.Select, schema: Schema) -> dict[str, Table]:
    """By alias; empty where something else than tables is read."""
    source = source_of(tree)
    nodes = [source.this if source else None, *(join.this for join in tree.args.get("joins") or ())]
    tables: dict[str, Table] = {}
    for node in nodes:
        if not isinstance(node, exp.Table):
            return {}
        try:
            tables[node.alias_or_name] = schema.table(f"{node.db}.{node.name}" if node.db else node.name)
        except NotFound:
            try:
                tables[node.alias_or_name] = schema.table(node.name)
            except NotFound:
                return {}
    return tables


def parts_of(node: exp.Expr) -> list[exp.Expr]:
    """What all has to hold."""
    if isinstance(node, exp.Paren):
        return parts_of(node.this)
    return [*parts_of(node.left), *parts_of(node.right)] if isinstance(node, exp.And) else [node]


def bound_columns(conditions: Iterable[exp.Expr]) -> Iterator[exp.Column]:
    """The columns that are compared with a parameter."""
    for part in conditions:
        if isinstance(part, exp.EQ):
            sides = (part.left, part.right)
            if any(isinstance(side, exp.Placeholder) for side in sides):
                yield from (side for side in sides if isinstance(side, exp.Column))


def limited_columns(conditions: Iterable[exp.Expr]) -> Iterator[tuple[exp.Column, str]]:
    """The columns that a parameter limits, each with the parameter's name: ``placed >= :p0``."""
    for part in conditions:
        if isinstance(part, (exp.GT, exp.GTE, exp.LT, exp.LTE)):
            columns = [side for side in (part.left, part.right) if isinstance(side, exp.Column)]
            names = [side.name for side in (part.left, part.right) if isinstance(side, exp.Placeholder)]
            if columns and names:
                yield columns[0], names[0]


def is_stray(tree: exp.Select, conditions: list[exp.Expr]) -> bool:
    """Whether a parameter stands elsewhere than in a comparison that each row must meet."""
    plain = sum(1 for _ in bound_columns(conditions)) + sum(1 for _ in limited_columns(conditions))
    return plain != sum(1 for _ in tree.find_all(exp.Placeholder))


def alias_of(column: exp.Column, tables: dict[str, Table]) -> str | None:
    """The alias of the table that a column belongs to; None where that is not clear."""
    if column.table:
        return next((alias for alias in tables if alias.casefold() == column.table.casefold()), None)
    having = [alias for alias, table in tables.items() if column.name.casefold() in column_names(table)]
    return having[0] if len(having) == 1 else None


def names_rows(tables: dict[str, Table], bound: set[str | None], conditions: list[exp.Expr]) -> bool:
    """Whether the parameters name rows, rather than say of which kind they are."""
    columns: dict[str | None, set[str]] = {}
    for column in bound_columns(conditions):
        columns.setdefault(alias_of(column, tables), set()).add(column.name.casefold())
    for alias in bound:
        label = best_label(tables[alias]) if alias is not None else None
        if alias is None or label is None:
            return False
        keys = (label.columns, tables[alias].primary_key, *tables[alias].unique)
        if not any(key and {name.casefold() for name in key} <= columns.get(alias, set()) for key in keys):
            return False
    return True


def columns_read(tree: exp.Select, tables: dict[str, Table]) -> list[tuple[Table, Column] | None]:
    """Of each thing that a statement reads its table and column; None for what is no plain column."""
    read: list[tuple[Table, Column] | None] = []
    for item in tree.selects:
        column = item.unalias()
        alias = alias_of(column, tables) if isinstance(column, exp.Column) else None
        try:
            read.append((tables[alias], tables[alias].column(column.name)) if alias is not None else None)
        except NotFound:
            read.append(None)
    return read


def column_names(table: Table) -> set[str]:
    """As the database has them, and in small letters."""
    return {name for column in table.columns for name in (column.name, column.name.casefold())}
