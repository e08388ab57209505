"""What do the documents speak of? Find topics, see how good they are, put them right by hand."""

import streamlit as st

from core.domain.sources.projects import Role, SourceKind
from pages.kit import frame, project_reads, state
from pages.kit.look import numbers
from pages.kit.testset import topics
from pages.test_set.topics import figures, find, table
from pages.test_set.topics import map as topic_map

page = frame.begin(__file__)
source = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
if source is None:
    frame.empty(
        "No documents are loaded.",
        "Topics are groups of passages that say similar things; questions are drawn from each of them.",
        "connect",
        "Load documents",
    )
    st.stop()
may_write = page.may(Role.VALIDATOR)
busy = find.watch(page)
project_topics = topics.latest(page.store, page.project.id)
if project_topics is None:
    page.context(f"corpus {source.name}")
    if may_write:
        find.form(page, busy=busy, first=True)
    else:
        st.info("No topics were found yet. Your role may read topics but not find them.")
    st.stop()
page.context(
    f"corpus {source.name}",
    numbers.count(project_topics.model.chunks, "passage"),
    f"found {numbers.when(project_topics.model.created_at)}",
    f"seed {project_topics.model.settings.seed}",
)
outdated = topics.outdated(page.store, project_topics.model, source)
if outdated:
    st.warning(
        "The documents have changed since these topics were found, or are cut in another way. Find them again before "
        "you write questions.",
        icon=":material/warning:",
    )
figures.draw(project_topics)
view = state.switch(
    "Part",
    ["topics", "find"] if may_write else ["topics"],
    "view",
    name={"topics": "Topics", "find": "Find again"}.__getitem__,
    label_visibility="collapsed",
)
if view == "find":
    find.form(page, busy=busy, first=outdated)
else:
    topic_map.draw(page, project_topics)
    table.draw(page, project_topics, may_write=may_write and not outdated)
