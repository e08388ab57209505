"""The topic map: every passage a point; what is drawn round opens as a list of passages."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from core.domain.sources.chunks import Chunk
from core.domain.sources.topics import OUTLIER
from pages.kit import state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, theme
from pages.kit.testset import topics
from pages.kit.testset.topics import ProjectTopics

COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#8C6D31",
    "#7B5EA7",
    "#4D7D2E",
    "#B0475B",
)
SHAPES = ("circle", "square", "diamond", "cross", "triangle-up", "x")
MOST_POINTS = 20_000
"""More are drawn as an even sample; the table below is of all."""
HOVER = 140
SHOWN = 200


def draw(page: Page, project_topics: ProjectTopics) -> None:
    """The map, and the passages a person drew a line around."""
    chunks = topics.passages(page.store, project_topics.model.source_id)
    step = -(-len(project_topics.placed) // MOST_POINTS)
    placed = project_topics.placed[::step]
    picked = next((topic.number for topic in project_topics.topics if str(topic.number) == state.link().topic), None)
    figure = go.Figure()
    for place, topic in enumerate(project_topics.topics):
        inside = [point for point in placed if point.topic == topic.number]
        faint = topic.number == OUTLIER or topic.dropped
        figure.add_scattergl(
            x=[point.x for point in inside],
            y=[point.y for point in inside],
            mode="markers",
            name=textwrap.shorten(topic.label, 38, placeholder="…") + f" ({topic.size:,})",
            customdata=[point.chunk_id for point in inside],
            text=[_hover(chunks[point.chunk_id].text) if point.chunk_id in chunks else "" for point in inside],
            hovertemplate="%{text}<extra></extra>",
            marker={
                "color": theme.ink("faint") if faint else COLOURS[place % len(COLOURS)],
                "symbol": "circle-open" if faint else SHAPES[(place // len(COLOURS)) % len(SHAPES)],
                "size": 6,
                "opacity": 0.9 if picked in (None, topic.number) else 0.15,
            },
        )
    figure.update_layout(
        template=theme.template(),
        height=520,
        margin={"t": 40, "b": 10, "l": 10, "r": 10},
        xaxis={"visible": False},
        yaxis={"visible": False},
        dragmode="lasso",
        # Below the map: above it the chart's own buttons would lie over the last names.
        legend={"itemsizing": "constant", "y": -0.02, "yanchor": "top"},
    )
    event = st.plotly_chart(
        figure,
        key=f"topic_map_{project_topics.model.id}",
        theme=None,
        width="stretch",
        on_select="rerun",
        selection_mode=("lasso", "box"),
        config={
            "displaylogo": False,
            "showSendToCloud": False,
            "toImageButtonOptions": {"format": "svg", "filename": "topic-map"},
        },
    )
    every = "" if step == 1 else f" {len(placed):,} of {len(project_topics.placed):,} are drawn."
    st.caption(
        f"Each mark is a passage; those that say similar things lie together.{every} Draw around some to read them."
    )
    ids = [str(point["customdata"]) for point in event["selection"]["points"] if "customdata" in point]
    if ids:
        _selected(project_topics, chunks, ids)


def _selected(project_topics: ProjectTopics, chunks: Mapping[str, Chunk], ids: list[str]) -> None:
    topic_of = {point.chunk_id: point.topic for point in project_topics.placed}
    frame = passages_frame(project_topics, chunks, ids, topic_of)
    st.markdown(f"**{numbers.count(len(ids), 'passage')} inside the line**")
    tables.plain(frame.head(SHOWN), key="lasso_table", columns=PASSAGES)
    tables.download(frame, name="passages", key="lasso_csv")


PASSAGES = {
    "Topic": st.column_config.TextColumn(width=170),
    "Document": st.column_config.TextColumn(width=170),
    "Passage": st.column_config.TextColumn(width=600),
}


def passages_frame(
    project_topics: ProjectTopics, chunks: Mapping[str, Chunk], ids: list[str], topic_of: dict[str, int]
) -> pd.DataFrame:
    """Passages with their topic and document, in the given order."""
    passages = [chunks[chunk_id] for chunk_id in ids if chunk_id in chunks]
    return pd.DataFrame(
        [
            {
                "Topic": project_topics.labels.get(topic_of.get(chunk.id, OUTLIER), "outliers"),
                "Document": chunk.document_id,
                "Passage": " ".join(chunk.text.split()),
            }
            for chunk in passages
        ]
    )


def _hover(text: str) -> str:
    """The first words, safe for a hover: angle brackets are written out."""
    opening = textwrap.shorten(" ".join(text.split()), HOVER, placeholder="…")
    safe = opening.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "<br>".join(textwrap.wrap(safe, 60))
