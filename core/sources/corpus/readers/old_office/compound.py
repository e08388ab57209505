"""Compound files: the container of old Office files and Outlook mails, its streams read within bounds."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from core.domain.errors import UnreadableFile
from core.sources.corpus.metadata import fields

MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MAX_ENTRIES = 100_000
"""Streams and folders of one file."""
MACROS = ("macros", "_vba_project_cur", "_vba_project")
EMBEDDED = ("objectpool", "embedding", "mbd")


@contextmanager
def compound(data: bytes, kind: str, ending: str) -> Iterator[Any]:
    """An ``olefile.OleFileIO`` over the bytes of a file; whatever fails in it names the file's kind.

    Args:
        data: The file.
        kind: Such as "Word document", for messages.
        ending: What to save it as, such as "DOCX".

    Raises:
        UnreadableFile: It is another kind of file, or damaged.
    """
    import olefile

    if not data.startswith(MAGIC):
        raise UnreadableFile(f"it is {_other(data)}, no {kind}", f"Save it as {ending}, or name it by what it is.")
    try:
        with olefile.OleFileIO(io.BytesIO(data), raise_defects=olefile.DEFECT_FATAL) as opened:
            if len(opened.direntries) > MAX_ENTRIES:
                raise UnreadableFile(f"it has {len(opened.direntries):,} parts, more than {MAX_ENTRIES:,}", "Split it.")
            yield opened
    except UnreadableFile:
        raise
    except (
        OSError,
        ValueError,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        reason = " ".join(str(error).split())[:120] or type(error).__name__
        raise UnreadableFile(f"it is damaged or no {kind} ({reason})", f"Save it again as {ending}.") from None


def stream(opened: Any, name: str | list[str]) -> bytes:
    """A stream's bytes; empty where there is none."""
    return bytes(opened.openstream(name).read()) if opened.exists(name) else b""


def left_out(opened: Any) -> tuple[str, ...]:
    """Lines on what of a file is never read: macros and embedded objects."""
    names = {entry[0].casefold() for entry in opened.listdir(streams=True, storages=True)}
    notes = []
    if names & set(MACROS):
        notes.append("left out: its macros; they are not run")
    if any(name.startswith(EMBEDDED) for name in names):
        notes.append("left out: files and controls embedded in it")
    return tuple(notes)


def properties(opened: Any) -> tuple[str, dict[str, str]]:
    """The title, and author, day and the others, from the file's summary."""
    try:
        summary = opened.get_metadata()
    except (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError):
        return "", {}
    page = f"cp{summary.codepage}" if isinstance(summary.codepage, int) and summary.codepage > 0 else "utf-8"
    names = ("author", "subject", "keywords")
    values: dict[str, object] = {name: _text(getattr(summary, name, None), page) for name in names}
    for name, moment in (("created", summary.create_time), ("modified", summary.last_saved_time)):
        values[name] = moment if isinstance(moment, datetime) and moment.year > 1980 else None
    return _text(summary.title, page).strip(), fields(values)


def _text(value: object, page: str) -> str:
    if isinstance(value, str):
        return value
    if not isinstance(value, bytes):
        return ""
    try:
        text = value.decode("utf-8" if page in ("cp65001", "cp1200") else page)
    except (LookupError, UnicodeDecodeError):
        text = value.decode("cp1252", "replace")
    return text.replace("\x00", "").strip()


def _other(data: bytes) -> str:
    """What a file is by its first bytes."""
    beginnings = (
        (b"PK\x03\x04", "a zip archive, as newer Office files are"),
        (b"%PDF", "a PDF"),
        (b"{\\rtf", "an RTF file"),
        (b"<", "a page of HTML or XML"),
    )
    return next((name for mark, name in beginnings if data.lstrip()[:8].startswith(mark)), "another kind of file")
