"""What do the documents speak of? Find topics, see how good they are, put them right by hand."""

import streamlit as st

from core.domain.projects import Role, SourceKind
from pages.ui import frame, numbers, readers, state, topic_figures, topic_find, topic_map, topic_reads, topic_table

page = frame.begin(__file__)
source = readers.source(page.store, page.project.id, SourceKind.CORPUS)
if source is None:
    frame.empty(
        "No documents are loaded.",
        "Topics are groups of passages that say similar things; questions are drawn from each of them.",
        "connect",
        "Load documents",
    )
    st.stop()
may_write = page.may(Role.VALIDATOR)
busy = topic_find.watch(page)
found = topic_reads.latest(page.store, page.project.id)
if found is None:
    page.context(f"corpus {source.name}")
    if may_write:
        topic_find.form(page, busy=busy, first=True)
    else:
        st.info("No topics were found yet. Your role may look at topics and not find them.")
    st.stop()
page.context(
    f"corpus {source.name}",
    numbers.count(found.model.chunks, "passage"),
    f"found {numbers.when(found.model.created_at)}",
    f"seed {found.model.settings.seed}",
)
outdated = topic_reads.outdated(page.store, found.model, source)
if outdated:
    st.warning(
        "The documents have changed since these topics were found, or are cut in another way. Find them again before "
        "you write questions.",
        icon=":material/warning:",
    )
topic_figures.draw(found)
view = state.switch(
    "Part",
    ["topics", "find"] if may_write else ["topics"],
    "view",
    name={"topics": "Topics", "find": "Find again"}.get,
    label_visibility="collapsed",
)
if view == "find":
    topic_find.form(page, busy=busy, first=outdated)
else:
    topic_map.draw(page, found)
    topic_table.draw(page, found, may_write=may_write and not outdated)
