"""What the heatmap of two attributes shows: which levels, and a square for each cell and each mean beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from core.weakness import Parts, ScoreColumn, WeaknessMap
from core.weakness.table import Floats, Ints
from pages.analyse.weakness import words
from pages.analyse.weakness.attributes import frames

MOST_ROWS: Final = 40
MOST_COLUMNS: Final = 25
"""Levels of the picture; the table has all."""

GAP: Final = 0.3
"""Between the cells and the row of means, in cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The levels that are drawn, in the order they stand.

    Attributes:
        rows: Levels of the first attribute, top to bottom.
        columns: Levels of the second, left to right.
    """

    rows: Ints
    columns: Ints


def chosen(weakness_map: WeaknessMap, score: ScoreColumn) -> Chosen:
    """The levels of the picture: those with weak cells, the worst tested, the largest.

    They stand with the worst first, bins of a number in their order.
    """
    sign = score.sign
    weak, effect = weakness_map.cells.weak, weakness_map.cells.effect
    return Chosen(
        rows=_levels(
            weakness_map.by_row, weakness_map.row[weak], effect[weak], weakness_map.rows.ordered, MOST_ROWS, sign
        ),
        columns=_levels(
            weakness_map.by_column,
            weakness_map.column[weak],
            effect[weak],
            weakness_map.columns.ordered,
            MOST_COLUMNS,
            sign,
        ),
    )


def _levels(parts: Parts, weak: Ints, effect: Floats, ordered: bool, most: int, sign: float) -> Ints:
    worst = np.full(parts.n.size, -np.inf)
    np.maximum.at(worst, weak, effect)
    some = frames.pictured(parts, worst, most)
    if ordered:
        return np.sort(some).astype(np.int64)
    mean = np.where(np.isnan(parts.mean[some]), np.inf, sign * parts.mean[some])
    return some[np.lexsort((-parts.n[some], mean))].astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """One square of the picture.

    Attributes:
        x, y: Where it stands.
        id: What a click returns: "row:column" by number, "row:" or ":column" for a margin.
        name: For the hover.
        parts: Where its figures are.
        at: Its number there.
        colour: The value its colour shows, the mean that is written in it; NaN for none.
        mark: A key of `weakness_words.MARKS`.
        note: More for the hover.
    """

    x: float
    y: float
    id: str
    name: str
    parts: Parts
    at: int
    colour: float
    mark: str
    note: str = ""


def squares(weakness_map: WeaknessMap, levels: Chosen) -> list[Square]:
    """Cells that have cases, and the means of rows and columns; the colour of each is the mean that stands in it."""
    column_of = {int(level): x for x, level in enumerate(levels.columns)}
    row_of = {int(level): y for y, level in enumerate(levels.rows)}
    mark = frames.marks(weakness_map.cells, weakness_map.compound)
    inside = np.flatnonzero(np.isin(weakness_map.row, levels.rows) & np.isin(weakness_map.column, levels.columns))
    all_squares = [
        Square(
            x=column_of[int(weakness_map.column[at])],
            y=row_of[int(weakness_map.row[at])],
            id=f"{weakness_map.row[at]}:{weakness_map.column[at]}",
            name=words.cell_name(weakness_map, at),
            parts=weakness_map.cells,
            at=at,
            colour=float(weakness_map.cells.mean[at]),
            mark=mark[at],
            note=f"row and column explain {words.value(float(weakness_map.explained[at]))}; "
            f"best guess from both {words.value(float(weakness_map.shrunken[at]))}",
        )
        for at in inside.tolist()
    ]
    of_rows, of_columns = frames.marks(weakness_map.by_row), frames.marks(weakness_map.by_column)
    margin = len(levels.columns) + gap(len(levels.columns))
    all_squares += [
        Square(
            x=margin,
            y=y,
            id=f"{level}:",
            name=weakness_map.rows.levels[level],
            parts=weakness_map.by_row,
            at=int(level),
            colour=float(weakness_map.by_row.mean[level]),
            mark=of_rows[level],
        )
        for y, level in enumerate(levels.rows)
    ]
    all_squares += [
        Square(
            x=x,
            y=len(levels.rows) + GAP,
            id=f":{level}",
            name=weakness_map.columns.levels[level],
            parts=weakness_map.by_column,
            at=int(level),
            colour=float(weakness_map.by_column.mean[level]),
            mark=of_columns[level],
        )
        for x, level in enumerate(levels.columns)
    ]
    return all_squares


def gap(columns: int) -> float:
    """Between the cells and the column of means, in cells: as wide as the other in pixels."""
    return 0.02 * (columns + 1)
