"""From a statement that computes an answer to the statement that reads the rows it is computed from.

``SELECT MAX(c.OrderDate) FROM Customers p LEFT JOIN Orders c ON ... WHERE p.CompanyName = :p0 GROUP BY p.CustomerID``
needs every order of the customer with its date: no smaller set of rows shows which is the latest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from core.domain.errors import NotFound
from core.domain.sources.schema import Schema, Table
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.sources.database.names import table_node
from core.testset.grounded.entities import best_label, is_date

TEXTS = ("CHAR", "TEXT", "CLOB")
MOST_MARKS = 4

PLAIN = ("with", "with_", "having", "windows", "qualify", "laterals", "offset")
"""Parts of a statement with which it is not known which rows its answer needs."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStatement:
    """What reads the records between a subject and the answer of a look-up in another table.

    Attributes:
        safe: The statement, checked.
        widths: How many columns name the record of each table on the way, in order.
        answers: How many columns, after those, are the answer; none where the last record's name is the answer.
    """

    safe: SafeSelect
    widths: tuple[int, ...]
    answers: int


def chain_statement(sql: str, schema: Schema) -> ChainStatement | None:
    """The statement that reads the names of the records between the subject and the answer; None without such.

    "The hire date of the physician of the patient X" is stated where one page has the physician of X and another the
    hire date of that physician.

    Args:
        sql: One SELECT with parameters.
        schema: Of its database.

    Raises:
        UnsafeSql: The statement is not one plain SELECT on tables and columns of the schema.
    """
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in (*PLAIN, "group", "limit")):
        return None
    tables = _tables(tree, schema)
    where = tree.args.get("where")
    conditions = _parts(where.this) if where is not None else []
    bound = {_alias(column, tables) for column in _bound(conditions)}
    answers = [item.unalias() for item in tree.selects]
    if len(tables) < 2 or len(bound) != 1 or _stray(tree, conditions) or tree.find(exp.Subquery, exp.AggFunc):
        return None
    if not _named(tables, bound, conditions) or not all(isinstance(item, exp.Column) for item in answers):
        return None
    asked = {_alias(item, tables) for item in answers if isinstance(item, exp.Column)}
    labels = {alias: best_label(table) for alias, table in tables.items() if alias not in bound}
    on_way = [(alias, label.columns) for alias, label in labels.items() if label is not None]
    if not on_way or len(asked) != 1 or on_way[-1][0] not in asked:
        return None
    own = set(on_way[-1][1]) >= {item.name for item in answers}
    if own and len(on_way) == 1:
        return None
    statement = tree.copy()
    names = [exp.column(exp.to_identifier(name, quoted=True), table=alias) for alias, some in on_way for name in some]
    statement.set("expressions", [*names, *([] if own else [item.copy() for item in answers])])
    statement.set("distinct", None)
    statement.set("order", None)
    return ChainStatement(
        safe=check_tree(statement, schema),
        widths=tuple(len(some) for _, some in on_way),
        answers=0 if own else len(answers),
    )


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
    tables = _tables(tree, schema)
    where = tree.args.get("where")
    conditions = _parts(where.this) if where is not None else []
    bound = {_alias(column, tables) for column in _bound(conditions)}
    if not tables or not bound or None in bound or _stray(tree, conditions):
        return None
    kept = [part for part in conditions if not part.find(exp.Select) and not isinstance(part, exp.Exists)]
    computed = [part for part in conditions if part not in kept and not _negative(part)]
    joins, dropped = _joins(tree)
    compared = {_alias(column, tables) for part in dropped for column in part.find_all(exp.Column)}
    linked = len(tables) > 1 and not compared
    alias = _rows_of(tables, bound if linked else set())
    if alias is None or (linked and not _named(tables, bound, conditions)):
        return None
    if compared:
        # Every row of the table is compared with the one that is named, which is among them.
        kept, joins = [part for part in kept if not part.find(exp.Placeholder)], []
    table = tables[alias]
    label = best_label(table)
    read = [*_aggregated(tree), *(column for part in (*computed, *dropped) for column in _outer(part))]
    values = dict.fromkeys(
        column.name for column in read if _alias(column, tables) == alias or (compared and column.name in _names(table))
    )
    marks = () if label else _marks(table, {*values, *table.primary_key})
    columns = ((label.columns if label else ()), table.primary_key, tuple(values), marks)
    if compared:
        statement = exp.Select().from_(exp.alias_(table_node(table), exp.to_identifier(alias, quoted=True), table=True))
    else:
        statement = exp.Select().from_(_source(tree).this.copy())
    for join in joins:
        statement.append("joins", join)
    for part in kept:
        if not (compared and any(_alias(column, tables) != alias for column in part.find_all(exp.Column))):
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
    source = _source(inner) if isinstance(inner, exp.Select) else None
    where = inner.args.get("where") if isinstance(inner, exp.Select) else None
    if source is None or where is None or inner.args.get("joins"):
        return False
    tree.append("joins", exp.Join(this=source.this, on=where.this))
    return True


def _source(tree: exp.Select) -> exp.Expression | None:
    return tree.args.get("from_") or tree.args.get("from")


def _tables(tree: exp.Select, schema: Schema) -> dict[str, Table]:
    """By alias; empty where something else than tables is read."""
    source = _source(tree)
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


def _parts(node: exp.Expression) -> list[exp.Expression]:
    """What all has to hold."""
    if isinstance(node, exp.Paren):
        return _parts(node.this)
    return [*_parts(node.left), *_parts(node.right)] if isinstance(node, exp.And) else [node]


def _bound(conditions: Iterable[exp.Expression]) -> Iterator[exp.Column]:
    """The columns that are compared with a parameter."""
    for part in conditions:
        if isinstance(part, exp.EQ):
            sides = (part.left, part.right)
            if any(isinstance(side, exp.Placeholder) for side in sides):
                yield from (side for side in sides if isinstance(side, exp.Column))


def _stray(tree: exp.Select, conditions: list[exp.Expression]) -> bool:
    """Whether a parameter stands elsewhere than in a comparison that each row must meet."""
    plain = sum(1 for _ in _bound(conditions))
    return plain != sum(1 for _ in tree.find_all(exp.Placeholder))


def _alias(column: exp.Column, tables: dict[str, Table]) -> str | None:
    if column.table:
        return next((alias for alias in tables if alias.casefold() == column.table.casefold()), None)
    having = [alias for alias, table in tables.items() if column.name.casefold() in _names(table)]
    return having[0] if len(having) == 1 else None


def _names(table: Table) -> set[str]:
    return {name for column in table.columns for name in (column.name, column.name.casefold())}


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


def _negative(part: exp.Expression) -> bool:
    return isinstance(part, exp.Not) or part.find(exp.Exists) is not None


def _joins(tree: exp.Select) -> tuple[list[exp.Join], list[exp.Expression]]:
    """The joins as inner ones along equal columns, and the comparisons that were taken out of them."""
    joins, dropped = [], []
    for join in tree.args.get("joins") or ():
        parts = _parts(join.args["on"]) if join.args.get("on") else []
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
    return (named or plain or free or [None])[-1]


def _named(tables: dict[str, Table], bound: set[str | None], conditions: list[exp.Expression]) -> bool:
    """Whether the parameters name rows, rather than say of which kind they are."""
    columns: dict[str | None, set[str]] = {}
    for column in _bound(conditions):
        columns.setdefault(_alias(column, tables), set()).add(column.name.casefold())
    for alias in bound:
        label = best_label(tables[alias]) if alias is not None else None
        if label is None or not {name.casefold() for name in label.columns} <= columns.get(alias, set()):
            return False
    return True


def _aggregated(tree: exp.Select) -> Iterator[exp.Column]:
    """The columns that are added up or compared; what is only counted is not read."""
    for item in tree.selects:
        for node in item.find_all(exp.AggFunc):
            if not isinstance(node, exp.Count) and node.find_ancestor(exp.Select) is tree:
                yield from node.find_all(exp.Column)


def _outer(part: exp.Expression) -> Iterator[exp.Column]:
    """The columns of a condition that stand outside its inner queries, and those its inner queries compare with."""
    inner = {source.alias_or_name for select in part.find_all(exp.Select) for source in select.find_all(exp.Table)}
    for column in part.find_all(exp.Column):
        select = column.find_ancestor(exp.Select)
        joined = isinstance(column.parent, exp.EQ) and select is not None and select.parent_select is not None
        if column.table not in inner and not joined:
            yield column
