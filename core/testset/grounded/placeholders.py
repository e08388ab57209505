"""Finds ``'[Table.Column]'`` in a parsed statement, never in its text."""

from __future__ import annotations

import re
from collections.abc import Callable

from sqlglot import exp

from core.domain.errors import InvalidTemplate
from core.domain.templates import PLACEHOLDER, Placeholder

BARE = re.compile(r"([^\[\].]+)\.([^\[\].]+)")
"""``[Table.Column]`` without quotes reaches the tree as a quoted name without its brackets."""


def replace_placeholders(tree: exp.Expression, name: Callable[[Placeholder], str]) -> dict[Placeholder, str]:
    """Puts parameters into the tree in place of the placeholders.

    Args:
        tree: A parsed statement; it is changed.
        name: Gives a placeholder's parameter its name; called once for each.

    Returns:
        The placeholders with their parameters, each once, in order of appearance.

    Raises:
        InvalidTemplate: A placeholder is part of a longer text.
    """
    parameters: dict[Placeholder, str] = {}
    # Depth first is the order of the text, which is the order people expect.
    for node in list(tree.dfs()):
        placeholder = _placeholder(node)
        if placeholder is not None:
            if placeholder not in parameters:
                parameters[placeholder] = name(placeholder)
            node.replace(exp.Placeholder(this=parameters[placeholder]))
    return parameters


def _placeholder(node: exp.Expression) -> Placeholder | None:
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
    return None if whole is None else Placeholder(table=whole.group(1), column=whole.group(2))
