"""The joins of a statement: which row points to which, and by what columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.sources.schema import Table
from core.testset.grounded.sql.binding import BoundTemplate


@dataclass(frozen=True, slots=True)
class Link:
    """One join: `child` points to `parent` by `columns`."""

    child: str
    parent: str
    columns: tuple[str, ...]


def sources_of(bound: BoundTemplate) -> dict[str, Table]:
    """The tables of a statement by the names that it gives them."""
    named = ((node, bound.safe.names.table_of(node)) for node in bound.safe.tree.find_all(exp.Table))
    return {node.alias_or_name.lower(): table for node, table in named if table is not None}


def links_of(tree: exp.Select, tables: dict[str, Table]) -> list[Link]:
    """The joins along foreign keys; where none is declared, the side whose column is the primary key is the parent."""
    links = []
    for equal in tree.find_all(exp.EQ):
        left, right = equal.left, equal.right
        if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
            continue
        left_column, right_column = (left.table.lower(), left.name), (right.table.lower(), right.name)
        if left_column[0] not in tables or right_column[0] not in tables:
            continue
        for child, parent in ((left_column, right_column), (right_column, left_column)):
            if _points(tables[child[0]], child[1], tables[parent[0]], parent[1]):
                links.append(Link(child[0], parent[0], (tables[child[0]].column(child[1]).spoken,)))
                break
        else:
            child, parent = (
                (right_column, left_column)
                if tables[left_column[0]].primary_key == (left_column[1],)
                else (left_column, right_column)
            )
            links.append(Link(child[0], parent[0], (tables[child[0]].column(child[1]).spoken,)))
    return _merged(links)


def _merged(links: Sequence[Link]) -> list[Link]:
    """One link for each two rows: the columns of a composite key are compared one by one, and are one join."""
    columns: dict[tuple[str, str], tuple[str, ...]] = {}
    for link in links:
        place = link.child, link.parent
        columns[place] = (*columns.get(place, ()), *link.columns)
    return [Link(child, parent, of_key) for (child, parent), of_key in columns.items()]


def _points(child: Table, column: str, parent: Table, referred: str) -> bool:
    return any(
        key.referred_table.casefold() == parent.name.casefold()
        and (column.casefold(), referred.casefold())
        in zip(
            (name.casefold() for name in key.columns), (name.casefold() for name in key.referred_columns), strict=False
        )
        for key in child.foreign_keys
    )
