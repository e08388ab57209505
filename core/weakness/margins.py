"""The cell means that the two margins of a map explain, and means shrunk towards them."""

from __future__ import annotations

import numpy as np

from core.weakness.table import Bools, Floats, Ints

Bounds = tuple[float | None, float | None]
"""Least and greatest value of a score, None where there is none."""

SWEEPS = 60
"""The largest number of alternations between rows and columns; the fit converges long before."""
STILL = 1e-7


def additive(means: Floats, weights: Floats, rows: Ints, columns: Ints) -> Floats:
    r"""Each cell as overall mean plus row effect plus column effect, by weighted least squares.

    Args:
        means: Of the cells, shape (cells,); NaN where a cell has none.
        weights: Shape (cells,); a cell of weight 0 is predicted from the others.
        rows: Row of each cell, from 0.
        columns: Column of each cell, from 0.

    Returns:
        Shape (cells,), NaN where neither row nor column has another cell with a weight.
    """
    usable = (weights > 0) & ~np.isnan(means)
    if not usable.any():
        return np.full(means.shape, np.nan)
    fit_weights, y = np.where(usable, weights, 0.0), np.where(usable, means, 0.0)
    overall = float((fit_weights * y).sum() / fit_weights.sum())
    of_row, of_column = np.zeros(int(rows.max()) + 1), np.zeros(int(columns.max()) + 1)
    in_row = np.bincount(rows, weights=fit_weights)
    in_column = np.bincount(columns, weights=fit_weights)
    for _ in range(SWEEPS):
        residuals = fit_weights * (y - overall - of_column[columns])
        fresh = np.bincount(rows, weights=residuals) / np.where(in_row > 0, in_row, 1.0)
        residuals = fit_weights * (y - overall - fresh[rows])
        of_column = np.bincount(columns, weights=residuals) / np.where(in_column > 0, in_column, 1.0)
        moved = float(np.abs(fresh - of_row).max())
        of_row = fresh
        if moved < STILL:
            break
    predictable = (in_row[rows] > 0) | (in_column[columns] > 0)
    return np.where(predictable, overall + of_row[rows] + of_column[columns], np.nan)


def shrunken(means: Floats, weights: Floats, expected: Floats, noise: float) -> Floats:
    r"""Means shrunk towards the prediction of the margins, the more the fewer cases they have.

    .. math:: \tilde y_c = \frac{w_c \tau^2 \bar y_c + \sigma^2 e_c}{w_c \tau^2 + \sigma^2}

    with the expected :math:`e_c`, the variance of a case :math:`\sigma^2` and the variance :math:`\tau^2` of true cell
    means around the margins, estimated from the cells themselves by moments (DerSimonian and Laird 1986); where the
    cells differ no more than by chance, :math:`\tau^2 = 0` and each is the prediction of the margins.

    Args:
        means: Of the cells, NaN where there is none.
        weights: Independent cases that each is worth, shape (cells,).
        expected: The prediction of the margins.
        noise: Standard deviation of a case.
    """
    usable = ~np.isnan(means) & ~np.isnan(expected) & (weights > 0)
    variance = noise**2
    if not usable.any() or variance == 0.0:
        return means.copy()
    free = max(int(usable.sum()) - 1, 1)
    off = (weights[usable] * (means[usable] - expected[usable]) ** 2).sum()
    scale = weights[usable].sum() - (weights[usable] ** 2).sum() / weights[usable].sum()
    true = max((off - free * variance) / scale, 0.0) if scale > 0 else 0.0
    pull = np.where(usable, weights * true, 0.0)
    with np.errstate(invalid="ignore"):
        mixed = (pull * means + variance * expected) / (pull + variance)
    return np.where(usable, mixed, means)


def left_out(means: Floats, weights: Floats, rows: Ints, columns: Ints, cell: int, bounds: Bounds) -> Floats:
    """The other cells' prediction of one: on the scale of the means, and on the log-odds scale where they have bounds.

    Returns:
        One or two predictions; empty where its row or its column has no other cell.
    """
    other_cells: Bools = np.arange(means.size) != cell
    fit_weights = np.where(other_cells & ~np.isnan(means), weights, 0.0)
    if not (fit_weights[rows == rows[cell]] > 0).any() or not (fit_weights[columns == columns[cell]] > 0).any():
        return np.empty(0)
    predictions = [additive(means, fit_weights, rows, columns)[cell]]
    if bounds[0] is not None and bounds[1] is not None:
        low, span = bounds[0], bounds[1] - bounds[0]
        # Half a case on either side keeps means at a bound finite.
        share = np.clip(((means - low) / span * weights + 0.5) / (weights + 1.0), 1e-9, 1 - 1e-9)
        odds = np.log(share / (1.0 - share))
        log_odds = additive(odds, fit_weights * np.where(fit_weights > 0, share * (1.0 - share), 0.0), rows, columns)[
            cell
        ]
        predictions.append(low + span / (1.0 + np.exp(-log_odds)))
    return np.array(predictions)
