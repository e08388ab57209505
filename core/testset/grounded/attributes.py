"""The attributes of cases made from a template."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from core.domain.errors import NotFound
from core.domain.sources.schema import Schema
from core.domain.testset.cases import OPERATION
from core.domain.testset.templates import SqlTemplate
from core.testset.grounded.sql.binding import BoundTemplate
from core.testset.grounded.sql.operations import DIFFICULTY, operation

NUMERIC = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY")
BOOLEAN = ("BOOL",)
TYPES = {"count": "number", "total": "number", "comparison": "number", "existence": "yes/no", "latest": "date"}
"""What the answer is where no column holds it."""


def case_attributes(template: SqlTemplate, bound: BoundTemplate, schema: Schema) -> Mapping[str, str]:
    """Attributes of every case of a template; all values are text.

    Returns:
        ``asks_for`` (the column that holds the answer, or from which it is computed: "order.amount (total)"), ``table``
        (its table), ``answer_type`` (text, number, date or yes/no), ``joins`` (how many tables are joined on; a table
        that is joined to itself counts),
        ``placeholders`` (how many values the question gives), ``operation`` (look-up, count, list...) and
        ``difficulty`` (1 to 3).
    """
    first, asks = bound.outputs[0], operation(bound)
    named = first.name if first.name.isidentifier() else _computed(asks, bound)
    asked_column = f"{first.table}.{first.column}" if first.column else named
    return {
        "asks_for": asked_column,
        "table": first.table or (bound.tables[0] if bound.tables else ""),
        "answer_type": TYPES.get(asks) or _answer_type(first.table, first.column, schema),
        "joins": str(max(0, len(bound.tables) - 1, len(bound.safe.tree.args.get("joins") or ()))),
        "placeholders": str(len(template.placeholders)),
        OPERATION: asks,
        "difficulty": str(DIFFICULTY[asks]),
    }


def _computed(asks: str, bound: BoundTemplate) -> str:
    """What is computed of which column, where the answer is no column: "order.amount (total)", "order (count)"."""
    tree = bound.safe.tree
    first = tree.selects[0] if isinstance(tree, exp.Select) and tree.selects else None
    tables = {node.alias_or_name.casefold(): node.name for node in tree.find_all(exp.Table)}
    for column in first.find_all(exp.Column) if first is not None else ():
        table = tables.get(column.table.casefold(), bound.tables[0] if bound.tables else "")
        return f"{table}.{column.name} ({asks})"
    return f"{bound.tables[-1]} ({asks})" if bound.tables else asks


def _answer_type(table: str, column: str, schema: Schema) -> str:
    try:
        answer = schema.table(table).column(column)
    except NotFound:
        return "text"
    if answer.temporal:
        return "date"
    kinds = ((BOOLEAN, "yes/no"), (NUMERIC, "number"))
    return next((name for parts, name in kinds if any(part in answer.type.upper() for part in parts)), "text")
