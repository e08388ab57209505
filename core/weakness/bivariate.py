"""Weakness over two attributes at once: the heatmap with its weak and compound cells (HCAT, 6.2)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from core.domain.errors import InvalidInput
from core.stats import benjamini_hochberg
from core.weakness.blocks import Blocks
from core.weakness.margins import additive, left_out, shrunken
from core.weakness.options import WeaknessOptions
from core.weakness.parts import Parts, least_effect, parts_of
from core.weakness.table import Attribute, Bools, CaseTable, Floats, Ints


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeaknessMap:
    """A score over two attributes; only pairs of levels that have cases are cells, any other is empty.

    Attributes:
        rows: The first attribute.
        columns: The second.
        row: Level of each cell in `rows`, shape (cells,).
        column: Level of each cell in `columns`, shape (cells,).
        cells: Their figures.
        explained: The mean of each cell that row and column predict, without interaction; shape (cells,).
        shrunken: The mean of each cell shrunk towards that, the more the fewer cases it has; shape (cells,).
        compound: Weak, and worse than row and column explain; shape (cells,).
        p_compound: Adjusted p-value of that, NaN where a cell is not weak; shape (cells,).
        by_row: The figures of each row by itself.
        by_column: The figures of each column by itself.
        codes: The cell of each case, -1 for none, shape (n,).
        outside: Cases that lack one of the attributes.
    """

    rows: Attribute
    columns: Attribute
    row: Ints
    column: Ints
    cells: Parts
    explained: Floats
    shrunken: Floats
    compound: Bools
    p_compound: Floats
    by_row: Parts
    by_column: Parts
    codes: Ints
    outside: int


def bivariate(table: CaseTable, rows: str, columns: str, options: WeaknessOptions | None = None) -> WeaknessMap:
    """Looks for weakness in the cells of two attributes.

    Each cell is compared with all other cases of the map. A weak cell is compound where it is worse, by at least the
    least effect, than the other cells of its row and column predict, with additive effects on the scale of the score
    and of its log-odds: a cell that either scale explains is not compound.

    Args:
        table: The cases.
        rows: Name of an attribute.
        columns: Name of another one.
        options: What counts as weak.

    Raises:
        InvalidInput: An attribute is not there, or both are the same.
    """
    if rows == columns:
        raise InvalidInput(f"Both attributes are {rows}.", "Choose two different ones.")
    options = options or WeaknessOptions()
    row_attribute, column_attribute = table.attribute(rows), table.attribute(columns)
    width = max(len(column_attribute.levels), 1)
    inside = (row_attribute.codes >= 0) & (column_attribute.codes >= 0)
    pairs, places = np.unique(row_attribute.codes[inside] * width + column_attribute.codes[inside], return_inverse=True)
    codes = np.full(len(table), -1, dtype=np.int64)
    codes[inside] = places
    row, column = pairs // width, pairs % width
    cells, blocks = parts_of(table.score, codes, table.clusters, pairs.size, options)
    weights = blocks.worth(pairs.size)
    explained = additive(cells.mean, weights, row, column) if pairs.size else np.empty(0)
    if table.score.low is not None or table.score.high is not None:
        explained = np.clip(explained, table.score.low, table.score.high)
    compound = _compound(table, cells, blocks, weights, row, column, options)
    return WeaknessMap(
        rows=row_attribute,
        columns=column_attribute,
        row=row,
        column=column,
        cells=cells,
        explained=explained,
        shrunken=shrunken(cells.mean, weights, explained, blocks.noise),
        compound=compound <= options.q,
        p_compound=compound,
        by_row=parts_of(
            table.score, np.where(inside, row_attribute.codes, -1), table.clusters, len(row_attribute.levels), options
        )[0],
        by_column=parts_of(
            table.score,
            np.where(inside, column_attribute.codes, -1),
            table.clusters,
            len(column_attribute.levels),
            options,
        )[0],
        codes=codes,
        outside=int((~inside).sum()),
    )


def _compound(
    table: CaseTable, cells: Parts, blocks: Blocks, weights: Floats, row: Ints, column: Ints, options: WeaknessOptions
) -> Floats:
    """Adjusted p-values of the weak cells against what the other cells explain.

    They are adjusted for every tested cell: weak ones were selected because they are low, partly by chance.
    """
    score = table.score
    bounds = (score.low, score.high)
    p_values = np.where(np.isnan(cells.p_value), np.nan, 1.0)
    for cell in np.flatnonzero(cells.weak).tolist():
        predicted = left_out(cells.mean, weights, row, column, cell, bounds)
        if not predicted.size:
            continue
        # The prediction that leaves least to be explained by the two together.
        expected = float(predicted.min() if score.higher_is_better else predicted.max())
        off = score.sign * (expected - float(cells.mean[cell]))
        if off < least_effect(score, options):
            continue
        other_cells = np.arange(row.size) != cell
        in_row = float(weights[(row == row[cell]) & other_cells].sum())
        in_column = float(weights[(column == column[cell]) & other_cells].sum())
        variance = blocks.noise**2 * (1.0 / weights[cell] + 1.0 / in_row + 1.0 / in_column)
        p_values[cell] = float(special.ndtr(-off / np.sqrt(variance))) if variance > 0 else 0.0
    return np.where(cells.weak, benjamini_hochberg(p_values), np.nan)
