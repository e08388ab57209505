"""The table sets of questions: single tables, and pairs and triples that foreign keys connect."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from core.domain.errors import InvalidInput
from core.domain.sources.schema import Schema, Table
from core.testset.grounded.entities import UNWRITABLE

SIZES = (1, 2, 3)
"""The sizes of table sets; appendix D.2 of GRAMMAR has at most two entities and the table that ties them."""


def table_sets(
    schema: Schema, *, sizes: Collection[int] = SIZES, tables: Collection[str] = ()
) -> tuple[tuple[str, ...], ...]:
    """The table sets that can make a question, smallest first.

    A single table needs two descriptive columns, one to ask by and one to ask for. In a pair a foreign key leads from
    one table to the other; in a triple two foreign keys tie two tables through the one between them. The tables at the
    ends need a descriptive column each; the one between may only tie them. Tables without rows make no question.

    Args:
        schema: Tables with their keys and descriptive columns.
        sizes: Of the sets wanted: 1, 2, 3.
        tables: Only sets of these tables; all tables where it is empty.

    Returns:
        Sets in the order of the schema's tables; the same schema gives the same sets.

    Raises:
        InvalidInput: A size is none of 1, 2, 3.
        NotFound: The schema has no table of a name given.
    """
    odd = sorted(set(sizes) - set(SIZES))
    if odd:
        raise InvalidInput(f"A table set cannot have {odd[0]} tables.", "Use sets of 1, 2 or 3 tables.")
    names = {schema.table(name).name for name in tables} or {table.name for table in schema.tables}
    usable = [table for table in schema.tables if table.name in names and table.rows]
    sets: list[tuple[str, ...]] = []
    if 1 in sizes:
        sets += [(table.name,) for table in usable if len(_askable(table)) > 1]
    if 2 in sizes:
        sets += [
            (first.name, second.name)
            for first, second in combinations(usable, 2)
            if _tied(first, second) and _askable(first) and _askable(second)
        ]
    if 3 in sizes:
        sets += _triples(usable)
    return tuple(sets)


def _triples(usable: list[Table]) -> Iterator[tuple[str, ...]]:
    for triple in combinations(usable, 3):
        for between in triple:
            ends = [table for table in triple if table is not between]
            if all(_askable(end) and _tied(end, between) for end in ends):
                yield tuple(table.name for table in triple)
                break


def _tied(first: Table, second: Table) -> bool:
    """Whether a foreign key leads from one of the tables to the other."""
    return any(
        key.referred_table == right.name
        for left, right in ((first, second), (second, first))
        for key in left.foreign_keys
    )


def _askable(table: Table) -> list[str]:
    return [column.name for column in table.columns if column.descriptive and not UNWRITABLE & set(column.name)]
