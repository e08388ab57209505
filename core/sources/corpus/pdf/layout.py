"""The layout of a page: its tables and forms become lines of text in their place, and the other lines stay."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.sources.corpus.pdf.forms import find_fields
from core.sources.corpus.pdf.gutters import in_columns
from core.sources.corpus.pdf.headings import Line, Style
from core.sources.corpus.pdf.rows import Row, rows_of
from core.sources.corpus.pdf.tables.captions import Type, caption, heads, is_heading, numbered, type_of
from core.sources.corpus.pdf.tables.figures import Table, find_tables
from core.sources.corpus.pdf.tables.grids import Grid, find_grids
from core.sources.corpus.pdf.tables.ruled import boxed_fields, fields_of, repeats_heads, table_of
from core.sources.corpus.pdf.words import Rule, Word, drawn_rules, page_rules, page_words, view_of
from core.sources.corpus.tabular.tables import table_block

FEWEST_FIGURES = 2
"""Lines that end with a figure from which on a page is looked at."""
FEWEST_KEYS = 3
"""Keys from which on a page is looked at."""
FEWEST_SHAPES = 4
"""Rules and frames from which on a page is looked at."""
MOST_LOOKED_AT = 400
FIGURES = re.compile(r"(?:^|\s)[-–—$€£¥(]*\s?(?:\d[\d.,]*|[—–-])\)?\s?%?\)?\s*$")
YEAR = re.compile(r"[^\d$€£¥%—–-]*(?:19|20)\d\d\s*$|.{90}")
"""A line that ends with a year and has no other figure, or one of prose."""
KEY = re.compile(r":(?:\s|$)")
MOST_SIGNS = 60_000
"""Characters of a page; one with more is no page that people read."""
CONTENTS = re.compile(r"(?:Part [IVX]+\b.*|Item \d+[A-Z]?\.?.*|(?:Table of )?Contents|Index|Page)", re.IGNORECASE)


@dataclass(slots=True)
class Above:
    """What was told above: the last heading, and title, units, heads and edges of columns of the last table."""

    heading: str = ""
    title: str = ""
    titled_by: str = ""
    """The heading above the last table."""
    units: str = ""
    heads: list[str] = field(default_factory=list)
    xs: tuple[float, ...] = ()
    open: bool = False
    """Whether the page before ended with a table."""


@dataclass(slots=True)
class _Block:
    """Lines that stand in place of words."""

    lines: list[str]
    words: list[Word]


def is_ruled(page: Any) -> bool:
    """Whether so many rules or frames are drawn on a page that there may be a table or a form among them."""
    shapes = 0
    for rule in drawn_rules(page, view_of(page), MOST_LOOKED_AT):
        shapes += rule.flat or rule.upright or rule.framed
        if shapes >= FEWEST_SHAPES:
            return True
    return False


def shows_layout(lines: Iterable[Line]) -> bool:
    """Whether the lines of a page may be those of a table or a form."""
    figures = keys = 0
    for line in lines:
        text = line.text
        figures += FIGURES.search(text[-30:]) is not None and YEAR.match(text) is None
        keys += KEY.search(text) is not None
    return figures >= FEWEST_FIGURES or keys >= FEWEST_KEYS


def note_heading(lines: Sequence[Line], body: Style, above: Above) -> None:
    """Keeps the last heading of a page that is not looked at any closer."""
    for line in reversed(lines):
        text, style = line.text.strip(), line.style
        set_apart = style is not None and (style.bold > body.bold or style.size > body.size * 1.1)
        if heads(text) and (set_apart or numbered(text)):
            above.heading = text
            return


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
    return _placed(lines, _blocks(words, page_rules(page, view), above))


def _blocks(words: Sequence[Word], rules: Sequence[Rule], above: Above) -> list[_Block]:
    """Forms first, since their keys are the surest sign; then tables with rules, then those of aligned figures."""
    rows = rows_of(words)
    forms = find_fields(rows)
    taken = {word.start for form in forms for item in form for word in item.words}
    grids: list[Grid] = []
    for grid in find_grids([word for word in words if word.start not in taken], rules):
        if fields := fields_of(grid):
            forms.append(fields)
        else:
            grids.append(grid)
        taken |= {word.start for word in grid.words}
    if boxed := boxed_fields([word for word in words if word.start not in taken], rules):
        forms.append(boxed)
        taken |= {word.start for item in boxed for word in item.words}
    rest = [row for row in rows if not any(word.start in taken for word in row.words)]
    blocks = [
        _Block([item.line for item in form if item.line], [word for item in form for word in item.words])
        for form in forms
    ]
    parts = in_columns(rest)
    for number, part in enumerate(parts):
        blocks += _tables(part, grids if not number else [], rules, above, type_of(rows))
    return blocks


def _tables(
    rest: Sequence[Row], grids: Sequence[Grid], rules: Sequence[Rule], above: Above, body: Type
) -> Iterator[_Block]:
    found = find_tables(rest, rules)
    inside = {place for table in found for place in range(table.first, table.last + 1)}
    headings = [place for place, row in enumerate(rest) if place not in inside and is_heading(row, body)]
    begun = [(sum(row.y < grid.ys[0] for row in rest), grid) for grid in grids]
    tables: list[tuple[int, int, Table | Grid]] = [(table.first, 1, table) for table in found]
    tables += [(place, 0, grid) for place, grid in begun]
    tables.sort(key=lambda item: item[:2])
    lowest = 0
    first_of_page = True
    for place, _, table in tables:
        goes_on = first_of_page and place == 0 and above.open
        first_of_page = False
        if isinstance(table, Grid):
            width = len(table.xs)
            goes_on = (
                goes_on
                and len(above.xs) == width
                and all(abs(a - b) <= 4 for a, b in zip(above.xs, table.xs, strict=True))
            )
            heads, lines, named = table_of(table, headless=goes_on and not repeats_heads(table, above.heads))
            told = caption(rest, place, lowest, headings, body, above.heading)
            units, unaudited, words, last = told.units, False, [*told.words, *table.words], place
            above.xs = table.xs
        elif _of_contents(table):
            lowest = table.last + 1
            continue
        else:
            heads, lines, named = table.heads, table.lines, ""
            told = caption(rest, place, lowest, headings, body, above.heading)
            units, unaudited, words, last = (
                table.units or told.units,
                table.unaudited,
                [*told.words, *table.words],
                table.last + 1,
            )
            above.xs = ()
        if goes_on and not any(heads) and len(heads) == len(above.heads):
            heads = above.heads
        elif told.introduced or (not lowest and (place or above.heading != above.titled_by)):
            above.title = named or told.title
            above.titled_by = next((rest[at].text for at in reversed(headings) if at < place), above.heading)
            if told.anew or not lowest:
                above.units = ""
        above.units = units or above.units
        above.heads = heads
        title = above.title
        if unaudited and "unaudited" not in title.casefold():
            title = f"{title} (unaudited)".strip()
        yield _Block(["", *table_block([heads, *lines], title=title, units=above.units), ""], words)
        lowest = last
    above.heading = next((rest[place].text for place in reversed(headings)), above.heading)
    above.open = bool(tables) and lowest >= len(rest)


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
        rest: list[str] = []
        here: list[int] = []
        begin = line.start
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
