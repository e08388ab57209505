"""How the scores of each level are spread: violins or boxes, of all cases."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import plotly.graph_objects as go

from core.weakness import CaseTable, Marginal
from core.weakness.table import Floats, Ints
from pages.kit.look import theme

GRID: Final = 96
"""Steps of the curve of a violin."""


LEAST_WIDE: Final = 0.01
"""Of its widest part, where the curve of a violin ends."""


def _shape() -> dict[str, Any]:
    return {"color": theme.ink("faint"), "width": 1}


def violins(figure: go.Figure, marginal: Marginal, cases: CaseTable, levels: Ints) -> None:
    """Curves of all cases, not only of those drawn as points."""
    low, high = _ends(cases)
    grid = np.linspace(low, high, GRID)
    curves = density(marginal, cases, levels, (low, high))
    most = max(float(curves.max(initial=0.0)), 1e-12)
    x: list[float | None] = []
    y: list[float | None] = []
    for place, curve in enumerate(curves):
        some = np.flatnonzero(curve > LEAST_WIDE * most)
        if some.size:
            part = slice(int(some[0]), int(some[-1]) + 1)
            along, wide = grid[part], 0.42 * curve[part] / most
            x += [*along, *along[::-1], float(along[0]), None]
            y += [*(place - wide), *(place + wide)[::-1], float(place - wide[0]), None]
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        fill="toself",
        fillcolor="rgba(86,180,233,0.22)",
        line=_shape(),
        hoverinfo="skip",
        showlegend=False,
        name="violins",
    )


def density(marginal: Marginal, cases: CaseTable, levels: Ints, ends: tuple[float, float]) -> Floats:
    """How often scores lie where, for each level; each curve has its own peak at 1.

    A histogram of all scored cases, smoothed by a normal curve of Silverman's width that is mirrored at the ends.

    Returns:
        Shape (levels, GRID).
    """
    scored = np.flatnonzero(cases.scored & (marginal.attribute.codes >= 0))
    values, codes = cases.score.values[scored], marginal.attribute.codes[scored]
    step = (ends[1] - ends[0]) / (GRID - 1)
    bins = np.clip(np.round((values - ends[0]) / step), 0, GRID - 1).astype(np.int64)
    counts = np.bincount(codes * GRID + bins, minlength=len(marginal.attribute.levels) * GRID).reshape(-1, GRID)[levels]
    made = np.zeros(counts.shape)
    places = np.arange(GRID)
    for row, count in enumerate(counts):
        n = count.sum()
        if n < 2:
            continue
        mean = (count * places).sum() / n
        spread = np.sqrt((count * (places - mean) ** 2).sum() / n)
        width = max(0.9 * spread * n**-0.2, 1.0)
        off = places[:, None] - places[None, :]
        kernel = sum(
            np.exp(-0.5 * ((places[:, None] - mirrored[None, :]) / width) ** 2)
            for mirrored in (-places - 1, 2 * GRID - 1 - places)
        ) + np.exp(-0.5 * (off / width) ** 2)
        curve = kernel @ count
        made[row] = curve / curve.max()
    return made


def _ends(cases: CaseTable) -> tuple[float, float]:
    values = cases.score.values[cases.scored]
    low = cases.score.low if cases.score.low is not None else float(values.min(initial=0.0))
    high = cases.score.high if cases.score.high is not None else float(values.max(initial=0.0))
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def boxes(figure: go.Figure, marginal: Marginal, cases: CaseTable, levels: Ints) -> None:
    """Quartiles of all cases; whiskers to the farthest within one and a half times their distance (Tukey)."""
    for place, level in enumerate(levels.tolist()):
        values = cases.score.values[(marginal.attribute.codes == level) & cases.scored]
        if not values.size:
            continue
        low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
        reach = 1.5 * (high - low)
        figure.add_box(
            y=[place],
            q1=[low],
            median=[middle],
            q3=[high],
            orientation="h",
            width=0.6,
            lowerfence=[values[values >= low - reach].min()],
            upperfence=[values[values <= high + reach].max()],
            line=_shape(),
            fillcolor="rgba(86,180,233,0.22)",
            hoverinfo="skip",
            showlegend=False,
        )
