"""Numbers of any range as dots with 95% whiskers, each with its words beside it: slices and levels of an attribute."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from core.domain.estimates import Estimate
from pages.kit.look import theme

LABEL: Final = 38
"""Characters of a line of a label; longer ones take two."""
ROW: Final = 44
ROOM: Final = 230
"""Pixels for the words beside the dots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One row.

    Attributes:
        label: What the number is of.
        value: The number with its interval; drawn as a word where there is none.
        figure: The number as it is written.
        note: n and whatever else stands under it.
        colour: A key of `theme.COLOURS`.
        symbol: Of the mark, so that colour is not alone.
        id: What a click on it returns; the label when empty.
    """

    label: str
    value: Estimate
    figure: str
    note: str
    colour: str = "accent"
    symbol: str = "circle"
    id: str = ""


def figure(
    rows: Sequence[Dot], *, axis: str, line: float, line_name: str = "", span: tuple[float, float] | None = None
) -> go.Figure:
    """The rows top to bottom, with a dotted line where nothing differs.

    Args:
        rows: At least one.
        axis: What the numbers are, with their unit.
        line: Where the line is.
        line_name: What the line stands for.
        span: The axis; as wide as the widest whisker where it is not given.
    """
    dot_figure = go.Figure()
    for place, row in enumerate(rows):
        _mark(dot_figure, place, row)
    low, high = span or _span(rows, line)
    dot_figure.add_vline(x=line, line={"color": theme.ink("faint"), "dash": "dot", "width": 1})
    if line_name:
        dot_figure.add_annotation(
            x=line,
            y=1,
            yref="paper",
            yanchor="bottom",
            text=line_name,
            showarrow=False,
            font={"size": 11, "color": theme.ink("faint")},
        )
    dot_figure.update_layout(
        height=84 + ROW * len(rows),
        margin={"t": 30, "r": ROOM},
        xaxis={"range": [low, high], "title": axis, "zeroline": False},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": [wrapped(row.label) for row in rows],
            "range": [len(rows) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
            "tickfont": {"color": theme.ink("text"), "size": 13},
        },
    )
    return dot_figure


def wrapped(label: str) -> str:
    """A label in at most two lines, with nothing in it that a chart reads as markup.

    >>> wrapped("Form: long, and Template: <b>how much</b> is paid for a card in each month of the year by a client")
    'Form: long, and Template: &lt;b&gt;how<br>much&lt;/b&gt; is paid for a card in each…'
    """
    lines = textwrap.wrap(label, LABEL, max_lines=2, placeholder="…") or [""]
    return "<br>".join(line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for line in lines)


def _mark(dot_figure: go.Figure, place: int, row: Dot) -> None:
    value = row.value.value
    if value is not None:
        low = value if row.value.low is None else row.value.low
        high = value if row.value.high is None else row.value.high
        dot_figure.add_scatter(
            x=[value],
            y=[place],
            mode="markers",
            marker={
                "size": 12,
                "color": theme.COLOURS[row.colour],
                "symbol": row.symbol,
                "line": {"color": theme.ink("text"), "width": 1},
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [high - value],
                "arrayminus": [value - low],
                "color": theme.ink("text"),
                "thickness": 1.5,
                "width": 6,
            },
            customdata=[[row.id or row.label, wrapped(row.label), row.figure, row.note]],
            hovertemplate="<b>%{customdata[1]}</b><br>%{customdata[2]}<br>%{customdata[3]}<extra></extra>",
            showlegend=False,
        )
    dot_figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="left",
        xshift=8,
        y=place,
        align="left",
        showarrow=False,
        text=f"{row.figure}<br><span style='color:{theme.ink('faint')}'>{row.note}</span>",
        font={"size": 12, "color": theme.ink("text")},
    )


def _span(rows: Sequence[Dot], line: float) -> tuple[float, float]:
    ends = [line, *(end for row in rows for end in (row.value.value, row.value.low, row.value.high) if end is not None)]
    room = 0.06 * (max(ends) - min(ends)) or 0.1
    return min(ends) - room, max(ends) + room
