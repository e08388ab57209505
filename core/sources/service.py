"""Connecting sources to a project: each function reads something outside and stores the result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url

from core.domain.errors import NotFound
from core.domain.identity import new_id
from core.domain.sources.projects import Role, Source, SourceKind
from core.domain.sources.semantics import SemanticLayer
from core.net.gate.refusals import recorded
from core.project.service import require
from core.sources.corpora import Reloaded, chunk_documents, connect_corpus, corpus_chunks, reload_corpus
from core.sources.database import DatabaseSource
from core.sources.database.semantics.applying import known, refuse_unknown
from core.sources.places import check_address
from core.store import sources
from core.store.database import Store

__all__ = [
    "Reloaded",
    "chunk_documents",
    "connect_corpus",
    "connect_database",
    "corpus_chunks",
    "open_database",
    "project_database",
    "reload_corpus",
    "say_semantics",
]


def connect_database(
    store: Store,
    project_id: str,
    url: str,
    *,
    actor: str,
    name: str = "",
    overrides: Mapping[str, bool] | None = None,
    layer: SemanticLayer | None = None,
) -> Source:
    """Reads a database's schema and makes it the project's database.

    Args:
        store: Where the project lives.
        project_id: The project.
        url: SQLAlchemy URL; a password only as ``${NAME}`` of an environment variable, which the operator has named
            for that host where people sign in.
        actor: Who does it.
        name: The name of the source on the screens; by default the file or database name.
        overrides: A person's decisions on descriptive columns, ``{"Table.Column": bool}``.
        layer: What a person or a glossary said of tables and columns, or None; what it says of others is left out.

    Returns:
        The stored source with its schema and fingerprint.

    Raises:
        InvalidInput: The URL is malformed or carries a literal password, or the database has no table.
        SourceUnavailable: The database does not answer.
        DestinationRefused: The server may not be called; the audit trail keeps the refusal.
        Forbidden: The actor may not change the project, or the file lies outside the data folder of a server where
            people sign in.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    with recorded(store, project_id, actor):
        check_address(url, store, project_id)
        with DatabaseSource.connect(url, overrides=overrides or {}, layer=layer) as database:
            schema = database.schema
    source = Source(
        id=new_id("src"),
        project_id=project_id,
        kind=SourceKind.DATABASE,
        name=name or url.split("?")[0].rsplit("/", 1)[-1] or url,
        location=_from_anywhere(url),
        fingerprint=schema.fingerprint,
        schema=schema,
        overrides=dict(overrides or {}),
        layer=known(schema, layer) if layer else None,
        loaded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    with store.write(
        actor, "source.connect", project_id=project_id, subject=source.id, detail={"name": source.name}
    ) as connection:
        sources.put(connection, source)
    return source


def say_semantics(store: Store, source_id: str, layer: SemanticLayer, *, actor: str) -> Source:
    """Stores what a person or a glossary says of tables and columns and reads the schema again.

    Args:
        store: Where the project lives.
        source_id: The database.
        layer: In place of what was said before; what it leaves empty is left to the rules, or to what was decided on
            columns when the database was connected.
        actor: Who does it.

    Raises:
        InvalidInput: It names a table or column that the database has not.
    """
    with store.read() as connection:
        source = sources.get(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    with (
        recorded(store, source.project_id, actor),
        DatabaseSource.connect(source.location, overrides=source.overrides, layer=layer) as database,
    ):
        schema = database.schema
    refuse_unknown(schema, layer)
    changed = replace(source, layer=layer, schema=schema, fingerprint=schema.fingerprint)
    with store.write(
        actor,
        "source.say_semantics",
        project_id=source.project_id,
        subject=source.id,
        detail={"tables": len(layer.tables), "columns": sum(len(table.columns) for table in layer.tables)},
    ) as connection:
        sources.put(connection, changed)
    return changed


def open_database(source: Source) -> DatabaseSource:
    """A read-only connection to a stored database source, with its overrides and its semantic layer applied."""
    return DatabaseSource.connect(source.location, overrides=source.overrides, layer=source.layer)


def project_database(store: Store, project_id: str) -> Source:
    """The project's current database.

    Raises:
        NotFound: None is connected.
    """
    with store.read() as connection:
        source = sources.latest(connection, project_id, SourceKind.DATABASE)
    if source is None:
        raise NotFound("This project has no database yet.", "Connect one on the Connect page.")
    return source


def _from_anywhere(url: str) -> str:
    """An SQLite address with an absolute path: workers and later servers start in other folders."""
    parsed = make_url(url.strip())
    path = parsed.database or ""
    if parsed.get_backend_name() != "sqlite" or Path(path).is_absolute() or path.startswith(("${", "file:", "~")):
        return url
    return parsed.set(database=str(Path(path).absolute())).render_as_string()
