"""Text recognition on scanned pages by an engine that the user has installed: Tesseract, offline, within bounds."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ENGINE = "tesseract"
INSTALL = "Install Tesseract (apt install tesseract-ocr, or brew install tesseract) and load it again."
WITHOUT_OCR = ", and no OCR engine is installed"
"""Ends the note or reason of a scan where a person could install one."""
DPI = 300
MAX_PIXELS = 30_000_000
"""Of a page's picture; larger pages are drawn smaller."""
PAGE_S = 60.0
"""Seconds for one page."""
FILE_S = 900.0
"""Seconds for all pages of one file."""
MAX_PAGES = 300
"""Of one file."""
WANTED = ("eng", "deu", "fra", "spa", "ita", "por", "nld")
"""Languages that are read where the engine has them; the first two decide how long a page takes."""
MOST_LANGUAGES = 3
POOR = 60
"""Mean confidence, of 100, below which a page is doubtful."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The installed engine.

    Attributes:
        path: Of its program.
        version: Such as "5.3.0".
        languages: Codes it reads, as it is asked to.
    """

    path: str
    version: str
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recognised:
    """The text of one page's picture.

    Attributes:
        lines: As they stand on the page; a blank one between paragraphs.
        confidence: Mean over its words, 0 to 100; None where there is no word.
        reason: Why there is no text, or empty.
    """

    lines: tuple[str, ...] = ()
    confidence: float | None = None
    reason: str = ""


def engine() -> Engine | None:
    """The engine on the path of this machine; None where there is none."""
    path = shutil.which(ENGINE)
    return _asked(path) if path else None


@cache
def _asked(path: str) -> Engine | None:
    try:
        version = _run([path, "--version"], 20.0).split("\n", 1)[0].split()[-1].lstrip("v")
        listed = _run([path, "--list-langs"], 20.0).splitlines()[1:]
    except (OSError, subprocess.SubprocessError, IndexError):
        return None
    known = [code for code in WANTED if code in listed] or [code for code in listed if code != "osd"]
    return Engine(path, version, tuple(known[:MOST_LANGUAGES])) if known else None


def recognise(picture: bytes, engine: Engine, seconds: float = PAGE_S) -> Recognised:
    """The text of a picture.

    Args:
        picture: In a format that the engine reads, such as PGM or PNG.
        engine: The installed one.
        seconds: How long it may take.
    """
    with tempfile.TemporaryDirectory(prefix="plumbline-ocr-") as folder:
        page = Path(folder) / "page.pgm"
        page.write_bytes(picture)
        command = [engine.path, str(page), "stdout", "-l", "+".join(engine.languages), "--dpi", str(DPI), "tsv"]
        try:
            table = _run(command, seconds)
        except subprocess.TimeoutExpired:
            return Recognised(reason=f"it took more than {seconds:.0f} s")
        except (OSError, subprocess.SubprocessError) as error:
            return Recognised(reason=f"the engine failed ({type(error).__name__})")
    return _read(table)


def pages_read(pictures: Iterator[tuple[int, bytes]], engine: Engine) -> Iterator[tuple[int, Recognised]]:
    """The texts of pages by their numbers, until the time or the number of pages of one file is used up.

    Args:
        pictures: Number and picture of each page; taken one at a time.
        engine: The installed one.
    """
    until = time.monotonic() + FILE_S
    for count, (number, picture) in enumerate(pictures):
        remaining = until - time.monotonic()
        if count >= MAX_PAGES:
            yield number, Recognised(reason=f"only {MAX_PAGES} pages of a file are read by OCR")
        elif remaining <= 0:
            yield number, Recognised(reason=f"the pages before it took {FILE_S:.0f} s")
        else:
            yield number, recognise(picture, engine, min(PAGE_S, remaining))


def note(number: int, page: Recognised, engine: Engine) -> str:
    """The line on one page, for a document's notes; `number` counts from 1."""
    if page.reason:
        return f"page {number:,} is a scan and was not read: {page.reason}"
    if page.confidence is None:
        return f"page {number:,} has no text layer, and OCR reads no word on it"
    doubt = "; look at it before you rely on it" if page.confidence < POOR else ""
    by = f"{ENGINE} {engine.version}, {'+'.join(engine.languages)}"
    return f"page {number:,} was read by OCR ({by}; mean confidence {page.confidence:.0f} of 100){doubt}"


def state() -> str:
    """Whether scans can be read here, in one sentence for people."""
    current = engine()
    if current is None:
        return f"Scanned pages are not read: no OCR engine is installed. {INSTALL}"
    return (
        f"Scanned pages are read by {ENGINE} {current.version} ({', '.join(current.languages)}), up to {MAX_PAGES} "
        "pages of a file; each is marked in the remarks."
    )


def _read(table: str) -> Recognised:
    lines: list[str] = []
    words: list[str] = []
    sure: list[float] = []
    at: tuple[str, ...] = ()
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        word = (row.get("text") or "").strip()
        if row.get("level") != "5" or not word:
            continue
        place = tuple(str(row.get(name)) for name in ("block_num", "par_num", "line_num"))
        if place != at and words:
            lines.append(" ".join(words))
            if place[:2] != at[:2]:
                lines.append("")
            words = []
        at = place
        words.append(word)
        sure.append(float(row.get("conf") or 0))
    if words:
        lines.append(" ".join(words))
    return Recognised(tuple(lines), sum(sure) / len(sure) if sure else None)


def _run(command: list[str], seconds: float) -> str:
    done = subprocess.run(command, capture_output=True, timeout=seconds, check=True, stdin=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace")
