"""Tables whose cells span rows and columns: one head for each column, and each value below its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MOST_COLUMNS = 200
MOST_ROWS_SPANNED = 1_000
FIGURE = re.compile(r"[-–(+]*[$€£¥]?[-–(]?\d[\d.,' ]{0,30}\)?[%x]?\)?|[-–—]|n/?a", re.IGNORECASE)
UNITS = re.compile(
    r"\(((?:(?:all |dollar )?(?:amounts|dollars|figures) )?(?:expressed |stated )?in [^()]{2,120})\)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanningCell:
    """One cell of a table as its file holds it.

    Attributes:
        text: What it shows.
        rows: How many rows it spans.
        columns: How many columns it spans.
        head: Whether the file marks it as a head.
    """

    text: str
    rows: int = 1
    columns: int = 1
    head: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """A table with one head for each column.

    Attributes:
        heads: Of the columns; all empty where the table has none.
        rows: Their cells.
        title: What a first row of one cell says.
        units: What a head says in which all is measured.
    """

    heads: list[str]
    rows: list[list[str]]
    title: str = ""
    units: str = ""


def units_in(text: str) -> str:
    """The units that a caption, a heading or a sentence gives in brackets, or nothing.

    >>> units_in("Net sales were as follows (in millions, except per share amounts):")
    'in millions, except per share amounts'
    """
    match = UNITS.search(text[-2_000:])
    return match.group(1) if match else ""


def without_units(text: str) -> str:
    """A text without the units that it gives in brackets."""
    return " ".join(UNITS.sub("", text[:2_000]).split())


def read_spans(rows: Sequence[Sequence[SpanningCell]], heads: int = 0) -> ReadTable:
    """A table of cells that span rows and columns, with the heads of all levels joined for each column.

    A cell that spans rows stands in each of them; one that spans columns stands in the first of them, and among heads
    in each. A row of one cell across the table is a group, and stands before the labels of the rows below it. Signs of
    currency, percent signs and brackets in cells of their own are put to their figures, and columns that are empty then
    are left out.

    Args:
        rows: From top to bottom.
        heads: How many rows hold the heads, where the file tells; else the rows of marked cells at the top.
    """
    grid = _unfolded(rows)
    title = ""
    if len(grid) > 2 and _across(grid[0]) and not heads:
        title, grid = grid[0][0][0], grid[1:]
    count = min(heads or _marked(grid), max(len(grid) - 1, 0))
    body = [_with_signs(row) for row in grid[count:]]
    width = max(map(len, grid), default=0)
    used = [place for place in range(width) if any(place < len(row) and row[place] for row in body)]
    columns: list[list[str]] = [[] for _ in range(width)]
    for row in grid[:count]:
        for place, (text, _, _) in enumerate(row):
            if text and (not columns[place] or columns[place][-1] != text):
                columns[place].append(text)
    named = {" ".join(columns[place]) for place in used}
    used = [place for place in range(width) if place in used or " ".join(columns[place]) not in {*named, ""}]
    joined = [" ".join(columns[place]) for place in used]
    corner = joined[0] if joined else ""
    units = units_in(corner)
    if units:
        joined[0] = without_units(corner)
    cells = _grouped([[row[place] if place < len(row) else "" for place in used] for row in body], grid[count:])
    return ReadTable(heads=joined, rows=cells, title=title, units=units)


def read_fields(rows: Sequence[Sequence[SpanningCell]]) -> list[tuple[str, str]]:
    """Keys and values of a table that is a form: keys and values alternate in each of its rows; else none.

    A key is marked as a head or ends with a colon, and no row holds heads only.
    """
    fields: list[tuple[str, str]] = []
    for row in rows:
        cells = [cell for cell in row if cell.text or cell.head]
        if not cells:
            continue
        if len(row) % 2 or not all(_is_key(cell) for cell in row[::2] if cell.text):
            return []
        if any(cell.head or cell.text.endswith(":") for cell in row[1::2]):
            return []
        fields += [
            (key.text.rstrip(": ").replace(": ", " "), value.text)
            for key, value in zip(row[::2], row[1::2], strict=True)
        ]
    return [(key, value) for key, value in fields if key] if len(fields) > 1 else []


def _is_key(cell: SpanningCell) -> bool:
    return (cell.head or cell.text.endswith(":")) and len(cell.text) <= 80


Placed = tuple[str, bool, int]
"""Text, whether it is marked as a head, and the number of the cell."""


def _unfolded(rows: Sequence[Sequence[SpanningCell]]) -> list[list[Placed]]:
    """For each row the cell in each column."""
    grid: list[list[Placed]] = []
    hanging: dict[int, tuple[int, Placed]] = {}
    number = 0
    for row in rows:
        line: list[Placed] = []
        cells = iter(row)
        cell = next(cells, None)
        while cell is not None or any(place >= len(line) for place in hanging):
            place = len(line)
            if place >= MOST_COLUMNS:
                break
            if place in hanging:
                left, held = hanging.pop(place)
                line.append(held)
                if left > 1:
                    hanging[place] = (left - 1, held)
                continue
            if cell is None:
                line.append(("", False, -1))
                continue
            number += 1
            span = max(1, min(cell.columns, MOST_COLUMNS - place))
            for shift in range(span):
                line.append((cell.text, cell.head, number))
                if cell.rows > 1:
                    hanging[place + shift] = (min(cell.rows, MOST_ROWS_SPANNED) - 1, line[-1])
            cell = next(cells, None)
        grid.append(line)
    return grid


def _across(row: Sequence[Placed]) -> bool:
    """Whether one cell fills a row of several columns."""
    return len(row) > 1 and len({number for _, _, number in row}) == 1 and bool(row[0][0])


def _marked(grid: Sequence[Sequence[Placed]]) -> int:
    """How many rows at the top hold nothing but cells that are marked as heads, or such that span them."""
    count = 0
    while count < len(grid) and grid[count] and all(head or not text for text, head, _ in grid[count]):
        if not any(head for _, head, _ in grid[count]):
            break
        count += 1
    return count


def _with_signs(row: Sequence[Placed]) -> list[str]:
    """The texts of a row, each once, with signs at their figures."""
    texts = ["" if place and row[place - 1][2] == number else text for place, (text, _, number) in enumerate(row)]
    for place, text in enumerate(texts):
        if text in ("$", "€", "£", "¥"):
            behind = next((later for later in range(place + 1, len(texts)) if texts[later]), None)
            if behind is not None and FIGURE.fullmatch(texts[behind]):
                texts[behind], texts[place] = text + texts[behind], ""
        elif text in (")", "%", ")%"):
            before = next((earlier for earlier in range(place - 1, -1, -1) if texts[earlier]), None)
            if before is not None and any(map(str.isdigit, texts[before])):
                texts[before], texts[place] = texts[before] + text, ""
    return texts


def _grouped(rows: Sequence[Sequence[str]], placed: Sequence[Sequence[Placed]]) -> list[list[str]]:
    """Rows without those of one cell across, which stand before the labels of the rows below them."""
    group = ""
    lines: list[list[str]] = []
    for row, cells in zip(rows, placed, strict=True):
        if not any(row):
            continue
        if len(row) > 1 and _across(cells):
            group = row[0].rstrip(": ")
            continue
        named = f"{group}: {row[0]}" if group and row[0] else row[0]
        lines.append([named, *row[1:]])
    return lines
