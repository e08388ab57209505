"""Plotly figures with our colours: stacked attribution, proportions with whiskers, the foreign-key graph.

A page builds a figure here and draws it with `show`, which adds the SVG download (camera button of the chart) and the
CSV of its data beside it. Titles say the finding; every mark carries its n; hovers name what they stand for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain.results.forms import form_questions
from pages.kit.look import theme
from pages.kit.look.tables import download

ATTRIBUTIONS: Final = (
    "correct",
    "knowledge_gap",
    "retrieval",
    "language_model",
    "undecided",
    "unresolved_gap",
    "not_judged",
)
"""The exhaustive attribution in the order it is stacked."""


def show(
    figure: go.Figure, *, key: str, data: pd.DataFrame | None = None, name: str = "figure", select: bool = False
) -> list[str]:
    """Draws a figure with its downloads.

    Args:
        figure: From one of the functions below, or any figure; it gets the theme's template.
        key: Unique on the page.
        data: What the figure shows, offered as CSV beside it.
        name: File name of both downloads, without ending.
        select: Whether a click on a mark runs the page again.

    Returns:
        The ids of the clicked marks (first item of their customdata); empty without `select`.
    """
    figure.update_layout(template=theme.template())
    chosen = st.plotly_chart(
        figure,
        key=key,
        theme=None,
        width="stretch",
        on_select="rerun" if select else "ignore",
        selection_mode=("points",),
        config={
            "displaylogo": False,
            "showSendToCloud": False,
            "modeBarButtonsToRemove": [
                "select2d",
                "lasso2d",
                "autoScale2d",
                "zoomIn2d",
                "zoomOut2d",
                "pan2d",
                "zoom2d",
            ],
            "toImageButtonOptions": {"format": "svg", "filename": name},
        },
    )
    if data is not None:
        download(data, name=name, key=f"{key}_csv", label="Data as CSV")
    if not select or not chosen or isinstance(chosen, DeltaGenerator):
        return []
    return [_first(point.get("customdata")) for point in chosen["selection"]["points"] if "customdata" in point]


def stacked(rows: Mapping[str, Mapping[str, int]], *, title: str = "", unit: str = "questions") -> go.Figure:
    """One stacked bar a row, exhaustive: the attribution of all questions of each form.

    Args:
        rows: Row label ("Short questions") to counts by attribution (keys of `ATTRIBUTIONS`).
        title: The finding.
        unit: What is counted, plural.

    Returns:
        Bars scaled to the share of their row with counts in the segments; the row label carries n. A click on a
        segment returns ``"attribution:row label"`` from `show`.
    """
    totals = {label: sum(counts.values()) for label, counts in rows.items()}
    labels = [f"{escape(label)}<br>n = {totals[label]:,}" for label in rows]
    figure = go.Figure()
    for part in ATTRIBUTIONS:
        counts = [row.get(part, 0) for row in rows.values()]
        if not any(counts):
            continue
        shares = [count / totals[label] if totals[label] else 0 for count, label in zip(counts, rows, strict=True)]
        figure.add_bar(
            name=theme.NAMES[part],
            y=labels,
            x=shares,
            orientation="h",
            width=0.55,
            marker={
                "color": theme.COLOURS[part],
                "line": {"color": theme.ink("paper"), "width": 1},
                "pattern": {
                    "shape": theme.PATTERNS.get(part, ""),
                    "fillmode": "overlay",
                    "fgcolor": "rgba(0,0,0,0.28)",
                    "size": 7,
                    "solidity": 0.18,
                },
            },
            text=[f"{count:,}" if share >= 0.03 else "" for count, share in zip(counts, shares, strict=True)],
            textposition="inside",
            insidetextanchor="middle",
            textfont={"color": "#111111"},
            textangle=0,
            customdata=[
                [f"{part}:{label}", label, count, totals[label]] for label, count in zip(rows, counts, strict=True)
            ],
            hovertemplate=(
                f"<b>{theme.NAMES[part]}</b>: %{{customdata[2]:,}} of %{{customdata[3]:,}} {unit} (%{{x:.2f}})<br>"
                f"{theme.MEANINGS[part]}<extra></extra>"
            ),
        )
    # In a narrow window the legend has two entries a line and grows upward, towards the title.
    above = max(76, 38 + 19 * math.ceil(len(figure.data) / 2)) if title else 40
    figure.update_layout(
        barmode="stack",
        title=escape(title) or None,
        height=above + 60 * max(1, len(rows)) + (48 if title else 60),
        margin={"t": above},
        xaxis={"range": [0, 1], "tickformat": ".1f", "title": f"Share of {unit}"},
        yaxis={"autorange": "reversed", "tickfont": {"color": theme.ink("text"), "size": 13}},
    )
    if title:
        figure.update_layout(title={"text": escape(title), "y": 0.98, "yanchor": "top"})
    return figure


def bar_label(form: str) -> str:
    """How the bar of a form is called.

    >>> bar_label("short"), bar_label("from documents"), bar_label("")
    ('Short questions', 'Questions from documents', 'Questions')
    """
    words = form_questions(form)
    return words[:1].upper() + words[1:]


def uncertain(pending: int) -> str:
    """The title of a picture of causes while the documents are still to be searched.

    >>> uncertain(1), uncertain(4_666)
    ('The module of 1 wrong answer is not certain yet', 'The modules of 4,666 wrong answers are not certain yet')
    """
    if pending == 1:
        return "The module of 1 wrong answer is not certain yet"
    return f"The modules of {pending:,} wrong answers are not certain yet"


def finding(by_form: Mapping[str, Mapping[str, int]]) -> str:
    """The title that says what stands out: the largest cause of errors and where it strikes.

    >>> finding({"short": {"correct": 9, "retrieval": 1}, "long": {"correct": 3, "retrieval": 6, "knowledge_gap": 1}})
    'Most errors are in retrieval: 7 of 8, 6 of them in long questions'
    """
    totals = {part: sum(counts.get(part, 0) for counts in by_form.values()) for part in ATTRIBUTIONS[1:-1]}
    wrong = sum(totals.values())
    if not wrong:
        return "No wrong answer"
    worst = max(totals, key=lambda part: totals[part])
    most = max(by_form, key=lambda form: by_form[form].get(worst, 0))
    there = by_form[most].get(worst, 0)
    telling = len(by_form) > 1 and most and there * 2 > totals[worst]
    where = f", {there:,} of them in {form_questions(most)}" if telling else ""
    name = {
        "knowledge_gap": "knowledge gaps",
        "retrieval": "in retrieval",
        "language_model": "in the language model",
        "undecided": "undecided",
        "unresolved_gap": "unresolved gaps",
    }[worst]
    lead = "Most errors" if totals[worst] * 2 > wrong else "The largest share of errors"
    verb = "are" if lead == "Most errors" else "is"
    return f"{lead} {verb} {name}: {totals[worst]:,} of {wrong:,}{where}"


def metric(cell: DeltaGenerator, label: str, value: str, note: str = "", *, help: str = "", key: str = "") -> None:
    """A headline figure: the number, and under it the interval and n in small type.

    Args:
        cell: A column or container.
        label: What it is.
        value: The figure as it is written.
        note: Interval and n, always shown.
        help: What the term means, on hover.
        key: Unique on the page; the container's key, so that tests find it.
    """
    with cell.container(border=True, key=f"metric_{key}" if key else None, height="stretch", gap="xsmall"):
        st.metric(label, value, help=help or None)
        if note:
            st.caption(note)


def _first(custom: Any) -> str:
    return str(custom[0] if isinstance(custom, (list, tuple)) else custom)
