"""Which columns of a template hold the same value: by a foreign key, or because the statement joins them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from core.domain.sources.schema import Schema
from core.sources.database.names import Origin
from core.testset.grounded.sql.binding import BoundTemplate, conjuncts

Spot = tuple[str, str]
"""Alias and column in one statement, both in lower case."""


def same_by_key(schema: Schema, first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Whether two (table, column) pairs are one column or a foreign key and what it points to."""
    return first == second or second in _linked(schema, first) or bool(_linked(schema, first) & _linked(schema, second))


def joined_with(bound: BoundTemplate, origins: Iterable[Origin]) -> set[Spot]:
    """The columns that every row of the result has equal to one of the given columns."""
    pairs = _equal_pairs(bound)
    reached = {_spot(origin) for origin in origins}
    grown = True
    while grown:
        further = {other for pair in pairs for other in pair if reached & set(pair)} - reached
        reached |= further
        grown = bool(further)
    return reached


def _spot(origin: Origin) -> Spot:
    return origin.source, origin.column.name.lower()


def _equal_pairs(bound: BoundTemplate) -> list[tuple[Spot, Spot]]:
    tree, names = bound.safe.tree, bound.safe.names
    conditions = conjuncts(tree)
    for join in tree.args.get("joins") or ():
        if join.args.get("on") is not None and not join.side:
            on = join.args["on"].unnest()
            conditions.extend(list(on.flatten()) if isinstance(on, exp.And) else [on])
    pairs = []
    for condition in conditions:
        if isinstance(condition, exp.EQ):
            sides = [names.origin(side.unnest()) for side in (condition.this, condition.expression)]
            if sides[0] is not None and sides[1] is not None:
                pairs.append((_spot(sides[0]), _spot(sides[1])))
    return pairs


def _linked(schema: Schema, column: tuple[str, str]) -> set[tuple[str, str]]:
    """The columns one foreign key away."""
    linked = set()
    for table in schema.tables:
        for key in table.foreign_keys:
            for own, other in zip(key.columns, key.referred_columns, strict=True):
                pair = (table.name, own), (key.referred_table, other)
                if column in pair:
                    linked.add(pair[1] if column == pair[0] else pair[0])
    return linked
