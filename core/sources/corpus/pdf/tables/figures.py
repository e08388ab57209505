"""Tables of figures without rules, as reports of companies have them: rows of a label and aligned figures."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from core.sources.corpus.pdf.rows import Cell, Row
from core.sources.corpus.pdf.tables.columns import Column, columns_of, overlapped, place_of, value_cells
from core.sources.corpus.pdf.tables.head_rows import MOST_HEADS, head_levels, head_rows, is_units
from core.sources.corpus.pdf.tables.heads import column_heads
from core.sources.corpus.pdf.tables.labels import Line, labelled
from core.sources.corpus.pdf.words import Rule, Word

FEWEST_FIGURES = 4
"""Figures of a table, in two rows or more."""
FAR = 3.4
"""Of the type's size, between the baselines of rows; more parts tables."""
MOST_COLUMNS = 40
MOST_LABELS = 4
"""Labels without figures below each other within a table."""
WIDEST = 12
"""Of the type's size, by which a head may begin before its column where no label is in its way."""
FLUSH = 3.0
"""Points."""


@dataclass(slots=True)
class Table:
    """A table of a page.

    Attributes:
        heads: Of its columns, that of the labels first.
        lines: Its rows as cells, labels first.
        first: Place of its first row on the page, heads included.
        last: Place of its last row.
        words: All that it holds.
        units: That stand in its head.
        unaudited: Whether its head says so.
    """

    heads: list[str]
    lines: list[list[str]]
    first: int
    last: int
    words: list[Word] = field(default_factory=list)
    units: str = ""
    unaudited: bool = False


def find_tables(rows: Sequence[Row], rules: Sequence[Rule]) -> list[Table]:
    """The tables of figures of a page, from top to bottom.

    Args:
        rows: Of the page, without those of other tables and forms.
        rules: Of the page.
    """
    tables: list[Table] = []
    flat = sorted((rule for rule in rules if rule.flat), key=lambda rule: rule.y0)
    ys = [rule.y0 for rule in flat]
    at = above = 0
    while at < len(rows):
        if not _is_data(rows[at]):
            at += 1
            continue
        last = _end(rows, at)
        at = _first_text_row(rows, above, at, flat)
        first = max(above, at - MOST_HEADS - MOST_LABELS)
        near = flat[bisect_left(ys, rows[first].y - rows[first].size) : bisect_right(ys, rows[last].y)]
        table = _table(rows, above, at, last, near)
        if table is not None:
            tables.append(table)
            above = last + 1
        at = last + 1
    return tables


def _is_data(row: Row) -> bool:
    """Whether a row holds figures behind a label, or nothing but figures that are no years."""
    first, *others = row.cells
    if any(cell.figure and not cell.dated for cell in others):
        return True
    return len(others) > 0 and not first.figure and any(cell.figure for cell in others) and not _are_heads(row)


def _are_heads(row: Row) -> bool:
    """Whether a row holds years and what stands beside them as heads."""
    values = row.cells[1:] if not row.cells[0].figure else row.cells
    label = row.cells[0].text if not row.cells[0].figure else ""
    if label and is_units(label) and not any(cell.figure and not cell.dated for cell in values):
        return True
    return all(cell.dated for cell in values) and (not label or len(values) > 1)


def _end(rows: Sequence[Row], at: int) -> int:
    """The last row of figures that hangs together with the one at a place."""
    last = at
    _, values = value_cells(rows[at], float("inf"))
    columns = [Column(cell.x0, cell.x1) for cell in values if cell.figure]
    labels = 0
    for place in range(at + 1, len(rows)):
        row, before = rows[place], rows[place - 1]
        if row.y - before.y > FAR * max(row.size, before.size):
            break
        edge = min(column.x0 for column in columns)
        if _is_data(row) and not _are_heads(row):
            figures = [cell for cell in value_cells(row, edge)[1] if cell.figure]
            if not _aligned(figures, columns, row.size):
                break
            columns = _widened(figures, columns)
            last, labels = place, 0
        elif _is_label(row, edge) and labels < MOST_LABELS:
            labels += 1
        elif not _is_text_row(row, columns, edge):
            break
    return last


def _first_text_row(rows: Sequence[Row], above: int, at: int, rules: Sequence[Rule]) -> int:
    """The first row of a table: that of figures, or rows of words above it that stand below bold or ruled heads."""
    left, count = rows[at].cells[0].x0, len(rows[at].cells)
    last = rows[at].cells[-1]
    if at > above and not last.figure and len(rows[at - 1].cells) == count and rows[at - 1].cells[-1].text == last.text:
        return at - 1
    first = at
    while first > above and len(rows[first - 1].cells) == count and abs(rows[first - 1].cells[0].x0 - left) <= FLUSH:
        heads, row = rows[first - 1], rows[first]
        cell = heads.cells[-1]
        ruled = any(
            heads.y <= rule.y0 < row.y - 0.5 * row.size and rule.x0 < cell.x1 and cell.x0 < rule.x1 for rule in rules
        )
        if ruled or (cell.bold and not row.cells[-1].bold):
            return first
        first -= 1
    return at


def _aligned(figures: Sequence[Cell], columns: Sequence[Column], size: float) -> bool:
    wide = [Column(column.x0 - size, column.x1 + size) for column in columns]
    inside = sum(bool(overlapped(cell, wide)) for cell in figures)
    return inside * 2 >= len(figures) and all(len(overlapped(cell, columns)) <= 1 for cell in figures)


def _widened(figures: Sequence[Cell], columns: Sequence[Column]) -> list[Column]:
    wider = list(columns)
    for cell in figures:
        places = overlapped(cell, wider)
        if places:
            column = wider[places[0]]
            wider[places[0]] = Column(min(column.x0, cell.x0), max(column.x1, cell.x1))
        else:
            wider.append(Column(cell.x0, cell.x1))
    return wider


def _is_label(row: Row, edge: float) -> bool:
    """Whether a row is a label without figures."""
    cell = row.cells[0]
    ends = cell.x1 < edge or (cell.text.endswith(":") and cell.x0 < edge)
    return len(row.cells) == 1 and not cell.figure and cell.x0 < edge and ends


def _is_text_row(row: Row, columns: Sequence[Column], edge: float) -> bool:
    """Whether a row has a label and words in the columns of figures, and does not look like heads."""
    label, values = value_cells(row, edge)
    if label is None or not values or label.bold or is_units(label.text):
        return False
    return (
        label.x1 < edge
        and not any(cell.bold or cell.dated for cell in values)
        and all(len(overlapped(cell, columns)) == 1 for cell in values)
    )


def _table(rows: Sequence[Row], above: int, at: int, last: int, rules: Sequence[Rule]) -> Table | None:
    body = list(rows[at : last + 1])
    size = median(row.size for row in body)
    data = [row for row in body if _is_data(row)]
    left = min((row.cells[0].x0 for row in body if not row.cells[0].figure), default=None)
    edge = min(cell.x0 for row in data for cell in row.cells[_begins_with_label(row, left) :] if cell.figure)
    split = [value_cells(row, edge) for row in body]
    figures = sum(cell.figure for _, values in split for cell in values)
    if len(data) < 2 or figures < FEWEST_FIGURES - (len(data) > 2):
        return None
    columns = columns_of([values for _, values in split], size)
    if len(columns) > MOST_COLUMNS:
        return None
    edge = min(edge, columns[0].x0)
    right = max((label.x1 for label, values in split if label is not None and values), default=edge)
    edge = min(edge, max(right, edge - WIDEST * size))  # heads may begin before their columns, but behind the labels
    heads = head_rows(rows, above, at, columns, edge, rules)
    first = heads[0] if heads else at
    stretch = [place for place in range(first, at) if place not in heads]
    corner, units, unaudited, levels, period = head_levels(rows, heads, columns, edge)
    labels = [Line(rows[place].cells[0], []) for place in stretch]
    lines = [
        Line(label, _placed(values, columns), sum=_summed(row, columns, rules))
        for (label, values), row in zip(split, body, strict=True)
    ]
    if period is not None:
        labels.insert(0, Line(period, []))
        stretch = [at - 1, *stretch]
    return Table(
        heads=[corner, *column_heads(levels, columns, rules)],
        lines=labelled([*labels, *lines], [rows[place].y for place in [*stretch, *range(at, last + 1)]], len(columns)),
        first=first,
        last=last,
        words=[word for row in rows[first : last + 1] for word in row.words],
        units=units,
        unaudited=unaudited,
    )


def _begins_with_label(row: Row, left: float | None) -> int:
    """Whether the first cell is a label: words, a year, or a figure flush with the labels of other rows."""
    first = row.cells[0]
    flush = left is None or abs(first.x0 - left) <= FLUSH
    return int(len(row.cells) > 1 and (not first.figure or flush))


def _summed(row: Row, columns: Sequence[Column], rules: Sequence[Rule]) -> bool:
    """Whether a rule stands above the values of a row, and not above its label."""
    top = row.y - 0.7 * row.size
    return any(
        -0.9 * row.size <= rule.y0 - top <= 0.3 * row.size
        and rule.x0 > row.cells[0].x0 + 10
        and any(rule.x0 - 2 <= column.middle <= rule.x1 + 2 for column in columns)
        for rule in rules
    )


def _placed(values: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    texts = [""] * len(columns)
    for cell in values:
        place = place_of(cell, columns)
        texts[place] = f"{texts[place]} {cell.text}".strip()
    return texts if values else []
