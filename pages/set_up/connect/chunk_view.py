"""One document of a corpus: its chunks, each with its place, or its text."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.domain.chunks import Chunk
from core.domain.documents import Document
from core.domain.projects import Source
from pages.ui import corpus_reads, errors, numbers, readers, state, tables
from pages.ui.frame import Page

SHOWN = 5000
"""Characters of a document shown at once."""
BEGINNING = 90
"""Characters of a chunk in the table."""


def draw(page: Page, source: Source, document_id: str) -> None:
    """The picked document; nothing where it is gone."""
    found = readers.document(page.store, source, document_id)
    if found is None:
        st.info(f"The corpus as it is loaded now has no document {errors.plain(document_id)}.")
        return
    made = corpus_reads.chunks(page.store, source, document_id)
    with st.container(border=True, key="document"):
        st.markdown(f"**{errors.plain(found.title)}**  \n:small[:gray[{errors.plain(_about(found))}]]")
        for note in found.notes:
            st.caption(errors.plain(f"Remark: {note}."))
        shown = "Text"
        if made:
            shown = str(
                st.segmented_control(
                    "Show", ["Chunks", "Text"], default="Chunks", key="document_part", label_visibility="collapsed",
                    required=True,
                )
            )  # fmt: skip
        if shown == "Chunks":
            _chunks(made)
        else:
            _text(found)


def _about(document: Document) -> str:
    pages = numbers.count(len(document.pages), "page") if document.pages else ""
    fields = [f"{name}: {value}" for name, value in document.metadata.items() if name in ("author", "date")]
    return ", ".join(filter(None, [document.path, document.format, pages, *fields]))


def _text(document: Document) -> None:
    st.text(document.text[:SHOWN])
    if len(document.text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(document.text):,} characters.")


def _chunks(made: tuple[Chunk, ...]) -> None:
    """A table of the chunks; the selected one, else the first, below it."""
    frame = pd.DataFrame(
        {
            "Id": [chunk.id for chunk in made],
            "No.": [chunk.position + 1 for chunk in made],
            "Section": [" > ".join(chunk.section) for chunk in made],
            "Page": [chunk.page for chunk in made],
            "Words": [len(chunk.text.split()) for chunk in made],
            "Begins": [" ".join(chunk.text.split())[:BEGINNING] for chunk in made],
        }
    )
    if frame["Page"].isna().all():
        frame = frame.drop(columns="Page")
    if not frame["Section"].any():
        frame = frame.drop(columns="Section")
    tables.follow(frame, key="chunks", id_column="Id", parameter="chunk", height=240)
    if len(made) > tables.MOST:
        st.caption(f"The first {tables.MOST:,} of {len(made):,} chunks; python -m core corpus writes all of them.")
    chunk = next((chunk for chunk in made if chunk.id == state.link().chunk), made[0])
    place = [
        f"chunk {chunk.position + 1} of {len(made):,}",
        f"page {chunk.page}" if chunk.page else "",
        " > ".join(chunk.section),
        f"characters {chunk.start:,} to {chunk.end:,}",
    ]
    with st.container(border=True, key="chunk"):
        st.caption(errors.plain(", ".join(filter(None, place))))
        st.text(chunk.text)
