"""What a bound template asks the database to do, read off its statement, and whether all its rows are one answer."""

from __future__ import annotations

from sqlglot import exp

from core.domain.testset.cases import LOOK_UP
from core.domain.testset.templates import SqlTemplate
from core.testset.grounded.sql.binding import BoundTemplate

MOST_LISTED = 10
"""Answers of a list above which nobody would check it."""
DIFFICULTY = {
    LOOK_UP: 1,
    "count": 2,
    "latest": 2,
    "list": 2,
    "existence": 2,
    "total": 3,
    "extreme": 3,
    "comparison": 3,
    "negation": 3,
    "top": 3,
    "which of two": 3,
    "between": 3,
}
"""How much an answer needs: 1 one record, 2 all that belong to one, 3 those and something computed from them."""


def is_list(bound: BoundTemplate) -> bool:
    """Whether all rows together are one answer: ``SELECT DISTINCT ... ORDER BY`` of columns, without a limit."""
    tree = bound.safe.tree
    return (
        isinstance(tree, exp.Select)
        and tree.args.get("distinct") is not None
        and tree.args.get("order") is not None
        and tree.args.get("limit") is None
    )


def counts_by_group(bound: BoundTemplate) -> bool:
    """Whether each row is a figure of its own group, as in ``SELECT COUNT(*) ... GROUP BY person_id``."""
    tree = bound.safe.tree
    return (
        isinstance(tree, exp.Select)
        and tree.args.get("group") is not None
        and any(item.find(exp.AggFunc) for item in tree.selects)
    )


def wanted_answers(bound: BoundTemplate) -> int | None:
    """How many rows a list has to have: 3 for ``(SELECT COUNT(*) ...) < 3``, None for any number."""
    for condition in bound.safe.tree.find_all(exp.LT):
        counted = condition.this.unnest()
        if isinstance(counted, exp.Select) and isinstance(condition.expression, exp.Literal):
            return int(condition.expression.name)
    return None


def names_hold_answers(template: SqlTemplate, bound: BoundTemplate) -> bool:
    """Whether a question is left out where a name in it holds its answer: a look-up that rules wrote.

    "In which city is the Porto Clinic?" is no question; what people and models ask is theirs to answer for.
    """
    return template.origin == "schema" and operation(bound) == LOOK_UP


def is_complete(bound: BoundTemplate, answers: int) -> bool:
    """Whether so many different rows make one answer.

    Args:
        bound: The template.
        answers: How many different rows it gave.
    """
    if not is_list(bound):
        return answers == 1
    wanted = wanted_answers(bound)
    return answers == wanted if wanted is not None else 1 <= answers <= MOST_LISTED


def operation(bound: BoundTemplate) -> str:
    """One of the names in `DIFFICULTY`."""
    tree = bound.safe.tree
    if not isinstance(tree, exp.Select):
        return LOOK_UP
    if is_list(bound):
        if any(isinstance(node.parent, exp.Not) for node in tree.find_all(exp.Exists)):
            return "negation"
        return "top" if wanted_answers(bound) is not None else "list"
    if any(placed.placeholder.number for placed in bound.placeholders):
        return "which of two" if all(placed.plain for placed in bound.placeholders) else "between"
    selected = [node for item in tree.selects for node in item.walk()]
    if any(isinstance(node, exp.Exists) for node in selected):
        return "existence"
    if any(isinstance(node, exp.Count) for node in selected):
        on = [join.args["on"] for join in tree.args.get("joins") or () if join.args.get("on")]
        return "comparison" if any(item.find(exp.GT, exp.LT, exp.GTE, exp.LTE) for item in on) else "count"
    if any(isinstance(node, exp.Sum | exp.Avg) for node in selected):
        return "total"
    if any(isinstance(node, exp.Max | exp.Min) for node in selected):
        return "latest"
    where = tree.args.get("where")
    return "extreme" if where is not None and where.find(exp.Max, exp.Min) else LOOK_UP
