"""Parts of a schema that fit a screen: what a table touches, and tables that belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from core.domain.sources.schema import Schema, Table

if TYPE_CHECKING:
    import networkx as nx  # else only where a graph is drawn: it takes a fifth of a second

SEED = 0
"""Of the search for groups: the same schema has the same groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGroup:
    """Tables that refer to each other more than to others.

    Attributes:
        name: The schema of the database they lie in, or the table that most of them refer to.
        tables: Names, in name order.
    """

    name: str
    tables: tuple[str, ...]


def referred_to(schema: Schema) -> dict[str, int]:
    """How many foreign keys of other tables point to each table."""
    counts = Counter(
        key.referred_table for table in schema.tables for key in table.foreign_keys if key.referred_table != table.name
    )
    return {table.name: counts[table.name] for table in schema.tables}


def part(schema: Schema, names: Collection[str]) -> Schema:
    """The schema with these tables alone; keys to others are left out."""
    kept = set(names)
    return replace(
        schema,
        tables=tuple(
            replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.referred_table in kept))
            for table in schema.tables
            if table.name in kept
        ),
    )


def neighbourhood(schema: Schema, name: str, *, steps: int = 1) -> Schema:
    """A table with those it refers to and those that refer to it.

    Args:
        schema: The whole schema.
        name: The table in the middle.
        steps: How many foreign keys away a table may lie.

    Raises:
        NotFound: The schema has no such table.
    """
    import networkx as nx

    reached = nx.single_source_shortest_path_length(_graph(schema.tables), schema.table(name).name, cutoff=steps)
    return part(schema, reached)


def table_groups(schema: Schema) -> tuple[TableGroup, ...]:
    """Tables in groups, the largest first: by the database's schemas where there are several, else by foreign keys.

    Groups by keys are those of greatest modularity (Louvain, seeded); tables that no key ties to another make the group
    "no foreign keys".
    """
    import networkx as nx

    spaces: dict[str, list[str]] = {}
    for table in schema.tables:
        spaces.setdefault(table.namespace, []).append(table.name)
    if len(spaces) > 1:
        return _sorted([(space or "default schema", names) for space, names in spaces.items()])
    graph = _graph(schema.tables)
    alone = [name for name, degree in graph.degree if not degree]
    graph.remove_nodes_from(alone)
    tied = [(_hub(graph, names), list(names)) for names in nx.community.louvain_communities(graph, seed=SEED)]
    return _sorted([*tied, *([("no foreign keys", alone)] if alone else [])])


def _graph(tables: Collection[Table]) -> nx.Graph[str]:
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(table.name for table in tables)
    graph.add_edges_from(
        (table.name, key.referred_table)
        for table in tables
        for key in table.foreign_keys
        if key.referred_table != table.name and key.referred_table in graph
    )
    return graph


def _hub(graph: nx.Graph[str], names: Collection[str]) -> str:
    return max(sorted(names), key=lambda name: graph.degree[name])


def _sorted(groups: list[tuple[str, list[str]]]) -> tuple[TableGroup, ...]:
    made = [TableGroup(name=name, tables=tuple(sorted(names))) for name, names in groups]
    return tuple(sorted(made, key=lambda group: (-len(group.tables), group.name)))
