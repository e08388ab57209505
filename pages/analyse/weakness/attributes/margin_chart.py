"""One attribute (HCAT, Figures 5 to 7): each case a point, violin or box, mean with interval, n, threshold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.weakness import CaseTable, Marginal
from core.weakness.table import Floats, Ints
from pages.analyse.weakness import words
from pages.analyse.weakness.attributes import distributions, frames
from pages.kit.look import theme

MOST_LEVELS: Final = 30
"""Levels of the picture; the table has all."""
MOST_POINTS: Final = 3_000
"""Cases that are drawn; of more, the same number is sampled from each level."""
SEED: Final = 0
SPREAD: Final = 0.24
"""How far points lie from the middle of their level."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """The cases that are drawn.

    Attributes:
        at: Their positions in the table.
        place: Row of the picture of each.
        across: How far each lies from the middle of its row.
        drawn: How many they are.
        of: Scored cases of the levels in the picture.
    """

    at: Ints
    place: Ints
    across: Floats
    drawn: int
    of: int


def chosen(marginal: Marginal) -> Ints:
    """Levels of the picture: weak ones, the worst tested, the largest; the worst first, bins in their order."""
    parts = marginal.levels
    some = frames.pictured(parts, np.where(parts.weak, parts.effect, -np.inf), MOST_LEVELS)
    rank = np.empty(parts.n.size, np.int64)
    rank[marginal.worst_first] = np.arange(parts.n.size)
    return np.sort(some) if marginal.attribute.ordered else some[np.argsort(rank[some])]


def points(marginal: Marginal, cases: CaseTable, levels: Ints) -> Points:
    """The cases of the picture; the same ones every time."""
    place_of = np.full(len(marginal.attribute.levels), -1, np.int64)
    place_of[levels] = np.arange(levels.size)
    codes = marginal.attribute.codes
    place = np.where(codes >= 0, place_of[codes], -1)
    at = np.flatnonzero((place >= 0) & cases.scored)
    of, dice = int(at.size), np.random.default_rng(SEED)
    if of > MOST_POINTS:
        # As many of each level, so that small ones are seen.
        at = at[np.lexsort((dice.random(at.size), place[at]))]
        sizes = np.bincount(place[at], minlength=levels.size)
        rank = np.arange(at.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        at = at[rank < _share(sizes, MOST_POINTS)]
    across = dice.uniform(-SPREAD, SPREAD, at.size)
    return Points(at=at, place=place[at], across=across, drawn=int(at.size), of=of)


def _share(sizes: Ints, most: int) -> int:
    """How many of each level make at most so many of all, larger levels giving what small ones leave."""
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if np.minimum(sizes, middle).sum() <= most else (low, middle - 1)
    return low


def is_share(cases: CaseTable) -> bool:
    """Whether every score is 0 or 1, so that a mean is a share and there is no shape to draw."""
    values = cases.score.values[cases.scored]
    return bool(np.isin(values, (0.0, 1.0)).all())


def draw(
    marginal: Marginal,
    plain: Marginal,
    cases: CaseTable,
    levels: Ints,
    sample: Points,
    *,
    title: str,
    axis: str,
    attribute: str,
    box: bool,
    lines: Sequence[tuple[float, str]],
) -> go.Figure:
    """The plot.

    Args:
        marginal: The figures; with a threshold, shares of cases that reach it.
        plain: The means of the scores as they are; the same as `marginal` without a threshold.
        cases: The cases with their scores as they are.
        levels: Levels of the picture, top to bottom.
        sample: The cases that are drawn.
        title: The finding.
        axis: What the score is.
        attribute: The attribute for people.
        box: Boxes instead of violins.
        lines: Values to mark, with their names.
    """
    figure = go.Figure()
    share = is_share(cases)
    if not share:
        (distributions.boxes if box else distributions.violins)(figure, marginal, cases, levels)
    _points(figure, cases, sample, share=share)
    _means(figure, marginal, plain, levels)
    for value, name in lines:
        figure.add_vline(
            x=value, line={"color": theme.ink("text"), "dash": "dot" if name == "all" else "dash", "width": 1.5}
        )
        figure.add_annotation(
            x=value,
            y=1,
            yref="paper",
            yanchor="bottom",
            showarrow=False,
            text=f"{escape(name)} {words.value(value)}",
            font={"size": 11, "color": theme.ink("faint")},
        )
    row = 54 if levels.size <= 12 else 40
    figure.update_layout(
        title={"text": title, "y": 0.995, "yanchor": "top", "yref": "container"},
        height=120 + row * max(int(levels.size), 1),
        margin={"t": 62, "r": 200, "b": 8, "l": 8},
        xaxis={"title": escape(axis), "range": _range(cases), "zeroline": False},
        yaxis={
            "range": [levels.size - 0.45, -0.55],
            "tickvals": list(range(levels.size)),
            "showgrid": False,
            "ticktext": [words.short(marginal.attribute.levels[level]) for level in levels],
            "zeroline": False,
            "tickfont": {"color": theme.ink("text"), "size": 13},
            "title": {"text": escape(attribute), "standoff": 8},
        },
    )
    return figure


def _range(cases: CaseTable) -> list[float]:
    values = cases.score.values[cases.scored]
    low = cases.score.low if cases.score.low is not None else float(values.min(initial=0.0))
    high = cases.score.high if cases.score.high is not None else float(values.max(initial=1.0))
    pad = 0.06 * ((high - low) or 1.0)
    return [low - pad, high + pad]


def _points(figure: go.Figure, cases: CaseTable, sample: Points, *, share: bool) -> None:
    values = cases.score.values[sample.at]
    # Points of a share lie in two heaps; spread along the axis they can be told apart.
    along = np.random.default_rng(SEED + 1).uniform(-0.035, 0.035, values.size) if share else 0.0
    faint = 0.4 if sample.drawn < 800 else 0.25
    figure.add_scatter(
        x=values + along,
        y=sample.place + sample.across,
        mode="markers",
        marker={"size": 4.5, "color": theme.ink("accent"), "opacity": faint},
        # What is opened by a click is told below; nothing else may fade for it.
        selected={"marker": {"opacity": 1.0, "size": 9}},
        unselected={"marker": {"opacity": faint}},
        customdata=[
            [f"case:{cases.case_ids[at]}", escape(cases.case_ids[at]), words.value(float(value))]
            for at, value in zip(sample.at.tolist(), values.tolist(), strict=True)
        ],
        hovertemplate="case %{customdata[1]}: %{customdata[2]}<extra></extra>",
        name="cases",
        showlegend=False,
    )


def _means(figure: go.Figure, marginal: Marginal, plain: Marginal, levels: Ints) -> None:
    parts = marginal.levels
    mark = frames.marks(parts)
    for weak in (False, True):
        there = (parts.weak[levels] == weak) & (parts.scored[levels] > 0)
        some = [(int(place), int(levels[place])) for place in np.flatnonzero(there)]
        if not some:
            continue
        at = np.array([level for _, level in some])
        mean, low, high = plain.levels.mean[at], plain.levels.low[at], plain.levels.high[at]
        figure.add_scatter(
            x=mean,
            y=[place for place, _ in some],
            mode="markers",
            marker={
                "size": 13,
                "symbol": "diamond" if weak else "circle",
                "color": theme.COLOURS["incorrect"] if weak else theme.ink("text"),
                "line": {"color": theme.ink("paper"), "width": 1.5},
            },
            error_x={
                "type": "data",
                "symmetric": False,
                "array": np.nan_to_num(high - mean),
                "arrayminus": np.nan_to_num(mean - low),
                "color": theme.ink("text"),
                "thickness": 2,
                "width": 7,
            },
            selected={"marker": {"opacity": 1.0}},
            unselected={"marker": {"opacity": 1.0}},
            customdata=[[f"level:{level}", _hover(marginal, level, mark[level])] for _, level in some],
            hovertemplate="%{customdata[1]}<extra></extra>",
            showlegend=False,
        )
    for place, at in enumerate(levels.tolist()):
        mean_text = words.full(parts, at) if parts.scored[at] else "no case scored"
        mean_text = mean_text if plain is marginal else f"share {mean_text}"
        second = f"n = {words.scored(parts, at)}" + (f", {words.MARKS[mark[at]]}" if mark[at] == "too few" else "")
        sign = f" <b>{words.MARKS['weak']}</b>" if parts.weak[at] else ""
        figure.add_annotation(
            y=place,
            x=1,
            xref="paper",
            xanchor="left",
            xshift=10,
            align="left",
            showarrow=False,
            text=f"{mean_text}{sign}<br><span style='color:{theme.ink('faint')}'>{second}</span>",
            font={"size": 12, "color": theme.ink("text")},
        )


def _hover(marginal: Marginal, at: int, mark: str) -> str:
    parts = marginal.levels
    lines = [
        f"<b>{escape(marginal.attribute.levels[at])}</b>",
        f"mean {words.full(parts, at)}",
        f"n = {words.scored(parts, at)} scored, {int(parts.clusters[at]):,} semantic groups",
        f"elsewhere {words.value(float(parts.rest[at]))}, effect {words.value(float(parts.effect[at]))}, "
        f"adjusted p {words.p_value(float(parts.p_adjusted[at]))}",
    ]
    return "<br>".join([*lines, f"<b>{words.MARKS[mark]}</b>"] if mark else lines)
