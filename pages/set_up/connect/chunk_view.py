"""One document of a corpus: its chunks, each with its place, or its text."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.domain.sources.chunks import Chunk
from core.domain.sources.documents import Document
from core.domain.sources.projects import Source
from core.installation import typed
from pages.kit import errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables, verbatim
from pages.set_up.connect import corpus_reads

SHOWN = 5000
"""Characters of a document shown at once."""
BEGINNING = 90
"""Characters of a chunk in the table."""


def draw(page: Page, source: Source, document_id: str) -> None:
    """The picked document; nothing where it is gone."""
    document = project_reads.document(page.store, source, document_id)
    if document is None:
        st.info(f"The corpus as it is loaded now has no document {errors.plain(document_id)}.")
        return
    chunks = corpus_reads.chunks(page.store, source, document_id)
    with st.container(border=True, key="document"):
        st.markdown(f"**{errors.plain(document.title)}**  \n:small[:gray[{errors.plain(_about(document))}]]")
        for note in document.notes:
            st.caption(errors.plain(f"Remark: {note}."))
        part = "Text"
        if chunks:
            part = str(
                st.segmented_control(
                    "Show",
                    ["Chunks", "Text"],
                    default="Chunks",
                    key="document_part",
                    label_visibility="collapsed",
                    required=True,
                )
            )
        if part == "Chunks":
            _chunks(chunks)
        else:
            _text(document)


def _about(document: Document) -> str:
    pages = numbers.count(len(document.pages), "page") if document.pages else ""
    fields = [f"{name}: {value}" for name, value in document.metadata.items() if name in ("author", "date")]
    return ", ".join(filter(None, [document.path, document.format, pages, *fields]))


def _text(document: Document) -> None:
    verbatim.show(document.text[:SHOWN])
    if len(document.text) > SHOWN:
        st.caption(f"The first {SHOWN:,} of {len(document.text):,} characters.")


def _chunks(chunks: tuple[Chunk, ...]) -> None:
    """A table of the chunks; the selected one, else the first, below it."""
    frame = pd.DataFrame(
        {
            "Id": [chunk.id for chunk in chunks],
            "No.": [chunk.position + 1 for chunk in chunks],
            "Section": [" > ".join(chunk.section) for chunk in chunks],
            "Page": [chunk.page for chunk in chunks],
            "Words": [len(chunk.text.split()) for chunk in chunks],
            "Begins": [" ".join(chunk.text.split())[:BEGINNING] for chunk in chunks],
        }
    )
    if frame["Page"].isna().all():
        frame = frame.drop(columns="Page")
    if not frame["Section"].any():
        frame = frame.drop(columns="Section")
    tables.follow(frame, key="chunks", id_column="Id", parameter="chunk", height=240)
    if len(chunks) > tables.MOST:
        st.caption(f"The first {tables.MOST:,} of {len(chunks):,} chunks; {typed('corpus')} writes all of them.")
    chunk = next((chunk for chunk in chunks if chunk.id == state.link().chunk), chunks[0])
    place = [
        f"chunk {chunk.position + 1} of {len(chunks):,}",
        f"page {chunk.page}" if chunk.page else "",
        " > ".join(chunk.section),
        f"characters {chunk.start:,} to {chunk.end:,}",
    ]
    with st.container(border=True, key="chunk"):
        st.caption(errors.plain(", ".join(filter(None, place))))
        verbatim.show(chunk.text)
