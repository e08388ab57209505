"""Connecting sources to a project: each function reads something outside and stores what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url

from core.domain.documents import Corpus
from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.projects import Role, Source, SourceKind
from core.project.service import require
from core.sources.corpus import load_corpus
from core.sources.database import DatabaseSource
from core.sources.places import check_address, check_place
from core.store import sources
from core.store.database import Store


def connect_database(
    store: Store, project_id: str, url: str, *, actor: str, name: str = "", overrides: Mapping[str, bool] | None = None
) -> Source:
    """Reads a database's schema and makes it the project's database.

    Args:
        store: Where the project lives.
        project_id: The project.
        url: SQLAlchemy URL; a password only as ``${NAME}`` of an environment variable.
        actor: Who does it.
        name: How the source is called on the screens; by default the file or database name.
        overrides: A person's decisions on descriptive columns, ``{"Table.Column": bool}``.

    Returns:
        The stored source with its schema and fingerprint.

    Raises:
        InvalidInput: The URL is malformed or carries a literal password, or the database has no table.
        SourceUnavailable: The database does not answer.
        Forbidden: The actor may not change the project, or the file lies outside the data folder of a server where
            people sign in.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    check_address(url, store)
    with DatabaseSource.connect(url, overrides=overrides or {}) as database:
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
        loaded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    with store.write(
        actor, "source.connect", project_id=project_id, subject=source.id, detail={"name": source.name}
    ) as connection:
        sources.put(connection, source)
    return source


def overrule_columns(store: Store, source_id: str, overrides: Mapping[str, bool], *, actor: str) -> Source:
    """Stores a person's decisions on which columns are descriptive and reads the schema again."""
    with store.read() as connection:
        source = sources.get(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    with open_database(source, overrides=overrides) as database:
        changed = replace(
            source, overrides=dict(overrides), schema=database.schema, fingerprint=database.schema.fingerprint
        )
    with store.write(
        actor,
        "source.overrule_columns",
        project_id=source.project_id,
        subject=source.id,
        detail={"overrides": dict(overrides)},
    ) as connection:
        sources.put(connection, changed)
    return changed


def open_database(source: Source, *, overrides: Mapping[str, bool] | None = None) -> DatabaseSource:
    """A read-only connection to a stored database source, with its overrides applied."""
    return DatabaseSource.connect(source.location, overrides=source.overrides if overrides is None else overrides)


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


def connect_corpus(store: Store, project_id: str, folder: Path, *, actor: str, name: str = "") -> tuple[Source, Corpus]:
    """Loads a folder of documents and makes it the project's corpus.

    Returns:
        The stored source and what was loaded and skipped.

    Raises:
        SourceUnavailable: The folder does not exist.
        InvalidInput: Nothing in it could be read.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    check_place(folder)
    corpus = load_corpus(folder)
    if not corpus.documents:
        reasons = "; ".join(f"{item.path}: {item.reason}" for item in corpus.skipped[:3])
        raise InvalidInput(
            f"No document could be read in {folder.name}{f' ({reasons})' if reasons else ''}.",
            "Give a folder with Markdown, text, HTML, PDF, DOCX or CSV files.",
        )
    source = Source(
        id=new_id("src"),
        project_id=project_id,
        kind=SourceKind.CORPUS,
        name=name or folder.name,
        location=str(folder.absolute()),
        fingerprint=corpus.fingerprint,
        loaded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    with store.write(
        actor,
        "corpus.load",
        project_id=project_id,
        subject=source.id,
        detail={"documents": len(corpus.documents), "skipped": len(corpus.skipped)},
    ) as connection:
        sources.put(connection, source)
        sources.put_documents(connection, source.id, corpus)
    return source, corpus


def _from_anywhere(url: str) -> str:
    """An SQLite address with an absolute path: workers and later servers start in other folders."""
    parsed = make_url(url.strip())
    path = parsed.database or ""
    if parsed.get_backend_name() != "sqlite" or Path(path).is_absolute() or path.startswith(("${", "file:", "~")):
        return url
    return parsed.set(database=str(Path(path).absolute())).render_as_string()
