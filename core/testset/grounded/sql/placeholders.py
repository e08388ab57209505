"""Finds ``'[Table.Column]'`` in a parsed statement, never in its text."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from core.domain.errors import InvalidTemplate
from core.domain.testset.templates import PLACEHOLDER, Placeholder

BARE = re.compile(r"([^\[\].]+(?:\.[^\[\].]+)?)\.([^\[\].]+?)(?:#([1-9]))?")
"""``[Table.Column]`` without quotes reaches the tree as a quoted name without its brackets."""


def replace_placeholders(
    tree: exp.Expr, name: Callable[[Placeholder], str], *, text: str = ""
) -> dict[Placeholder, str]:
    """Puts parameters into the tree in place of the placeholders.

    Args:
        tree: A parsed statement; it is changed.
        name: Gives a placeholder's parameter its name; called once for each.
        text: The statement as it was written; the placeholders come in its order.

    Returns:
        The placeholders with their parameters, each once, in order of appearance.

    Raises:
        InvalidTemplate: A placeholder is part of a longer text.
    """
    occurrences = [(node, placeholder) for node in tree.dfs() if (placeholder := _placeholder(node)) is not None]
    in_order = sorted(
        dict.fromkeys(placeholder for _, placeholder in occurrences), key=lambda item: text.find(item.token)
    )
    parameters = {placeholder: name(placeholder) for placeholder in in_order}
    for node, placeholder in occurrences:
        node.replace(exp.Placeholder(this=parameters[placeholder]))
    return parameters


def _placeholder(node: exp.Expr) -> Placeholder | None:
    whole = None
    if isinstance(node, exp.Literal) and node.is_string:
        whole = PLACEHOLDER.fullmatch(node.name)
        if whole is None and PLACEHOLDER.search(node.name):
            raise InvalidTemplate(
                f"The placeholder in '{node.name}' is part of a longer text.",
                "Compare the column with the placeholder alone: Column = '[Table.Column]'.",
            )
    elif isinstance(node, exp.Column) and not node.table and isinstance(node.this, exp.Identifier) and node.this.quoted:
        # "[Table.Column]" in double quotes, or [Table.Column] without any where brackets quote a name.
        whole = PLACEHOLDER.fullmatch(node.name) or BARE.fullmatch(node.name)
    return None if whole is None else Placeholder.of(whole)
