"""The topic map with the cases of a run on it: failing and not, failure clusters outlined."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from html import escape
from typing import Final

import numpy as np
import plotly.graph_objects as go
from scipy.spatial import ConvexHull, QhullError

from core.domain.sources.topics import OUTLIER
from core.weakness.clusters.finder import ClusterReport
from core.weakness.service.places import CasePlaces, places_of
from core.weakness.table import Bools, CaseTable, Floats
from pages.kit.frame import Page
from pages.kit.look import theme
from pages.kit.testset import topics

MOST: Final = 3_000
"""Marks of one kind that are drawn; of more, an even sample."""
APART: Final = 0.008
"""How far cases at one place are drawn from it, as a share of the map."""
ROUND: Final = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
MOST_NAMES: Final = 40
NAMED: Final = 30
"""Characters of the name of a topic."""
LETTER, LINE = 0.0085, 0.05
"""Width of a character and height of a line, as shares of the map."""


def figure(page: Page, places: CasePlaces, table: CaseTable, at: Floats, report: ClusterReport) -> go.Figure:
    """The map.

    Args:
        page: The page.
        places: The topic map and where the run's cases lie.
        table: The cases that are looked at.
        at: Their places, shape (n, 2), NaN where one has none.
        report: What the scan found.
    """
    here, scored = np.isfinite(at).all(axis=1), table.scored
    span = float(np.nanmax(np.ptp(at[here], axis=0))) or 1.0
    generator = np.random.default_rng(0)
    seen = at + generator.uniform(-APART, APART, at.shape) * span
    asked = dict(zip(places.case_ids, places.questions, strict=True))
    drawn = go.Figure()
    _passages(drawn, page, places)
    _outlines(drawn, at, report, span)
    verdict = report.failing_means == "failing"
    for name, colour, symbol, mask in (
        (
            "correct" if verdict else "not worse",
            theme.COLOURS["correct"] if verdict else theme.ink("faint"),
            "circle",
            here & scored & ~report.failing,
        ),
        (
            report.failing_means,
            theme.COLOURS["incorrect" if verdict else "accent"],
            "x",
            here & scored & report.failing,
        ),
        ("no score", theme.COLOURS["not_judged"], "circle-open", here & ~scored),
    ):
        _cases(drawn, table, asked, seen, mask, name, colour, symbol)
    _topics(drawn, page, places, table)
    drawn.update_layout(
        height=520,
        margin={"t": 34, "b": 24, "l": 10, "r": 10},
        xaxis={"visible": False},
        yaxis={"visible": False},
        legend={"itemsizing": "constant"},
    )
    return drawn


def _passages(drawn: go.Figure, page: Page, places: CasePlaces) -> None:
    known = _found(page, places)
    placed = known.placed[:: max(1, -(-len(known.placed) // MOST))] if known else ()
    drawn.add_scattergl(
        x=[point.x for point in placed],
        y=[point.y for point in placed],
        mode="markers",
        name="passage of the documents",
        marker={"color": theme.ink("line"), "size": 4},
        hoverinfo="skip",
    )


def _cases(
    drawn: go.Figure,
    table: CaseTable,
    asked: Mapping[str, str],
    seen: Floats,
    mask: Bools,
    name: str,
    colour: str,
    symbol: str,
) -> None:
    some = np.flatnonzero(mask)
    if not some.size:
        return
    step = max(1, -(-some.size // MOST))
    some = some[::step]
    every = "" if step == 1 else f", 1 in {step} drawn"
    drawn.add_scattergl(
        x=seen[some, 0],
        y=seen[some, 1],
        mode="markers",
        name=f"{name} ({int(mask.sum()):,}{every})",
        marker={"color": colour, "symbol": symbol, "size": 8, "opacity": 0.85},
        customdata=[[table.case_ids[place]] for place in some.tolist()],
        text=[_hover(table, place, asked) for place in some.tolist()],
        hovertemplate="%{text}<extra></extra>",
    )


def _hover(table: CaseTable, place: int, asked: Mapping[str, str]) -> str:
    """The question, safe for a hover, and the score."""
    said = "<br>".join(textwrap.wrap(escape(" ".join(asked.get(table.case_ids[place], "").split())), 60)[:3])
    value = table.score.values[place]
    score = "no score" if np.isnan(value) else f"{escape(table.score.name)} {value:.3g}"
    return f"{said}<br>{score}<br>{escape(table.case_ids[place])}"


def _outlines(drawn: go.Figure, at: Floats, report: ClusterReport, span: float) -> None:
    word = "failing" if report.failing_means == "failing" else "worse"
    for number, one in enumerate(report.clusters, 1):
        line = outline(at[one.cases], 0.025 * span)
        drawn.add_scatter(
            x=line[:, 0],
            y=line[:, 1],
            mode="lines",
            line={"color": theme.ink("text"), "width": 2},
            fill="toself",
            fillcolor="rgba(128,128,128,0.10)",
            hoverinfo="skip",
            showlegend=False,
        )
        top = line[line[:, 1].argmax()]
        drawn.add_annotation(
            x=top[0],
            y=top[1],
            yanchor="bottom",
            showarrow=False,
            text=f"<b>{number}: {one.failing.size:,} of {one.cases.size:,} {word}</b>",
            bgcolor=theme.ink("paper"),
            font={"size": 12, "color": theme.ink("text")},
        )


def outline(points: Floats, margin: float) -> Floats:
    """A closed line round points at some distance, shape (corners + 1, 2)."""
    circles = points[:, None, :] + margin * np.column_stack([np.cos(ROUND), np.sin(ROUND)])[None]
    spread = circles.reshape(-1, 2)
    try:
        corners = spread[ConvexHull(spread).vertices]
    except QhullError:  # a map so wide that the margin is lost in the digits
        corners = spread[: ROUND.size]
    return np.concatenate([corners, corners[:1]])


def _topics(drawn: go.Figure, page: Page, places: CasePlaces, table: CaseTable) -> None:
    """Names of the topics that cases lie in, most cases first; one that would cover another is left out."""
    known = _found(page, places)
    if known is None:
        return
    everywhere = np.array([(point.x, point.y) for point in known.placed])
    wide, high = np.maximum(np.ptp(everywhere, axis=0), 1e-9)
    codes = places.topic.codes[places_of(places, table.case_ids)]
    many = dict(
        zip(places.topic.levels, np.bincount(codes[codes >= 0], minlength=len(places.topic.levels)), strict=True)
    )
    taken: list[tuple[float, float, float]] = []
    of_point = np.array([point.topic for point in known.placed])
    held = [topic for topic in known.topics if topic.number != OUTLIER and many.get(topic.label, 0)]
    for topic in sorted(held, key=lambda topic: -int(many[topic.label]))[:MOST_NAMES]:
        inside = everywhere[of_point == topic.number]
        if not inside.size:
            continue
        x, y = float(np.median(inside[:, 0])), float(np.quantile(inside[:, 1], 0.02))
        label = textwrap.shorten(topic.label, NAMED, placeholder="…")
        half = LETTER * len(label) * wide / 2
        if any(abs(x - a) < half + reach and abs(y - b) < LINE * high for a, b, reach in taken):
            continue
        taken.append((x, y, half))
        drawn.add_annotation(
            x=x,
            y=y,
            yanchor="top",
            yshift=-6,
            text=label.replace("&", "&amp;").replace("<", "&lt;"),
            showarrow=False,
            font={"size": 12, "color": theme.ink("faint")},
        )


def _found(page: Page, places: CasePlaces) -> topics.Found | None:
    """The topics of the map; None where the project has found others since."""
    known = topics.latest(page.store, page.project.id)
    return known if known and places.model and known.model.id == places.model.id else None
