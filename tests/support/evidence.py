"""One row in every table whose rows are evidence, and hands that reach past the store."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from core.store.database import Store
from core.store.digests import checking
from core.store.digests.covered import COVERED

ODD = "ä 😀 'quoted' \"twice\" \\ and\nlines"


def fill(store: Store, *, number: int = 1) -> None:
    """A project with one row in every covered table, each written by Anna in a write of its own."""
    rows: dict[str, dict[str, Any]] = {}
    for covered in COVERED:
        table = covered.table
        rows[table.name] = _row(table, rows, number)
        with store.write("anna", f"test.{table.name}", project_id=f"projects_{number}") as connection:
            connection.execute(sa.insert(table), rows[table.name])


def _row(table: sa.Table, rows: dict[str, dict[str, Any]], number: int) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for column in table.c:
        if column.name == "seq":
            continue
        referred = [key.column for key in column.foreign_keys]
        if referred:
            values[column.name] = rows[referred[0].table.name][referred[0].name]
        elif column.name == "id":
            values["id"] = f"{table.name}_{number}"
        else:
            values[column.name] = _value(column)
    return values


def _value(column: sa.Column[Any]) -> object:
    kind = column.type
    if isinstance(kind, sa.JSON):
        return {"text": ODD, "number": 0.1, "none": None, "list": [1, 2.5, True]}
    if isinstance(kind, sa.Boolean):
        return True
    if isinstance(kind, sa.Float):
        return 0.1 + 0.2
    if isinstance(kind, sa.Integer):
        return 7
    if isinstance(kind, sa.LargeBinary):
        return b"\x00\xff bytes"
    return f"{column.name} {ODD}"


def behind(store: Store | str, *statements: str, **values: object) -> None:
    """Runs statements on a store, or the database of an address, as somebody without Plumbline would."""
    engine = sa.create_engine(store if isinstance(store, str) else store.url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement), values)
    engine.dispose()


def broken(store: Store) -> list[tuple[str, str]]:
    """What is wrong with the rows: kind and table."""
    with store.read() as connection:
        return [(row.kind.value, row.table) for row in checking.check(connection).broken]
