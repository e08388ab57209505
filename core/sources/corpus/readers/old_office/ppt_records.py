"""Records of an old PowerPoint file, and its tables: groups of shapes, each shape a cell."""

from __future__ import annotations

import struct
from collections.abc import Iterator

GROUP, SHAPE, OPTIONS, MORE_OPTIONS, ANCHOR, TEXTBOX = 0xF003, 0xF004, 0xF00B, 0xF122, 0xF00F, 0xF00D
CHARACTERS, BYTES = 4000, 4008
IS_TABLE = 0x039F
"""Property of the group that is a table."""
MOST_CELLS = 10_000


def records(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Version, kind, and the bounds of the content of each record between two places."""
    at = start
    while at + 8 <= end:
        head, kind, length = struct.unpack_from("<HHI", data, at)
        at += 8
        stop = min(at + length, end)
        yield head, kind, at, stop
        at = stop


def table_rows(data: bytes, start: int, stop: int) -> list[list[str]]:
    """The rows of a group of shapes that is a table, by where its cells lie; none for any other part.

    Args:
        data: The file's main stream.
        start: Where the content of a part begins.
        stop: Where it ends.
    """
    shapes = [(at, end) for _, kind, at, end in records(data, start, stop) if kind == SHAPE][: MOST_CELLS + 1]
    if len(shapes) < 2 or not _is_table(data, *shapes[0]):
        return []
    cells: dict[tuple[int, int], str] = {}
    for at, end in shapes[1:]:
        corner, text = _cell(data, at, end)
        if corner is not None:
            cells.setdefault(corner, text)
    tops = sorted({top for top, _ in cells})
    lefts = sorted({left for _, left in cells})
    return [[cells.get((top, left), "") for left in lefts] for top in tops] if any(cells.values()) else []


def decoded(raw: bytes, kind: int) -> str:
    """The text of a record of characters."""
    return raw.decode("latin-1") if kind == BYTES else raw.decode("utf-16-le", "replace")


def _is_table(data: bytes, start: int, stop: int) -> bool:
    for head, kind, at, end in records(data, start, stop):
        if kind in (OPTIONS, MORE_OPTIONS):
            for number in range(min(head >> 4, (end - at) // 6)):
                name, value = struct.unpack_from("<HI", data, at + 6 * number)
                if name & 0x3FFF == IS_TABLE and value & 1:
                    return True
    return False


def _cell(data: bytes, start: int, stop: int) -> tuple[tuple[int, int] | None, str]:
    """Top and left of a shape that holds a text or may hold one, and the text."""
    corner: tuple[int, int] | None = None
    text: str | None = None
    for _, kind, at, end in records(data, start, stop):
        if kind == ANCHOR and end - at >= 16:
            left, top = struct.unpack_from("<ii", data, at)
            corner = (top, left)
        elif kind == TEXTBOX:
            parts = [
                decoded(data[a:b], inner) for _, inner, a, b in records(data, at, end) if inner in (CHARACTERS, BYTES)
            ]
            text = " ".join(" ".join(parts).replace("\x0b", " ").split())
    return (corner, text) if text is not None else (None, "")
