"""The colours of the heatmap: one perceptual scale, its range, a readable ink on each colour, and the colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final

import numpy as np
import plotly.graph_objects as go
from plotly.colors import get_colorscale, sample_colorscale

from core.weakness import ScoreColumn
from core.weakness.table import Floats
from pages.analyse.weakness import words
from pages.kit.look import theme

SCALE: Final = get_colorscale("cividis")
STEPS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A value marked in the colour bar."""

    value: float
    name: str


def span(score: ScoreColumn, values: Sequence[float]) -> tuple[float, float]:
    """The range of the colours: round the values shown, and at least half of what the score can be.

    >>> span(ScoreColumn(name="verdict", values=np.empty(0)), [0.62, 0.81])
    (0.5, 1.0)
    """
    known = [value for value in values if not np.isnan(value)]
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if score.low is None or score.high is None:
        return (low, high) if high > low else (low - 0.5, high + 0.5)
    width = score.high - score.low
    step = width / 10
    low = score.low + step * np.floor((low - score.low) / step + 1e-9)
    high = score.low + step * np.ceil((high - score.low) / step - 1e-9)
    while high - low < 0.5 * width - 1e-9:
        low, high = max(score.low, low - step), min(score.high, high + step)
        if high - low < 0.5 * width - 1e-9 and low == score.low:
            high = min(score.high, score.low + 0.5 * width)
        if high - low < 0.5 * width - 1e-9 and high == score.high:
            low = max(score.low, score.high - 0.5 * width)
    return round(float(low), 9), round(float(high), 9)


def scale(score: ScoreColumn) -> list[Any]:
    """Bright is good, whichever way the score runs."""
    if score.higher_is_better:
        return list(SCALE)
    return [[1.0 - place, colour] for place, colour in reversed(SCALE)]


def ink(value: float, ends: tuple[float, float], score: ScoreColumn) -> str:
    """White or black, whichever reads better on the colour of a value."""
    if np.isnan(value):
        return theme.ink("text")
    place = min(max((value - ends[0]) / (ends[1] - ends[0]), 0.0), 1.0)
    return _INKS[round((place if score.higher_is_better else 1.0 - place) * STEPS)]


def _inks() -> tuple[str, ...]:
    made = []
    for colour in sample_colorscale(SCALE, [step / STEPS for step in range(STEPS + 1)], colortype="tuple"):
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        made.append("#111111" if (luminance + 0.05) / 0.056 > 1.05 / (luminance + 0.05) else "#FFFFFF")
    return tuple(made)


_INKS: Final = _inks()


def _ticks(ends: tuple[float, float], score: ScoreColumn) -> Floats:
    if score.low is None or score.high is None:
        return np.linspace(*ends, 6, dtype=np.float64)
    tenth = (score.high - score.low) / 10
    step = tenth if ends[1] - ends[0] < 6.5 * tenth else 2 * tenth
    made: Floats = score.low + step * np.arange(11, dtype=np.float64)
    return made[(made >= ends[0] - 1e-9) & (made <= ends[1] + 1e-9)]


def bar(figure: go.Figure, ends: tuple[float, float], score: ScoreColumn, lines: Sequence[Line], measure: str) -> None:
    """The colour bar as a picture of its own, so that lines in it stand where they belong."""
    steps = np.linspace(*ends, 101)
    middles = (steps[:-1] + steps[1:]) / 2
    figure.add_heatmap(
        z=middles[:, None],
        x=[0, 1],
        y=steps,
        xaxis="x2",
        yaxis="y2",
        zmin=ends[0],
        zmax=ends[1],
        colorscale=scale(score),
        showscale=False,
        hoverinfo="skip",
    )
    ticks = _ticks(ends, score)
    apart = (ends[1] - ends[0]) * 0.035
    kept = [tick for tick in ticks if all(abs(tick - line.value) > apart for line in lines)]
    figure.update_layout(
        xaxis2={"domain": [0.96, 0.975], "visible": False, "range": [0, 1], "fixedrange": True},
        yaxis2={
            "range": list(ends),
            "side": "right",
            "anchor": "x2",
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
            "tickvals": kept,
            "ticktext": [words.value(float(tick)) for tick in kept],
            "title": {"text": f"{escape(measure)} (bright is good)", "standoff": 30},
            "showline": False,
        },
    )
    for line in lines:
        if ends[0] <= line.value <= ends[1]:
            # A light line on a dark edge, or the other way round, is seen on every colour of the bar.
            for ink, width in (("paper", 5), ("text", 2)):
                figure.add_shape(
                    type="line",
                    xref="x2",
                    yref="y2",
                    x0=-0.6,
                    x1=1.6,
                    y0=line.value,
                    y1=line.value,
                    line={"color": theme.ink(ink), "width": width},
                )
            figure.add_annotation(
                xref="paper",
                yref="y2",
                x=0.975,
                xshift=6,
                y=line.value,
                xanchor="left",
                showarrow=False,
                align="left",
                text=f"<b>{words.value(line.value)}</b> {escape(line.name)}",
                font={"size": 11, "color": theme.ink("text")},
            )
