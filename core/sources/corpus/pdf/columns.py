"""Columns of a table that has no rules: figures that stand below each other, and the cells of each row in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.sources.corpus.pdf.rows import Cell, Row

EDGES = 0.8
"""Of the type's size; right edges of figures that are closer belong to one column."""


@dataclass(frozen=True, slots=True)
class Column:
    """The place of a column of values, from its leftmost sign to its rightmost."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Half way between the edges."""
        return (self.x0 + self.x1) / 2


def columns_of(rows: Sequence[Sequence[Cell]], size: float) -> list[Column]:
    """The columns of values, from left to right.

    Right edges tell columns of figures apart; two groups of them are one column where they overlap and no row has both.
    Other cells join the column that they overlap, or make columns of their own.

    Args:
        rows: The cells of each row, without its label.
        size: Of the type, in points.
    """
    figures = [(cell, place) for place, row in enumerate(rows) for cell in row if cell.figure]
    groups: list[list[tuple[Cell, int]]] = []
    for cell, place in sorted(figures, key=lambda item: item[0].x1):
        if groups and cell.x1 - groups[-1][-1][0].x1 <= EDGES * size:
            groups[-1].append((cell, place))
        else:
            groups.append([(cell, place)])
    groups = _merged(groups)
    columns = [_column(cell for cell, _ in group) for group in groups]
    others = [cell for row in rows for cell in row if not cell.figure and not overlapped(cell, columns)]
    apart: list[list[Cell]] = []
    for cell in sorted(others, key=lambda cell: cell.x0):
        if apart and cell.x0 <= max(other.x1 for other in apart[-1]):
            apart[-1].append(cell)
        else:
            apart.append([cell])
    return sorted([*columns, *(_column(group) for group in apart)], key=lambda column: column.x0)


def overlapped(cell: Cell, columns: Sequence[Column]) -> list[int]:
    """The places of the columns that a cell overlaps."""
    return [place for place, column in enumerate(columns) if cell.x0 < column.x1 and column.x0 < cell.x1]


def place_of(cell: Cell, columns: Sequence[Column]) -> int:
    """The place of the column that a cell belongs to: that which it overlaps most, else the nearest by right edge."""

    def distance(place: int) -> tuple[float, float]:
        column = columns[place]
        shared = min(cell.x1, column.x1) - max(cell.x0, column.x0)
        return -max(shared, 0.0), abs(cell.x1 - column.x1)

    return min(range(len(columns)), key=distance)


def value_cells(row: Row, edge: float) -> tuple[Cell | None, tuple[Cell, ...]]:
    """A row's label and its values: the label is what begins left of the values.

    Args:
        row: The row.
        edge: Left edge of the leftmost value of the table, or infinity where it is not known yet.
    """
    first = row.cells[0]
    if first.x0 < edge and (not first.figure or first.dated or first.x1 < edge):
        return first, row.cells[1:]
    return None, row.cells


def _merged(groups: list[list[tuple[Cell, int]]]) -> list[list[tuple[Cell, int]]]:
    merged: list[list[tuple[Cell, int]]] = []
    for group in groups:
        if merged:
            before, column = _column(cell for cell, _ in merged[-1]), _column(cell for cell, _ in group)
            apart = {place for _, place in merged[-1]}.isdisjoint(place for _, place in group)
            if apart and column.x0 < before.x1:
                merged[-1] += group
                continue
        merged.append(list(group))
    return merged


def _column(cells: Iterable[Cell]) -> Column:
    listed = list(cells)
    return Column(min(cell.x0 for cell in listed), max(cell.x1 for cell in listed))
