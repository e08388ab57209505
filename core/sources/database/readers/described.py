"""Tables as SQLAlchemy describes those of a server, from several schemas at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import text
from sqlalchemy.engine import Inspector
from sqlalchemy.exc import NoSuchTableError, UnreflectableTableError

from core.domain.sources.schema import Column, ForeignKey, Table

Place = tuple[str, str]
"""A schema of the database and a table's own name in it."""


def read_tables(inspector: Inspector, schemas: Sequence[str]) -> tuple[Table, ...]:
    """The tables and views of some schemas, in the order of their names.

    A table whose name another schema has as well is called ``schema.table``, unless it lies in the schema in use. Of a
    partitioned table the whole is read and no part: its rows are those of the parts.

    Args:
        inspector: Of the server.
        schemas: In the order in which a name alone is looked for.
    """
    views = {(schema, name) for schema in schemas for name in _view_names(inspector, schema)}
    parts = _partitions(inspector)
    places = [(schema, name) for schema in schemas for name in sorted(inspector.get_table_names(schema))]
    places = [place for place in places if place not in parts]
    places += sorted(views - set(places))
    names = _names(places, inspector.default_schema_name or "")
    tables = []
    for place in places:
        with suppress(NoSuchTableError, UnreflectableTableError):
            tables.append(_described(inspector, place, names, view=place in views))
    return tuple(sorted(tables, key=lambda table: table.name))


def _view_names(inspector: Inspector, schema: str) -> list[str]:
    """The views of a schema, those that keep their rows as well."""
    kept = inspector.get_materialized_view_names(schema) if inspector.dialect.name == "postgresql" else []
    return [*inspector.get_view_names(schema), *kept]


def _partitions(inspector: Inspector) -> frozenset[Place]:
    """The parts of partitioned tables of a PostgreSQL; a MariaDB does not list its own as tables."""
    if inspector.dialect.name != "postgresql":
        return frozenset()
    listed = "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    with inspector.engine.connect() as connection:
        found = connection.execute(text(f"{listed} WHERE c.relispartition"))
        return frozenset((str(schema), str(name)) for schema, name in found)


def _names(places: Sequence[Place], current: str) -> dict[Place, str]:
    counts = Counter(name.casefold() for _, name in places)
    return {
        (schema, name): name if schema == current or counts[name.casefold()] == 1 else f"{schema}.{name}"
        for schema, name in places
    }


def _described(inspector: Inspector, place: Place, names: Mapping[Place, str], *, view: bool) -> Table:
    """A table's columns, keys and comments; a key to a table that is not read is left out."""
    schema, name = place
    current = inspector.default_schema_name or ""
    keys = (
        (key, (key.get("referred_schema") or schema, key["referred_table"]))
        for key in inspector.get_foreign_keys(name, schema)
    )
    return Table(
        name=names[place],
        rows=0,
        columns=tuple(_column(item) for item in inspector.get_columns(name, schema)),
        primary_key=tuple(inspector.get_pk_constraint(name, schema).get("constrained_columns") or ()),
        foreign_keys=tuple(
            ForeignKey(
                columns=tuple(key["constrained_columns"]),
                referred_table=names[referred],
                referred_columns=tuple(key["referred_columns"]),
            )
            for key, referred in keys
            if referred in names
        ),
        unique=tuple(
            sorted(
                tuple(str(column) for column in item["column_names"])
                for item in inspector.get_unique_constraints(name, schema)
            )
        ),
        namespace="" if schema == current else schema,
        view=view,
        description=_comment(inspector, place) if not view else "",
    )


def _comment(inspector: Inspector, place: Place) -> str:
    if not inspector.dialect.supports_comments:
        return ""
    schema, name = place
    return str(inspector.get_table_comment(name, schema).get("text") or "")


def _column(item: Any) -> Column:
    return Column(
        name=item["name"],
        type="TINYINT(1)" if getattr(item["type"], "display_width", None) == 1 else str(item["type"]),
        nullable=bool(item["nullable"]),
        description=str(item.get("comment") or ""),
    )
