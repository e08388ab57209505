"""From a look-up in another table to the statement that reads the records between its subject and its answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from sqlglot import exp

from core.diagnosis.computed.needed import Between, NeededRow, NeededRows
from core.diagnosis.statements import (
    PLAIN,
    alias_of,
    bound_columns,
    columns_read,
    is_stray,
    names_rows,
    parts_of,
    tables_of,
)
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import DatabaseSource
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.testset.grounded.entities import best_label
from core.testset.grounded.references import stated_value
from core.testset.grounded.words.values import value_text

Read = tuple[Table, Column] | None
"""What a statement reads: a column of a table, or something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainStatement:
    """What reads the records between a subject and the answer of a look-up in another table.

    Attributes:
        safe: The statement, checked.
        widths: How many columns name the record of each table on the way, in order.
        answers: The columns, after those, that are the answer; none where the last record's name is the answer.
        table: The table of the last record.
        own: What is read after the answer: every property that the records before the last one have themselves.
    """

    safe: SafeSelect
    widths: tuple[int, ...]
    answers: tuple[Read, ...]
    table: str
    own: tuple[Read, ...]

    def needed(self, database: DatabaseSource, params: Mapping[str, object]) -> NeededRows | None:
        """The records between a subject and an answer, as rows each of which belongs to the one before.

        Args:
            database: The project's.
            params: What the look-up is filled with.

        Returns:
            None where the look-up reads several records, or one without a name or a value.

        Raises:
            PlumblineError: The database cannot be read.
        """
        rows = database.query(self.safe.sql, params, row_limit=2).rows
        ends = tuple(accumulate(self.widths, initial=0))
        end = ends[-1] + len(self.answers)
        if len(rows) != 1 or any(value is None for value in rows[0][:end]):
            return None
        names = [tuple(value_text(value) for value in rows[0][start:stop]) for start, stop in pairwise(ends)]
        answer = _said(rows[0][ends[-1] : end], self.answers)
        subjects = tuple(value_text(value) for value in params.values())
        links = [
            NeededRow(names=after, keys=(), values=(), belongs_to=before)
            for before, after in pairwise([subjects, *names])
        ]
        own = _said(rows[0][end:], self.own)
        last = [NeededRow(names=names[-1], keys=(), values=answer, belongs_to=())] if answer else []
        return NeededRows(rows=(*links, *last), subjects=(), between=Between(own=own, table=self.table))


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
    before = tables if own else {alias: table for alias, table in tables.items() if alias not in asked}
    properties = [
        exp.column(exp.to_identifier(column.name, quoted=True), table=alias)
        for alias, table in before.items()
        for column in table.columns
        if not _is_key(table, column)
    ]
    statement.set("expressions", [*names, *([] if own else [item.copy() for item in answers]), *properties])
    statement.set("distinct", None)
    statement.set("order", None)
    read = columns_read(statement, tables)
    start, end = len(names), len(read) - len(properties)
    return ChainStatement(
        safe=check_tree(statement, schema),
        widths=tuple(len(some) for _, some in on_way),
        answers=tuple(read[start:end]),
        table=tables[on_way[-1][0]].name,
        own=tuple(read[end:]),
    )


def _is_key(table: Table, column: Column) -> bool:
    """Whether a column is a key, which documents state of nobody, or stands for another record."""
    return column.name in table.primary_key or any(column.name in key.columns for key in table.foreign_keys)


def _said(values: Sequence[object], read: Sequence[Read]) -> tuple[str, ...]:
    """Values as documents state them, amounts that are kept in cents as whole ones; without those that are missing."""
    return tuple(
        value_text(value if column is None else stated_value(value, *column))
        for value, column in zip(values, read, strict=True)
        if value is not None
    )
