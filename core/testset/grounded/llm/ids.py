"""The statement with document ids, derived from a proposed one by rules; a model never writes it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.sources.schema import Schema, Table
from core.sources.database.grammar import grammar_of, written
from core.sources.database.guard import parse_one
from core.testset.grounded.entities import best_label
from core.testset.grounded.sql.binding import BoundTemplate
from core.testset.grounded.sql.combinations import is_set_based


def with_document_ids(sql: str, bound: BoundTemplate, schema: Schema) -> str:
    """The same statement with the keys of the records whose documents hold the fact appended to SELECT.

    The records are those the question is about and those on the path to the answer. Where the answer is the name of a
    record that another one points to (the name of a branch, asked by its account), the document of the record that
    points to it holds the fact; where the question identifies a record by what it points to (an invoice by its customer
    and date), that record's own document holds it. The templates made from the schema do the same.

    Args:
        sql: The statement.
        bound: The same, bound.
        schema: The database's tables.

    Returns:
        The statement, empty where no key of one column can be appended: a grouped or combined SELECT, or tables with
        keys of several columns only.
    """
    if not is_set_based(bound):
        return ""
    tree = parse_one(sql, schema.dialect)
    if not isinstance(tree, exp.Select) or list(tree.find_all(exp.Subquery)):
        return ""
    sources = list(_sources(tree, schema))
    asked_sources = {output.source for output in bound.outputs}
    placed = {origin.source for origin in bound.predicates}
    told_by = _identifying(sources, placed, asked_sources)
    ordered = sorted(sources, key=lambda item: item[0].casefold() not in placed)
    keys = [
        (alias, table.primary_key[0])
        for alias, table in ordered
        if len(table.primary_key) == 1
        and alias.casefold() not in told_by
        and not (len(sources) > 1 and _only_named(alias, table, bound, placed, asked_sources))
    ]
    if not keys:
        return ""
    for alias, column in keys:
        qualified = f"{written(alias, schema.dialect)}.{written(column, schema.dialect)}"
        own = qualified if len(sources) > 1 else written(column, schema.dialect)
        tree.select(own, append=True, copy=False, dialect=grammar_of(schema.dialect))
    return f"{tree.sql(dialect=grammar_of(schema.dialect))};"


def _sources(tree: exp.Select, schema: Schema) -> Iterator[tuple[str, Table]]:
    source = tree.args.get("from") or tree.args.get("from_")
    for item in (source, *(tree.args.get("joins") or ())):
        if item is not None and isinstance(item.this, exp.Table):
            yield item.this.alias_or_name, schema.table(item.this.name)


def _identifying(sources: list[tuple[str, Table]], placed: set[str], asked_sources: set[str]) -> set[str]:
    """The tables that only identify the record of the answer's table: it points to them, and holds the answer."""
    owner = next((table for alias, table in sources if asked_sources == {alias.casefold()}), None)
    if owner is None or len(owner.primary_key) != 1:
        return set()
    pointed_to = {key.referred_table for key in owner.foreign_keys}
    return {
        alias.casefold()
        for alias, table in sources
        if alias.casefold() in placed
        and table.name in pointed_to
        and table.name != owner.name
        and owner.name not in {key.referred_table for key in table.foreign_keys}
    }


def _only_named(alias: str, table: Table, bound: BoundTemplate, placed: set[str], asked_sources: set[str]) -> bool:
    """Whether the question only asks for the name of a table's record and does not start from it."""
    own = alias.casefold()
    if own in placed or asked_sources != {own}:
        return False
    label = best_label(table)
    return label is not None and {output.column for output in bound.outputs} == set(label.columns)
