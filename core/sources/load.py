"""Reading documents, cutting them into chunks and storing both, with progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.errors import InvalidInput
from core.domain.jobs import Report
from core.domain.sources.chunks import Chunk, Chunking
from core.domain.sources.documents import Corpus
from core.domain.sources.projects import Source
from core.encoders.tokens import TokenCounter, open_counter
from core.sources.corpus import load_corpus
from core.sources.corpus.chunks.chunking import chunk_corpus, chunking_for
from core.sources.corpus.journal import Journal
from core.store import sources
from core.store.database import Store
from core.store.testset import chunks as chunk_store

STORING = "Storing the documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """One load.

    Attributes:
        store: Where the corpus goes.
        actor: Who loads it.
        journal: Keeps what was read until it is stored.
        progress: Called with stage, done, total and the file that is read.
        should_stop: Called before each file and each document.
    """

    store: Store
    actor: str
    journal: Journal | None
    progress: Report
    should_stop: Callable[[], bool]

    def read(self, folder: Path, before: Corpus | None, *, name: str) -> Corpus:
        """Reads the documents of a place.

        Raises:
            SourceUnavailable: There is no such place.
            InvalidInput: Nothing in it could be read.
            Stopped: A stop was requested.
        """
        corpus = load_corpus(
            folder, before=before, journal=self.journal, progress=self.progress, should_stop=self.should_stop
        )
        if not corpus.documents:
            reasons = "; ".join(f"{item.path}: {item.reason}" for item in corpus.skipped[:3])
            raise InvalidInput(
                f"No document could be read in {name}{f' ({reasons})' if reasons else ''}.",
                "Give documents, sheets, slides, e-mails or tables, or a zip archive of them; Connect lists all kinds.",
            )
        return corpus

    def stored(self, source: Source, corpus: Corpus, previous: Source | None, before: Corpus | None) -> Source:
        """Stores documents with their chunks, cut as the source specifies.

        Args:
            source: The corpus.
            corpus: The documents read.
            previous: The corpus that was loaded from the same place before.
            before: Its documents.

        Returns:
            The source with how it is cut.

        Raises:
            Stopped: A stop was requested; nothing is stored.
        """
        cut = self._cut(source, corpus, previous, before)
        chunking, chunks = cut or (None, ())
        source = replace(source, chunking=chunking)
        detail = {"documents": len(corpus.documents), "skipped": len(corpus.skipped), "chunks": len(chunks)}
        self.progress(STORING, 0, len(corpus.documents))
        with self.store.write(
            self.actor, "corpus.load", project_id=source.project_id, subject=source.id, detail=detail
        ) as connection:
            sources.put(connection, source)
            sources.put_documents(connection, source.id, corpus)
            chunk_store.put(connection, source.id, chunks)
        self.progress(STORING, len(corpus.documents), len(corpus.documents))
        return source

    def _cut(
        self, source: Source, corpus: Corpus, previous: Source | None, before: Corpus | None
    ) -> tuple[Chunking, tuple[Chunk, ...]] | None:
        try:
            counter = open_counter()
        except InvalidInput:  # the encoder is not available; documents are useful without chunks
            return None
        chunking = _chunking(counter, source.chunking)
        unchanged = _unchanged_chunks(self.store, previous, before, corpus, chunking)
        chunks = chunk_corpus(
            corpus.documents,
            counter,
            chunking,
            unchanged=unchanged,
            progress=self.progress,
            should_stop=self.should_stop,
        )
        return chunking, tuple(chunks)


def _chunking(counter: TokenCounter, wished: Chunking | None) -> Chunking:
    """The sizes a person chose before, unless they were chosen for another encoder."""
    if wished is None or wished.encoder != counter.name or wished.tokens > counter.capacity:
        return chunking_for(counter)
    return chunking_for(counter, tokens=wished.tokens, overlap=wished.overlap)


def _unchanged_chunks(
    store: Store, previous: Source | None, before: Corpus | None, corpus: Corpus, chunking: Chunking
) -> Mapping[str, Sequence[Chunk]]:
    """Chunks of documents that are as they were, where they would be cut in the same way again."""
    if previous is None or before is None or previous.chunking != chunking:
        return {}
    documents_before = {document.id: document for document in before.documents}
    same = {document.id for document in corpus.documents if documents_before.get(document.id) == document}
    chunks_by_document: dict[str, list[Chunk]] = {}
    with store.read() as connection:
        for chunk in chunk_store.of(connection, previous.id):
            if chunk.document_id in same:
                chunks_by_document.setdefault(chunk.document_id, []).append(chunk)
    return chunks_by_document
