"""Corpora of a project: loading documents, loading them again where files changed, cutting them into chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from core.domain.chunks import Chunk, Chunking
from core.domain.documents import Changes, Corpus
from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.jobs import Report, silent
from core.domain.projects import Role, Source, SourceKind
from core.encoders.tokens import TokenCounter, open_counter
from core.project.service import require
from core.sources.corpus.chunking import chunk_corpus, chunking_for
from core.sources.corpus.journal import Journal
from core.sources.load import Load
from core.sources.places import check_place
from core.store import chunks as chunk_store
from core.store import sources
from core.store.database import Store

UPLOADED = "uploaded:"
"""What the location of a corpus begins with whose files were uploaded; the name of the upload follows."""
CUT = "corpus.cut"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reloaded:
    """A corpus that was loaded again.

    Attributes:
        source: The new source, or the one there was where nothing is different.
        corpus: What is loaded now, and what is left out.
        changes: Against the load before.
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

    It is stored at once or not at all, so the corpus that was there stays whole until then. Where the encoder that the
    chunks are cut for cannot be had, they are cut later: see `corpus_chunks`.

    Args:
        store: Where the project lives.
        project_id: The project.
        folder: The folder, archive or file.
        actor: Who does it.
        name: How the corpus is called on the screens; by default as the folder.
        location: Where the documents come from, where that is not the folder: of uploads, which are gone afterwards.
        source_id: The id the corpus gets; one that is there already is given back as it is, so that a load which was
            killed after its last write is not done twice.
        journal: Keeps what was read until it is stored.
        progress: Told stage, done, total and the file that is read.
        should_stop: Asked before each file and each document.

    Returns:
        The stored source and what was loaded and skipped.

    Raises:
        SourceUnavailable: The folder does not exist.
        InvalidInput: Nothing in it could be read.
        Stopped: It was asked to stop; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    check_place(folder)
    location = location or str(folder.absolute())
    with store.read() as connection:
        done = _existing(connection, project_id, source_id)
        if done is not None:
            return done, sources.corpus(connection, done.id)
        previous = sources.loaded_from(connection, project_id, location)
        before = sources.corpus(connection, previous.id) if previous else None
    load = Load(store=store, actor=actor, journal=journal, progress=progress, should_stop=should_stop)
    corpus = load.read(folder, before, called=name or folder.name)
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
    """Loads a corpus again from where it was loaded: only files that changed are read, only their documents cut.

    The load before stays as it was, since runs were made with it. Where nothing is different, nothing is stored.

    Args:
        store: Where the corpus is.
        source_id: The corpus.
        actor: Who does it.
        made_id: The id of the new load; where it is there already, it is given back as it is.
        journal: Keeps what was read until it is stored.
        progress: Told stage, done, total and the file that is read.
        should_stop: Asked before each file and each document.

    Raises:
        NotFound: There is no such source.
        SourceUnavailable: Its folder does not exist any more.
        InvalidInput: It was not loaded from files, or nothing could be read.
        Stopped: It was asked to stop; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    previous, folder = reloadable(store, source_id, actor=actor)
    with store.read() as connection:
        source = _existing(connection, previous.project_id, made_id)
        before = sources.corpus(connection, source_id)
    if source is None:
        load = Load(store=store, actor=actor, journal=journal, progress=progress, should_stop=should_stop)
        corpus = load.read(folder, before, called=folder.name)
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
        Forbidden: The actor may not change the project, or the place is not theirs to read.
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
    check_place(folder)
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
    questions stand on their chunks: the same documents, cut anew, become the project's next corpus.

    Args:
        store: Where the corpus is.
        source_id: The corpus.
        actor: Who does it.
        tokens: The most tokens of a chunk; by default as many as the encoder reads at once.
        overlap: The most tokens repeated; 32 by default.
        made_id: The id of the corpus that is cut anew; where it is there already, it is given back as it is.
        progress: Told stage, done, total and the document that is cut.
        should_stop: Asked before each document.

    Returns:
        The corpus that is cut so: the same one where it was not cut, or cut in this way already.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not there, or a number is out of its range.
        Stopped: It was asked to stop; nothing is stored.
        Forbidden: The actor may not change the project.
    """
    source, counter, chunking = cut_as(store, source_id, actor=actor, tokens=tokens, overlap=overlap)
    with store.read() as connection:
        done = _existing(connection, source.project_id, made_id)
        if done is not None or source.chunking == chunking:
            return done or source
        corpus = sources.corpus(connection, source_id)
    made = tuple(chunk_corpus(corpus.documents, counter, chunking, progress=progress, should_stop=should_stop))
    anew = source.chunking is not None
    cut = replace(source, id=made_id or new_id("src") if anew else source_id, chunking=chunking)
    detail = {"chunks": len(made), "tokens": chunking.tokens, "overlap": chunking.overlap, "of": source_id}
    with store.write(actor, CUT, project_id=source.project_id, subject=cut.id, detail=detail) as connection:
        sources.put(connection, cut)
        if anew:
            sources.put_documents(connection, cut.id, corpus)
        chunk_store.put(connection, cut.id, made)
    return cut


def cut_as(
    store: Store, source_id: str, *, actor: str, tokens: int | None = None, overlap: int | None = None
) -> tuple[Source, TokenCounter, Chunking]:
    """A corpus, and how it would be cut with these sizes.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not there, or a number is out of its range.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        source = sources.get(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    counter = open_counter()
    return source, counter, chunking_for(counter, tokens=tokens, overlap=overlap)


def corpus_chunks(store: Store, project_id: str, *, actor: str) -> tuple[Source, tuple[Chunk, ...]]:
    """The project's corpus and its chunks, cut now where they are not yet: built documents, or an earlier version's.

    Raises:
        NotFound: No documents are loaded.
        InvalidInput: The encoder is not there.
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
    """The source of an id that was given out before it was made; None where it is not made yet."""
    every = sources.all(connection, project_id) if source_id else []
    return next((source for source in every if source.id == source_id), None)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
