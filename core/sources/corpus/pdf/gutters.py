"""Columns of prose on a page, so that a line of one is not read on in the other."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from core.sources.corpus.pdf.rows import Row, rows_of
from core.sources.corpus.pdf.words import Word

FEWEST_LINES = 12
"""Lines of prose on each side from which on a gap parts columns of prose."""
LONG = 25
"""Characters; cells whose usual length is shorter are no prose."""
CROSSING = 0.25
"""Of the lines, that may run across both columns: titles, and tables over the whole page."""
STEP = 3.0
"""Points between the places that are tried."""


def in_columns(rows: Sequence[Row]) -> list[list[Row]]:
    """The rows of a page, those of each column of prose by themselves; first those that go across.

    A page without columns of prose is one part. Cells that stand side by side in the rows of a table are short, so a
    table in two columns is none of prose.

    Args:
        rows: From top to bottom.
    """
    x = _gutter(rows)
    if x is None:
        return [list(rows)]
    across: list[Row] = []
    left: list[Word] = []
    right: list[Word] = []
    for row in rows:
        if any(cell.x0 < x < cell.x1 for cell in row.cells):
            across.append(row)
            continue
        left += [word for word in row.words if word.x1 <= x]
        right += [word for word in row.words if word.x0 >= x]
    return [part for part in (across, rows_of(left), rows_of(right)) if part]


def _gutter(rows: Sequence[Row]) -> float | None:
    """Where the fewest lines run across, with lines of prose on both sides; None where there is no such place."""
    cells = [cell for row in rows for cell in row.cells]
    if len(cells) < 2 * FEWEST_LINES:
        return None
    x0, x1 = min(cell.x0 for cell in cells), max(cell.x1 for cell in cells)
    best: tuple[int, float] | None = None
    x = x0 + 0.3 * (x1 - x0)
    while x < x0 + 0.7 * (x1 - x0):
        before = [len(cell.text) for cell in cells if cell.x1 <= x]
        behind = [len(cell.text) for cell in cells if cell.x0 >= x]
        crossing = len(cells) - len(before) - len(behind)
        prose = min(len(before), len(behind)) >= FEWEST_LINES and min(median(before), median(behind)) >= LONG
        if prose and crossing <= CROSSING * len(cells) and (best is None or crossing < best[0]):
            best = (crossing, x)
        x += STEP
    return best[1] if best else None
