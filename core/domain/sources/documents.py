"""Documents of a corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading that its document's text does not mark, as in a PDF: it was recognised by its typeface.

    Attributes:
        start: Where it begins in the document's text, in characters.
        end: Where it ends there, exclusive.
        level: 1 is the highest.
    """

    start: int
    end: int
    level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document.

    Attributes:
        id: ``table:key`` where it was written from a database record, else its relative path.
        title: For people.
        text: Plain text.
        path: Relative path of the file inside the corpus.
        format: The reader's name, such as "markdown", "pdf" or "xlsx"; for a built document, its writer.
        sha256: Of the file's bytes.
        pages: Where each page or slide begins in the text, in characters; empty where the format has none.
        outline: Headings that are not marked in the text, in order.
        metadata: What the file states about itself: ``author``, ``date`` (ISO 8601), and fields of its own.
        notes: What was left out of it or is doubtful, one line each, such as scripts of a page.
        reader: The reader of the file and its version, so that an unchanged file is not read again.
    """

    id: str
    title: str
    text: str
    path: str = ""
    format: str = "text"
    sha256: str = ""
    pages: tuple[int, ...] = ()
    outline: tuple[Heading, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reader: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFile:
    """A file that was not loaded, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """The loaded documents and what was left out; document ids are unique.

    Attributes:
        fingerprint: SHA-256 over ids and texts.
    """

    documents: tuple[Document, ...]
    skipped: tuple[SkippedFile, ...] = field(default=())
    fingerprint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What a reload changed, as ids of documents, each in the order of the corpus.

    Attributes:
        added: New documents.
        changed: Documents with another text than before.
        removed: Documents that are no longer there.
        unchanged: How many documents are as they were.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.removed)
