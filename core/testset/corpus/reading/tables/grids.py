"""Tables of a passage: their title, heads, rows with places, and the group above each row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from core.text.blocks import Block, BlockKind, blocks, plain

TITLE = re.compile(r"Table:[ \t]*(?P<title>\S.*)")
MOST_COLUMNS = 30
ABOVE = 700
"""Characters above a table among which its unit may be announced."""
_SCALED = re.compile(r"\((?:dollars )?in (?:thousands|millions|billions)\b[^()]{0,120}\)", re.IGNORECASE)
_RULED = re.compile(r"-{3}|:-+")
_RAISED_LETTER = re.compile(r"(?<=[\w)]) [abcef]$")
"""The mark of a footnote behind the name of a row: "Vale Copper 24 b"."""
_RAISED_BEHIND_WORD = re.compile(r"(?<=[a-z]{3}) [abcef]$")
"""The same behind a value: "24 months a", and not "2 h"."""
_TOTAL = re.compile(r"(?:sub)?total\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of a table.

    Attributes:
        cells: Its texts.
        group: The row without figures above it that it belongs to, or empty.
        start: Where it begins in the chunk's text.
        end: Where it ends there, exclusive.
    """

    cells: tuple[str, ...]
    group: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table.

    Attributes:
        title: The line above that names it and its units; empty where there is none.
        heads: Of the columns.
        rows: Those with as many cells as heads.
        scale: The unit that the text above it gives, such as "in millions", where its title has none.
    """

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    scale: str = ""


def grids(text: str, before: str = "") -> Iterator[Grid]:
    """The tables with a ruled header; a part of a table without its header is skipped.

    Args:
        text: Of the chunk.
        before: What stands directly before it in the document, where a title may stand.
    """
    table: list[Block] = []
    above, title = before.strip().rsplit("\n", 1)[-1], ""
    for block in blocks(text):
        between = text[table[-1].end : block.start] if table else ""
        if block.kind is BlockKind.ROW and table and "\n\n" not in between.replace("|", ""):
            table.append(block)
            continue
        yield from _grid(text, table, title, before)
        table = []
        words = text[block.start : block.end]
        if block.kind is BlockKind.ROW:
            table, title = [block], _title(above)
        elif block.kind is BlockKind.HEADING:
            above = ""
        else:
            above = words.rsplit("\n", 1)[-1] if TITLE.match(words.rsplit("\n", 1)[-1]) else words
    yield from _grid(text, table, title, before)


def _title(above: str) -> str:
    """The line that announces a table: marked as its title, or a sentence that ends with a colon."""
    line = " ".join(above.split())
    match = TITLE.match(line)
    if match:
        return plain(match["title"])
    return plain(line) if line.endswith(":") and len(line) <= 400 else ""


def _grid(text: str, table: list[Block], title: str, before: str) -> Iterator[Grid]:
    if len(table) < 2 or not _RULED.search(text[table[0].end : table[1].start]):
        return
    heads = tuple(_cell(text, place) for place in table[0].cells)
    if not 2 <= len(heads) <= MOST_COLUMNS:
        return
    yield Grid(
        title=title,
        heads=heads,
        rows=tuple(_rows(text, table[1:], len(heads))),
        scale=_scale(f"{before}\n{text[: table[0].start]}"),
    )


def _scale(above: str) -> str:
    """The unit that the last sentence with a colon above a table gives, if it is near."""
    announced = _SCALED.findall(above[-ABOVE:])
    return announced[-1].strip("()") if announced else ""


def _rows(text: str, table: list[Block], width: int) -> Iterator[Row]:
    group = named = ""
    for block in table:
        cells = tuple(_cell(text, place) for place in block.cells)
        cells = (_RAISED_LETTER.sub("", cells[0]), *(_RAISED_BEHIND_WORD.sub("", cell) for cell in cells[1:]))
        if (
            len(cells) == width
            and not cells[0]
            and named
            and re.match(r"[^\W\d_]", cells[1])
            and not _TOTAL.match(cells[1])
        ):
            cells = (named, *cells[1:])  # the cell above goes on: three kinds of orders of one region
        if len(cells) != width or not cells[0]:
            continue
        named = cells[0]
        if not any(cells[1:]):
            group = cells[0].rstrip(":").strip()
            continue
        total = _TOTAL.match(cells[0])
        above, parted, label = cells[0].rpartition(": ")
        if parted and above and label:
            cells, own = (label, *cells[1:]), above
        else:
            own = "" if total else group
        yield Row(cells=cells, group=own.rsplit(": ", 1)[-1].strip(), start=block.start, end=block.end)
        if total:
            group = ""


def _cell(text: str, place: tuple[int, int]) -> str:
    return plain(text[place[0] : place[1]].replace("\\|", "|"))
