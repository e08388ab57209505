"""Zip packages of XML: OpenDocument and EPUB, checked before a part of them is read."""

from __future__ import annotations

import io
import zipfile
from posixpath import normpath

from core.domain.errors import UnreadableFile
from core.sources.corpus.containers.archives import check_directory

MAX_PARTS = 20_000
MAX_UNPACKED = 300_000_000
"""Bytes; a package that unpacks to more is not a document."""
MAX_RATIO = 500
SMALL = 10_000_000
"""Bytes; smaller parts may be packed as tightly as they like."""


class Package:
    """A checked zip package.

    Args:
        data: The file.
        kind: Such as "OpenDocument text", for messages.

    Raises:
        UnreadableFile: It is damaged, locked, or unpacks to too much.
    """

    def __init__(self, data: bytes, kind: str) -> None:
        self.kind = kind
        check_directory(data, len(data))
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            self._parts = {part.filename: part for part in self._archive.infolist()}
        except Exception:  # noqa: BLE001 - a damaged table of contents fails with whatever its numbers provoke
            raise UnreadableFile(f"it is damaged or no {kind}", "Save it again.") from None
        if len(self._parts) > MAX_PARTS:
            raise UnreadableFile(f"it has {len(self._parts):,} parts, more than {MAX_PARTS:,}", "Split it.")
        total = sum(part.file_size for part in self._parts.values())
        if total > MAX_UNPACKED:
            raise UnreadableFile(f"it unpacks to {total:,} bytes, more than {MAX_UNPACKED:,}", "Split it.")
        for part in self._parts.values():
            if part.file_size > max(SMALL, MAX_RATIO * part.compress_size):
                raise UnreadableFile(
                    f"{part.filename} in it unpacks to {part.file_size:,} bytes from {part.compress_size:,}",
                    "Save it again.",
                )

    @property
    def names(self) -> tuple[str, ...]:
        """Of its parts."""
        return tuple(self._parts)

    def read(self, name: str) -> bytes:
        """A part's bytes; empty where there is none.

        Raises:
            UnreadableFile: It is damaged or needs a password.
        """
        part = self._parts.get(normpath(name))
        if part is None:
            return b""
        if part.flag_bits & 0x1:
            raise UnreadableFile("it needs a password", "Save it without a password.")
        try:
            with self._archive.open(part) as opened:
                return opened.read(part.file_size)
        except Exception as error:  # noqa: BLE001 - decompressors raise errors of their own on damaged data
            reason = f"{name[:100]} in it cannot be unpacked ({type(error).__name__})"
            raise UnreadableFile(f"it is damaged: {reason}", "Save it again.") from None
