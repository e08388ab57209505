"""The layout of a page: its tables and forms become lines of text in their place, and the other lines stay."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.sources.corpus.pdf.captions import caption, is_heading, type_of
from core.sources.corpus.pdf.figures import Table, find_tables
from core.sources.corpus.pdf.forms import find_fields
from core.sources.corpus.pdf.headings import Line
from core.sources.corpus.pdf.rows import Row, rows_of
from core.sources.corpus.pdf.words import Word, page_rules, page_words, view_of
from core.sources.corpus.tables import table_block

FEWEST = 2
"""Lines that look like those of a table or a form from which on a page is looked at."""
TELLING = re.compile(r"[\d)%—–-]\s*$|:(?:\s|$)")
"""A line that ends with a figure, or holds a key."""
MOST_SIGNS = 60_000
"""Characters of a page; one with more is no page that people read."""
CONTENTS = re.compile(r"(?:Part [IVX]+\b.*|Item \d+[A-Z]?\.?.*|(?:Table of )?Contents|Index|Page)", re.IGNORECASE)


@dataclass(slots=True)
class Above:
    """What was told above: the last heading, and title and units of the last table."""

    heading: str = ""
    title: str = ""
    units: str = ""


@dataclass(slots=True)
class _Block:
    """Lines that stand in place of words."""

    lines: list[str]
    words: list[Word]


def shows_layout(lines: Iterable[Line]) -> bool:
    """Whether the lines of a page may be those of a table or a form."""
    return sum(TELLING.search(line.text) is not None for line in lines) >= FEWEST


def laid_out(page: Any, layer: Any, lines: Sequence[Line], above: Above) -> list[Line]:
    """The lines of a page, with those of its tables and forms as Markdown rows and as ``Key: value``.

    Every word of the lines is in one line of the result; the keys of empty fields are left out.

    Args:
        page: A page of pypdfium2.
        layer: Its text layer.
        lines: Of the layer, without running headers and footers.
        above: What the pages before have told; it is brought up to date.
    """
    text = str(layer.get_text_range())
    if len(text) > MOST_SIGNS or any(line.start < 0 for line in lines):
        return list(lines)
    view = view_of(page)
    places = [(line.start, line.start + len(line.text)) for line in lines]
    starts = [start for start, _ in places]
    words = [
        word
        for word in page_words(layer, text, view)
        if (at := bisect_right(starts, word.start) - 1) >= 0 and word.start < places[at][1]
    ]
    if not words:
        return list(lines)
    rows = rows_of(words)
    blocks = _blocks(rows, page_rules(page, view), above)
    return _placed(lines, blocks)


def _blocks(rows: Sequence[Row], rules: Sequence[Any], above: Above) -> list[_Block]:
    blocks: list[_Block] = []
    body = type_of(rows)
    taken: set[int] = set()
    for form in find_fields(rows):
        words = [word for item in form for word in item.words]
        blocks.append(_Block([item.line for item in form if item.line], words))
        taken |= {id(word) for word in words}
    rest = [row for row in rows if not any(id(word) in taken for word in row.words)]
    tables = find_tables(rest, rules)
    inside = {place for table in tables for place in range(table.first, table.last + 1)}
    headings = [place for place, row in enumerate(rest) if place not in inside and is_heading(row, body)]
    lowest = 0
    for table in tables:
        if not _of_contents(table):
            told = caption(rest, table.first, lowest, headings, body, above.heading)
            if told.introduced or not lowest:
                above.title, above.units = told.title, ""
            above.units = table.units or told.units or above.units
            title = above.title
            if table.unaudited and "unaudited" not in title.casefold():
                title = f"{title} (unaudited)".strip()
            lines = table_block([table.heads, *table.lines], title=title, units=above.units)
            blocks.append(_Block(["", *lines, ""], [*told.words, *table.words]))
        lowest = table.last + 1
    above.heading = next((rest[place].text for place in reversed(headings)), above.heading)
    return blocks


def _of_contents(table: Table) -> bool:
    """Whether a table is one of contents: parts, and the pages that they begin on."""
    pages = [cells[-1] for cells in table.lines if cells[-1]]
    parts = sum(CONTENTS.match(" ".join(cells).strip()) is not None for cells in [table.heads, *table.lines])
    numbers = [int(page) for page in pages if page.isdecimal()]
    return len(numbers) == len(pages) and numbers == sorted(numbers) and parts >= 2


def _placed(lines: Sequence[Line], blocks: Sequence[_Block]) -> list[Line]:
    """The lines without the words of blocks, and the lines of each block where its first word stood."""
    spans = sorted((word.start, word.end, number) for number, block in enumerate(blocks) for word in block.words)
    placed: list[Line] = []
    written: set[int] = set()
    at = 0
    for line in lines:
        end = line.start + len(line.text)
        rest, begin, here = [], line.start, []
        while at < len(spans) and spans[at][0] < end:
            start, stop, number = spans[at]
            if start >= line.start:
                rest.append(line.text[begin - line.start : start - line.start])
                begin = stop
                here.append(number)
            at += 1
        if not here:
            placed.append(line)
            continue
        rest.append(line.text[begin - line.start :])
        left = " ".join(" ".join(rest).split())
        new = [number for number in dict.fromkeys(here) if number not in written]
        if left and not (rest[0].strip() or not new):
            placed += _written(new, blocks, written)
            new = []
        if left:
            placed.append(Line(left, None))
        placed += _written(new, blocks, written)
    return placed


def _written(numbers: Sequence[int], blocks: Sequence[_Block], written: set[int]) -> list[Line]:
    written.update(numbers)
    return [Line(text, None) for number in numbers for text in blocks[number].lines]
