"""What a person changed in the words of a database, kept apart from what rules propose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

from core.domain.sources.semantics import ColumnMeaning, SemanticLayer, TableMeaning


def revised(said: SemanticLayer, shown: TableMeaning, edited: TableMeaning) -> SemanticLayer:
    """The layer after a person edited a table.

    A field that differs from what was shown becomes the person's; one that was emptied goes back to the rules; the
    others stay as they were said, or unsaid.

    Args:
        said: What was said so far.
        shown: The table with the words it had on the screen, the rules' proposals among them.
        edited: The same table with the person's changes.
    """
    before = next((table for table in said.tables if _same(table.name, shown.name)), TableMeaning(name=shown.name))
    after = replace(
        before,
        **_changes(shown, edited, before, skip="columns"),
        columns=tuple(_revised_columns(before.columns, shown.columns, edited.columns)),
    )
    others = tuple(table for table in said.tables if not _same(table.name, shown.name))
    return SemanticLayer(tables=tuple(sorted((*others, *_if_said(after)), key=lambda table: table.name.casefold())))


def joined(said: SemanticLayer, added: SemanticLayer) -> SemanticLayer:
    """What was said with a file laid over it: a field that the file leaves empty stays."""
    layer = said
    for table in added.tables:
        before = next((one for one in layer.tables if _same(one.name, table.name)), TableMeaning(name=table.name))
        columns = {column.name.casefold(): column for column in before.columns}
        for column in table.columns:
            kept = columns.get(column.name.casefold(), ColumnMeaning(name=column.name))
            columns[column.name.casefold()] = replace(kept, **_stated(column))
        after = replace(before, **_stated(table), columns=tuple(columns.values()))
        others = tuple(one for one in layer.tables if not _same(one.name, table.name))
        layer = SemanticLayer(tables=(*others, after))
    return SemanticLayer(tables=tuple(sorted(layer.tables, key=lambda table: table.name.casefold())))


def changed_fields(before: SemanticLayer, after: SemanticLayer) -> int:
    """How many fields of tables and columns are said otherwise, or newly, or no longer."""
    old, new = _said_fields(before), _said_fields(after)
    return sum(old.get(place) != new.get(place) for place in old.keys() | new.keys())


def _said_fields(layer: SemanticLayer) -> dict[tuple[str, str, str], object]:
    places: dict[tuple[str, str, str], object] = {}
    for table in layer.tables:
        places |= {(table.name.casefold(), "", name): value for name, value in _stated(table).items()}
        for column in table.columns:
            at = (table.name.casefold(), column.name.casefold())
            places |= {(*at, name): value for name, value in _stated(column).items()}
    return places


def _stated(part: TableMeaning | ColumnMeaning) -> dict[str, Any]:
    """The fields that say something."""
    values = {field.name: getattr(part, field.name) for field in fields(part) if field.name not in ("name", "columns")}
    return {name: value for name, value in values.items() if value not in ("", (), None)}


def _changes(
    shown: TableMeaning | ColumnMeaning,
    edited: TableMeaning | ColumnMeaning,
    before: TableMeaning | ColumnMeaning,
    *,
    skip: str = "",
) -> dict[str, Any]:
    return {
        field.name: getattr(edited, field.name)
        for field in fields(before)
        if field.name not in ("name", skip) and getattr(edited, field.name) != getattr(shown, field.name)
    }


def _revised_columns(
    said: Iterable[ColumnMeaning], shown: Iterable[ColumnMeaning], edited: Iterable[ColumnMeaning]
) -> Iterator[ColumnMeaning]:
    by_name = {column.name.casefold(): column for column in said}
    for old, new in zip(shown, edited, strict=True):
        before = by_name.get(old.name.casefold(), ColumnMeaning(name=old.name))
        after = replace(before, **_changes(old, new, before))
        if _stated(after):
            yield after


def _if_said(table: TableMeaning) -> tuple[TableMeaning, ...]:
    return (table,) if table.columns or _stated(table) else ()


def _same(name: str, other: str) -> bool:
    return name.casefold() == other.casefold()
