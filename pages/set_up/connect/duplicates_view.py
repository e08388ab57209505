"""Documents of one text, each group told once."""

from __future__ import annotations

import streamlit as st

from core.domain.sources.projects import Source
from core.knowledge.building import is_built
from pages.kit.frame import Page
from pages.kit.look import numbers, tables
from pages.set_up.connect import corpus_reads


def draw(page: Page, source: Source) -> None:
    """One line on repeated texts, with the groups below it; nothing where no text occurs twice."""
    if is_built(source):
        return
    groups = corpus_reads.duplicates(page.store, source)
    if groups.empty:
        return
    copies = int(groups["Documents"].sum()) - len(groups)
    label = f"{numbers.count(len(groups), 'text')} told by several documents: {numbers.count(copies, 'copy', 'copies')}"
    with st.expander(label, key="duplicates"):
        st.caption(
            "Copies without an id of their own are left out; the others stay, since test cases may name them. Nearly "
            "the same are texts that share at least 90% of their runs of five words: look which of them holds."
        )
        tables.plain(groups, key="duplicates_table")
        tables.download(groups, name="duplicates", key="duplicates_csv")
