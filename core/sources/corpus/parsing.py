"""The result of a reader, and the readers by file ending: each is one decorated module of `readers`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from core.domain.errors import UnreadableFile
from core.domain.registry import Registry
from core.domain.sources.documents import Heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """One document as its file holds it.

    Attributes:
        text: Plain text; headings and tables as in Markdown.
        title: The document's title in the file itself, or empty.
        id: The id the file itself gives, or empty.
        pages: Where each page begins in the text; empty where the format has none.
        outline: Headings that the text does not mark, by their places in it.
        metadata: What the file states about itself.
        notes: What was left out or is doubtful, one line each.
    """

    text: str
    title: str = ""
    id: str = ""
    pages: tuple[int, ...] = ()
    outline: tuple[Heading, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


Reader = Callable[[bytes], tuple[Parsed, ...]]
"""The bytes of a file to its documents. Raises UnreadableFile with the reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of file and how it is read.

    Attributes:
        name: Of the format, as documents carry it.
        read: The reader.
        version: Raised when the reader gives another result for the same bytes, so that files are read again.
    """

    name: str
    read: Reader
    version: int


_FORMATS: Registry[Format] = Registry(
    f"{__package__}.readers",
    "reader",
    tuple(f"{__package__}.readers.{folder}" for folder in ("mail", "old_office", "open_formats")),
)

UNREAD = {
    ".png": "image",
    ".jpg": "image",
    ".jpeg": "image",
    ".gif": "image",
    ".sqlite": "SQLite",
    ".db": "database",
    ".tif": "image",
    ".tiff": "image",
    ".docm": "Word with macros",
    ".dotm": "Word template with macros",
    ".xlsb": "binary Excel",
    ".xlsm": "Excel with macros",
    ".pptm": "PowerPoint with macros",
    ".7z": "7-Zip archive",
    ".rar": "RAR archive",
    ".tar": "tar archive",
    ".gz": "gzip archive",
    ".pst": "Outlook store",
    ".ost": "Outlook store",
    ".mbox": "attached mailbox",
    ".one": "OneNote",
    ".p7m": "encrypted mail",
    ".exe": "program",
}
"""Unreadable kinds that folders often hold, named in the reason."""


_PACKED = "Unpack it, or pack it as zip."
_IMAGE = "Put it into a PDF; scans in a PDF are read where an OCR engine is installed."
_MACROS = "Save it without macros."
REMEDY = "Save it as .docx, .pdf, .html or .txt."
REMEDIES = {
    **dict.fromkeys((".7z", ".rar", ".tar", ".gz"), _PACKED),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff"), _IMAGE),
    **dict.fromkeys((".docm", ".dotm", ".xlsm", ".pptm"), _MACROS),
    **dict.fromkeys((".pst", ".ost"), "Export its mails as .eml or .msg files, or as one .mbox."),
    ".mbox": "Save it as a file of its own.",
    **dict.fromkeys((".sqlite", ".db"), "Connect it as a database."),
    ".exe": "",
    ".xlsb": "Save it as XLSX.",
    ".one": "Save it as PDF or DOCX.",
    ".p7m": "Open it in the mail program and save it without encryption.",
}
"""What a person can do with a file of an unreadable kind."""


def reads(format_name: str, *endings: str, version: int = 1) -> Callable[[Reader], Reader]:
    """Registers a reader for file endings.

    Raises:
        ValueError: An ending is taken.
    """

    def add(reader: Reader) -> Reader:
        for ending in endings:
            _FORMATS.add(ending, Format(name=format_name, read=reader, version=version))
        return reader

    return add


def format_of(ending: str) -> Format:
    """The format of a file ending.

    Raises:
        UnreadableFile: Files of this kind are not read.
    """
    formats = _FORMATS.all()
    file_format = formats.get(ending.casefold())
    if file_format is None:
        kind = UNREAD.get(ending.casefold())
        subject = f"{kind} files ({ending})" if kind else f"{ending} files" if ending else "files without an ending"
        raise UnreadableFile(f"{subject} are not read", REMEDIES.get(ending.casefold(), REMEDY))
    return file_format


def all_formats() -> dict[str, tuple[str, ...]]:
    """The endings that are read, by the name of their format."""
    endings: dict[str, list[str]] = {}
    for ending, file_format in _FORMATS.all().items():
        endings.setdefault(file_format.name, []).append(ending)
    return {name: tuple(own) for name, own in sorted(endings.items())}
