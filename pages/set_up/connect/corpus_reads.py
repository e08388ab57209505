"""What the documents part of Connect reads: chunks, remarks, and what the last load changed."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.domain.sources.chunks import Chunk, Chunking
from core.domain.sources.documents import Changes
from core.domain.sources.projects import Source
from core.sources.corpus.duplicates import find_duplicates
from core.store import sources as source_table
from core.store.database import Store
from core.store.testset import chunks as chunk_table
from pages.kit import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedBefore:
    """The load before of the same place, and what differs now."""

    loaded_at: str
    changes: Changes
    chunking: Chunking | None


def chunk_counts(store: Store, source: Source) -> dict[str, int]:
    """How many chunks each document has."""
    return _chunk_counts(store, source.id)


@cache.read("sources")
def _chunk_counts(store: Store, source_id: str) -> dict[str, int]:
    with store.read() as connection:
        return chunk_table.counts(connection, source_id)


def chunks(store: Store, source: Source, document_id: str) -> tuple[Chunk, ...]:
    """The chunks of one document."""
    return _chunks(store, source.id, document_id)


@cache.read("sources")
def _chunks(store: Store, source_id: str, document_id: str) -> tuple[Chunk, ...]:
    with store.read() as connection:
        return chunk_table.of_document(connection, source_id, document_id)


def remarks(store: Store, source: Source) -> pd.DataFrame:
    """What was left out of documents or is doubtful (Document, Title, Remark)."""
    return _remarks(store, source.id, source.loaded_at)


@cache.constant(max_entries=16)
def _remarks(store: Store, source_id: str, loaded_at: str) -> pd.DataFrame:
    with store.read() as connection:
        return pd.DataFrame(source_table.notes(connection, source_id), columns=["Document", "Title", "Remark"])


def duplicates(store: Store, source: Source) -> pd.DataFrame:
    """A row for each text that several documents tell: which is kept, how many there are, and the others by name."""
    return _duplicates(store, source.id, source.loaded_at)


@cache.constant(max_entries=16)
def _duplicates(store: Store, source_id: str, loaded_at: str) -> pd.DataFrame:
    with store.read() as connection:
        groups = find_duplicates(
            source_table.documents(connection, source_id), source_table.skipped(connection, source_id)
        )
    rows = [
        (
            group.kept,
            group.size,
            ", ".join(group.same),
            ", ".join(f"{name} ({share:.0%})" for name, share in group.near),
        )
        for group in groups
    ]
    return pd.DataFrame(rows, columns=["Document", "Documents", "The same text", "Nearly the same"])


def loaded_before(store: Store, source: Source) -> LoadedBefore | None:
    """The load before from the same place with what changed; None where this is the first one."""
    return _loaded_before(store, source.project_id, source.id, source.location, source.loaded_at)


@cache.constant(max_entries=16)
def _loaded_before(store: Store, project_id: str, source_id: str, location: str, loaded_at: str) -> LoadedBefore | None:
    with store.read() as connection:
        previous = source_table.loaded_from(connection, project_id, location, before=source_id)
        if previous is None:
            return None
        changes = source_table.changes(connection, previous.id, source_id)
    return LoadedBefore(loaded_at=previous.loaded_at, changes=changes, chunking=previous.chunking)
