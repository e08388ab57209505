"""Chunks: the passages of documents that topics, questions and their support refer to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One passage of a document, by its place in the document's stored text.

    Attributes:
        id: Unique in a corpus; the same document text and chunking give the same id.
        document_id: The document it stands in.
        position: Its number in the document, from 0.
        text: The words as they stand there: ``document.text[start:end]``.
        section: Headings above it, the outermost first; empty where the document has none.
        page: Page of the file on which it begins, from 1; None where the format has no pages.
        start: Where it begins in the document's text, in characters.
        end: Where it ends there, exclusive.
    """

    id: str
    document_id: str
    position: int
    text: str
    section: tuple[str, ...]
    page: int | None
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """How documents are cut.

    Attributes:
        encoder: The encoder whose tokens are counted, such as ``minilm``.
        tokens: The most tokens of a chunk; only a table, which is kept whole, may have more.
        overlap: The most tokens, in whole sentences, that a chunk repeats of the one before it in its section.
        version: Version of the rules; another version cuts other chunks.
    """

    encoder: str
    tokens: int
    overlap: int
    version: int = 1
