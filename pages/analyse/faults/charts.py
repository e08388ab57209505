"""The picture of a trial: what was planted against what the diagnosis says, as a heat map with its numbers."""

from __future__ import annotations

from typing import Final

import plotly.graph_objects as go

from core.faults.kinds import TITLES, Cause, fault_named
from core.faults.result import TrialResult
from pages.analyse.faults.words import CAUSES, MEANINGS
from pages.kit.look import numbers, theme

LIGHT_FROM: Final = 0.47
"""The share of a row from which the colour of a cell is light enough for dark ink."""

ROW: Final = 54
"""Height of a row in pixels."""


def finding(result: TrialResult) -> str:
    """The title."""
    if not result.wrong:
        return "No answer became wrong: nothing to diagnose"
    return (
        f"The diagnosis names the right module in {result.wrong - result.misnamed:,} of "
        f"{numbers.count(result.wrong, 'wrong answer')}"
    )


def confusion(result: TrialResult) -> go.Figure:
    """Planted fault by diagnosed cause: colour is the share of the row, the number is the count.

    What the diagnosis should say is outlined and has a tick, so that colour is not needed to find it; what it may say
    as well has a dotted outline.
    """
    rows, columns = list(result.confusion.planted), list(Cause)
    totals = {row: sum(result.confusion.planted[row].values()) for row in rows}
    shares = [
        [result.confusion.planted[row][column] / totals[row] if totals[row] else None for column in columns]
        for row in rows
    ]
    figure = go.Figure()
    figure.add_heatmap(
        z=shares,
        x=list(range(len(columns))),
        y=list(range(len(rows))),
        zmin=0,
        zmax=1,
        colorscale="Cividis",
        xgap=3,
        ygap=3,
        hoverinfo="skip",
        showscale=False,
    )
    cells = [(x, y, row, column) for y, row in enumerate(rows) for x, column in enumerate(columns)]
    for x, y, row, column in cells:
        if _right(result, row, column):
            figure.add_shape(
                type="rect",
                x0=x - 0.46,
                x1=x + 0.46,
                y0=y - 0.42,
                y1=y + 0.42,
                line={
                    "color": theme.COLOURS["correct"],
                    "width": 4,
                    "dash": "solid" if result.confusion.causes[row][column] else "dot",
                },
            )
    figure.add_scatter(
        x=[x for x, _, _, _ in cells],
        y=[y for _, y, _, _ in cells],
        mode="text",
        text=[_text(result, row, column, totals[row]) for _, _, row, column in cells],
        textfont={"size": 13, "color": [_ink(shares[y][x]) for x, y, _, _ in cells]},
        customdata=[[_hover(result, row, column, totals[row])] for _, _, row, column in cells],
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )
    ticks = {"showgrid": False, "zeroline": False, "tickfont": {"color": theme.ink("text"), "size": 12}}
    figure.update_layout(
        title={"text": finding(result), "y": 0.98, "yanchor": "top"},
        height=150 + ROW * max(1, len(rows)),
        margin={"t": 112, "r": 8},
        xaxis={
            **ticks,
            "side": "top",
            "range": [-0.5, len(columns) - 0.5],
            "tickvals": list(range(len(columns))),
            "ticktext": [CAUSES[column].replace(" ", "<br>") for column in columns],
            "tickangle": 0,
            "title": {"text": "What the diagnosis says"},
        },
        yaxis={
            **ticks,
            "range": [len(rows) - 0.5, -0.5],
            "tickvals": list(range(len(rows))),
            "ticktext": [f"{TITLES[fault_named(row)].replace(' + ', ' +<br>')}<br>n = {totals[row]:,}" for row in rows],
            "title": {"text": "What was planted"},
        },
    )
    return figure


def _text(result: TrialResult, row: str, column: Cause, total: int) -> str:
    if not total:
        return numbers.NONE
    mark = f"{theme.MARKS['correct']} " if _right(result, row, column) else ""
    return f"{mark}{result.confusion.planted[row][column]:,}"


def _right(result: TrialResult, row: str, column: Cause) -> bool:
    """Whether some answer of a row should, or may, be called that."""
    either = result.confusion.either.get(row, {}).get(column, 0)
    return bool(result.confusion.causes[row][column] or either)


def _hover(result: TrialResult, row: str, column: Cause, total: int) -> str:
    if not total:
        return f"<b>{TITLES[fault_named(row)]}</b><br>no answer became wrong"
    right = result.confusion.causes[row][column]
    either = result.confusion.either.get(row, {}).get(column, 0)
    should = f"<br>{right:,} of them should be called that" if right else "<br>none should be called that"
    should = f"<br>{either:,} of them may be called that as well" if either and not right else should
    return (
        f"<b>{TITLES[fault_named(row)]}, called {CAUSES[column].lower()}</b><br>"
        f"{result.confusion.planted[row][column]:,} of {numbers.count(total, 'wrong answer')}"
        f"{should.replace('of them', f'of the {total:,}')}<br>{MEANINGS[column]}"
    )


def _ink(share: float | None) -> str:
    if share is None:
        return theme.ink("text")
    return "#111111" if share >= LIGHT_FROM else "#FFFFFF"
