"""Connected databases, loaded corpora and their documents."""

from __future__ import annotations

from sqlalchemy import Connection, delete, func, insert, select

from core.domain.errors import Conflict, NotFound
from core.domain.sources.documents import Changes, Corpus, Document, SkippedFile
from core.domain.sources.projects import Source, SourceKind
from core.store.codec import from_row, to_row
from core.store.results import fact_evidence
from core.store.tables import documents as document_rows
from core.store.tables import skipped_files, sources
from core.store.writing.upsert import add_missing
from core.store.writing.upsert import put as upsert


def put(connection: Connection, source: Source) -> None:
    """Stores a source, or replaces the one with its id; it keeps its place in the order."""
    upsert(connection, sources, [to_row(source)], key=["id"])


def get(connection: Connection, source_id: str) -> Source:
    """The source of that id.

    Raises:
        NotFound: There is none.
    """
    row = connection.execute(select(sources).where(sources.c.id == source_id)).mappings().one_or_none()
    if row is None:
        raise NotFound(f"There is no source {source_id}.", "Connect one on the Connect page.")
    return from_row(Source, row)


def exists(connection: Connection, source_id: str) -> bool:
    """Whether there is a source of that id."""
    return connection.execute(select(sources.c.id).where(sources.c.id == source_id)).first() is not None


def latest(connection: Connection, project_id: str, kind: SourceKind) -> Source | None:
    """The source of a kind that was connected last."""
    row = (
        connection.execute(
            select(sources)
            .where(sources.c.project_id == project_id, sources.c.kind == kind.value)
            .order_by(sources.c.seq.desc())
            .limit(1)
        )
        .mappings()
        .one_or_none()
    )
    return None if row is None else from_row(Source, row)


def all(connection: Connection, project_id: str) -> list[Source]:
    """The sources of a project, oldest first."""
    query = select(sources).where(sources.c.project_id == project_id).order_by(sources.c.seq)
    return [from_row(Source, row) for row in connection.execute(query).mappings()]


def loaded_from(connection: Connection, project_id: str, location: str, *, before: str = "") -> Source | None:
    """The corpus that was loaded last from a place.

    Args:
        connection: To the store.
        project_id: The project.
        location: The place as sources name it.
        before: Id of a source; only those loaded before it count.
    """
    query = select(sources).where(
        sources.c.project_id == project_id,
        sources.c.kind == SourceKind.CORPUS.value,
        sources.c.location == location,
    )
    if before:
        own = select(sources.c.seq).where(sources.c.id == before).scalar_subquery()
        query = query.where(sources.c.seq < own)
    row = connection.execute(query.order_by(sources.c.seq.desc()).limit(1)).mappings().one_or_none()
    return None if row is None else from_row(Source, row)


def put_documents(connection: Connection, source_id: str, corpus: Corpus) -> None:
    """Stores the loaded documents and the skipped files in place of the source's former ones.

    Their chunks are deleted, and what was found in them.

    Raises:
        Conflict: Two documents have the same id.
        NotFound: There is no such source.
    """
    get(connection, source_id)
    fact_evidence.forget_corpus(connection, source_id)
    connection.execute(delete(document_rows).where(document_rows.c.source_id == source_id))
    connection.execute(delete(skipped_files).where(skipped_files.c.source_id == source_id))
    rows = [{"source_id": source_id, **to_row(document)} for document in corpus.documents]
    stored = add_missing(connection, document_rows, rows, key=["source_id", "id"])
    if stored < len(rows):
        raise Conflict(
            f"{len(rows) - stored} documents share an id with another one of the corpus.",
            "Give each document an id of its own.",
        )
    if corpus.skipped:
        connection.execute(insert(skipped_files), [{"source_id": source_id, **to_row(file)} for file in corpus.skipped])


def documents(connection: Connection, source_id: str) -> tuple[Document, ...]:
    """The documents of a corpus, in the order they were loaded."""
    query = select(document_rows).where(document_rows.c.source_id == source_id).order_by(document_rows.c.seq)
    return tuple(from_row(Document, row) for row in connection.execute(query).mappings())


def document(connection: Connection, source_id: str, document_id: str) -> Document | None:
    """One document of a corpus, or None."""
    query = select(document_rows).where(document_rows.c.source_id == source_id, document_rows.c.id == document_id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else from_row(Document, row)


def titles(connection: Connection, source_id: str) -> dict[str, str]:
    """Titles of a corpus's documents by id, in the order they were loaded; their texts are not read."""
    query = select(document_rows.c.id, document_rows.c.title).where(document_rows.c.source_id == source_id)
    return {row.id: row.title for row in connection.execute(query.order_by(document_rows.c.seq))}


def notes(connection: Connection, source_id: str) -> tuple[tuple[str, str, str], ...]:
    """Id, title and remark for each remark on a document of a corpus; their texts are not read."""
    query = select(document_rows.c.id, document_rows.c.title, document_rows.c.notes).where(
        document_rows.c.source_id == source_id
    )
    rows = connection.execute(query.order_by(document_rows.c.seq))
    return tuple((row.id, row.title, str(note)) for row in rows for note in row.notes)


def count_documents(connection: Connection, source_id: str) -> int:
    """How many documents a corpus has."""
    query = select(func.count()).select_from(document_rows).where(document_rows.c.source_id == source_id)
    return int(connection.execute(query).scalar_one())


def size(connection: Connection, source_id: str) -> tuple[int, int]:
    """How many documents a corpus has, and how many characters they have together; no text is read."""
    query = select(func.count(), func.coalesce(func.sum(func.length(document_rows.c.text)), 0))
    number, characters = connection.execute(query.where(document_rows.c.source_id == source_id)).one()
    return int(number), int(characters)


def skipped(connection: Connection, source_id: str) -> tuple[SkippedFile, ...]:
    """The files of a corpus that were not loaded, with the reasons."""
    query = select(skipped_files).where(skipped_files.c.source_id == source_id).order_by(skipped_files.c.seq)
    return tuple(from_row(SkippedFile, row) for row in connection.execute(query).mappings())


def corpus(connection: Connection, source_id: str) -> Corpus:
    """A corpus as it was loaded, with its fingerprint.

    Raises:
        NotFound: There is no such source.
    """
    return Corpus(
        fingerprint=get(connection, source_id).fingerprint,
        documents=documents(connection, source_id),
        skipped=skipped(connection, source_id),
    )


def changes(connection: Connection, before: str, after: str) -> Changes:
    """What differs between two loads, told by ids and texts; no text is read into memory.

    Args:
        connection: To the store.
        before: Id of the earlier source.
        after: Id of the later one.
    """
    old, new = document_rows.alias("old"), document_rows.alias("new")
    both = new.join(old, (old.c.id == new.c.id) & (old.c.source_id == before), isouter=True)
    query = select(new.c.id, old.c.seq, (old.c.text == new.c.text).label("same")).select_from(both)
    rows = connection.execute(query.where(new.c.source_id == after).order_by(new.c.seq)).all()
    later_ids = select(new.c.id).where(new.c.source_id == after)
    removed = select(old.c.id).where(old.c.source_id == before, old.c.id.not_in(later_ids)).order_by(old.c.seq)
    return Changes(
        added=tuple(row.id for row in rows if row.seq is None),
        changed=tuple(row.id for row in rows if row.seq is not None and not row.same),
        removed=tuple(connection.execute(removed).scalars()),
        unchanged=sum(1 for row in rows if row.seq is not None and row.same),
    )
