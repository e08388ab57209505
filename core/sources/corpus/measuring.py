"""How much work a load is, estimated from names and sizes before anything is read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.sources.corpus.archives import ARCHIVE, unpacked_sizes
from core.sources.corpus.files import paths_of

QUICK_S = 2.0
"""Seconds that a person may wait for a page; beyond that, loading is a job."""
FILE_S = 0.005
"""Seconds that each file takes beside its bytes."""
RATE = 400_000
"""Bytes a second of files that are read and cut, unpacked: PDF, Office files, tables. Measured: 0.2 to 1 million."""
TEXT_RATE = 800_000
"""The same of plain text, Markdown, HTML and JSON. Measured: 0.7 to 2 million."""
TEXTS = frozenset({".md", ".markdown", ".txt", ".text", ".html", ".htm", ".xhtml", ".json", ".jsonl", ".ndjson"})
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
        seconds += sum(sizes) / (TEXT_RATE if ending in TEXTS else RATE) + len(sizes) * FILE_S
    return Work(files=files, bytes=size, seconds=seconds)


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
