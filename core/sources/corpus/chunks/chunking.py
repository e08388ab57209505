"""Documents to chunks: cut at headings, tables whole, else between sentences, within a budget of tokens.

Written here, not taken from a library of splitters: those know lines and sentences, and neither headings, tables nor
the places in the text that a quote is checked against.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import short_hash
from core.domain.jobs import Report, silent
from core.domain.sources.chunks import Chunk, Chunking
from core.domain.sources.documents import Document
from core.encoders.tokens import TokenCounter
from core.sources.corpus.chunks.packing import Packer, Piece, Span
from core.sources.corpus.chunks.parts import parts
from core.sources.corpus.loading import text_hash

MOST_TOKENS = 384
"""An encoder that reads more still gets chunks of one subject."""
LEAST_TOKENS = 16
OVERLAP = 32
RULES = 2
"""Raised when the rules below cut other chunks, so that documents are cut again when they are loaded again."""
CUTTING = "Cutting into chunks"


def chunking_for(counter: TokenCounter, *, tokens: int | None = None, overlap: int | None = None) -> Chunking:
    """How to cut for an encoder; by default as much as it reads at once, 32 of it repeated.

    Args:
        counter: Of the encoder.
        tokens: The most tokens of a chunk, from 16 to what the encoder reads at once.
        overlap: The most tokens repeated, from 0 to half of the budget.

    Raises:
        InvalidInput: A number is out of its range.
    """
    budget = min(counter.capacity, MOST_TOKENS) if tokens is None else tokens
    if budget < LEAST_TOKENS:
        raise InvalidInput(f"A chunk of {budget} tokens is too short.", f"Give {LEAST_TOKENS} tokens or more.")
    if budget > counter.capacity:
        raise InvalidInput(
            f"A chunk of {budget} tokens is longer than what {counter.name} reads at once, {counter.capacity}.",
            f"Give {counter.capacity} tokens or fewer: the encoder would ignore the end of a longer chunk.",
        )
    repeated = min(OVERLAP, budget // 2) if overlap is None else overlap
    if not 0 <= repeated <= budget // 2:
        raise InvalidInput(
            f"An overlap of {repeated} tokens is out of range for chunks of {budget}.",
            f"Give a number from 0 to {budget // 2}.",
        )
    return Chunking(encoder=counter.name, tokens=budget, overlap=repeated, version=RULES)


def chunk_corpus(
    documents: Iterable[Document],
    counter: TokenCounter,
    chunking: Chunking,
    *,
    unchanged: Mapping[str, Sequence[Chunk]] | None = None,
    progress: Report = silent,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[Chunk]:
    """The chunks of documents, in their order; a text that several documents have is cut once, for the first.

    Args:
        documents: With different ids.
        counter: Of the encoder that `chunking` names.
        chunking: How they are cut.
        unchanged: Chunks by document id that were cut in the same way from documents that have not changed.
        progress: Called with the documents cut, how many there are, and the one that is cut now.
        should_stop: Called before each document.

    Raises:
        Stopped: A stop was requested.
    """
    digests: set[str] = set()
    listed = list(documents)
    for number, document in enumerate(listed):
        if should_stop():
            raise Stopped(f"Cutting was stopped after {number:,} documents.", "Resume it.")
        progress(CUTTING, number, len(listed), document.title)
        digest = text_hash(document.text)
        if digest in digests:
            continue
        digests.add(digest)
        yield from (unchanged or {}).get(document.id) or chunk_document(document, counter, chunking)
    progress(CUTTING, len(listed), len(listed))


def chunk_document(document: Document, counter: TokenCounter, chunking: Chunking) -> tuple[Chunk, ...]:
    """The chunks of one document; every word of its text is in at least one.

    A chunk begins at a heading or where the one before it was full. Sections too small to stand alone are put together
    below their common heading. A table is one piece up to four times the budget, together with the sentence that
    announces it; a longer one is cut between its rows. Paragraphs are kept together where they fit, else cut between
    sentences, and what follows then repeats the last sentences. Only a sentence beyond the budget is cut inside.
    """
    packer = Packer(document.text, counter, chunking)
    document_parts = parts(document)
    sizes = counter.count([document.text[part.start : part.end] for part in document_parts])
    for part, size in zip(document_parts, sizes, strict=True):
        packer.add(Piece(part.kind, part.start, part.end, part.section, size))
    spans = packer.finished()
    return tuple(_chunk(document, position, span) for position, span in enumerate(spans))


def _chunk(document: Document, position: int, span: Span) -> Chunk:
    text = document.text[span.start : span.end]
    page = max(1, bisect_right(document.pages, span.start)) if document.pages else None
    return Chunk(
        id=f"chk_{short_hash([document.id, span.start, text], 16)}",
        document_id=document.id,
        position=position,
        text=text,
        section=span.section,
        page=page,
        start=span.start,
        end=span.end,
    )
