"""Figures of a calibration: the curve with its labels and set regions, the reliability diagram, errors, intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.calibration.probability.quality import ReliabilityBin
from pages.kit.look import numbers, theme

DECISIONS: Final = {"accept": "Accept", "reject": "Reject", "human": "To a human"}
"""What follows from a prediction set."""

COLOURS: Final = {"accept": "correct", "reject": "incorrect", "human": "unresolved_gap"}
"""Their colours by the name of what they mean: accepted is correct, rejected is wrong, the rest is open."""

MARKS: Final = {"accept": "✓", "reject": "✗", "human": "?"}

SEED: Final = 0
"""Of the jitter, so that a label stands in the same place every time."""

MANY: Final = 1_500
"""Marks from which on they are drawn by the graphics card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A stretch of the axis with one prediction set.

    Attributes:
        name: The set, such as ``{0, 1}``.
        decision: A key of `DECISIONS`.
    """

    low: float
    high: float
    name: str
    decision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One labelled case.

    Attributes:
        x: Its place on the axis.
        accepted: What people say.
        note: What the hover tells of it.
    """

    case_id: str
    x: float
    accepted: bool
    note: str = ""


def curve(
    x: Sequence[float],
    chance: Sequence[float],
    *,
    regions: Sequence[Region],
    marks: Sequence[Mark],
    threshold: float | None,
    axis: str,
    title: str,
    simulated: bool = False,
) -> go.Figure:
    """The chance of acceptance over the score, with the labels and the regions of the prediction sets.

    Args:
        x: Places on the axis, ascending.
        chance: The calibrated probability at each.
        regions: Stretches of the axis, each shaded and named.
        marks: The labelled cases, jittered at 0 and 1; a click returns the case's id.
        threshold: The score from which on the machine accepts, None where there is none.
        axis: What the score is, with its unit.
        title: The finding.
        simulated: Whether a machine played the raters; the legend says so.

    Reference:
        HCAT, Figure 4.
    """
    figure = go.Figure()
    span = _padded(x)
    _shade(figure, regions, span)
    jitter = np.random.default_rng(SEED)
    for accepted, key, symbol in ((True, "accept", "circle"), (False, "reject", "x")):
        some = [mark for mark in marks if mark.accepted is accepted]
        shift = jitter.uniform(-0.045, 0.045, len(some))
        if not some:
            continue
        kind = go.Scattergl if len(marks) > MANY else go.Scatter
        who = "simulated raters" if simulated else "people"
        figure.add_trace(
            kind(
                x=[mark.x for mark in some],
                y=(float(accepted) + shift).tolist(),
                mode="markers",
                name=f"{MARKS[key]} {'Accepted' if accepted else 'Rejected'} by {who} ({len(some):,})",
                marker={
                    "symbol": symbol,
                    "size": 7,
                    "opacity": 0.6,
                    "color": theme.COLOURS[COLOURS[key]],
                    "line": {"width": 0.6, "color": theme.ink("text")},
                },
                selected={"marker": {"opacity": 1.0, "size": 13}},
                unselected={"marker": {"opacity": 0.6}},
                customdata=[[mark.case_id, escape(mark.case_id), escape(mark.note)] for mark in some],
                hovertemplate="<b>case %{customdata[1]}</b><br>%{customdata[2]}<extra></extra>",
            )
        )
    figure.add_scatter(
        x=list(x),
        y=list(chance),
        mode="lines",
        name="Chance that a person accepts",
        line={"color": theme.COLOURS["accent"], "width": 3},
        hovertemplate="at %{x:.3g}: chance %{y:.2f}<extra></extra>",
    )
    if threshold is not None and span[0] <= threshold <= span[1]:
        figure.add_vline(x=threshold, line={"color": theme.ink("text"), "dash": "dash", "width": 1.5})
        figure.add_annotation(
            x=threshold,
            y=0.5,
            showarrow=False,
            xanchor="left",
            xshift=5,
            text=f"chance 0.5 at {numbers.figure(threshold)}",
            font={"size": 12, "color": theme.ink("text")},
        )
    figure.update_layout(
        title={"text": escape(title), "y": 0.985, "yanchor": "top"},
        height=440,
        margin={"t": 92},
        legend={"y": 1.065},
        xaxis={"title": escape(axis), "range": list(span), "showgrid": False},
        yaxis={"title": "Chance that a person accepts", "range": [-0.1, 1.1], "tickvals": [0, 0.25, 0.5, 0.75, 1]},
    )
    return figure


def _padded(x: Sequence[float]) -> tuple[float, float]:
    """The axis, a little wider than the scores, so that labels at its ends are seen."""
    low, high = (min(x), max(x)) if len(x) else (0.0, 1.0)
    room = 0.015 * (high - low) or 0.05
    return low - room, high + room


def _shade(figure: go.Figure, regions: Sequence[Region], span: tuple[float, float]) -> None:
    width = span[1] - span[0]
    for place, region in enumerate(regions):
        left = region.low if place else span[0]
        right = region.high if place < len(regions) - 1 else span[1]
        figure.add_vrect(
            x0=left,
            x1=right,
            layer="below",
            line_width=0,
            opacity=0.16,
            fillcolor=theme.COLOURS[COLOURS[region.decision]],
        )
        narrow = (region.high - region.low) / width < 0.13
        figure.add_annotation(
            x=(region.low + region.high) / 2,
            y=1.0,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            textangle=0,
            align="center",
            font={"size": 12, "color": theme.ink("text")},
            text=f"<b>{region.name}</b>" + ("" if narrow else f" {DECISIONS[region.decision].lower()}"),
            hovertext=f"{region.name}: {DECISIONS[region.decision].lower()}",
        )


def reliability(before: Sequence[ReliabilityBin], after: Sequence[ReliabilityBin], *, title: str) -> go.Figure:
    """The share that people accept over the probability that was given, before and after calibration.

    Args:
        before: Of the score read as a probability; empty where it is none.
        after: Of the calibrated probability.
        title: The finding.
    """
    figure = go.Figure()
    figure.add_scatter(
        x=[0, 1],
        y=[0, 1],
        mode="lines",
        name="What it should be",
        hoverinfo="skip",
        line={"color": theme.ink("faint"), "dash": "dot", "width": 1.5},
    )
    for bins, name, colour, symbol in (
        (before, "Before: the score itself", "not_judged", "diamond"),
        (after, "After calibration", "accent", "circle"),
    ):
        items = [item for item in bins if item.share.value is not None]
        if not items:
            continue
        shares = [item.share.value or 0.0 for item in items]
        figure.add_scatter(
            x=[item.mean for item in items],
            y=shares,
            mode="lines+markers",
            name=name,
            line={"color": theme.COLOURS[colour], "width": 1.5},
            marker={"symbol": symbol, "size": 9},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [(item.share.high or 0.0) - share for item, share in zip(items, shares, strict=True)],
                "arrayminus": [share - (item.share.low or 0.0) for item, share in zip(items, shares, strict=True)],
                "thickness": 1.2,
                "width": 4,
            },
            customdata=[[numbers.full(item.share), item.low, item.high] for item in items],
            hovertemplate=(
                "probability %{x:.2f} (%{customdata[1]:.2f} to %{customdata[2]:.2f})<br>"
                "accepted %{customdata[0]}<extra></extra>"
            ),
        )
    figure.update_layout(
        title={"text": escape(title), "y": 0.985, "yanchor": "top"},
        height=400,
        margin={"t": 84},
        xaxis={"title": "Probability given, mean of the bin", "range": [-0.02, 1.02]},
        yaxis={"title": "Share that people accept", "range": [-0.02, 1.02]},
    )
    return figure
