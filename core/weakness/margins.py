"""What the two margins of a map explain of its cells, and means shrunken towards that."""

from __future__ import annotations

import numpy as np

from core.weakness.table import Bools, Floats, Ints

Bounds = tuple[float | None, float | None]
"""Least and greatest value of a score, None where there is none."""

SWEEPS = 60
"""Of fitting rows and columns in turn; the fit stands still long before."""
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
    there = (weights > 0) & ~np.isnan(means)
    if not there.any():
        return np.full(means.shape, np.nan)
    used, y = np.where(there, weights, 0.0), np.where(there, means, 0.0)
    overall = float((used * y).sum() / used.sum())
    of_row, of_column = np.zeros(int(rows.max()) + 1), np.zeros(int(columns.max()) + 1)
    in_row = np.bincount(rows, weights=used)
    in_column = np.bincount(columns, weights=used)
    for _ in range(SWEEPS):
        left = used * (y - overall - of_column[columns])
        fresh = np.bincount(rows, weights=left) / np.where(in_row > 0, in_row, 1.0)
        left = used * (y - overall - fresh[rows])
        of_column = np.bincount(columns, weights=left) / np.where(in_column > 0, in_column, 1.0)
        moved = float(np.abs(fresh - of_row).max())
        of_row = fresh
        if moved < STILL:
            break
    known = (in_row[rows] > 0) | (in_column[columns] > 0)
    return np.where(known, overall + of_row[rows] + of_column[columns], np.nan)


def shrunken(means: Floats, weights: Floats, expected: Floats, noise: float) -> Floats:
    r"""Means drawn towards what the margins say, the more the fewer cases stand behind them.

    .. math:: \tilde y_c = \frac{w_c \tau^2 \bar y_c + \sigma^2 e_c}{w_c \tau^2 + \sigma^2}

    with the expected :math:`e_c`, the variance of a case :math:`\sigma^2` and the variance :math:`\tau^2` of true cell
    means around the margins, estimated from the cells themselves by moments (DerSimonian and Laird 1986); where the
    cells differ no more than chance makes them, :math:`\tau^2 = 0` and each is what the margins say.

    Args:
        means: Of the cells, NaN where there is none.
        weights: Independent cases that each is worth, shape (cells,).
        expected: What the margins say.
        noise: Standard deviation of a case.
    """
    there = ~np.isnan(means) & ~np.isnan(expected) & (weights > 0)
    variance = noise**2
    if not there.any() or variance == 0.0:
        return means.copy()
    free = max(int(there.sum()) - 1, 1)
    off = (weights[there] * (means[there] - expected[there]) ** 2).sum()
    spread = weights[there].sum() - (weights[there] ** 2).sum() / weights[there].sum()
    true = max((off - free * variance) / spread, 0.0) if spread > 0 else 0.0
    pull = np.where(there, weights * true, 0.0)
    with np.errstate(invalid="ignore"):
        mixed = (pull * means + variance * expected) / (pull + variance)
    return np.where(there, mixed, means)


def left_out(means: Floats, weights: Floats, rows: Ints, columns: Ints, cell: int, bounds: Bounds) -> Floats:
    """What the other cells say of one: on the scale of the means, and on the log-odds scale where they have bounds.

    Returns:
        One or two predictions; empty where its row or its column has no other cell.
    """
    others: Bools = np.arange(means.size) != cell
    used = np.where(others & ~np.isnan(means), weights, 0.0)
    if not (used[rows == rows[cell]] > 0).any() or not (used[columns == columns[cell]] > 0).any():
        return np.empty(0)
    made = [additive(means, used, rows, columns)[cell]]
    if bounds[0] is not None and bounds[1] is not None:
        low, span = bounds[0], bounds[1] - bounds[0]
        # Half a case on either side keeps means at a bound finite.
        share = np.clip(((means - low) / span * weights + 0.5) / (weights + 1.0), 1e-9, 1 - 1e-9)
        odds = np.log(share / (1.0 - share))
        fitted = additive(odds, used * np.where(used > 0, share * (1.0 - share), 0.0), rows, columns)[cell]
        made.append(low + span / (1.0 + np.exp(-fitted)))
    return np.array(made)
