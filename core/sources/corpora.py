"""Corpora of a project: loading documents, loading them again where files changed, cutting them into chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.jobs import Report, silent
from core.domain.sources.chunks import Chunk, Chunking
from core.domain.sources.documents import Changes, Corpus
from core.domain.sources.projects import Role, Source, SourceKind
from core.encoders.tokens import TokenCounter, open_counter
from core.project.service import require
from core.sources.corpus.chunks.chunking import chunk_corpus, chunking_for
from core.sources.corpus.journal import Journal
from core.sources.load import Load
from core.sources.places import check_place
from core.store import sources
from core.store.database import Store
from core.store.testset import chunks as chunk_store

UPLOADED = "uploaded:"
"""Begins the location of a corpus whose files were uploaded; the name of the upload follows."""
CUT = "corpus.cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded:
    """A corpus that was loaded again.

    Attributes:
        source: The new source, or the former one where nothing changed.
        corpus: The documents loaded now, and the files left out.
        changes: The changes since the former load.
    """

    source: Source
    corpus: Corpus
    changes: Changes


def connect_corpus(
    store: Store,
    project_id: str,
    folder: Path,
    *,
    actor: str,
    name: str = "",
    location: str = "",
    source_id: str = "",
    journal: Journal | None = None,
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> tuple[Source, Corpus]:
    """Loads a folder, an archive or a file of documents, cuts them into chunks and makes them the project's corpus.

    It is stored at once or not at all, so the former corpus stays whole until then. Where the encoder that the chunks
    are cut for is not available, they are cut later: see `corpus_chunks`.

    Args:
        store: Where the project lives.
        project_id: The project.
        folder: The folder, archive or file.
        actor: Who does it.
        name: The name of the corpus on the screens; by default the folder's.
        location: The place of the documents where it is not the folder: for uploads, which are deleted afterwards.
        source_id: The id the corpus gets; an existing corpus is returned unchanged, so that a load which was killed
            after its last write is not repeated.
        journal: Keeps what was read until it is stored.
        progress: Called with stage, done, total and the file that is read.
        should_stop: Called before each file and each document.

    Returns:
        The stored source and what was loaded and skipped.

    Raises:
        SourceUnavailable: The folder does not exist.
        InvalidInput: Nothing in it could be read.
        Stopped: A stop was requested; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    if not location:  # else they are uploads, which nobody named by their path
        check_place(folder, project_id)
    location = location or str(folder.absolute())
    with store.read() as connection:
        existing = _existing(connection, project_id, source_id)
        if existing is not None:
            return existing, sources.corpus(connection, existing.id)
        previous = sources.loaded_from(connection, project_id, location)
        before = sources.corpus(connection, previous.id) if previous else None
    load = Load(store=store, actor=actor, journal=journal, progress=progress, should_stop=should_stop)
    corpus = load.read(folder, before, name=name or folder.name)
    source = Source(
        id=source_id or new_id("src"),
        project_id=project_id,
        kind=SourceKind.CORPUS,
        name=name or folder.name,
        location=location,
        fingerprint=corpus.fingerprint,
        loaded_at=_now(),
        chunking=previous.chunking if previous else None,
    )
    return load.stored(source, corpus, previous, before), corpus


def reload_corpus(
    store: Store,
    source_id: str,
    *,
    actor: str,
    made_id: str = "",
    journal: Journal | None = None,
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> Reloaded:
    """Loads a corpus again from its place: only files that changed are read, only their documents cut.

    The former load stays as it was, since runs use it. Where nothing changed, nothing is stored.

    Args:
        store: Where the corpus is.
        source_id: The corpus.
        actor: Who does it.
        made_id: The id of the new load; an existing one is returned unchanged.
        journal: Keeps what was read until it is stored.
        progress: Called with stage, done, total and the file that is read.
        should_stop: Called before each file and each document.

    Raises:
        NotFound: There is no such source.
        SourceUnavailable: Its folder no longer exists.
        InvalidInput: It was not loaded from files, or nothing could be read.
        Stopped: A stop was requested; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    previous, folder = reloadable(store, source_id, actor=actor)
    with store.read() as connection:
        source = _existing(connection, previous.project_id, made_id)
        before = sources.corpus(connection, source_id)
    if source is None:
        load = Load(store=store, actor=actor, journal=journal, progress=progress, should_stop=should_stop)
        corpus = load.read(folder, before, name=folder.name)
        if corpus == before:
            return Reloaded(source=previous, corpus=before, changes=Changes(unchanged=len(before.documents)))
        source = replace(previous, id=made_id or new_id("src"), fingerprint=corpus.fingerprint, loaded_at=_now())
        source = load.stored(source, corpus, previous, before)
    with store.read() as connection:
        changes = sources.changes(connection, previous.id, source.id)
        return Reloaded(source=source, corpus=sources.corpus(connection, source.id), changes=changes)


def reloadable(store: Store, source_id: str, *, actor: str) -> tuple[Source, Path]:
    """A corpus that can be loaded again, and the place it is loaded from.

    Raises:
        NotFound: There is no such source.
        InvalidInput: It was built or uploaded.
        Forbidden: The actor may not change the project, or may not read the place.
    """
    with store.read() as connection:
        source = sources.get(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    if is_uploaded(source):
        raise InvalidInput(
            f"{source.name} was uploaded, and uploaded files are not kept.",
            "Upload them again: only those that changed are read.",
        )
    folder = Path(source.location)
    if source.kind is not SourceKind.CORPUS or not folder.is_absolute():
        raise InvalidInput(f"{source.name} was not loaded from files.", "Build it again, or load a folder.")
    check_place(folder, source.project_id)
    return source, folder


def is_uploaded(source: Source) -> bool:
    """Whether a corpus was loaded from uploads that are not kept."""
    return source.kind is SourceKind.CORPUS and source.location.startswith(UPLOADED)


def chunk_documents(
    store: Store,
    source_id: str,
    *,
    actor: str,
    tokens: int | None = None,
    overlap: int | None = None,
    made_id: str = "",
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> Source:
    """Cuts the documents of a corpus into chunks of these sizes.

    Documents that are not cut get their chunks. Those that are cut in another way stay as they are, since topics and
    questions refer to their chunks: the same documents, cut again, become the project's next corpus.

    Args:
        store: Where the corpus is.
        source_id: The corpus.
        actor: Who does it.
        tokens: The most tokens of a chunk; by default as many as the encoder reads at once.
        overlap: The most tokens repeated; 32 by default.
        made_id: The id of the corpus that is cut again; an existing one is returned unchanged.
        progress: Called with stage, done, total and the document that is cut.
        should_stop: Called before each document.

    Returns:
        The corpus cut in this way: the same one where it was not cut, or was cut in this way already.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not available, or a number is out of its range.
        Stopped: A stop was requested; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    source, counter, chunking = cut_as(store, source_id, actor=actor, tokens=tokens, overlap=overlap)
    with store.read() as connection:
        existing = _existing(connection, source.project_id, made_id)
        if existing is not None or source.chunking == chunking:
            return existing or source
        corpus = sources.corpus(connection, source_id)
    chunks = tuple(chunk_corpus(corpus.documents, counter, chunking, progress=progress, should_stop=should_stop))
    anew = source.chunking is not None
    cut = replace(source, id=made_id or new_id("src") if anew else source_id, chunking=chunking)
    detail = {"chunks": len(chunks), "tokens": chunking.tokens, "overlap": chunking.overlap, "of": source_id}
    with store.write(actor, CUT, project_id=source.project_id, subject=cut.id, detail=detail) as connection:
        sources.put(connection, cut)
        if anew:
            sources.put_documents(connection, cut.id, corpus)
        chunk_store.put(connection, cut.id, chunks)
    return cut


def cut_as(
    store: Store, source_id: str, *, actor: str, tokens: int | None = None, overlap: int | None = None
) -> tuple[Source, TokenCounter, Chunking]:
    """A corpus, and how it would be cut with these sizes.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not available, or a number is out of its range.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        source = sources.get(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    counter = open_counter()
    return source, counter, chunking_for(counter, tokens=tokens, overlap=overlap)


def corpus_chunks(store: Store, project_id: str, *, actor: str) -> tuple[Source, tuple[Chunk, ...]]:
    """The project's corpus and its chunks; documents without chunks (built ones, or an earlier version's) are cut now.

    Raises:
        NotFound: No documents are loaded.
        InvalidInput: The encoder is not available.
        Forbidden: They must be cut, and the actor may not change the project.
    """
    with store.read() as connection:
        source = sources.latest(connection, project_id, SourceKind.CORPUS)
        if source is None:
            raise NotFound("This project has no documents yet.", "Load them on the Connect page.")
        if source.chunking is not None:
            return source, chunk_store.of(connection, source.id)
    source = chunk_documents(store, source.id, actor=actor)
    with store.read() as connection:
        return source, chunk_store.of(connection, source.id)


def _existing(connection: Connection, project_id: str, source_id: str) -> Source | None:
    """The source with an id that was assigned in advance; None where it is not stored yet."""
    candidates = sources.all(connection, project_id) if source_id else []
    return next((source for source in candidates if source.id == source_id), None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
