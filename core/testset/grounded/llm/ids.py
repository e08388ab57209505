"""The statement with document ids, made from a proposed one by us; a model never writes it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from core.domain.schema import Schema, Table
from core.sources.database.grammar import grammar_of, written
from core.sources.database.guard import parse_one
from core.testset.grounded.binding import BoundTemplate
from core.testset.grounded.combinations import is_set_based
from core.testset.grounded.entities import best_label


def with_document_ids(sql: str, bound: BoundTemplate, schema: Schema) -> str:
    """The same statement with the keys of the records whose documents hold the fact appended to SELECT.

    The records are those the question is about and those on the way to the answer. Where the answer is how people name
    a record that another one points to (the name of a branch, asked by its account), the document of the one that
    points to it holds the fact; where the question only tells a record by what it points to (an invoice by its customer
    and date), so does its own. That is what the templates made from the schema do.

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
    asked = {output.source for output in bound.outputs}
    placed = {origin.source for origin in bound.predicates}
    told_by = _told_by(sources, placed, asked)
    ordered = sorted(sources, key=lambda item: item[0].casefold() not in placed)
    keys = [
        (alias, table.primary_key[0])
        for alias, table in ordered
        if len(table.primary_key) == 1
        and alias.casefold() not in told_by
        and not (len(sources) > 1 and _only_named(alias, table, bound, placed, asked))
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


def _told_by(sources: list[tuple[str, Table]], placed: set[str], asked: set[str]) -> set[str]:
    """The tables that only tell which record of the answer's table is meant: it points to them, and is asked itself."""
    owner = next((table for alias, table in sources if asked == {alias.casefold()}), None)
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


def _only_named(alias: str, table: Table, bound: BoundTemplate, placed: set[str], asked: set[str]) -> bool:
    """Whether all that is asked of a table is the name of its record, and the question does not start from it."""
    own = alias.casefold()
    if own in placed or asked != {own}:
        return False
    label = best_label(table)
    return label is not None and {output.column for output in bound.outputs} == set(label.columns)
