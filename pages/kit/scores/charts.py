"""Figures of metrics: a distribution, correlations of metrics, two metrics against each other, a transport plan."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import log2
from typing import Final

import plotly.graph_objects as go

from pages.kit.look import numbers, theme
from pages.kit.scores import lit_text

SYMBOLS: Final = {"correct": "circle", "incorrect": "x", "not_judged": "circle-open"}
"""A mark of its own for each verdict, beside its colour."""

SCALE: Final = [[place / (len(lit_text.STEPS) - 1), colour] for place, colour in enumerate(lit_text.STEPS)]


MOST_NUMBERED: Final = 60
"""Marks of a scatter that carry a number; more would cover each other."""

Spot = tuple[float, float]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One case between two metrics."""

    case_id: str
    x: float
    y: float
    verdict: str


def histogram(
    edges: Sequence[float],
    counts: Sequence[int],
    *,
    axis: str,
    title: str,
    mean: float | None = None,
    thing: str = "cases",
) -> go.Figure:
    """How many cases lie in each range; a click on a bar returns ``"low:high"``.

    Args:
        edges: Ends of the ranges, one more than `counts`.
        counts: Cases in each.
        axis: What the number is, with its unit.
        title: The finding.
        mean: Drawn as a line.
        thing: What is counted, plural.
    """
    figure = go.Figure()
    middles = [(low + high) / 2 for low, high in pairwise(edges)]
    widths = [high - low for low, high in pairwise(edges)]
    last = len(counts) - 1
    figure.add_bar(
        x=middles,
        y=list(counts),
        width=widths,
        marker={"color": theme.COLOURS["accent"], "line": {"color": theme.ink("paper"), "width": 1}},
        text=[f"{count:,}" if count else "" for count in counts],
        textposition="outside",
        textfont={"color": theme.ink("text"), "size": 12},
        cliponaxis=False,
        customdata=[
            [f"{low!r}:{high!r}", low, high, "up to" if place == last else "below"]
            for place, (low, high) in enumerate(pairwise(edges))
        ],
        hovertemplate=(
            f"%{{y:,}} {thing}<br>"
            "from %{customdata[1]:.3g} to %{customdata[3]} %{customdata[2]:.3g}<extra></extra>"
        ),
        showlegend=False,
    )
    if mean is not None:
        figure.add_vline(x=mean, line={"color": theme.ink("text"), "dash": "dash", "width": 1.5})
        figure.add_annotation(
            x=mean,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            text=f"mean {numbers.share(mean)}",
            font={"size": 12, "color": theme.ink("text")},
        )
    figure.update_layout(
        title={"text": escape(title), "y": 0.98, "yanchor": "top"},
        height=300,
        margin={"t": 66},
        bargap=0,
        xaxis={"range": [edges[0], edges[-1]], "title": axis, "showgrid": False},
        yaxis={"title": thing.capitalize(), "range": [0, 1.18 * max(1, *counts)]},
    )
    return figure


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


def scatter(
    points: Sequence[Point],
    *,
    x: str,
    y: str,
    title: str,
) -> go.Figure:
    """Each case between two metrics, verdict as colour and mark; a click returns the case's id.

    Cases of one verdict at one place are one mark, as large as they are many and with their number where they are few
    places; its click opens the first of them. Marks of several verdicts at one place stand side by side.
    """
    figure = go.Figure()
    by_verdict: dict[str, dict[Spot, list[Point]]] = {}
    for point in points:
        at = (round(point.x, 4), round(point.y, 4))
        by_verdict.setdefault(point.verdict, {}).setdefault(at, []).append(point)
    offsets = _side_by_side([set(by_verdict.get(verdict, {})) for verdict in SYMBOLS])
    numbered = sum(len(here) > 1 for places in by_verdict.values() for here in places.values()) <= MOST_NUMBERED
    for offset, (verdict, symbol) in zip(offsets, SYMBOLS.items(), strict=True):
        places = by_verdict.get(verdict)
        if not places:
            continue
        n = sum(map(len, places.values()))
        figure.add_trace(
            go.Scattergl(
                x=[at[0] + offset[at] for at in places],
                y=[at[1] for at in places],
                mode="markers+text",
                name=f"{theme.MARKS[verdict]} {theme.NAMES[verdict]} ({n:,})",
                marker={
                    "symbol": symbol,
                    "size": [_size(len(here)) for here in places.values()],
                    "opacity": 0.75,
                    "color": theme.COLOURS[verdict],
                    "line": {"width": 1, "color": theme.COLOURS[verdict]},
                },
                text=[f"{len(here):,}" if numbered and len(here) > 1 else "" for here in places.values()],
                textposition="top center",
                textfont={"size": 11, "color": theme.ink("text")},
                customdata=[
                    [here[0].case_id, _mark_text(here), f"{at[0]:.2f}", f"{at[1]:.2f}"] for at, here in places.items()
                ],
                hovertemplate=(
                    f"<b>{theme.NAMES[verdict]}</b>, %{{customdata[1]}}<br>"
                    f"{escape(x)} %{{customdata[2]}}, {escape(y)} %{{customdata[3]}}<extra></extra>"
                ),
            )
        )
    figure.update_layout(
        title={"text": escape(title), "y": 0.98, "yanchor": "top"},
        height=420,
        margin={"t": 70},
        legend={"itemsizing": "constant"},
        xaxis={"title": escape(x)},
        yaxis={"title": escape(y)},
    )
    return figure


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


def parts(names: Sequence[str], values: Sequence[float | None], *, axis: str) -> go.Figure:
    """The parts of a composed score as bars, each with its number."""
    figure = go.Figure()
    figure.add_bar(
        y=list(names),
        x=[0.0 if value is None else value for value in values],
        orientation="h",
        width=0.55,
        marker={"color": theme.COLOURS["accent"]},
        text=[f"{numbers.share(value)}" if value is not None else "- (none)" for value in values],
        textposition="outside",
        textfont={"color": theme.ink("text"), "size": 13},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
    )
    figure.update_layout(
        height=60 + 34 * max(1, len(names)),
        margin={"t": 10, "r": 60},
        xaxis={"range": [0, 1], "title": axis},
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}},
    )
    return figure


def _side_by_side(layers: Sequence[Set[Spot]]) -> list[dict[Spot, float]]:
    """How far each mark of each layer is moved along x, so that those of one place do not cover each other."""
    ends = [spot[0] for layer in layers for spot in layer]
    step = 0.018 * ((max(ends) - min(ends)) or 1.0) if ends else 0.0
    moved: list[dict[Spot, float]] = [{} for _ in layers]
    for spot in set().union(*layers):
        here = [number for number, layer in enumerate(layers) if spot in layer]
        for place, number in enumerate(here):
            moved[number][spot] = (place - (len(here) - 1) / 2) * step
    return moved


def _mark_text(here: Sequence[Point]) -> str:
    first = escape(here[0].case_id)
    return f"case {first}" if len(here) == 1 else f"{numbers.count(len(here), 'case')}, the first is {first}"


def _size(n: int) -> float:
    return min(34.0, 7.0 + 3.0 * log2(n))


def _ink_on(value: float | None) -> str:
    return theme.ink("text") if value is None else _ink_at((value + 1) / 2)


def _ink_at(share: float) -> str:
    return "#FFFFFF" if share < 0.5 else "#111111"
