"""The lines above a table of figures that hold its heads, and those that hold its title or its units."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.sources.corpus.pdf.rows import Cell, Row
from core.sources.corpus.pdf.tables.columns import Column, overlapped
from core.sources.corpus.pdf.tables.labels import is_period
from core.sources.corpus.pdf.words import Rule

MOST_GROUPS = 4
"""Labels of groups between the heads and the first row of figures."""
MOST_HEADS = 9
LONGEST_HEAD = 14
"""Words."""
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


def is_units(text: str) -> bool:
    """Whether a cell says in what a table is measured.

    >>> is_units("(In millions, except per share amounts)"), is_units("Investments in bonds")
    (True, False)
    """
    return len(text) <= LONGEST_UNITS and not text.endswith(":") and UNITS.match(text) is not None


def head_rows(
    rows: Sequence[Row], above: int, at: int, columns: Sequence[Column], edge: float, rules: Sequence[Rule]
) -> list[int]:
    """The places of the rows above the first row of figures that hold heads, from top to bottom."""
    heads: list[int] = []
    labels = 0
    right = columns[-1].x1
    for place in range(at - 1, max(above, at - MOST_HEADS - MOST_GROUPS) - 1, -1):
        row, below = rows[place], rows[place + 1]
        if below.y - row.y > NEAR_HEAD * max(row.size, below.size):
            break
        label, values = _head_cells(row, columns, edge)
        if label is not None and len(label.words) > LONGEST_HEAD:
            break
        if _is_title(rows, place, columns, rules) and not (label is not None and is_units(label.text)):
            break
        if (values and _fit(values, columns, right) and (label is None or label.x1 < columns[0].x0 + label.size)) or (
            label is not None and not values and (is_units(label.text) or (heads and _beside(label, rows, heads)))
        ):
            heads.insert(0, place)
        elif label is not None and not values and label.x1 < right and not heads and labels < MOST_GROUPS:
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
    return values[-1].x1 <= right + WIDER * values[-1].size and all(
        len(cell.words) <= LONGEST_HEAD and not cell.text.endswith(":") for cell in values
    )


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


def head_levels(
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
