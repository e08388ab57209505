"""What a reader returns, and the readers by file ending: each is one decorated file of `readers`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.errors import UnreadableFile
from core.domain.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One document as its file holds it.

    Attributes:
        text: Plain text; headings and tables as in Markdown.
        title: What the file itself calls the document, or empty.
        id: The id the file itself gives, or empty.
    """

    text: str
    title: str = ""
    id: str = ""


Reader = Callable[[bytes], tuple[Parsed, ...]]
"""The bytes of a file to its documents. Raises UnreadableFile with the reason."""

_READERS: Registry[tuple[str, Reader]] = Registry("core.sources.corpus.readers", "reader")

UNREAD = {
    ".pptx": "PowerPoint", ".ppt": "PowerPoint", ".xlsx": "Excel", ".xls": "Excel", ".odt": "OpenDocument text",
    ".doc": "old Word", ".rtf": "RTF", ".zip": "zip archive", ".epub": "EPUB", ".png": "image", ".jpg": "image",
    ".jpeg": "image", ".gif": "image", ".sqlite": "SQLite", ".db": "database",
}  # fmt: skip
"""Kinds that people do put into a folder, named in the reason."""


def reads(format_name: str, *endings: str) -> Callable[[Reader], Reader]:
    """Makes a reader known for file endings.

    Raises:
        ValueError: An ending is taken.
    """

    def add(reader: Reader) -> Reader:
        for ending in endings:
            _READERS.add(ending, (format_name, reader))
        return reader

    return add


def readable_endings() -> tuple[str, ...]:
    """The file endings that are read, in order."""
    return tuple(_READERS.all())


def reader_for(ending: str) -> tuple[str, Reader]:
    """The format's name and its reader.

    Raises:
        UnreadableFile: Files of this kind are not read.
    """
    readers = _READERS.all()
    found = readers.get(ending.casefold())
    if found is None:
        kind = UNREAD.get(ending.casefold())
        what = f"{kind} files ({ending})" if kind else f"{ending} files" if ending else "files without an ending"
        raise UnreadableFile(f"{what} are not read", f"These are: {', '.join(readers)}.")
    return found
