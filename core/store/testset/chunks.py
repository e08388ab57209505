"""Chunks of the documents of a corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice

from sqlalchemy import Connection, delete, func, select

from core.domain.errors import Conflict
from core.domain.sources.chunks import Chunk
from core.store import sources
from core.store.codec import from_row, to_row
from core.store.tables import chunks as chunk_rows
from core.store.tables import documents as document_rows
from core.store.writing.upsert import add_missing

BATCH = 500
"""Ids asked for at once."""


def put(connection: Connection, source_id: str, chunks: Iterable[Chunk]) -> None:
    """Stores the chunks of a corpus instead of those it had.

    Raises:
        Conflict: Two have the same id, or one is of a document that the corpus does not have.
        NotFound: There is no such source.
    """
    sources.get(connection, source_id)
    connection.execute(delete(chunk_rows).where(chunk_rows.c.source_id == source_id))
    rows = [{"source_id": source_id, **to_row(chunk)} for chunk in chunks]
    stored = add_missing(connection, chunk_rows, rows, key=["source_id", "id"])
    if stored < len(rows):
        raise Conflict(f"{len(rows) - stored} chunks share an id with another one.", "Cut the documents again.")


def of(connection: Connection, source_id: str) -> tuple[Chunk, ...]:
    """The chunks of a corpus, in the order of its documents."""
    query = select(chunk_rows).where(chunk_rows.c.source_id == source_id).order_by(chunk_rows.c.seq)
    return tuple(from_row(Chunk, row) for row in connection.execute(query).mappings())


def some(connection: Connection, source_id: str, chunk_ids: Collection[str]) -> Iterator[Chunk]:
    """Those chunks of a corpus that have one of the ids."""
    waiting = iter(sorted(chunk_ids))
    while part := list(islice(waiting, BATCH)):
        query = select(chunk_rows).where(chunk_rows.c.source_id == source_id, chunk_rows.c.id.in_(part))
        yield from (from_row(Chunk, row) for row in connection.execute(query).mappings())


def homes(connection: Connection, source_id: str) -> dict[str, str]:
    """The document of each chunk of a corpus, by chunk id; no text is read."""
    query = select(chunk_rows.c.id, chunk_rows.c.document_id).where(chunk_rows.c.source_id == source_id)
    return {row.id: row.document_id for row in connection.execute(query.order_by(chunk_rows.c.seq))}


def of_document(connection: Connection, source_id: str, document_id: str) -> tuple[Chunk, ...]:
    """The chunks of one document, in their order."""
    query = select(chunk_rows).where(chunk_rows.c.source_id == source_id, chunk_rows.c.document_id == document_id)
    return tuple(from_row(Chunk, row) for row in connection.execute(query.order_by(chunk_rows.c.position)).mappings())


def counts(connection: Connection, source_id: str) -> dict[str, int]:
    """How many chunks each document of a corpus has, in the order they were loaded; 0 for those without."""
    joined = document_rows.outerjoin(
        chunk_rows,
        (chunk_rows.c.source_id == document_rows.c.source_id) & (chunk_rows.c.document_id == document_rows.c.id),
    )
    query = (
        select(document_rows.c.id, func.count(chunk_rows.c.seq))
        .select_from(joined)
        .where(document_rows.c.source_id == source_id)
        .group_by(document_rows.c.id, document_rows.c.seq)
        .order_by(document_rows.c.seq)
    )
    return {document_id: int(count) for document_id, count in connection.execute(query)}
