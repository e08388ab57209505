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
    questions = dict(zip(places.case_ids, places.questions, strict=True))
    map_figure = go.Figure()
    _passages(map_figure, page, places)
    _outlines(map_figure, at, report, span)
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
        _cases(map_figure, table, questions, seen, mask, name, colour, symbol)
    _topics(map_figure, page, places, table)
    map_figure.update_layout(
        height=520,
        margin={"t": 34, "b": 24, "l": 10, "r": 10},
        xaxis={"visible": False},
        yaxis={"visible": False},
        legend={"itemsizing": "constant"},
    )
    return map_figure


def _passages(map_figure: go.Figure, page: Page, places: CasePlaces) -> None:
    topic_map = _topic_map(page, places)
    placed = topic_map.placed[:: max(1, -(-len(topic_map.placed) // MOST))] if topic_map else ()
    map_figure.add_scattergl(
        x=[point.x for point in placed],
        y=[point.y for point in placed],
        mode="markers",
        name="passage of the documents",
        marker={"color": theme.ink("line"), "size": 4},
        hoverinfo="skip",
    )


def _cases(
    map_figure: go.Figure,
    table: CaseTable,
    questions: Mapping[str, str],
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
    map_figure.add_scattergl(
        x=seen[some, 0],
        y=seen[some, 1],
        mode="markers",
        name=f"{name} ({int(mask.sum()):,}{every})",
        marker={"color": colour, "symbol": symbol, "size": 8, "opacity": 0.85},
        customdata=[[table.case_ids[place]] for place in some.tolist()],
        text=[_hover(table, place, questions) for place in some.tolist()],
        hovertemplate="%{text}<extra></extra>",
    )


def _hover(table: CaseTable, place: int, questions: Mapping[str, str]) -> str:
    """The question, safe for a hover, and the score."""
    question = "<br>".join(textwrap.wrap(escape(" ".join(questions.get(table.case_ids[place], "").split())), 60)[:3])
    value = table.score.values[place]
    score = "no score" if np.isnan(value) else f"{escape(table.score.name)} {value:.3g}"
    return f"{question}<br>{score}<br>{escape(table.case_ids[place])}"


def _outlines(map_figure: go.Figure, at: Floats, report: ClusterReport, span: float) -> None:
    word = "failing" if report.failing_means == "failing" else "worse"
    for number, cluster in enumerate(report.clusters, 1):
        line = outline(at[cluster.cases], 0.025 * span)
        map_figure.add_scatter(
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
        map_figure.add_annotation(
            x=top[0],
            y=top[1],
            yanchor="bottom",
            showarrow=False,
            text=f"<b>{number}: {cluster.failing.size:,} of {cluster.cases.size:,} {word}</b>",
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


def _topics(map_figure: go.Figure, page: Page, places: CasePlaces, table: CaseTable) -> None:
    """Names of the topics that cases lie in, most cases first; one that would cover another is left out."""
    topic_map = _topic_map(page, places)
    if topic_map is None:
        return
    everywhere = np.array([(point.x, point.y) for point in topic_map.placed])
    wide, high = np.maximum(np.ptp(everywhere, axis=0), 1e-9)
    codes = places.topic.codes[places_of(places, table.case_ids)]
    many = dict(
        zip(places.topic.levels, np.bincount(codes[codes >= 0], minlength=len(places.topic.levels)), strict=True)
    )
    taken: list[tuple[float, float, float]] = []
    of_point = np.array([point.topic for point in topic_map.placed])
    case_topics = [topic for topic in topic_map.topics if topic.number != OUTLIER and many.get(topic.label, 0)]
    for topic in sorted(case_topics, key=lambda topic: -int(many[topic.label]))[:MOST_NAMES]:
        inside = everywhere[of_point == topic.number]
        if not inside.size:
            continue
        x, y = float(np.median(inside[:, 0])), float(np.quantile(inside[:, 1], 0.02))
        label = textwrap.shorten(topic.label, NAMED, placeholder="…")
        half = LETTER * len(label) * wide / 2
        if any(abs(x - a) < half + reach and abs(y - b) < LINE * high for a, b, reach in taken):
            continue
        taken.append((x, y, half))
        map_figure.add_annotation(
            x=x,
            y=y,
            yanchor="top",
            yshift=-6,
            text=label.replace("&", "&amp;").replace("<", "&lt;"),
            showarrow=False,
            font={"size": 12, "color": theme.ink("faint")},
        )


def _topic_map(page: Page, places: CasePlaces) -> topics.ProjectTopics | None:
    """The topics of the map; None where the project has found others since."""
    topic_map = topics.latest(page.store, page.project.id)
    return topic_map if topic_map and places.model and topic_map.model.id == places.model.id else None
