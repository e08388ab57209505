"""Further facts of a look-up, read from the database: they show how documents word what a few questions ask for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from core.diagnosis.statements import PLAIN, alias_of, bound_columns, is_stray, limited_columns, parts_of, tables_of
from core.domain.sources.document_ids import normalise_id
from core.domain.sources.schema import Schema
from core.domain.testset.cases import TestCase
from core.sources.database.guard import SafeSelect, check_tree, parse_one
from core.testset.grounded.words.values import value_text

EXAMPLE = " example "
"""Ends the id of the fact of a question that nobody asked; its number follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleStatement:
    """What reads the values that a look-up can be filled with, and its answers.

    Attributes:
        safe: The statement, checked.
        parameters: The names of the parameters, whose values come first.
        answers: How many columns the answer has, which come next.
        tables: The tables whose keys come last, for the ids of the records.
    """

    safe: SafeSelect
    parameters: tuple[str, ...]
    answers: int
    tables: tuple[str, ...]


def example_statement(sql: str, gold_tables: Sequence[str], schema: Schema) -> ExampleStatement | None:
    """The statement that reads what else a look-up could have asked; None where it is no plain look-up.

    Args:
        sql: One SELECT with parameters.
        gold_tables: The tables of the records that hold the fact.
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
    columns = list(bound_columns(conditions))
    if not tables or not columns or len(columns) != len(conditions) or any(True for _ in limited_columns(conditions)):
        return None
    if is_stray(tree, conditions) or tree.find(exp.Subquery, exp.AggFunc):
        return None
    names = [
        side.name
        for part in conditions
        for side in (part.args["this"], part.args["expression"])
        if isinstance(side, exp.Placeholder)
    ]
    keys = {
        table.name.casefold(): exp.column(exp.to_identifier(table.primary_key[0], quoted=True), table=alias)
        for alias, table in tables.items()
        if len(table.primary_key) == 1
    }
    if any(alias_of(column, tables) is None for column in columns):
        return None
    known = [name for name in dict.fromkeys(map(str.casefold, gold_tables)) if name in keys]
    statement = tree.copy()
    statement.set("where", None)
    statement.set("distinct", None)
    statement.set("expressions", [*(c.copy() for c in columns), *tree.selects, *(keys[name] for name in known)])
    statement.set("order", exp.Order(expressions=[exp.Ordered(this=column.copy()) for column in columns]))
    return ExampleStatement(
        safe=check_tree(statement, schema),
        parameters=tuple(names),
        answers=len(tree.selects),
        tables=tuple(known),
    )


def example_cases(case: TestCase, statement: ExampleStatement, rows: Sequence[Sequence[object]]) -> Iterator[TestCase]:
    """A case with each of the values that its statement could have been filled with, where it has one answer.

    Args:
        case: A case of the template.
        statement: That read the rows.
        rows: What it read.
    """
    width = len(statement.parameters)
    answers: dict[tuple[object, ...], set[str]] = {}
    of_values: dict[tuple[object, ...], Sequence[object]] = {}
    for row in rows:
        if all(value is not None and value_text(value).strip() for value in row):
            values = tuple(row[:width])
            parts = row[width : width + statement.answers]
            answers.setdefault(values, set()).add(" ".join(map(value_text, parts)))
            of_values.setdefault(values, row)
    for number, (values, row) in enumerate(of_values.items()):
        if len(answers[values]) == 1:
            params = dict(zip(statement.parameters, values, strict=True))
            keys = row[width + statement.answers :]
            yield replace(
                case,
                case_id=f"{case.sql_template_id}{EXAMPLE}{number}",
                group_id=f"{case.sql_template_id}{EXAMPLE}{number}",
                question=_asked(case, params),
                sql_params=params,
                reference_answers=tuple(answers[values]),
                gold_document_ids=tuple(
                    f"{table}:{normalise_id(key)}" for table, key in zip(statement.tables, keys, strict=True)
                ),
            )


def _asked(case: TestCase, params: Mapping[str, object]) -> str:
    question = case.question
    for name, value in case.sql_params.items():
        question = question.replace(value_text(value), value_text(params[name]))
    return question
