"""The picture of the three-way page: a waterfall of all cases, each part with its whisker and its n."""

from __future__ import annotations

import plotly.graph_objects as go

from core.diagnosis.three_way import Part, ThreeWay
from pages.kit.look import numbers, theme
from pages.kit.testset.three_way import COLOURS, PART_MEANINGS, PARTS, finding

HATCHED = {Part.LUCKY: ".", Part.NOT_JUDGED: "x"}
"""Hatches that tell the grey bars apart without colour."""


def waterfall(comparison: ThreeWay) -> go.Figure:
    """Every case once: each part's bar begins where the last one ended, so that the bars end at 1.

    A click on a bar returns its part from `charts.show`.
    """
    figure = go.Figure()
    start, end = 0.0, 1.02
    for part, share in comparison.parts.items():
        value = share.value or 0.0
        low = value if share.low is None else share.low
        high = value if share.high is None else share.high
        name = PARTS[part].partition(":")[0]
        figure.add_bar(
            y=[name],
            x=[value],
            base=[start],
            orientation="h",
            width=0.62,
            marker={
                "color": theme.COLOURS[COLOURS[part]],
                "line": {"color": theme.ink("paper"), "width": 1},
                "pattern": {
                    "shape": HATCHED.get(part, ""),
                    "fillmode": "overlay",
                    "fgcolor": "rgba(0,0,0,0.28)",
                    "size": 7,
                    "solidity": 0.18,
                },
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [max(0.0, high - value)],
                "arrayminus": [max(0.0, value - low)],
                "color": theme.ink("text"),
                "thickness": 1.5,
                "width": 6,
            },
            customdata=[[str(part), numbers.full(share)]],
            hovertemplate=(f"<b>{PARTS[part]}</b>: %{{customdata[1]}}<br>{PART_MEANINGS[part]}<extra></extra>"),
            showlegend=False,
        )
        figure.add_annotation(
            y=name,
            x=1,
            xref="paper",
            xanchor="left",
            xshift=8,
            text=f"{numbers.proportion(share)}  <span style='color:{theme.ink('faint')}'>{numbers.of(share)}</span>",
            showarrow=False,
            font={"size": 12, "color": theme.ink("text")},
        )
        end = max(end, start + high + 0.01)
        start += value
    figure.update_layout(
        title={"text": finding(comparison), "y": 0.98, "yanchor": "top"},
        height=110 + 38 * len(comparison.parts),
        margin={"t": 52, "r": 220},
        barmode="overlay",
        xaxis={
            "range": [0, end],
            "title": "Share of all cases, one part after the other; click a bar to see its cases",
        },
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}},
    )
    return figure
