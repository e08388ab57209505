"""Figures of metrics with a number in each cell: correlations of metrics or raters, a transport plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import plotly.graph_objects as go

from pages.kit.look import numbers, theme
from pages.kit.scores import lit_text

SCALE: Final = [[place / (len(lit_text.STEPS) - 1), colour] for place, colour in enumerate(lit_text.STEPS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One cell of a matrix.

    Attributes:
        value: The number, None where there is none.
        n: How many cases it rests on.
        id: What a click returns.
        note: Why there is no number, or what else the hover says.
    """

    value: float | None
    n: int
    id: str
    note: str = ""


def matrix(
    names: Sequence[str], cells: Sequence[Sequence[Cell]], *, title: str, measure: str = "Spearman"
) -> go.Figure:
    """Pairs of metrics or raters from -1 to 1, value and n in each cell; a click on a cell returns its id.

    Only the lower half is drawn: the upper one says the same. A cell without a value is hatched.
    """
    size = len(names)
    values = [[cells[row][column].value if column < row else None for column in range(size)] for row in range(size)]
    figure = go.Figure(
        go.Heatmap(
            z=values[1:],
            x=list(range(size - 1)),
            y=list(range(1, size)),
            zmin=-1,
            zmax=1,
            colorscale=SCALE,
            xgap=2,
            ygap=2,
            hoverinfo="skip",
            colorbar={
                "title": {"text": measure, "side": "right"},
                "thickness": 12,
                "outlinewidth": 0,
                "tickvals": [-1, -0.5, 0, 0.5, 1],
            },
        )
    )
    spots = [(row, column) for row in range(1, size) for column in range(row)]
    pairs = [cells[row][column] for row, column in spots]
    _hatch(figure, [spot for spot, cell in zip(spots, pairs, strict=True) if cell.value is None])
    # A heatmap takes no clicks: an unseen marker over each cell does, and carries the text in a readable ink.
    figure.add_scatter(
        x=[column for _, column in spots],
        y=[row for row, _ in spots],
        mode="markers+text",
        marker={"symbol": "square", "size": 34, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        text=[f"<b>{numbers.share(cell.value)}</b><br>n = {cell.n:,}" for cell in pairs],
        textfont={"size": 11, "color": [_ink_on(cell.value) for cell in pairs]},
        customdata=[
            [cell.id, escape(names[row]), escape(names[column]), escape(cell.note)]
            for cell, (row, column) in zip(pairs, spots, strict=True)
        ],
        hovertemplate="<b>%{customdata[1]}</b> and <b>%{customdata[2]}</b><br>%{customdata[3]}<extra></extra>",
        showlegend=False,
    )
    figure.update_layout(
        title={"text": escape(title), "y": 0.99, "yanchor": "top"},
        height=110 + max(46 * (size - 1), 60) + 60,
        margin={"t": 40},
        xaxis={
            "tickvals": list(range(size - 1)),
            "ticktext": [escape(name) for name in names[:-1]],
            "showgrid": False,
            "tickangle": -35,
            "zeroline": False,
            "tickfont": {"color": theme.ink("text"), "size": 12},
        },
        yaxis={
            "tickvals": list(range(1, size)),
            "ticktext": [escape(name) for name in names[1:]],
            "showgrid": False,
            "autorange": "reversed",
            "zeroline": False,
            "tickfont": {"color": theme.ink("text"), "size": 12},
        },
    )
    return figure


def _hatch(figure: go.Figure, spots: Sequence[tuple[int, int]]) -> None:
    """Hatches cells without a value: one trace, whose squares are parted by gaps."""
    if not spots:
        return
    corners = ((-0.48, -0.47), (0.48, -0.47), (0.48, 0.47), (-0.48, 0.47), (-0.48, -0.47))
    figure.add_scatter(
        x=[at for _, column in spots for at in (*(column + dx for dx, _ in corners), None)],
        y=[at for row, _ in spots for at in (*(row + dy for _, dy in corners), None)],
        mode="lines",
        fill="toself",
        fillpattern={
            "shape": "/",
            "size": 10,
            "solidity": 0.1,
            # Faint enough for the text in the cell.
            "fgopacity": 0.35,
            "fgcolor": theme.ink("faint"),
            "bgcolor": "rgba(0,0,0,0)",
        },
        line={"color": theme.ink("faint"), "width": 1},
        name="no value",
        hoverinfo="skip",
        showlegend=False,
    )


def plan(
    rows: Sequence[str], columns: Sequence[str], mass: Sequence[Sequence[float]], cost: Sequence[Sequence[float | None]]
) -> go.Figure:
    """A transport plan: how much of each context sentence goes to each answer sentence, as share of all mass."""
    most = max((value for row in mass for value in row), default=0.0) or 1.0
    figure = go.Figure(
        go.Heatmap(
            z=[[value or None for value in row] for row in mass],
            x=list(columns),
            y=list(rows),
            zmin=0,
            zmax=most,
            colorscale=SCALE,
            xgap=2,
            ygap=2,
            customdata=[[numbers.share(value) for value in row] for row in cost],
            hovertemplate="from %{y} to %{x}<br>mass %{z:.3f}, distance %{customdata}<extra></extra>",
            hoverongaps=False,
            colorbar={"title": {"text": "Mass", "side": "right"}, "thickness": 12, "outlinewidth": 0},
        )
    )
    for row, name in enumerate(rows):
        for column, to in enumerate(columns):
            if mass[row][column] > 0:
                figure.add_annotation(
                    x=to,
                    y=name,
                    text=f"{mass[row][column]:.2f}",
                    showarrow=False,
                    font={"size": 11, "color": _ink_at(mass[row][column] / most)},
                )
    figure.update_layout(
        height=90 + 28 * max(2, len(rows)),
        margin={"t": 30},
        xaxis={"side": "top", "title": "Sentence of the answer", "showgrid": False, "type": "category"},
        yaxis={"autorange": "reversed", "title": "Sentence of the passages", "showgrid": False, "type": "category"},
    )
    return figure


def _ink_on(value: float | None) -> str:
    return theme.ink("text") if value is None else _ink_at((value + 1) / 2)


def _ink_at(share: float) -> str:
    return "#FFFFFF" if share < 0.5 else "#111111"
