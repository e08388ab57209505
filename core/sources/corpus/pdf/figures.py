"""Tables of figures without rules, as reports of companies have them: rows of a label and aligned figures."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from core.sources.corpus.pdf.columns import Column, columns_of, overlapped, place_of, value_cells
from core.sources.corpus.pdf.heads import column_heads
from core.sources.corpus.pdf.labels import Line, is_period, labelled
from core.sources.corpus.pdf.rows import Cell, Row
from core.sources.corpus.pdf.words import Rule, Word

FEWEST_FIGURES = 4
"""Figures of a table, in two rows or more."""
FAR = 3.4
"""Of the type's size, between the baselines of rows; more parts tables."""
MOST_COLUMNS = 40
MOST_LABELS = 4
"""Labels without figures below each other within a table."""
MOST_HEADS = 9
LONGEST_HEAD = 14
"""Words."""
WIDEST = 12
"""Of the type's size, by which a head may begin before its column where no label is in its way."""
FLUSH = 3.0
"""Points."""
WIDER = 3.5
"""Of the type's size, by which a head may stick out of its columns."""
LOOSE = 1.6
"""Of the type's size; lines of capitals that stand farther above the heads are a title."""
NEAR_HEAD = 2.9
"""Of the type's size, between the baselines of heads."""
LONGEST_UNITS = 200
"""Characters."""
UNITS = re.compile(
    r"\(?\s*(?:(?:all |dollar |share )*(?:amounts?|dollars?|figures|shares|US\$|\$|€|£|USD|EUR|GBP|CHF)[\w ,]*? )?"
    r"(?:expressed |stated |shown )?in (?:[\w.$€£’' ]*?\b)?"
    r"(?:thousands?|millions?|billions?|percent|per ?cent|dollars|euros?|pounds|USD|EUR|GBP|CHF|%|\$|€|£)\b.*",
    re.IGNORECASE,
)


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
    at = above = 0
    while at < len(rows):
        if not _is_data(rows[at]):
            at += 1
            continue
        last = _end(rows, at)
        table = _table(rows, above, at, last, rules)
        if table is not None:
            tables.append(table)
            above = last + 1
        at = last + 1
    return tables


def is_units(text: str) -> bool:
    """Whether a cell says in what a table is measured.

    >>> is_units("(In millions, except per share amounts)"), is_units("Investments in bonds")
    (True, False)
    """
    return len(text) <= LONGEST_UNITS and UNITS.match(text) is not None


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
    heads = _head_rows(rows, above, at, columns, edge, rules)
    first = heads[0] if heads else at
    stretch = [place for place in range(first, at) if place not in heads]
    corner, units, unaudited, levels, period = _levels(rows, heads, columns, edge)
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
    flush = left is not None and abs(first.x0 - left) <= FLUSH
    return int(len(row.cells) > 1 and (not first.figure or flush or (first.dated and left is None)))


def _summed(row: Row, columns: Sequence[Column], rules: Sequence[Rule]) -> bool:
    """Whether a rule stands above the values of a row, and not above its label."""
    top = row.y - 0.7 * row.size
    return any(
        rule.flat
        and -0.9 * row.size <= rule.y0 - top <= 0.3 * row.size
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


def _head_rows(
    rows: Sequence[Row], above: int, at: int, columns: Sequence[Column], edge: float, rules: Sequence[Rule]
) -> list[int]:
    """The places of the rows above the first row of figures that hold heads, from top to bottom."""
    heads: list[int] = []
    labels = 0
    right = columns[-1].x1
    for place in range(at - 1, max(above, at - MOST_HEADS - MOST_LABELS) - 1, -1):
        row, below = rows[place], rows[place + 1]
        if below.y - row.y > NEAR_HEAD * max(row.size, below.size):
            break
        label, values = _head_cells(row, columns, edge)
        if _is_title(rows, place, columns, rules) and not (label is not None and is_units(label.text)):
            break
        if (values and _fit(values, columns, right) and (label is None or label.x1 < edge + label.size)) or (
            label is not None and not values and (is_units(label.text) or (heads and _beside(label, rows, heads)))
        ):
            heads.insert(0, place)
        elif label is not None and not values and label.x1 < right and not heads and labels < MOST_LABELS:
            labels += 1
        else:
            break
    return heads


def _head_cells(row: Row, columns: Sequence[Column], edge: float) -> tuple[Cell | None, tuple[Cell, ...]]:
    """A line of heads parted in what stands above the labels and above the values."""
    first = row.cells[0]
    above_values = first.x0 > edge or first.x0 >= columns[0].x0 - WIDER * first.size
    return (None, row.cells) if above_values else (first, row.cells[1:])


def _fit(values: Sequence[Cell], columns: Sequence[Column], right: float) -> bool:
    """Whether cells can be heads of columns: within them, and none a sentence."""
    return values[-1].x1 <= right + WIDER * values[-1].size and all(len(cell.words) <= LONGEST_HEAD for cell in values)


def _is_title(rows: Sequence[Row], place: int, columns: Sequence[Column], rules: Sequence[Rule]) -> bool:
    """Whether a line of one cell stands above a table without being a head: units, a title, an underlined line."""
    row = rows[place]
    if len(row.cells) > 1:
        return False
    cell, below = row.cells[0], rows[place + 1]
    if is_units(cell.text):
        return len(overlapped(cell, columns)) != 1 or len(rows[place - 1].cells) < 2
    underlined = any(
        rule.flat and 0 <= rule.y0 - row.y <= 3 and abs(rule.x0 - cell.x0) < 3 and abs(rule.x1 - cell.x1) < 3
        for rule in rules
    )
    loose = below.y - row.y > LOOSE * max(row.size, below.size)
    return underlined or (loose and cell.text.isupper()) or row.size > 1.2 * below.size


def _beside(label: Cell, rows: Sequence[Row], heads: Sequence[int]) -> bool:
    """Whether a cell above the labels is a line of a head that goes on below."""
    below = rows[heads[0]].cells[0]
    return abs(below.x0 - label.x0) < 2.0 and below.bold == label.bold


def _levels(
    rows: Sequence[Row], heads: Sequence[int], columns: Sequence[Column], edge: float
) -> tuple[str, str, bool, list[tuple[Cell, ...]], Cell | None]:
    """Head of the labels, units, whether it is unaudited, lines of heads of values, period of all rows."""
    corner: list[str] = []
    period: Cell | None = None
    units, unaudited = "", False
    levels: list[tuple[Cell, ...]] = []
    for place in heads:
        label, values = _head_cells(rows[place], columns, edge)
        if label is not None:
            text = label.text
            if "(unaudited)" in text.casefold():
                unaudited, text = True, re.sub(r"\(unaudited\)", "", text, flags=re.IGNORECASE).strip()
            if is_units(text):
                units = text.strip("() ")
            elif place == heads[-1] and len(heads) > 1 and is_period(text) and any(map(str.isdigit, text)):
                period = label
            elif text:
                corner.append(text)
        if values:
            levels.append(values)
    return " ".join(corner), units, unaudited, levels, period
