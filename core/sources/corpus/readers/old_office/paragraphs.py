"""How paragraphs of an old Word document are set: which are headings, list items, and ends of a table's rows."""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

PAGE = 512
PAPX = 13
"""Place of the table of paragraph pages among the file's pairs of place and length."""
STYLES = 1
HEADINGS = range(1, 10)
"""Word's own numbers of the styles Heading 1 to Heading 9."""
TITLE = 62
MAX_PAGES = 200_000
SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}
"""Bytes of a property's value by the highest bits of its number; 6 gives its own length."""
IN_TABLE, ROW_END, OUTLINE, LIST, STYLE = 0x2416, 0x2417, 0x2640, 0x460B, 0x4600
CHANGES_TABS, TABLE_WIDTHS = 0xC615, 0xD608


@dataclass(frozen=True, slots=True)
class Style:
    """How one paragraph is set."""

    level: int = 0
    in_table: bool = False
    row_end: bool = False
    item: bool = False


class Styles:
    """The styles of a document's paragraphs by their place in the file."""

    def __init__(self, starts: list[int], styles: list[Style]) -> None:
        self._starts, self._styles = starts, styles

    def at(self, place: int) -> Style:
        """The style of the paragraph that holds this byte."""
        number = bisect_right(self._starts, place) - 1
        return self._styles[number] if number >= 0 else Style()


def paragraph_styles(head: bytes, table: bytes) -> Styles:
    """How each paragraph is set, by its place in the file; of a damaged table what can be read.

    Args:
        head: The stream WordDocument.
        table: The table stream.
    """
    runs: dict[int, Style] = {}
    try:
        words = struct.unpack_from("<H", head, 32)[0]
        longs = struct.unpack_from("<H", head, 34 + 2 * words)[0]
        pairs = 34 + 2 * words + 2 + 4 * longs + 2
        levels = _levels(table, *struct.unpack_from("<II", head, pairs + 8 * STYLES))
        place, length = struct.unpack_from("<II", head, pairs + 8 * PAPX)
        plc = table[place : place + length]
        count = (len(plc) - 4) // 8
        for number in range(min(count, MAX_PAGES)):
            page = struct.unpack_from("<I", plc, 4 * (count + 1) + 4 * number)[0] & 0x3FFFFF
            runs.update(_page(head[page * PAGE : (page + 1) * PAGE], levels))
    except struct.error:
        pass  # the text is read all the same
    starts = sorted(runs)
    return Styles(starts, [runs[start] for start in starts])


def _page(page: bytes, levels: dict[int, int]) -> Iterator[tuple[int, Style]]:
    if len(page) < PAGE:
        return
    count = page[PAGE - 1]
    if 4 * (count + 1) + 13 * count > PAGE:
        return
    for number in range(count):
        start = struct.unpack_from("<I", page, 4 * number)[0]
        at = 2 * page[4 * (count + 1) + 13 * number]
        if not at:
            yield start, Style()
            continue
        size = page[at]
        at += 1
        length = 2 * size - 1 if size else 2 * page[at]
        at += 0 if size else 1
        properties = page[at : at + length]
        style = struct.unpack_from("<H", properties)[0] if len(properties) > 1 else 0
        values = dict(_values(properties[2:]))
        outline = values.get(OUTLINE, 9)
        yield (
            start,
            Style(
                level=outline + 1 if outline < 9 else levels.get(values.get(STYLE, style), 0),
                in_table=bool(values.get(IN_TABLE)),
                row_end=bool(values.get(ROW_END)),
                item=0 < values.get(LIST, 0) < 2047,
            ),
        )


def _values(properties: bytes) -> Iterator[tuple[int, int]]:
    """The properties of a paragraph with their first bytes as a number."""
    at = 0
    while at + 2 < len(properties) + 1 and at + 2 <= len(properties):
        number = struct.unpack_from("<H", properties, at)[0]
        at += 2
        kind = number >> 13
        if kind != 6:
            size = SIZES[kind]
        elif at >= len(properties):
            return
        elif number == TABLE_WIDTHS:
            size = struct.unpack_from("<H", properties, at)[0] + 1 if at + 2 <= len(properties) else 2
        elif number == CHANGES_TABS and properties[at] == 255:
            return
        else:
            size = properties[at] + 1
        yield number, int.from_bytes(properties[at : at + min(size, 4)], "little")
        at += size


def _levels(table: bytes, place: int, length: int) -> dict[int, int]:
    """The levels of the styles that are headings, by their number in the style sheet."""
    sheet = table[place : place + length]
    if len(sheet) < 6:
        return {}
    size, count, base = struct.unpack_from("<HHH", sheet)
    at = 2 + size
    levels: dict[int, int] = {}
    for number in range(min(count, 4_095)):
        if at + 2 > len(sheet):
            break
        length = struct.unpack_from("<H", sheet, at)[0]
        if length >= 2 and base:
            known = struct.unpack_from("<H", sheet, at + 2)[0] & 0x0FFF
            if known in HEADINGS:
                levels[number] = known
            elif known == TITLE:
                levels[number] = 1
        at += 2 + length + (length & 1)
    return levels
