"""Charts of a report as Plotly reads them: plain JSON, in the colours that mean the same on every page."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import Any, Final

from core.report.content import Chart, Series, Shape
from core.report.palette import COLOURS

INK, FAINT, LINE, PAPER = "#1B2631", "#55616D", "#D5DBE1", "#FFFFFF"
FONT: Final = "Source Sans 3, Source Sans Pro, Segoe UI, Helvetica Neue, Arial, sans-serif"
LABEL_WIDTH: Final = 34
"""Signs of a label after which it is broken."""

ROW, STACK, REST, SQUARE = 27, 30, 76, 380
"""Pixels of a row, of a bar, of axis and margins, and of a chart of curves."""

TEXT_LINE, GAP = 17, 8
"""Pixels of a line of a label, and between two labels."""


def plotly_figure(chart: Chart) -> dict[str, Any]:
    """The chart as ``{"data": [...], "layout": {...}}``."""
    draw = {Shape.INTERVALS: _intervals, Shape.STACKED: _stacked, Shape.CURVES: _curves}[chart.shape]
    return draw(chart)


def height_of(chart: Chart) -> int:
    """Its height in pixels."""
    if chart.shape is Shape.CURVES:
        return SQUARE
    names = dict.fromkeys(name for series in chart.series for name in series.x)
    of_each = [max(1, len(_wrapped(str(name)).split("<br>"))) for name in names]
    several = len(chart.series) > 1
    row = STACK if chart.shape is Shape.STACKED else ROW * 1.35 if several else ROW
    # Rows are as far apart as the two neighbours with the longest labels need.
    apart = max((TEXT_LINE * (one + next_one) / 2 + GAP for one, next_one in pairwise(of_each)), default=0)
    return int(max(sum(of_each) * row, len(of_each) * apart)) + REST + (26 if several else 0)


def escaped(text: str) -> str:
    """A text that Plotly shows as it is; it would read tags in it.

    >>> escaped("<b>bold</b> & more")
    '&lt;b&gt;bold&lt;/b&gt; &amp; more'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _wrapped(text: str) -> str:
    lines = textwrap.wrap(" ".join(text.split()), LABEL_WIDTH, break_long_words=True) or [""]
    return "<br>".join(escaped(line) for line in lines[:3]) + ("…" if len(lines) > 3 else "")


def _layout(chart: Chart) -> dict[str, Any]:
    axis = {
        "gridcolor": LINE,
        "linecolor": LINE,
        "zerolinecolor": LINE,
        "automargin": True,
        "tickfont": {"color": INK, "size": 12},
        "title": {"font": {"color": FAINT, "size": 12}, "standoff": 8},
        "fixedrange": False,
    }
    values = {**axis, "title": {**axis["title"], "text": escaped(chart.values)}}  # type: ignore[dict-item]
    if chart.low is not None and chart.high is not None:
        margin = 0.02 * (chart.high - chart.low) if chart.shape is not Shape.STACKED else 0.0
        values["range"] = [chart.low - margin, chart.high + margin]
    elif chart.low is not None:
        values["rangemode"] = "tozero"
    return {
        "height": height_of(chart),
        "paper_bgcolor": PAPER,
        "plot_bgcolor": PAPER,
        "font": {"family": FONT, "size": 12, "color": INK},
        "margin": {"l": 8, "r": 12, "t": 8, "b": 8},
        "showlegend": len(chart.series) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "traceorder": "normal"},
        "hoverlabel": {"bgcolor": PAPER, "bordercolor": LINE, "font": {"color": INK}},
        "xaxis": values,
        "yaxis": axis,
        "shapes": [],
    }


def _ends(series: Series, axis: str) -> dict[str, Any]:
    if not series.low:
        return {}
    above = [_gap(high, value) for high, value in zip(series.high, series.y, strict=True)]
    below = [_gap(value, low) for value, low in zip(series.y, series.low, strict=True)]
    bars = {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5, "width": 4}
    return {f"error_{axis}": {**bars, "color": COLOURS[series.colour]}}


def _gap(upper: float | None, lower: float | None) -> float:
    return 0.0 if upper is None or lower is None else max(0.0, upper - lower)


def _intervals(chart: Chart) -> dict[str, Any]:
    names = list(dict.fromkeys(str(name) for series in chart.series for name in series.x))
    layout = _layout(chart)
    # Places, not names: two levels may look alike once they are cut.
    places = {name: len(names) - 1 - place for place, name in enumerate(names)}
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": [places[name] for name in names],
        "ticktext": [_wrapped(name) for name in names],
        "range": [-0.6, len(names) - 0.4],
        "showgrid": False,
        "zeroline": False,
    }
    several = len(chart.series) > 1
    data = []
    for number, series in enumerate(chart.series):
        shift = (0.16 if number == 0 else -0.16) if several else 0.0
        texts = series.texts or tuple("" for _ in series.x)
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": escaped(series.name),
                "x": list(series.y),
                "y": [places[str(name)] + shift for name in series.x],
                "marker": {"color": COLOURS[series.colour], "size": 8, "symbol": ["circle", "diamond"][number % 2]},
                "customdata": [
                    [_wrapped(str(name)), escaped(text)] for name, text in zip(series.x, texts, strict=True)
                ],
                "hovertemplate": "%{customdata[0]}<br>%{x:.3f} %{customdata[1]}<extra></extra>",
                **_ends(series, "x"),
            }
        )
    if chart.reference is not None:
        layout["shapes"].append(_line(x=chart.reference))
    return {"data": data, "layout": layout}


def _line(*, x: float) -> dict[str, Any]:
    style = {"color": FAINT, "width": 1, "dash": "dot"}
    return {"type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1, "line": style}


def _stacked(chart: Chart) -> dict[str, Any]:
    names = list(dict.fromkeys(str(name) for series in chart.series for name in series.x))
    layout = _layout(chart) | {"barmode": "stack", "bargap": 0.35}
    places = {name: len(names) - 1 - place for place, name in enumerate(names)}
    layout["yaxis"] |= {
        "tickmode": "array",
        "tickvals": [places[name] for name in names],
        "ticktext": [_wrapped(name) for name in names],
        "showgrid": False,
    }
    data = []
    for series in chart.series:
        shown = [text if value and value >= 0.04 else "" for text, value in zip(series.texts, series.y, strict=True)]
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": escaped(series.name),
                "x": list(series.y),
                "y": [places[str(name)] for name in series.x],
                "text": [escaped(text) for text in shown],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "textfont": {"color": _on(COLOURS[series.colour]), "size": 12},
                "marker": {
                    "color": COLOURS[series.colour],
                    # An outline, not a hatch: what is printed keeps no hatches.
                    "line": {"color": INK, "width": 0.6},
                },
                "customdata": [escaped(text) for text in series.texts],
                "hovertemplate": f"{escaped(series.name)}: %{{customdata}} (%{{x:.2f}})<extra></extra>",
            }
        )
    return {"data": data, "layout": layout}


def _on(colour: str) -> str:
    """Black or white, whichever is read better on a colour.

    >>> _on("#0072B2"), _on("#F0E442")
    ('#FFFFFF', '#000000')
    """
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    channels = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    light = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    return "#000000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#FFFFFF"


def _curves(chart: Chart) -> dict[str, Any]:
    layout = _layout(chart)
    across, up = layout["xaxis"], layout["yaxis"]
    layout["yaxis"] = {**across}
    layout["xaxis"] = {**up, "title": {**up["title"], "text": escaped(chart.categories)}}
    if "range" in across:
        layout["xaxis"]["range"] = across["range"]
    if chart.diagonal:
        style = {"color": FAINT, "width": 1, "dash": "dot"}
        layout["shapes"].append({"type": "line", "x0": 0, "y0": 0, "x1": 1, "y1": 1, "line": style})
    data = [
        {
            "type": "scatter",
            "mode": "lines+markers" if series.line else "markers",
            "name": escaped(series.name),
            "x": list(series.x),
            "y": list(series.y),
            "marker": {"color": COLOURS[series.colour], "size": 8},
            "line": {"color": COLOURS[series.colour], "width": 1.5},
            "customdata": [escaped(text) for text in series.texts] or [""] * len(series.x),
            "hovertemplate": "%{x:.3f}: %{y:.3f} %{customdata}<extra></extra>",
            **_ends(series, "y"),
        }
        for series in chart.series
    ]
    return {"data": data, "layout": layout}
