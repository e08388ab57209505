"""Documents of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document.

    Attributes:
        id: ``table:key`` where it was written from a database record, else its relative path.
        title: For people.
        text: Plain text.
        path: Relative path of the file inside the corpus.
        format: "markdown", "pdf", "docx", "html", "csv", "text" or "json".
        sha256: Of the file's bytes.
    """

    id: str
    title: str
    text: str
    path: str = ""
    format: str = "text"
    sha256: str = ""


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
