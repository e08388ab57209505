"""What Word, PowerPoint and Excel files have in common: a zip archive of XML that may be locked, huge or harmful."""

from __future__ import annotations

import io
import zipfile

from core.domain.errors import UnreadableFile
from core.sources.corpus.containers.archives import check_directory
from core.sources.corpus.metadata import fields

MAX_UNPACKED = 300_000_000
"""Bytes; a small archive that unpacks to more is not a document."""
MAX_RATIO = 500
"""A part that unpacks to more times its packed size is made to fill memory."""
SMALL = 10_000_000
"""Bytes; smaller parts may be packed as tightly as they like."""
OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MACROS = "vbaproject.bin"
HEAD = 2_000


def check_office(data: bytes, kind: str, ending: str) -> tuple[str, ...]:
    """Checks an Office file before a library opens it.

    Nothing in it is ever run: macros, active content and links to other files are ignored.

    Args:
        data: The file.
        kind: Such as "Word document", for messages.
        ending: What to save it as, such as "DOCX".

    Returns:
        Lines on the content that is left out.

    Raises:
        UnreadableFile: It is locked, of an old kind, damaged, unpacks to too much, or its XML declares entities.
    """
    if data.startswith(OLD):
        raise UnreadableFile(f"it needs a password, or is an old {kind}", f"Save it as {ending} without a password.")
    check_directory(data, len(data))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            _check_sizes(parts)
            _check_entities(archive, parts)
    except UnreadableFile:
        raise
    except Exception:  # noqa: BLE001 - a damaged archive fails with whatever its numbers provoke
        raise UnreadableFile(f"it is damaged or no {kind}", f"Save it again as {ending}.") from None
    names = [part.filename.casefold() for part in parts]
    notes = []
    if any(name.endswith(MACROS) for name in names):
        notes.append("left out: its macros; they are not run")
    if any("/embeddings/" in name or "/activex/" in name for name in names):
        notes.append("left out: files and controls embedded in it")
    return tuple(notes)


def core_fields(properties: object) -> dict[str, str]:
    """Author, day and the other properties of an Office file.

    Args:
        properties: ``core_properties`` of python-docx and python-pptx, or ``properties`` of openpyxl.
    """
    names = ("author", "creator", "subject", "keywords", "category", "language", "created", "modified")
    values = {name: getattr(properties, name, None) for name in names}
    creator = values.pop("creator")
    return fields({**values, "author": values["author"] or creator})


def _check_sizes(parts: list[zipfile.ZipInfo]) -> None:
    unpacked = sum(part.file_size for part in parts)
    if unpacked > MAX_UNPACKED:
        raise UnreadableFile(f"it unpacks to {unpacked:,} bytes, more than {MAX_UNPACKED:,}", "Split it.")
    for part in parts:
        if part.file_size > max(SMALL, MAX_RATIO * part.compress_size):
            raise UnreadableFile(
                f"{part.filename} in it unpacks to {part.file_size:,} bytes from {part.compress_size:,}",
                "Save it again.",
            )


def _check_entities(archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> None:
    """Refuses document types, which Office never writes: their entities may expand without end or name other files."""
    for part in parts:
        if part.filename.casefold().endswith((".xml", ".rels")):
            with archive.open(part) as opened:
                head = opened.read(HEAD).replace(b"\x00", b"").upper()
            if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
                raise UnreadableFile(f"{part.filename} in it declares entities, which no Office program does", "")
