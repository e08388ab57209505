"""Streams of a PDF that unpack to fill memory: PDFium unpacks whatever a page names, however large."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from itertools import chain

from core.domain.errors import UnreadableFile

MAX_UNPACKED = 300_000_000
"""Bytes of one stream; a page of 600 dpi in colour has a third of it."""
MOST_TIMES = 1_032
"""The most bytes that one packed byte can give."""
DEEPEST = 4
"""Packed streams within packed streams that are followed."""
STEP = 1 << 18
STREAM = re.compile(rb"(?<!end)stream\r?\n")


def check_streams(data: bytes) -> None:
    """Refuses a PDF with a stream that unpacks to more than any page holds.

    Streams are recognised by their bytes, not by what the file states about them. Those of an encrypted file, and those
    packed in other ways, are not followed.

    Raises:
        UnreadableFile: A stream unpacks to too much.
    """
    for match in STREAM.finditer(data):
        start, end = match.end(), data.find(b"endstream", match.end())
        if _packed(data[start : start + 2]):
            end = end if end >= 0 else len(data)
            _check(_pieces(data, start, end), (end - start) * MOST_TIMES)


def _check(pieces: Iterator[bytes], most: int, depth: int = 1) -> None:
    unpacked = _inflated(pieces)
    first = next(unpacked, b"")
    if _packed(first) and depth < DEEPEST:
        _check(chain([first], unpacked), most * MOST_TIMES, depth + 1)
        return
    if most <= MAX_UNPACKED:
        return
    size = len(first)
    for piece in unpacked:
        size += len(piece)
        if size > MAX_UNPACKED:
            raise UnreadableFile(f"a stream in it unpacks to more than {MAX_UNPACKED:,} bytes", "Save it again.")


def _pieces(data: bytes, start: int, end: int) -> Iterator[bytes]:
    for at in range(start, end, STEP):
        yield data[at : min(at + STEP, end)]


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The contents of packed pieces, step by step, as far as they are sound."""
    unpacker = zlib.decompressobj()
    try:
        for piece in pieces:
            while piece and not unpacker.eof:
                if unpacked := unpacker.decompress(piece, STEP):
                    yield unpacked
                piece = unpacker.unconsumed_tail
    except zlib.error:
        return


def _packed(beginning: bytes) -> bool:
    """Whether bytes begin as those that zlib packed do."""
    return len(beginning) > 1 and beginning[0] & 0x0F == 8 and int.from_bytes(beginning[:2]) % 31 == 0
