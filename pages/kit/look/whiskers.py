"""Figures of rows, each a mark with its 95% whiskers and what it says beside it: shares, differences, estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape

import plotly.graph_objects as go

from core.domain.estimates import Estimate, Proportion
from pages.kit.look import numbers, theme


def in_chart(label: str) -> str:
    """A label that Plotly shows as it is, but for its line breaks; one that is escaped already stays so.

    >>> in_chart("<i>long</i><br>n = 3"), in_chart("a &lt; b")
    ('&lt;i&gt;long&lt;/i&gt;<br>n = 3', 'a &lt; b')
    """
    return "<br>".join(escape(unescape(line), quote=False) for line in label.split("<br>"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One row of a dot chart.

    Attributes:
        label: What the proportion is of ("Long: retrieval").
        value: The proportion; drawn as "no data" when its denominator is 0.
        colour: A key of `theme.COLOURS`.
        id: What a click on it returns; the label when empty.
    """

    label: str
    value: Proportion
    colour: str = "accent"
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One row of a chart of differences.

    Attributes:
        label: What is compared.
        value: The difference with its interval; its value is not None.
        shown: Whether the test shows a difference.
        note: n and p, written beside it.
        colour: A key of `theme.COLOURS` for a difference that is shown; one that is not is grey.
    """

    label: str
    value: Estimate
    shown: bool
    note: str = ""
    colour: str = "incorrect"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a chart of estimates.

    Attributes:
        note: Written beside it: interval and n.
        id: What a click returns; the label when empty.
        colour: A key of `theme.COLOURS`.
    """

    label: str
    value: Estimate
    note: str = ""
    id: str = ""
    colour: str = "accent"


def dots(rows: Sequence[Dot], *, title: str = "", axis: str = "Share", span: tuple[float, float] = (0, 1)) -> go.Figure:
    """Proportions as dots with 95% whiskers, n at each mark.

    Args:
        rows: Top to bottom.
        title: The finding.
        axis: What the share is of, with its unit.
        span: The axis; [0, 1] unless the shares are all tiny.
    """
    figure = go.Figure()
    for row in rows:
        value = row.value
        ident = row.id or row.label
        if value.value is None:
            _no_value(figure, in_chart(row.label), span[0], "no data (0/0)", ident)
            continue
        figure.add_scatter(
            y=[in_chart(row.label)],
            x=[value.value],
            mode="markers",
            marker={"color": theme.COLOURS[row.colour], "size": 12, "line": {"color": theme.ink("text"), "width": 1}},
            error_x=_whiskers(value.value, value.low, value.high),
            customdata=[[ident, numbers.full(value)]],
            hovertemplate="<b>%{y}</b><br>%{customdata[1]}<extra></extra>",
            showlegend=False,
        )
        faint = theme.ink("faint")
        beside = f"{numbers.proportion(value)}  <span style='color:{faint}'>{numbers.of(value)}</span>"
        _beside(figure, in_chart(row.label), beside)
    figure.update_layout(
        title=title or None,
        height=70 + 34 * max(1, len(rows)) + (30 if title else 0),
        margin={"t": 44 if title else 14, "r": 220},
        xaxis={"range": list(span), "title": axis},
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}, "ticklabelstandoff": 10},
    )
    return figure


def differences(rows: Sequence[Difference], *, axis: str) -> go.Figure:
    """Differences with their 95% whiskers around a line at zero, wide enough for the widest of them.

    Args:
        rows: Top to bottom.
        axis: What is subtracted from what.
    """
    figure = go.Figure()
    ends = [abs(end) for row in rows for end in (row.value.value, row.value.low, row.value.high) if end is not None]
    span = min(1.05, max(0.1, 1.15 * max(ends, default=0.0)))
    for row in rows:
        value = row.value.value or 0.0
        conclusion = "difference shown" if row.shown else "no difference shown"
        figure.add_scatter(
            y=[in_chart(row.label)],
            x=[value],
            mode="markers",
            marker={
                "size": 12,
                "color": theme.COLOURS[row.colour if row.shown else "not_judged"],
                "symbol": "diamond" if row.shown else "circle",
            },
            error_x=_whiskers(value, row.value.low, row.value.high),
            customdata=[[in_chart(row.label), f"{numbers.estimate(row.value)}, {row.note}, {conclusion}"]],
            hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<extra></extra>",
            showlegend=False,
        )
        note = f"<span style='color:{theme.ink('faint')}'>{escape(row.note)}</span>"
        _beside(figure, in_chart(row.label), f"{numbers.estimate(row.value)}, {conclusion}<br>{note}")
    figure.add_vline(x=0, line={"color": theme.ink("faint"), "dash": "dot", "width": 1})
    figure.update_layout(
        height=80 + 46 * max(1, len(rows)),
        margin={"t": 14, "r": 300},
        xaxis={"range": [-span, span], "title": axis},
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "tickfont": {"color": theme.ink("text"), "size": 13},
            "ticklabelstandoff": 10,
        },
    )
    return figure


def estimates(
    rows: Sequence[Row],
    *,
    axis: str,
    title: str = "",
    span: tuple[float, float] | None = None,
    line: float | None = None,
) -> go.Figure:
    """Estimates as dots with whiskers, interval and n beside each; a row without a value says so.

    Args:
        rows: Top to bottom.
        axis: What the number is, with its unit.
        title: The finding.
        span: The axis; around the intervals where None.
        line: Where a line stands that means nothing is there.
    """
    figure = go.Figure()
    if line is not None:
        figure.add_vline(x=line, line={"color": theme.ink("faint"), "dash": "dot", "width": 1})
    ends = [end for row in rows for end in (row.value.value, row.value.low, row.value.high) if end is not None]
    low, high = span or (min(ends, default=0.0), max(ends, default=1.0))
    reach = (high - low) * (0.0 if span else 0.12) or (0.0 if span else 0.05)
    for row in rows:
        value, ident = row.value, row.id or row.label
        if value.value is None:
            _no_value(figure, in_chart(row.label), low, f"- {escape(value.method)}", ident)
            continue
        figure.add_scatter(
            y=[in_chart(row.label)],
            x=[value.value],
            mode="markers",
            marker={"color": theme.COLOURS[row.colour], "size": 12, "line": {"color": theme.ink("text"), "width": 1}},
            error_x=_whiskers(value.value, value.low, value.high),
            customdata=[[ident, escape(f"{numbers.estimate(value)}, n = {value.n:,}, {value.method}")]],
            hovertemplate="<b>%{y}</b><br>%{customdata[1]}<extra></extra>",
            showlegend=False,
        )
        _beside(figure, in_chart(row.label), escape(row.note or f"{numbers.estimate(value)}  n = {value.n:,}"))
    figure.update_layout(
        title={"text": escape(title), "y": 0.98, "yanchor": "top"} if title else None,
        height=74 + 36 * max(1, len(rows)) + (30 if title else 0),
        margin={"t": 44 if title else 14, "r": 240},
        xaxis={"range": [low - reach, high + reach], "title": escape(axis)},
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}, "ticklabelstandoff": 10},
    )
    return figure


def _whiskers(value: float, low: float | None, high: float | None) -> Mapping[str, object]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [(value if high is None else high) - value],
        "arrayminus": [value - (value if low is None else low)],
        "color": theme.ink("text"),
        "thickness": 1.5,
        "width": 6,
    }


def _no_value(figure: go.Figure, label: str, x: float, text: str, ident: str) -> None:
    figure.add_scatter(
        y=[label],
        x=[x],
        mode="text",
        text=[text],
        textposition="middle right",
        textfont={"color": theme.ink("faint")},
        customdata=[[ident]],
        hoverinfo="skip",
        showlegend=False,
    )


def _beside(figure: go.Figure, label: str, text: str) -> None:
    figure.add_annotation(
        y=label,
        x=1,
        xref="paper",
        xanchor="left",
        xshift=8,
        align="left",
        text=text,
        showarrow=False,
        font={"size": 12, "color": theme.ink("text")},
    )
