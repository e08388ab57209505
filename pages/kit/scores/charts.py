"""Figures of metrics: a distribution, two metrics against each other, the parts of a score."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import log2
from typing import Final

import plotly.graph_objects as go

from pages.kit.look import numbers, theme

SYMBOLS: Final = {"correct": "circle", "incorrect": "x", "not_judged": "circle-open"}
"""A mark of its own for each verdict, beside its colour."""


MOST_NUMBERED: Final = 60
"""Marks of a scatter that carry a number; more would cover each other."""

Spot = tuple[float, float]


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
