"""What the documents part of Connect reads: chunks, remarks, and what the last load changed."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.domain.chunks import Chunk, Chunking
from core.domain.documents import Changes
from core.domain.projects import Source
from core.store import chunks as chunk_table
from core.store import sources as source_table
from core.store.database import Store
from pages.ui import readers


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedBefore:
    """The load before of the same place, and what differs now."""

    loaded_at: str
    changes: Changes
    chunking: Chunking | None


def chunk_counts(store: Store, source: Source) -> dict[str, int]:
    """How many chunks each document has."""

    def read() -> dict[str, int]:
        with store.read() as connection:
            return chunk_table.counts(connection, source.id)

    return readers.cached(store, "chunk_counts", read, source.id)  # type: ignore[return-value]


def chunks(store: Store, source: Source, document_id: str) -> tuple[Chunk, ...]:
    """The chunks of one document."""

    def read() -> tuple[Chunk, ...]:
        with store.read() as connection:
            return chunk_table.of_document(connection, source.id, document_id)

    return readers.cached(store, "chunks", read, source.id, document_id)  # type: ignore[return-value]


def remarks(store: Store, source: Source) -> pd.DataFrame:
    """What was left out of documents or is doubtful (Document, Title, Remark)."""

    def read() -> pd.DataFrame:
        with store.read() as connection:
            return pd.DataFrame(source_table.notes(connection, source.id), columns=["Document", "Title", "Remark"])

    return readers.kept(store, "remarks", read, source.id, source.loaded_at)  # type: ignore[return-value]


def loaded_before(store: Store, source: Source) -> LoadedBefore | None:
    """The load before from the same place with what changed; None where this is the first one."""

    def read() -> LoadedBefore | None:
        with store.read() as connection:
            previous = source_table.loaded_from(connection, source.project_id, source.location, before=source.id)
            if previous is None:
                return None
            changes = source_table.changes(connection, previous.id, source.id)
        return LoadedBefore(loaded_at=previous.loaded_at, changes=changes, chunking=previous.chunking)

    return readers.kept(store, "loaded_before", read, source.id, source.loaded_at)  # type: ignore[return-value]
