"""How far the topics can carry a sample: four figures, and plain words where they cannot."""

from __future__ import annotations

import streamlit as st

from core.domain.estimates import Estimate
from core.domain.sources.topics import OUTLIER
from pages.kit import errors
from pages.kit.look import headline, numbers
from pages.kit.testset.topics import ProjectTopics


def draw(project_topics: ProjectTopics) -> None:
    """The figures, then a warning for each in which the topics are poor."""
    quality = project_topics.model.quality
    topics = [topic for topic in project_topics.topics if topic.number != OUTLIER and not topic.dropped]
    dropped = sum(topic.dropped for topic in project_topics.topics)
    headline.draw(
        [
            headline.Figure(
                key="topics",
                label="Topics",
                value=f"{len(topics):,}",
                note=" · ".join([_coherence(quality.coherence), *([f"{dropped:,} dropped"] if dropped else [])]),
                help="Groups of passages that say similar things; questions are drawn from each. Coherence is the mean "
                "NPMI of pairs of their words: 1 always together in a passage, 0 as by chance, -1 never.",
            ),
            headline.Figure(
                key="outliers",
                label="In no topic",
                value=numbers.share(quality.outliers.value),
                note=f"{numbers.of(quality.outliers)} passages",
                help="Passages that lie in no group. They can be asked about too, or be assigned to the nearest topic.",
            ),
            headline.Figure(
                key="silhouette",
                label="Silhouette",
                value=numbers.share(quality.silhouette.value),
                note=_note(quality.silhouette, "passages"),
                help="How much nearer passages lie to their own topic than to the next, from -1 to 1, in the reduced "
                "space. Below 0.2 topics run into each other.",
            ),
            headline.Figure(
                key="stability",
                label="Stability",
                value=numbers.share(quality.stability.value),
                note=_note(quality.stability, "other seeds"),
                help="Adjusted Rand index with the topics that other seeds find: 1 the same, 0 no more alike than "
                "chance.",
            ),
        ]
    )
    for warning in quality.warnings:
        st.warning(errors.plain(warning), icon=":material/warning:")


def _coherence(value: Estimate) -> str:
    return f"coherence {numbers.share(value.value)} (n = {value.n:,})"


def _note(value: Estimate, things: str) -> str:
    if value.value is None:
        return errors.plain(value.method) or "not known"
    interval = "" if value.low is None or value.high is None else f"[{value.low:.2f}, {value.high:.2f}] · "
    return f"{interval}{value.n:,} {things}"
