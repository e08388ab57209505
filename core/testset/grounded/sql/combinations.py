"""Every combination of placeholder values that has an answer, with its answers.

GRAMMAR, section 4.2, defines the result: `SELECT DISTINCT` of each placeholder's column, the Cartesian product, without
the combinations that find no row. Where each placeholder is compared by ``=`` with a bare column, one statement gives
the same: the comparison is taken out of WHERE and the column is selected instead. Everything else is answered by one
bound query per combination; where such a template holds several values of one column (the bounds of a period), so many
of its values are tried as `MOST_SPREAD` says, evenly spread and
rounded to two digits. Two values of one column are never the same.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations as pairs
from itertools import groupby, islice, permutations, product

from sqlglot import exp

from core.domain.errors import LimitExceeded, QueryStopped
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.schema import Column
from core.sources.database import DatabaseSource
from core.sources.database.grammar import quoted, quoted_table
from core.sources.database.guard import check_tree
from core.sources.database.names import table_node
from core.testset.grounded.sql.binding import BoundPlaceholder, BoundTemplate, conjuncts

MOST_BOUND_QUERIES = 20_000
"""Combinations that are tried one by one; a larger product would run for hours."""
MOST_SPREAD = 16
"""Values of a column tried for each of its numbered placeholders where one statement cannot answer them all."""
MOST_QUERY_SECONDS = 1_800.0
"""Time that all queries of one template may take together, each within its own limit."""

Row = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """One filled SQL query.

    Attributes:
        values: One value per placeholder, in the template's order.
        answers: The different answer rows, in the order they were met; a row may hold NULL (None).
        id_values: The different rows of document id columns, empty without them.
        sql: The statement with named parameters.
        params: The values by parameter name.
        rows: How many rows gave the answers, equal ones included.
    """

    values: Row
    answers: tuple[Row, ...]
    id_values: tuple[Row, ...]
    sql: str
    params: Mapping[str, object]
    rows: int


def combinations(
    source: DatabaseSource,
    bound: BoundTemplate,
    *,
    with_ids: bool = False,
    answers: int | None = None,
    limit: int | None = None,
) -> Iterator[Combination]:
    """The combinations of placeholder values that have an answer, in the order of their values.

    Args:
        source: The database.
        bound: The template; with `with_ids` the one whose statement carries the id columns.
        with_ids: Whether the columns after the answer are document ids.
        answers: How many columns the answer has; with ids 1 unless told otherwise, else all.
        limit: The most combinations wanted.

    Yields:
        One combination at a time, so that a large table never stands in memory as a whole.

    Raises:
        LimitExceeded: A limit ended a query, or the template needs more bound queries, or more time in them, than one
            template may have.
    """
    width = answers if answers is not None else (1 if with_ids else len(bound.outputs))
    results = _by_one_statement(source, bound) if is_set_based(bound) else _by_bound_queries(source, bound)
    for values, rows in islice(results, limit):
        yield Combination(
            values=values,
            answers=_distinct(row[:width] for row in rows),
            id_values=_distinct(row[width:] for row in rows) if with_ids else (),
            sql=bound.sql,
            params={placed.parameter: value for placed, value in zip(bound.placeholders, values, strict=True)},
            rows=len(rows),
        )


def is_set_based(bound: BoundTemplate) -> bool:
    """Whether one statement answers the template for all combinations at once."""
    tree = bound.safe.tree
    if not isinstance(tree, exp.Select) or not bound.placeholders:
        return False
    if any(tree.args.get(part) for part in ("limit", "offset", "with", "with_", "windows", "qualify")):
        return False
    group = tree.args.get("group")
    if group is None:
        if tree.args.get("having") or any(_computes(item, exp.AggFunc) for item in tree.selects):
            return False
    elif not all(isinstance(item, exp.Column) for item in group.expressions):
        return False
    if any(_computes(item, exp.Window) for item in tree.selects):
        return False
    return all(
        placed.plain and all(_alike(origin.column, placed.column) for origin in placed.compared)
        for placed in bound.placeholders
    )


def _computes(item: exp.Expr, kind: type[exp.Expr]) -> bool:
    """Whether a part of the answer is computed over rows of the statement itself, not of a query within it."""
    return any(node.find_ancestor(exp.Select) is item.parent_select for node in item.find_all(kind))


def gold_ids(bound: BoundTemplate, combination: Combination, *, answers: int = 1) -> tuple[str, ...]:
    """The ids of the records whose documents hold the fact, as ``table:key`` (``client:7``).

    Args:
        bound: The template with id columns that made the combination.
        combination: One of its combinations.
        answers: How many columns the answer has; those after it are ids.
    """
    ids: dict[str, None] = {}
    for row in combination.id_values:
        for output, value in zip(bound.outputs[answers:], row, strict=True):
            if value is not None:
                key = normalise_id(value)
                ids[f"{output.table.lower()}:{key}" if output.table else key] = None
    return tuple(ids)


def _by_one_statement(source: DatabaseSource, bound: BoundTemplate) -> Iterator[tuple[Row, list[Row]]]:
    count = len(bound.placeholders)
    with source.stream(check_tree(_set_statement(bound), source.schema)) as result:
        # The database numbers the groups, so that its own idea of equality holds (collations, trailing blanks).
        for _, group in groupby(result.rows, key=lambda row: row[0]):
            rows = list(group)
            yield _representative(row[1 : 1 + count] for row in rows), [row[1 + count :] for row in rows]


def _set_statement(bound: BoundTemplate) -> exp.Select:
    tree = bound.safe.tree.copy()
    assert isinstance(tree, exp.Select)  # noqa: S101 - is_set_based has seen to it
    tree.set("order", None)
    tree.set("distinct", None)  # different answers are counted here, over exact values
    selected: list[exp.Expr] = []
    for placed in bound.placeholders:
        selected.append(_take_out(tree, bound, placed, len(selected)))
    for first, second in _rivals(bound):
        tree.where(exp.NEQ(this=selected[first].copy(), expression=selected[second].copy()), copy=False)
    rank = exp.Window(this=exp.DenseRank(), order=exp.Order(expressions=[_ordered(item) for item in selected]))
    answers = tree.selects
    group = tree.args.get("group")
    if group is not None:
        # A group of the template holds rows of one combination only, once the values are told apart as well.
        group.set("expressions", [*group.expressions, *(item.copy() for item in selected)])
    tree.set(
        "expressions",
        [
            exp.alias_(rank, "_group", quoted=True),
            *(exp.alias_(item.copy(), f"_value{index}", quoted=True) for index, item in enumerate(selected)),
            *(exp.alias_(item.unalias().copy(), f"_answer{index}", quoted=True) for index, item in enumerate(answers)),
        ],
    )
    tree.set("order", exp.Order(expressions=[_ordered(exp.column("_group", quoted=True))]))
    return tree


def _rivals(bound: BoundTemplate) -> list[tuple[int, int]]:
    """The places of placeholders that are different values of one column."""
    columns = [(placed.table.name, placed.column.name) for placed in bound.placeholders]
    return [(first, second) for first, second in pairs(range(len(columns)), 2) if columns[first] == columns[second]]


def _take_out(tree: exp.Select, bound: BoundTemplate, placed: BoundPlaceholder, index: int) -> exp.Expr:
    """Removes a placeholder's comparisons from WHERE and gives the column to select in its place."""
    own: list[exp.Column] = []
    foreign: list[exp.Column] = []
    # The copy has its conditions in the same places; what was added behind them is not looked at.
    for condition, comparison in zip(conjuncts(bound.safe.tree), conjuncts(tree), strict=False):
        column = _compared_with(condition, placed.parameter)
        if column is None or (origin := bound.safe.names.origin(column)) is None:
            continue
        is_own = (origin.table.name, origin.column.name) == (placed.table.name, placed.column.name)
        (own if is_own else foreign).append(column.copy())
        comparison.replace(exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(1)))
    return _anchor(tree, placed, own, foreign, index)


def _compared_with(condition: exp.Expr, parameter: str) -> exp.Column | None:
    """The column a condition sets equal to a parameter, None for any other condition."""
    if isinstance(condition, exp.EQ):
        for side, other_side in permutations((condition.this.unnest(), condition.expression.unnest())):
            if isinstance(side, exp.Placeholder) and side.name == parameter and isinstance(other_side, exp.Column):
                return other_side
    return None


def _anchor(
    tree: exp.Select, placed: BoundPlaceholder, own: list[exp.Column], foreign: list[exp.Column], index: int
) -> exp.Expr:
    """Makes the column to select: the placeholder's own, or the values of the column it names joined to the rest."""
    conditions: list[exp.Expr] = []
    if own:
        anchor: exp.Expr = own[0]
        conditions.append(exp.Not(this=exp.Is(this=anchor.copy(), expression=exp.Null())))
        equals = own[1:] + foreign
    else:
        # Its values come from the column it names, not from the foreign key it is compared with.
        # A column name of our own: one of the template's would make its unqualified names ambiguous.
        name, own_name = f"_values{index}", exp.to_identifier(f"_anchor{index}", quoted=True)
        column = exp.Column(this=exp.to_identifier(placed.column.name, quoted=True))
        values = exp.select(exp.alias_(column, own_name)).distinct().from_(table_node(placed.table))
        joined = exp.Join(
            this=exp.Subquery(this=values, alias=exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
        )
        joined.set("kind", "CROSS")
        tree.append("joins", joined)
        anchor = exp.Column(this=own_name.copy(), table=exp.to_identifier(name, quoted=True))
        equals = foreign
    conditions.extend(exp.EQ(this=column, expression=anchor.copy()) for column in equals)
    for condition in conditions:
        tree.where(condition, copy=False)
    return anchor


def _by_bound_queries(source: DatabaseSource, bound: BoundTemplate) -> Iterator[tuple[Row, list[Row]]]:
    rivals = _rivals(bound)
    spread = {place for pair in rivals for place in pair}
    columns = [_values(source, placed) for placed in bound.placeholders]
    columns = [_spread(values) if place in spread else values for place, values in enumerate(columns)]
    total = 1
    for values in columns:
        total *= len(values)
    if total > MOST_BOUND_QUERIES:
        raise LimitExceeded(
            f"The template would need {total:,} queries, one for each combination of values.",
            "Compare each placeholder with its column by a plain =, so that one query answers them all.",
        )
    spent = 0.0
    for number, filled in enumerate(product(*columns)):
        if any(filled[first] == filled[second] for first, second in rivals):
            continue
        if spent > MOST_QUERY_SECONDS:
            raise QueryStopped(
                f"The template was stopped after {MOST_QUERY_SECONDS:,.0f} seconds in its queries, with {number:,} of "
                f"{total:,} done.",
                "Compare each placeholder with its column by a plain =, so that one query answers them all.",
                limit="time",
            )
        params = {placed.parameter: value for placed, value in zip(bound.placeholders, filled, strict=True)}
        began = time.monotonic()
        with source.stream(bound.safe, params) as result:
            rows = list(result.rows)
        spent += time.monotonic() - began
        if rows:
            yield filled, rows


def _spread(values: list[object]) -> list[object]:
    """The values, or `MOST_SPREAD` of more, the first and the last among them, rounded as people name bounds."""
    if len(values) <= MOST_SPREAD:
        return values
    chosen = [values[place * (len(values) - 1) // (MOST_SPREAD - 1)] for place in range(MOST_SPREAD)]
    return list(dict.fromkeys(map(_round_bound, chosen)))


def _round_bound(value: object) -> object:
    """A figure to two digits: 520 for 518.41; what is no figure stays.

    >>> _round_bound(518.41), _round_bound(0.0371), _round_bound(7), _round_bound("2024-05-01")
    (520.0, 0.037, 7, '2024-05-01')
    >>> _round_bound(Decimal("9.00")), _round_bound(Decimal("9.50"))
    (Decimal('9'), Decimal('9.5'))
    """
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not value:
        return value
    digits = 1 - math.floor(math.log10(abs(float(value))))
    if isinstance(value, Decimal):
        bound = round(value, digits)
        return Decimal(int(bound)) if bound == int(bound) else bound
    return round(value, digits)


def _values(source: DatabaseSource, placed: BoundPlaceholder) -> list[object]:
    """The different values of a placeholder's column, as the database tells them apart, in its order."""
    dialect = source.schema.dialect
    column, table = quoted(placed.column.name, dialect), quoted_table(placed.table, dialect)
    sql = (
        f"SELECT DENSE_RANK() OVER (ORDER BY {column}) AS g, {column} FROM {table} "  # noqa: S608
        f"WHERE {column} IS NOT NULL ORDER BY g"
    )
    with source.stream(sql) as result:
        return [
            _representative(row[1:] for row in group)[0] for _, group in groupby(result.rows, key=lambda row: row[0])
        ]


def _representative(values: Iterable[Sequence[object]]) -> Row:
    """One spelling of values that the database holds for equal; always the same one."""
    return tuple(min(column, key=lambda item: (type(item).__name__, str(item))) for column in zip(*values, strict=True))


def _distinct(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(dict.fromkeys(rows))


def _ordered(item: exp.Expr) -> exp.Ordered:
    return exp.Ordered(this=item.copy(), nulls_first=True)


def _alike(first: Column, second: Column) -> bool:
    """Whether comparing the two columns is the same as comparing one with a value of the other."""
    return _affinity(first.type) == _affinity(second.type)


def _affinity(kind: str) -> str:
    upper = kind.upper()
    for name, marks in (("integer", ("INT",)), ("text", ("CHAR", "CLOB", "TEXT")), ("real", ("REAL", "FLOA", "DOUB"))):
        if any(mark in upper for mark in marks):
            return name
    return "numeric" if upper else "none"
