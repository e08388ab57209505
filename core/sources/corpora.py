"""Corpora of a project: loading documents, loading them again where files changed, cutting them into chunks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from core.domain.chunks import Chunk, Chunking
from core.domain.documents import Changes, Corpus
from core.domain.errors import InvalidInput, NotFound
from core.domain.identity import new_id
from core.domain.projects import Role, Source, SourceKind
from core.encoders.tokens import TokenCounter, open_counter
from core.project.service import require
from core.sources.corpus import load_corpus
from core.sources.corpus.chunking import chunk_corpus, chunking_for
from core.sources.places import check_place
from core.store import chunks as chunk_store
from core.store import sources
from core.store.database import Store


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


def connect_corpus(store: Store, project_id: str, folder: Path, *, actor: str, name: str = "") -> tuple[Source, Corpus]:
    """Loads a folder, an archive or a file of documents, cuts them into chunks and makes them the project's corpus.

    Where the encoder that the chunks are cut for cannot be had, they are cut later: see `corpus_chunks`.

    Returns:
        The stored source and what was loaded and skipped.

    Raises:
        SourceUnavailable: The folder does not exist.
        InvalidInput: Nothing in it could be read.
        Forbidden: The actor may not change the project.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    check_place(folder)
    location = str(folder.absolute())
    with store.read() as connection:
        previous = sources.loaded_from(connection, project_id, location)
        before = sources.corpus(connection, previous.id) if previous else None
    corpus = _load(folder, before)
    source = Source(
        id=new_id("src"),
        project_id=project_id,
        kind=SourceKind.CORPUS,
        name=name or folder.name,
        location=location,
        fingerprint=corpus.fingerprint,
        loaded_at=_now(),
    )
    return _stored(store, source, corpus, previous, before, actor=actor), corpus


def reload_corpus(store: Store, source_id: str, *, actor: str) -> Reloaded:
    """Loads a corpus again from where it was loaded: only files that changed are read, only their documents cut.

    The load before stays as it was, since runs were made with it. Where nothing is different, nothing is stored.

    Raises:
        NotFound: There is no such source.
        SourceUnavailable: Its folder does not exist any more.
        InvalidInput: It was not loaded from files, or nothing could be read.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        previous = sources.get(connection, source_id)
        before = sources.corpus(connection, source_id)
    require(store, previous.project_id, actor, Role.VALIDATOR)
    folder = Path(previous.location)
    if previous.kind is not SourceKind.CORPUS or not folder.is_absolute():
        raise InvalidInput(f"{previous.name} was not loaded from files.", "Build it again, or load a folder.")
    check_place(folder)
    corpus = _load(folder, before)
    if corpus == before:
        return Reloaded(source=previous, corpus=before, changes=Changes(unchanged=len(before.documents)))
    source = replace(previous, id=new_id("src"), fingerprint=corpus.fingerprint, loaded_at=_now())
    source = _stored(store, source, corpus, previous, before, actor=actor)
    with store.read() as connection:
        changes = sources.changes(connection, previous.id, source.id)
    return Reloaded(source=source, corpus=corpus, changes=changes)


def chunk_documents(
    store: Store, source_id: str, *, actor: str, tokens: int | None = None, overlap: int | None = None
) -> tuple[Chunk, ...]:
    """Cuts the documents of a corpus into chunks and stores them instead of those it had.

    Args:
        store: Where the corpus is.
        source_id: The corpus.
        actor: Who does it.
        tokens: The most tokens of a chunk; by default as many as the encoder reads at once.
        overlap: The most tokens repeated; 32 by default.

    Raises:
        NotFound: There is no such source.
        InvalidInput: The encoder is not there, or a number is out of its range.
        Forbidden: The actor may not change the project.
    """
    with store.read() as connection:
        source = sources.get(connection, source_id)
        documents = sources.documents(connection, source_id)
    require(store, source.project_id, actor, Role.VALIDATOR)
    counter = open_counter()
    chunking = chunking_for(counter, tokens=tokens, overlap=overlap)
    made = tuple(chunk_corpus(documents, counter, chunking))
    detail = {"chunks": len(made), "tokens": chunking.tokens, "overlap": chunking.overlap}
    with store.write(
        actor, "corpus.chunk", project_id=source.project_id, subject=source_id, detail=detail
    ) as connection:
        sources.put(connection, replace(source, chunking=chunking))
        chunk_store.put(connection, source_id, made)
    return made


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
    made = chunk_documents(store, source.id, actor=actor)
    with store.read() as connection:
        return sources.get(connection, source.id), made


def _load(folder: Path, before: Corpus | None) -> Corpus:
    corpus = load_corpus(folder, before=before)
    if not corpus.documents:
        reasons = "; ".join(f"{item.path}: {item.reason}" for item in corpus.skipped[:3])
        raise InvalidInput(
            f"No document could be read in {folder.name}{f' ({reasons})' if reasons else ''}.",
            "Give Markdown, text, HTML, PDF, DOCX, PPTX, XLSX, CSV or JSON files, or a zip archive of them.",
        )
    return corpus


def _stored(
    store: Store, source: Source, corpus: Corpus, previous: Source | None, before: Corpus | None, *, actor: str
) -> Source:
    """Stores a load with its chunks, cut as the source says where it says so."""
    chunking: Chunking | None = None
    made: tuple[Chunk, ...] = ()
    with suppress(InvalidInput):  # the encoder is not there; documents are of use without chunks
        counter = open_counter()
        chunking = _chunking(counter, source.chunking)
        known = _known(store, previous, before, corpus, chunking)
        made = tuple(chunk_corpus(corpus.documents, counter, chunking, known=known))
    source = replace(source, chunking=chunking)
    detail = {"documents": len(corpus.documents), "skipped": len(corpus.skipped), "chunks": len(made)}
    with store.write(
        actor, "corpus.load", project_id=source.project_id, subject=source.id, detail=detail
    ) as connection:
        sources.put(connection, source)
        sources.put_documents(connection, source.id, corpus)
        chunk_store.put(connection, source.id, made)
    return source


def _chunking(counter: TokenCounter, wished: Chunking | None) -> Chunking:
    """The sizes a person chose before, unless they were chosen for another encoder."""
    if wished is None or wished.encoder != counter.name:
        return chunking_for(counter)
    return chunking_for(counter, tokens=wished.tokens, overlap=wished.overlap)


def _known(
    store: Store, previous: Source | None, before: Corpus | None, corpus: Corpus, chunking: Chunking
) -> Mapping[str, Sequence[Chunk]]:
    """Chunks of documents that are as they were, where they would be cut in the same way again."""
    if previous is None or before is None or previous.chunking != chunking:
        return {}
    held = {document.id: document for document in before.documents}
    same = {document.id for document in corpus.documents if held.get(document.id) == document}
    known: dict[str, list[Chunk]] = {}
    with store.read() as connection:
        for chunk in chunk_store.of(connection, previous.id):
            if chunk.document_id in same:
                known.setdefault(chunk.document_id, []).append(chunk)
    return known


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
