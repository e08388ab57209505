"""Figures over an axis: errors over thresholds, coverage over time."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import plotly.graph_objects as go

from core.calibration.decisions import Errors
from core.calibration.sets.audit import Audit
from core.domain.estimates import Proportion
from pages.kit.look import numbers, theme


def errors_over(steps: Sequence[Errors], *, threshold: float, title: str) -> go.Figure:
    """Both kinds of error over the threshold, with their intervals as bands.

    Args:
        steps: Errors at each threshold, ascending.
        threshold: Drawn as a line.
        title: The finding.
    """
    figure = go.Figure()
    x = [step.threshold for step in steps]
    for name, colour, dash, shares in (
        ("Type I: accepted, people reject", "incorrect", "solid", [step.type_1 for step in steps]),
        ("Type II: rejected, people accept", "accent", "dash", [step.type_2 for step in steps]),
    ):
        points = [(at, share) for at, share in zip(x, shares, strict=True) if share.value is not None]
        if not points:
            continue
        _band(figure, [at for at, _ in points], [share for _, share in points], theme.COLOURS[colour])
        figure.add_scatter(
            x=[at for at, _ in points],
            y=[share.value for _, share in points],
            mode="lines",
            name=f"{name} (n = {points[0][1].den:,})",
            line={"color": theme.COLOURS[colour], "width": 2.5, "dash": dash, "shape": "hv"},
            customdata=[[numbers.full(share)] for _, share in points],
            hovertemplate="threshold %{x:.2f}<br>%{customdata[0]}<extra></extra>",
        )
    figure.add_vline(x=threshold, line={"color": theme.ink("text"), "dash": "dot", "width": 1.5})
    figure.update_layout(
        title={"text": escape(title), "y": 0.985, "yanchor": "top"},
        height=340,
        margin={"t": 84},
        xaxis={"title": "Accept from this probability on", "range": [0, 1]},
        yaxis={"title": "Share of wrong decisions", "range": [-0.02, 1.02]},
    )
    return figure


def coverage_over(audit: Audit, *, title: str) -> go.Figure:
    """Coverage of new labels by period and so far, against the promise.

    Args:
        audit: New labels against the promise.
        title: The finding.
    """
    figure = go.Figure()
    names = [f"{period.period}<br>n = {period.coverage.den:,}" for period in audit.periods]
    so_far = [period.so_far for period in audit.periods]
    _band(figure, names, so_far, theme.COLOURS["accent"])
    figure.add_scatter(
        x=names,
        y=[share.value for share in so_far],
        mode="lines+markers",
        name="So far, valid at every reading",
        line={"color": theme.COLOURS["accent"], "width": 2.5},
        marker={"size": 8},
        customdata=[[numbers.full(share)] for share in so_far],
        hovertemplate="up to %{x}<br>%{customdata[0]}<extra></extra>",
    )
    alone = [period.coverage for period in audit.periods]
    figure.add_scatter(
        x=names,
        y=[share.value for share in alone],
        mode="markers",
        name="This period alone",
        marker={"symbol": "diamond-open", "size": 11, "color": theme.ink("text")},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [(share.high or 0.0) - (share.value or 0.0) for share in alone],
            "arrayminus": [(share.value or 0.0) - (share.low or 0.0) for share in alone],
            "thickness": 1.2,
            "width": 5,
            "color": theme.ink("text"),
        },
        customdata=[[numbers.full(share)] for share in alone],
        hovertemplate="%{x} alone<br>%{customdata[0]}<extra></extra>",
    )
    figure.add_hline(y=audit.promise, line={"color": theme.ink("text"), "dash": "dash", "width": 1.5})
    figure.add_annotation(
        x=1,
        xref="paper",
        xanchor="right",
        y=audit.promise,
        yanchor="top",
        showarrow=False,
        text=f"promised {100 * audit.promise:g}%",
        font={"size": 12, "color": theme.ink("text")},
    )
    lowest = min([audit.promise, *((share.low or 0.0) for share in (*so_far, *alone))])
    figure.update_layout(
        title={"text": escape(title), "y": 0.985, "yanchor": "top"},
        height=380,
        margin={"t": 84},
        xaxis={"title": "When the labels were made", "type": "category"},
        yaxis={"title": "Sets that hold the label", "range": [max(0.0, lowest - 0.08), 1.03]},
    )
    return figure


def _band(figure: go.Figure, x: Sequence[float | str], shares: Sequence[Proportion], colour: str) -> None:
    """The intervals as a pale band."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    for ends, fill in (([share.low for share in shares], None), ([share.high for share in shares], "tonexty")):
        figure.add_scatter(
            x=list(x),
            y=ends,
            mode="lines",
            line={"width": 0},
            hoverinfo="skip",
            showlegend=False,
            fill=fill,
            fillcolor=f"rgba({red},{green},{blue},0.14)",
        )
