"""The topics as a table; the selected one with its passages and what a person can change."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.domain.sources.topics import OUTLIER, EditKind, Topic, TopicEdit
from core.testset.topics.service import edit_topics, undo_edit
from core.testset.topics.suggesting import assignments_of_outliers, split_of
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.kit.testset import topics as topic_reads
from pages.kit.testset.topics import ProjectTopics
from pages.test_set.topics import map as topic_map

COLUMNS = {
    "No.": st.column_config.TextColumn(width=46),
    "Topic": st.column_config.TextColumn(width=190),
    "Words": st.column_config.TextColumn(width=218),
    "Passages": st.column_config.NumberColumn(width=74),
    "Documents": st.column_config.NumberColumn(width=86),
    "Likeness": st.column_config.NumberColumn(
        format="%.2f", width=58, help="How near its passages are to each other in meaning, from 0 to 1."
    ),
    "Coherence": st.column_config.NumberColumn(
        format="%.2f", width=84, help="Mean NPMI of pairs of its words, -1 to 1: whether they occur together."
    ),
    "Used": st.column_config.TextColumn(width=62),
}
SHOWN = 50


def draw(page: Page, project_topics: ProjectTopics, *, may_write: bool) -> None:
    """The table, what can be done with all topics, and the selected one."""
    frame = _frame(project_topics.topics)
    tables.follow(frame, key="topics_table", id_column="id", parameter="topic", columns=COLUMNS)
    with st.container(horizontal=True, vertical_alignment="center"):
        tables.download(frame.drop(columns="id"), name="topics", key="topics_csv")
        if may_write:
            _together(page, project_topics)
    chosen = next((topic for topic in project_topics.topics if str(topic.number) == state.link().topic), None)
    if chosen is None:
        st.caption("Select a topic to read its passages and to rename, merge, split or drop it.")
        return
    with st.container(key="topic_view"):
        _topic(page, project_topics, chosen, may_write)


def _frame(topics: Sequence[Topic]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "id": str(topic.number),
                "No.": "-" if topic.number == OUTLIER else str(topic.number),
                "Topic": topic.label,
                "Words": ", ".join(term.text for term in topic.terms[:8]) or "-",
                "Passages": topic.size,
                "Documents": topic.documents,
                "Likeness": topic.alike,
                "Coherence": topic.coherence,
                "Used": "no topic" if topic.number == OUTLIER else "dropped" if topic.dropped else "yes",
            }
            for topic in sorted(topics, key=lambda topic: (topic.number == OUTLIER, topic.number))
        ]
    )


def _together(page: Page, project_topics: ProjectTopics) -> None:
    if any(topic.number == OUTLIER and topic.size for topic in project_topics.topics):
        with st.popover("Assign outliers", key="assign_outliers"):
            share = st.slider(
                "Share of them, those nearest to a topic first", 0.05, 1.0, 0.5, 0.05, key="outlier_share"
            )
            if st.button("Assign to the nearest topics", key="assign"):
                with errors.shown():
                    edits = assignments_of_outliers(page.store, project_topics.model.id, share=share)
                    _edit(page, project_topics, edits, "Outliers assigned.")
    if project_topics.edits and st.button(
        "Undo the last change",
        key="undo_topics",
        help=f"{numbers.count(project_topics.edits, 'change')} by hand so far.",
    ):
        with errors.shown():
            undo_edit(page.store, project_topics.model.id, actor=page.actor)
            state.say("The last change is undone.")
            st.rerun()


def _topic(page: Page, project_topics: ProjectTopics, topic: Topic, may_write: bool) -> None:
    left, right = st.columns([4, 7], gap="large")
    with left:
        st.markdown(f"**{errors.plain(topic.label)}**  \n{numbers.count(topic.size, 'passage')}")
        if topic.named_by:
            st.caption(errors.plain(f"Named by {topic.named_by}."))
        if topic.terms:
            st.caption(errors.plain(", ".join(f"{term.text} {term.weight:.2f}" for term in topic.terms)))
        if may_write and topic.number != OUTLIER:
            _changes(page, project_topics, topic)
    with right:
        chunks = topic_reads.passages(page.store, project_topics.model.source_id)
        inside = [point for point in project_topics.placed if point.topic == topic.number]
        firm = sorted(inside, key=lambda point: (point.chunk_id not in topic.examples, -point.strength))
        frame = topic_map.passages_frame(
            project_topics,
            chunks,
            [point.chunk_id for point in firm],
            {point.chunk_id: topic.number for point in inside},
        )
        tables.plain(
            frame.drop(columns="Topic").head(SHOWN), key=f"passages_{topic.number}", columns=topic_map.PASSAGES
        )
        note = "The most typical first." if len(frame) <= SHOWN else f"The {SHOWN} most typical of {len(frame):,}."
        st.caption(note)
        tables.download(frame, name=f"topic-{topic.number}", key=f"passages_csv_{topic.number}")


def _changes(page: Page, project_topics: ProjectTopics, topic: Topic) -> None:
    others = {
        other.number: other.label for other in project_topics.topics if other.number not in (OUTLIER, topic.number)
    }
    with st.form(f"rename_{topic.number}", border=False):
        name = st.text_input("Name", value=topic.name, placeholder=topic.label, max_chars=80)
        if st.form_submit_button("Rename", key=f"rename_{topic.number}_save"):
            _edit(
                page,
                project_topics,
                [TopicEdit(kind=EditKind.RENAME, topic=topic.number, name=name.strip())],
                "Renamed.",
            )
    if others:
        merged = st.multiselect(
            "Merge into it", list(others), format_func=others.__getitem__, key=f"merge_{topic.number}"
        )
        if merged and st.button("Merge", key=f"merge_{topic.number}_save"):
            edit = TopicEdit(kind=EditKind.MERGE, topic=topic.number, others=tuple(merged))
            _edit(page, project_topics, [edit], "Merged.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        into = st.number_input(
            "Parts", min_value=2, max_value=max(2, min(10, topic.size)), value=2, key=f"parts_{topic.number}", width=110
        )
        if st.button("Split", key=f"split_{topic.number}", disabled=topic.size < 2):
            with errors.shown():
                _edit(
                    page,
                    project_topics,
                    [split_of(page.store, project_topics.model.id, topic.number, int(into))],
                    "Split.",
                )
        kind = EditKind.RESTORE if topic.dropped else EditKind.DROP
        if st.button(
            "Use it again" if topic.dropped else "Drop",
            key=f"drop_{topic.number}",
            help=None if topic.dropped else "No question is drawn from a dropped topic.",
        ):
            _edit(page, project_topics, [TopicEdit(kind=kind, topic=topic.number)], "Changed.")


def _edit(page: Page, project_topics: ProjectTopics, edits: Sequence[TopicEdit], message: str) -> None:
    with errors.shown():
        edit_topics(page.store, project_topics.model.id, edits, actor=page.actor)
        state.say(message)
        st.rerun()
