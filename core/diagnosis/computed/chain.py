"""From a look-up in another table to the statement that reads the records between its subject and its answer."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from core.diagnosis.statements import (
    PLAIN,
    alias_of,
    bound_columns,
    is_stray,
    names_rows,
    parts_of,
    tables_of,
)
from core.domain.sources.schema import Schema
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.testset.grounded.entities import best_label


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
    tables = tables_of(tree, schema)
    where = tree.args.get("where")
    conditions = parts_of(where.this) if where is not None else []
    bound = {alias_of(column, tables) for column in bound_columns(conditions)}
    answers = [item.unalias() for item in tree.selects]
    if len(tables) < 2 or len(bound) != 1 or is_stray(tree, conditions) or tree.find(exp.Subquery, exp.AggFunc):
        return None
    if not names_rows(tables, bound, conditions) or not all(isinstance(item, exp.Column) for item in answers):
        return None
    asked = {alias_of(item, tables) for item in answers if isinstance(item, exp.Column)}
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
