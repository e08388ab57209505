"""The heatmap of two attributes: one perceptual scale, n in each cell, weak cells outlined, margins beside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.weakness import ScoreColumn, WeaknessMap
from pages.analyse.weakness import words
from pages.analyse.weakness.attributes import colours
from pages.analyse.weakness.attributes.squares import GAP, Chosen, Square, gap, squares
from pages.kit.look import numbers, theme

WIDTH: Final = 640
"""About how wide the cells are together, in pixels."""

LINE: Final = 72
"""Characters of a line of the title."""

ALL: Final = "All"
WIDE: Final = 9
"""Columns up to which a cell has room for words."""


def draw(
    weakness_map: WeaknessMap,
    levels: Chosen,
    score: ScoreColumn,
    *,
    title: str,
    measure: str,
    row: str,
    column: str,
    lines: Sequence[colours.Line],
    open_id: str = "",
) -> go.Figure:
    """The map.

    Args:
        weakness_map: The figures.
        levels: Levels to draw.
        score: For its range and direction.
        title: The finding; empty where it stands above the picture.
        measure: What the colour is.
        row: The first attribute for people.
        column: The second.
        lines: Values to mark in the colour bar.
        open_id: The square whose cases are open.
    """
    all_squares = squares(weakness_map, levels)
    ends = colours.span(score, [square.colour for square in all_squares] + [line.value for line in lines])
    rows, columns = len(levels.rows), len(levels.columns)
    figure = go.Figure()
    heading = words.wrapped(title, LINE)
    above = 22 * (1 + heading.count("<br>"))
    height = 64 if rows <= 3 else 46 if rows <= 14 else 38
    inset = _Inset(x=(columns + 1.3) / WIDTH, y=1 / height)
    _hatched(figure, all_squares, rows, columns, inset)
    for part in (
        [s for s in all_squares if s.x < columns and s.y < rows],
        [s for s in all_squares if s.x > columns],
        [s for s in all_squares if s.y > rows],
    ):
        _coloured(figure, part, ends, score)
    _outlines(figure, all_squares, open_id, inset, [colours.ink(square.colour, ends, score) for square in all_squares])
    _texts(figure, all_squares, ends, score, columns)
    _clicks(figure, all_squares)
    colours.bar(figure, ends, score, lines, measure)
    ticks = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
    figure.update_layout(
        title={"text": heading, "y": 1, "yanchor": "bottom", "yref": "paper", "pad": {"b": above - 8}},
        height=int(height * (rows + 1 + GAP)) + 128 + above,
        barmode="overlay",
        margin={"t": 22 + above, "b": 8, "l": 8, "r": 96},
        plot_bgcolor="rgba(0,0,0,0)",
        xaxis={
            **ticks,
            "domain": [0, 0.93],
            "range": [-0.52, columns + gap(columns) + 0.52],
            "tickvals": [*range(columns), columns + gap(columns)],
            "ticktext": [
                *(
                    words.short(weakness_map.columns.levels[level], words.SHORTEST if columns > WIDE else words.LONGEST)
                    for level in levels.columns
                ),
                f"<b>{ALL}</b>",
            ],
            "tickangle": 0 if columns <= 6 else -40,
            "tickfont": {"color": theme.ink("text"), "size": 12},
            "title": {"text": escape(column), "standoff": 8},
        },
        yaxis={
            **ticks,
            "range": [rows + GAP + 0.52, -0.52],
            "tickvals": [*range(rows), rows + GAP],
            "ticktext": [*(words.short(weakness_map.rows.levels[level]) for level in levels.rows), f"<b>{ALL}</b>"],
            "tickfont": {"color": theme.ink("text"), "size": 12},
            "title": {"text": escape(row), "standoff": 8},
        },
    )
    return figure


def _coloured(figure: go.Figure, part: Sequence[Square], ends: tuple[float, float], score: ScoreColumn) -> None:
    if not part:
        return
    x, y = sorted({square.x for square in part}), sorted({square.y for square in part})
    z = np.full((len(y), len(x)), np.nan)
    for square in part:
        z[y.index(square.y), x.index(square.x)] = square.colour
    # Plotly takes the width of a single row or column from its edges.
    figure.add_heatmap(
        z=z,
        x=[x[0] - 0.5, *(value + 0.5 for value in x)],
        y=[y[0] - 0.5, *(value + 0.5 for value in y)],
        zmin=ends[0],
        zmax=ends[1],
        colorscale=colours.scale(score),
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        showscale=False,
    )


def _hatched(figure: go.Figure, all_squares: Sequence[Square], rows: int, columns: int, inset: _Inset) -> None:
    filled = {(square.x, square.y) for square in all_squares}
    empty = [(x, y) for x in range(columns) for y in range(rows) if (x, y) not in filled]
    unscored = [(square.x, square.y) for square in all_squares if np.isnan(square.colour)]
    for name, spots, shape in (("no case", empty, "/"), ("no case scored", unscored, "x")):
        if spots:
            x, y = _frames(spots, inset, 2)
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines",
                fill="toself",
                name=name,
                hoverinfo="skip",
                showlegend=False,
                line={"color": theme.ink("line"), "width": 1},
                fillpattern={
                    "shape": shape,
                    "size": 9,
                    "solidity": 0.12,
                    "fgopacity": 0.45,
                    "fgcolor": theme.ink("faint"),
                    "bgcolor": "rgba(0,0,0,0)",
                },
            )


def _outlines(
    figure: go.Figure, all_squares: Sequence[Square], open_id: str, inset: _Inset, inks: Sequence[str]
) -> None:
    kinds = (
        *(
            (
                [s for s, other in zip(all_squares, inks, strict=True) if s.mark == "too few" and other == ink],
                1,
                {"color": ink, "width": 1, "dash": "dot"},
            )
            for ink in set(inks)
        ),
        (
            [s for s in all_squares if s.mark in ("weak", "compound")],
            2,
            {"color": theme.COLOURS["incorrect"], "width": 3},
        ),
        ([s for s in all_squares if s.mark == "compound"], 6, {"color": theme.COLOURS["incorrect"], "width": 2}),
        ([s for s in all_squares if s.id == open_id], -1, {"color": theme.ink("accent"), "width": 3}),
    )
    for part, pixels, line in kinds:
        if part:
            x, y = _frames([(square.x, square.y) for square in part], inset, pixels)
            figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Inset:
    """How wide a pixel is in cells."""

    x: float
    y: float


def _frames(
    spots: Sequence[tuple[float, float]], inset: _Inset, pixels: int
) -> tuple[list[float | None], list[float | None]]:
    right, down = 0.5 - pixels * inset.x, 0.5 - pixels * inset.y
    corners = ((-right, -down), (right, -down), (right, down), (-right, down), (-right, -down))
    x: list[float | None] = [at for column, _ in spots for at in (*(column + dx for dx, _ in corners), None)]
    y: list[float | None] = [at for _, row in spots for at in (*(row + dy for _, dy in corners), None)]
    return x, y


def _texts(
    figure: go.Figure, all_squares: Sequence[Square], ends: tuple[float, float], score: ScoreColumn, columns: int
) -> None:
    figure.add_scatter(
        x=[square.x for square in all_squares],
        y=[square.y for square in all_squares],
        mode="text",
        text=[_text(square, columns) for square in all_squares],
        textfont={
            "size": 12 if columns <= WIDE else 11 if columns <= 14 else 9,
            "color": [colours.ink(square.colour, ends, score) for square in all_squares],
        },
        hoverinfo="skip",
        showlegend=False,
    )


def _clicks(figure: go.Figure, all_squares: Sequence[Square]) -> None:
    """A heatmap takes no clicks: an unseen bar over the whole of each square does, and carries what the hover says."""
    unseen = {"marker": {"opacity": 0}}
    figure.add_bar(
        x=[square.x for square in all_squares],
        y=[1.0] * len(all_squares),
        base=[square.y - 0.5 for square in all_squares],
        width=1.0,
        marker={"opacity": 0, "line": {"width": 0}},
        selected=unseen,
        unselected=unseen,
        customdata=[[square.id, _hover(square)] for square in all_squares],
        hovertemplate="%{customdata[1]}<extra></extra>",
        showlegend=False,
    )


def _text(square: Square, columns: int) -> str:
    parts, at = square.parts, square.at
    n, scored = int(parts.n[at]), int(parts.scored[at])
    counted = f"{scored:,}" if n == scored else f"{scored:,} of {n:,}"
    sign = {"weak": words.WEAK, "compound": words.COMPOUND}.get(square.mark, "")
    value = words.value(float(parts.mean[at])) if scored else "not scored"
    if columns <= WIDE:
        return f"<b>{sign} {value}</b><br>n = {counted}".replace("<b> ", "<b>")
    if columns <= 16:
        return f"<b>{sign}{value}</b><br>{counted}"
    return f"{sign + '<br>' if sign else ''}{value if scored else numbers.NONE}<br>{scored:,}"


def _hover(square: Square) -> str:
    parts, at = square.parts, square.at
    lines = [
        f"<b>{escape(square.name)}</b>",
        f"mean {words.full(parts, at)}",
        f"n = {words.scored(parts, at)} scored, {numbers.count(int(parts.clusters[at]), 'semantic group')}",
        f"elsewhere {words.value(float(parts.rest[at]))}, effect {words.value(float(parts.effect[at]))}, "
        f"adjusted p {words.p_value(float(parts.p_adjusted[at]))}",
    ]
    if square.note and parts.scored[at]:
        lines.append(square.note)
    if square.mark:
        lines.append(f"<b>{words.MARKS[square.mark]}</b>")
    return "<br>".join(lines)
