"""How much work a load is, estimated from names and sizes before anything is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from core.sources.corpus.containers.archives import ARCHIVE, unpacked_sizes
from core.sources.corpus.files import paths_of
from core.sources.corpus.pdf.ocr import engine

QUICK_S = 2.0
"""Seconds that a person may wait for a page; beyond that, loading is a job."""
FILE_S = 0.005
"""Seconds that each file takes beside its bytes."""
RATE = 400_000
"""Bytes a second of files that are read and cut, unpacked: PDF, Office files, tables. Measured: 0.2 to 1 million."""
TEXT_RATE = 800_000
"""The same of plain text, Markdown, HTML and JSON. Measured: 0.7 to 2 million."""
TEXTS = frozenset(
    {".md", ".markdown", ".txt", ".text", ".rst", ".log", ".html", ".htm", ".xhtml", ".json", ".jsonl", ".ndjson"}
)
SCAN_S = 3.0
"""Seconds that the recognition of a scanned page takes where an engine is installed. Measured: 1 to 4."""
SCAN_LOOK = 50_000_000
PICTURE, FONT = re.compile(rb"/Subtype\s*/Image\b"), re.compile(rb"/Font\b")
PACKED = frozenset({".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp", ".epub"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The contents of a place, estimated from outside.

    Attributes:
        files: Files, those in archives counted one by one.
        bytes: Of all of them, unpacked.
        seconds: About how long reading and cutting them takes.
    """

    files: int = 0
    bytes: int = 0
    seconds: float = 0.0

    @property
    def quick(self) -> bool:
        """Whether a person may wait for it."""
        return self.seconds <= QUICK_S


def measured(place: Path) -> Work:
    """The work of loading a folder, an archive or a file; none where there is no such place.

    A small file may unpack to a large one, so archives and Office files count with the sizes in their tables of
    contents.
    Links are not followed here.
    """
    files, size, seconds = 0, 0, 0.0
    for path in paths_of(place) if place.exists() else []:
        ending = path.suffix.casefold()
        sizes = _sizes(path, ending)
        files += len(sizes) if ending == ARCHIVE else 1
        size += sum(sizes)
        seconds += (
            _scanned(path, ending) * SCAN_S
            + sum(sizes) / (TEXT_RATE if ending in TEXTS else RATE)
            + len(sizes) * FILE_S
        )
    return Work(files=files, bytes=size, seconds=seconds)


def _scanned(path: Path, ending: str) -> int:
    """About how many pages of a PDF are read by OCR: its pictures, where it names no typeface."""
    if ending != ".pdf" or engine() is None or path.is_symlink() or not path.is_file():
        return 0
    try:
        with path.open("rb") as opened:
            data = opened.read(SCAN_LOOK)
    except OSError:
        return 0
    return 0 if FONT.search(data) else len(PICTURE.findall(data))


def _sizes(path: Path, ending: str) -> list[int]:
    try:
        if path.is_symlink() or not path.is_file():
            return [0]
        own = path.stat().st_size
    except OSError:
        return [0]
    inside = unpacked_sizes(path) if ending == ARCHIVE or ending in PACKED else []
    if ending == ARCHIVE:
        return inside or [own]
    return [max(own, sum(inside))]
